//! Tests standard input that arrives slowly, never arrives, or never ends.

use std::io::{Read, Write};
use std::process::{Child, Stdio};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::json;
use verger_testkit::{Output, changed};

use crate::scene::{Called, Scene};
use crate::stage::HOOK;

fn payload() -> String {
    changed("PreToolUse-Bash", &[("tool_use_id", json!("toolu_new"))])
}

/// A running hook call. Its input stays open until the test closes it.
struct Running {
    child: Child,
    start: Instant,
}

impl Running {
    fn start(scene: &Scene) -> Self {
        let mut command = scene.environment.command(HOOK);
        command.args(["claude", "PreToolUse"]);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let start = Instant::now();
        Self { child: command.spawn().unwrap(), start }
    }

    /// Waits for the end of the process without closing its input.
    fn end(mut self) -> Called {
        let input = self.child.stdin.take();
        let (mut stdout, mut stderr) = (String::new(), String::new());
        self.child.stdout.take().unwrap().read_to_string(&mut stdout).unwrap();
        self.child.stderr.take().unwrap().read_to_string(&mut stderr).unwrap();
        let status = self.child.wait().unwrap();
        drop(input);
        let output = Output { stdout, stderr, code: status.code().unwrap() };
        Called { output, took: self.start.elapsed() }
    }

    /// Writes one byte per `pause`, and returns the time of the last byte. Stops if the hook
    /// closes the input.
    fn drip(&mut self, bytes: &[u8], pause: Duration) -> Instant {
        // Receiving from a channel without messages waits for the pause.
        let (_sender, metronome) = mpsc::channel::<()>();
        let mut stdin = self.child.stdin.take().unwrap();
        for byte in bytes {
            assert_eq!(metronome.recv_timeout(pause), Err(RecvTimeoutError::Timeout));
            if stdin.write_all(&[*byte]).is_err() {
                break;
            }
        }
        self.child.stdin = Some(stdin);
        Instant::now()
    }
}

#[test]
fn a_payload_whose_input_is_never_closed_is_answered_at_once() {
    let scene = Scene::new();
    let mut running = Running::start(&scene);
    running.child.stdin.as_mut().unwrap().write_all(payload().as_bytes()).unwrap();
    let called = running.end();
    // The call must not take the full second after which a silent input is an error.
    scene.check(Duration::ZERO, &called);
    assert_eq!(scene.news(), ["tool.requested"]);
}

#[test]
fn a_call_without_input_ends_after_a_second() {
    let scene = Scene::new();
    let called = Running::start(&scene).end();
    scene.check(Duration::from_secs(1), &called);
    assert!(called.took >= Duration::from_secs(1));
    let silent =
        "warning: hook PreToolUse: read the payload: nothing arrived on standard input for 1 s";
    assert_eq!(scene.news(), [silent]);
}

#[test]
fn a_call_whose_input_stalls_ends_after_a_second() {
    let scene = Scene::new();
    let mut running = Running::start(&scene);
    running.child.stdin.as_mut().unwrap().write_all(&payload().as_bytes()[..20]).unwrap();
    let called = running.end();
    scene.check(Duration::from_secs(1), &called);
    let silent =
        "warning: hook PreToolUse: read the payload: nothing arrived on standard input for 1 s";
    assert_eq!(scene.news(), [silent]);
}

#[test]
fn input_that_drips_without_end_is_given_up_after_five_seconds() {
    let scene = Scene::new();
    let mut running = Running::start(&scene);
    let endless = format!("{{\"session_id\":\"{}", "x".repeat(200));
    running.drip(endless.as_bytes(), Duration::from_millis(50));
    let called = running.end();
    scene.check(Duration::from_secs(5), &called);
    assert!(called.took >= Duration::from_secs(5));
    let slow = "warning: hook PreToolUse: read the payload: the payload was not complete after 5 s";
    assert_eq!(scene.news(), [slow]);
}

#[test]
fn a_payload_that_drips_is_answered_with_its_last_byte() {
    let scene = Scene::new();
    let mut running = Running::start(&scene);
    let whole = json!({ "session_id": "s", "tool_name": "Glob", "tool_input": {} }).to_string();
    let last = running.drip(whole.as_bytes(), Duration::from_millis(20));
    let called = running.end();
    let after_last = Called { output: called.output, took: last.elapsed() };
    scene.check(Duration::ZERO, &after_last);
    assert_eq!(scene.news(), ["tool.requested"]);
}

#[test]
fn an_input_that_cannot_be_read_is_no_payload() {
    for (redirection, problem) in [
        (
            "<&-",
            "read the payload of PreToolUse: it doesn't match the event's format at line 1, column 0",
        ),
        ("< /", "read the payload: standard input cannot be read: Is a directory (os error 21)"),
    ] {
        let scene = Scene::new();
        let mut command = scene.environment.command("sh");
        command.args(["-c", &format!("exec {HOOK} claude PreToolUse {redirection}")]);
        scene.run_within(Duration::ZERO, command, "");
        assert_eq!(scene.news(), [format!("warning: hook PreToolUse: {problem}")]);
    }
}

#[test]
fn a_closed_output_is_no_failure() {
    let scene = Scene::new();
    let mut running = Running::start(&scene);
    let (stdout, stderr) = (running.child.stdout.take(), running.child.stderr.take());
    drop((stdout, stderr));
    running.child.stdin.take().unwrap().write_all(payload().as_bytes()).unwrap();
    assert_eq!(running.child.wait().unwrap().code(), Some(0));
    assert_eq!(scene.news(), ["tool.requested"]);
}

#[test]
fn slow_calls_of_one_session_do_not_hold_each_other_up() {
    let scene = Scene::new();
    let stalled: Vec<_> = (0..4).map(|_| Running::start(&scene)).collect();
    thread::scope(|scope| {
        for number in 0..4 {
            let id = json!(format!("toolu_{number}"));
            let payload = changed("PreToolUse-Bash", &[("tool_use_id", id)]);
            let scene = &scene;
            scope.spawn(move || scene.call("PreToolUse", payload));
        }
    });
    for running in stalled {
        scene.check(Duration::from_secs(2), &running.end());
    }
    let mut news = scene.news();
    news.sort_unstable();
    assert_eq!(news[..4], ["tool.requested"; 4]);
    assert_eq!(news.len(), 8);
}
