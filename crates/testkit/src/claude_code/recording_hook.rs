//! A hook that records every call and returns prepared answers.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::environment::TestEnvironment;

/// Hooks of one event run at the same time, so each call has its own files. Only a short line is
/// appended to the shared file, which the system does in one step. The line is added when all files
/// of the call are complete. A call takes an answer by renaming its file, which only one call can
/// do.
const SCRIPT: &str = r#"#!/bin/sh
cd "$(dirname "$0")" || exit 0
cat > "$$.payload"
env > "$$.environment"
echo "$2 $$" >> order
for answer in "$2".answer.*; do
  if mv "$answer" "$$.answer" 2> /dev/null; then
    cat "$$.answer"
    break
  fi
done
exit 0
"#;

/// How long [`RecordingHook::wait_for`] waits, and how long between two checks.
const PATIENCE: Duration = Duration::from_mins(1);
const LOOK: Duration = Duration::from_millis(5);

/// A hook program in the environment.
#[derive(Clone, Debug)]
pub struct RecordingHook {
    directory: PathBuf,
    answers: usize,
}

/// One call of the hook.
#[derive(Clone, Debug)]
pub struct HookCall {
    /// The event's name from the command line.
    pub event: String,
    /// The JSON that the client wrote to the hook's standard input.
    pub payload: Value,
    /// The payload's text as the client wrote it.
    pub text: String,
    pub environment: BTreeMap<String, String>,
}

impl RecordingHook {
    pub fn new(environment: &TestEnvironment) -> Self {
        let directory = environment.root().join("hook");
        environment.write(directory.join("order"), "");
        environment.write_program(directory.join("record"), SCRIPT);
        Self { directory, answers: 0 }
    }

    /// The command to pass to [`hook_settings`](super::hook_settings).
    pub fn command(&self) -> String {
        self.directory.join("record").display().to_string()
    }

    /// Answers the next call of `event` with this object. Several answers are returned in order.
    pub fn answer(&mut self, event: &str, answer: &Value) {
        let name = format!("{event}.answer.{:04}", self.answers);
        self.answers += 1;
        fs::write(self.directory.join(name), answer.to_string()).unwrap();
    }

    /// The calls so far, in the order in which they had read their input.
    pub fn calls(&self) -> Vec<HookCall> {
        let read = |name: String| fs::read_to_string(self.directory.join(name)).unwrap();
        let order = read("order".to_owned());
        order
            .lines()
            .map(|line| {
                let (event, process) = line.split_once(' ').expect("an event and a process");
                let payload = read(format!("{process}.payload"));
                let environment = read(format!("{process}.environment"));
                let variables = environment.lines().filter_map(|line| line.split_once('='));
                HookCall {
                    event: event.to_owned(),
                    payload: serde_json::from_str(&payload).unwrap(),
                    text: payload,
                    environment: variables.map(|(k, v)| (k.to_owned(), v.to_owned())).collect(),
                }
            })
            .collect()
    }

    /// Waits for a call of `event`. Fails the test after a minute.
    #[track_caller]
    pub fn wait_for(&self, event: &str) {
        let deadline = Instant::now() + PATIENCE;
        loop {
            let order = fs::read_to_string(self.directory.join("order")).unwrap();
            if order.lines().any(|line| line.split(' ').next() == Some(event)) {
                return;
            }
            assert!(Instant::now() < deadline, "there was no {event} in {PATIENCE:?}");
            thread::park_timeout(LOOK);
        }
    }

    /// The names of the events so far.
    pub fn events(&self) -> Vec<String> {
        self.calls().into_iter().map(|call| call.event).collect()
    }
}
