//! A session in a project with checks that run scripts written by the tests.

use std::fs;
use std::path::PathBuf;
use std::process::{Child, Stdio};

use serde_json::Value;
use verger_testkit::{Conversation, Filter, Output, TestEnvironment};

use crate::reviewing::{conversation_in, records, verger};

const VERGER: &str = env!("CARGO_BIN_EXE_verger");

pub(crate) struct Scene {
    pub(crate) conversation: Conversation,
}

/// A shell line that reports its start and then waits for input from a pipe.
pub(crate) const HELD: &str = r#"echo begun > "$HOME/begun.fifo"; read word < "$HOME/word.fifo""#;

impl Scene {
    /// A task with one changed file. In the user's configuration, `$BIN` stands for the directory
    /// of the programs.
    #[track_caller]
    pub(crate) fn new(config: &str) -> Self {
        let scene = Self::without_work(config);
        assert!(scene.conversation.prompt("write it").is_silence());
        scene.conversation.write("a.txt", "one\n");
        scene
    }

    #[track_caller]
    pub(crate) fn without_work(config: &str) -> Self {
        let mut environment = TestEnvironment::with_repository();
        environment.add_filter(Filter::Ulids);
        let scene = Self { conversation: conversation_in(environment) };
        scene.configure(config);
        scene
    }

    pub(crate) fn configure(&self, config: &str) {
        let bin = self.bin();
        self.conversation.configure(config.replace("$BIN", bin.to_str().unwrap()));
    }

    pub(crate) fn environment(&self) -> &TestEnvironment {
        &self.conversation.environment
    }

    fn bin(&self) -> PathBuf {
        self.environment().root().join("bin")
    }

    /// Writes a program that a command of the project runs.
    pub(crate) fn program(&self, name: &str, script: &str) {
        let script = format!("#!/bin/sh\n{script}\n");
        self.environment().write_program(self.bin().join(name), script);
    }

    /// Creates pipes for communication between a program and the test.
    pub(crate) fn pipes(&self, names: &[&str]) {
        for name in names {
            let path = self.environment().home().join(name);
            assert_eq!(self.environment().run("mkfifo", [path], "").code, 0);
        }
    }

    /// Waits until the program has begun. Opening the pipe blocks until the program opens it too.
    #[track_caller]
    pub(crate) fn hear_that_it_began(&self) {
        assert_eq!(self.read_home("begun.fifo"), "begun\n");
    }

    /// Lets the program go on. Opening the pipe blocks until the program opens it too.
    pub(crate) fn give_the_word(&self) {
        fs::write(self.environment().home().join("word.fifo"), "go\n").unwrap();
    }

    pub(crate) fn read_home(&self, name: &str) -> String {
        self.environment().read(self.environment().home().join(name))
    }

    /// Runs `verger verify` for the session.
    #[track_caller]
    pub(crate) fn verify(&self, more: &[&str]) -> Output {
        let session = self.conversation.session();
        verger(&self.conversation, &[&["verify", "--session", session], more].concat())
    }

    /// The full result of a verification, as JSON.
    #[track_caller]
    pub(crate) fn verified(&self, more: &[&str]) -> Value {
        let output = self.verify(&[&["--json"], more].concat());
        serde_json::from_str(&output.stdout).unwrap_or_else(|_| panic!("{output}"))
    }

    /// Starts `verger verify` for the session without waiting for it.
    pub(crate) fn start(&self, more: &[&str]) -> Child {
        let mut command = self.environment().command(VERGER);
        command.args(["verify", "--session", self.conversation.session()]).args(more);
        command.envs(self.conversation.next_moment());
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command.spawn().unwrap()
    }

    /// The directory of the only run.
    #[track_caller]
    pub(crate) fn job(&self) -> PathBuf {
        let stem = format!("claude-{}", self.conversation.session());
        let runs = self.environment().verger_home().join("data/verifications").join(stem);
        let mut jobs = fs::read_dir(runs).unwrap().map(|entry| entry.unwrap().path());
        let job = jobs.next().unwrap();
        assert_eq!(jobs.next(), None);
        job
    }

    /// The log's records of verifications.
    pub(crate) fn log(&self) -> String {
        records(&self.conversation, &["gate.changed", "verification."]).join("\n")
    }
}

/// The result of every check: `lint: failed`.
pub(crate) fn checks(told: &Value) -> Vec<String> {
    let checks = told["verified"]["checks"].as_array().unwrap_or_else(|| panic!("{told:#}"));
    let line = |check: &Value| {
        let text = |value: &Value| value.as_str().unwrap().to_owned();
        format!("{}: {}", text(&check["name"]), text(&check["status"]["is"]))
    };
    checks.iter().map(line).collect()
}
