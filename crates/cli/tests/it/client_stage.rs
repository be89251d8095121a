//! A home in which verger is registered with one real client, for tests that are written once for
//! all clients.

use std::path::PathBuf;

use serde_json::Value;
use verger_memory::text::render;
use verger_testkit::{
    Client, ClientPrompt, ClientRun, Kind, Output, Reply, Request, Script, TerminalSize, Upstream,
};

use crate::household::{Household, done};
use crate::learned::learning;
use crate::review_stage::Log;

/// Settings with which `verger review run` starts the program `judge`.
pub(crate) const REVIEWER: &str = "review.reviewer = { command = [\"judge\"] }\n";

/// A reviewer that approves everything.
const JUDGE: &str = "#!/bin/sh\ncat > /dev/null\n\
                     echo '{\"decision\":\"complete\",\"summary\":\"it is there\"}'\n";

/// A learning about the cache of the parser.
pub(crate) const LEARNED: &str = "The cache of the parser is per thread";

/// The content of a file that is not committed.
const NOT_COMMITTED: &str = "pub fn kept() { /* not committed */ }\n";

pub(crate) struct ClientStage {
    pub(crate) client: Client,
    pub(crate) household: Household,
}

impl ClientStage {
    /// A stage with these settings of the user.
    #[track_caller]
    pub(crate) fn new(client: Client, settings: &str) -> Self {
        let stage = Self::not_registered(client, settings);
        done(stage.household.init(&["--agent", client.agent()]));
        stage
    }

    /// The same without verger's hooks.
    pub(crate) fn not_registered(client: Client, settings: &str) -> Self {
        let mut household = Household::new();
        let environment = &mut household.environment;
        // The clock that is fixed for tests would give every event the same time.
        environment.unset("VERGER_TEST_NOW_MS");
        environment.unset("VERGER_TEST_SEED");
        environment.write(environment.home().join(".config/verger/config.toml"), settings);
        let programs = environment.root().join("programs");
        environment.write_program(programs.join("judge"), JUDGE);
        // Codex runs commands in a login shell, which sets another `PATH`.
        let profile = format!("PATH='{}':$PATH\n", programs.display());
        environment.write(environment.home().join(".profile"), profile);
        Self { client, household }
    }

    /// Adds a file that is committed and has a change that is not committed.
    #[track_caller]
    pub(crate) fn with_uncommitted_work(self) -> Self {
        let environment = &self.household.environment;
        environment.write("src/lib.rs", "pub fn kept() {}\n");
        for words in
            [&["add", "src"][..], &["commit", "--quiet", "--no-gpg-sign", "--message=Source"]]
        {
            done(environment.run("git", words, ""));
        }
        environment.write("src/lib.rs", NOT_COMMITTED);
        self
    }

    /// Whether the uncommitted work is there.
    pub(crate) fn has_uncommitted_work(&self) -> bool {
        let path = self.path("src/lib.rs");
        path.exists() && self.household.environment.read(path) == NOT_COMMITTED
    }

    /// Adds a learning of the project, and works on a branch that names its subject.
    #[track_caller]
    pub(crate) fn with_a_learning(self, branch: &str) -> Self {
        let environment = &self.household.environment;
        let text = format!("# Learnings\n\n{}", render(&learning("thread", 3, LEARNED)));
        environment.write(".verger/learnings.md", text);
        done(environment.run("git", ["switch", "--quiet", "--create", branch], ""));
        self
    }

    /// The person restores the files of the last undo point, at a separate terminal.
    #[track_caller]
    pub(crate) fn restore(&self) -> Output {
        let environment = &self.household.environment;
        let mut command = environment.command(env!("CARGO_BIN_EXE_verger"));
        command.args(["undo", "restore"]);
        environment.run_on_terminal(command, TerminalSize::USUAL)
    }

    /// The path of a file of the project.
    pub(crate) fn path(&self, path: &str) -> PathBuf {
        self.household.environment.project().join(path)
    }

    /// The model's call that runs a shell command.
    pub(crate) fn shell(&self, command: &str) -> Reply {
        Reply::blocks([self.client.shell(command)])
    }

    /// The model's call that writes a new file of the project.
    pub(crate) fn write(&self, path: &str, text: &str) -> Reply {
        Reply::blocks([self.client.write_file(&self.path(path), text)])
    }

    /// The model's call of the command that has the work reviewed. A refused stop names it.
    pub(crate) fn review(&self) -> impl Fn(&Request) -> Reply + use<> {
        let client = self.client;
        move |request| {
            let command = "verger review run --session ";
            let session = request.word_after(command).unwrap();
            Reply::blocks([client.shell(&format!("{command}{session}"))])
        }
    }

    /// Runs one prompt.
    #[track_caller]
    pub(crate) fn play(&self, prompt: &str, script: Script) -> ClientPlayed {
        self.play_prompt(self.client.prompt(prompt), script)
    }

    #[track_caller]
    pub(crate) fn play_prompt(&self, prompt: ClientPrompt, script: Script) -> ClientPlayed {
        let upstream = Upstream::start(script);
        let run = prompt.run(&self.household.environment, &upstream);
        let requests = upstream.finish();
        ClientPlayed { run: run.success(), requests }
    }

    pub(crate) fn log(&self) -> Log {
        Log::of(&self.household)
    }

    /// The main events of all sessions, in order: their kind, and what they are about.
    pub(crate) fn story(&self) -> Vec<String> {
        const KINDS: [&str; 7] = [
            "prompt.submitted",
            "tool.requested",
            "tool.succeeded",
            "tool.failed",
            "tool.ended",
            "stop.requested",
            "session.ended",
        ];
        let mut records: Vec<_> = KINDS.iter().flat_map(|kind| self.log().records(kind)).collect();
        records.sort_by_key(|record| record["at_ms"].as_u64());
        let line = |record: &Value| {
            let payload = &record["payload"];
            let call = &payload["call"]["does"];
            let about = [
                &payload["prompt"],
                &call["shell"]["line"],
                &call["write"]["path"],
                &call["edit"]["files"][0]["path"],
            ];
            let about = about.into_iter().find_map(Value::as_str).unwrap_or_default();
            let line = format!("{} {about}", record["kind"].as_str().unwrap());
            self.household.environment.normalise(line.trim_end())
        };
        records.iter().map(line).collect()
    }

    /// All sessions, as `verger session list --json` shows them.
    #[track_caller]
    pub(crate) fn sessions(&self) -> Vec<Value> {
        let list = self.household.verger(&["session", "list", "--json"]).success();
        let list: Value = serde_json::from_str(&list.stdout).unwrap();
        list["sessions"].as_array().unwrap().clone()
    }
}

/// A session that has ended.
pub(crate) struct ClientPlayed {
    pub(crate) run: ClientRun,
    requests: Vec<Request>,
}

impl ClientPlayed {
    /// The requests of the main conversation.
    pub(crate) fn main(&self) -> Vec<&Request> {
        self.requests.iter().filter(|request| request.kind() == Kind::Main).collect()
    }
}
