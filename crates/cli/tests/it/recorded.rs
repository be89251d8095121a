//! A user's home with recorded sessions, made by real hook calls at fixed times.

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::time::Duration;

use verger_event::{
    Access, Draft, Event, EventId, Session, SessionId, SessionKey, Standing, Timestamp,
};
use verger_store::{Entry, Options, ReadLog, Sessions, Turn};
use verger_store_local::LocalStore;
use verger_testkit::{DriftScript, Output, Terminal, TerminalSize, TestEnvironment};
use verger_worktree::{Git, project_facts};

use crate::household::hook_script;

/// The time of the first call. Each call is one second later than the previous one.
const START_MS: u64 = 1_794_767_961_000;

fn key(session: &str) -> SessionKey {
    SessionKey { agent: "claude".parse().unwrap(), session: SessionId::new(session) }
}

pub(crate) struct Recorded {
    pub(crate) environment: TestEnvironment,
    calls: u64,
}

/// Adds a `verger` beside the installed hook program. `init` copied none, because there is none
/// beside the stand-in for the hook.
pub(crate) fn put_verger_beside_the_hook(environment: &TestEnvironment, data: &Path) {
    let beside = environment.write_program(data.join("bin/verger"), "#!/bin/sh\n");
    fs::set_permissions(beside, Permissions::from_mode(0o700)).unwrap();
}

impl Recorded {
    /// A home without records.
    pub(crate) fn nothing() -> Self {
        Self { environment: TestEnvironment::with_repository(), calls: 0 }
    }

    /// One short session, and one that has only begun.
    pub(crate) fn two_sessions() -> Self {
        let mut recorded = Self::nothing();
        recorded.event("1111", "SessionStart", r#""source":"startup""#);
        recorded.event("1111", "UserPromptSubmit", r#""prompt_id":"p1","prompt":"fix the\nbug""#);
        let read = r#""prompt_id":"p1","tool_use_id":"t1","tool_name":"Read","tool_input":{"file_path":"a"}"#;
        recorded.event("1111", "PreToolUse", read);
        recorded.event(
            "1111",
            "PostToolUse",
            &format!(r#"{read},"tool_response":{{"stdout":"a"}}"#),
        );
        recorded.event("1111", "Stop", r#""prompt_id":"p1","last_assistant_message":"Done.""#);
        recorded.event("1111", "SessionEnd", r#""reason":"other""#);
        recorded.event("2222", "SessionStart", r#""source":"startup""#);
        recorded
    }

    /// Registers verger with the agent like a person, with a stand-in for the hook program.
    pub(crate) fn init(&mut self, arguments: &[&str]) {
        self.tick();
        let program = self.environment.root().join("bin/verger-hook");
        let script = hook_script(env!("CARGO_PKG_VERSION"));
        let program = self.environment.write_program(program, script);
        let program = program.to_str().unwrap();
        let named = ["init", "--yes", "--agent", "claude", "--hook", program];
        let arguments = [&named[..], arguments].concat();
        assert_eq!(self.verger(&arguments).code, 0);
        let data = self.environment.verger_home().join("data");
        put_verger_beside_the_hook(&self.environment, &data);
    }

    /// Moves the clock one second forward, so that the next call makes other ids.
    pub(crate) fn tick(&mut self) {
        self.calls += 1;
        let now = START_MS + 1000 * self.calls;
        self.environment.set("VERGER_TEST_NOW_MS", now.to_string());
        self.environment.set("VERGER_TEST_SEED", (100 * self.calls).to_string());
    }

    /// Moves the clock forward by this number of days.
    pub(crate) fn pass_days(&mut self, days: u64) {
        self.calls += days * 24 * 60 * 60;
        self.environment.set("VERGER_TEST_NOW_MS", (START_MS + 1000 * self.calls).to_string());
    }

    /// Calls the hook like an agent, and expects no answer.
    pub(crate) fn event(&mut self, session: &str, event: &str, fields: &str) {
        assert_eq!(self.hook(session, &[event], fields), "");
    }

    /// Calls the hook like an agent with the plugin, and returns the answer.
    pub(crate) fn answered(&mut self, session: &str, event: &str, fields: &str) -> String {
        self.hook(session, &[event, "plugin"], fields)
    }

    fn hook(&mut self, session: &str, words: &[&str], fields: &str) -> String {
        self.tick();
        let (cwd, event) = (self.environment.project(), words[0]);
        let payload = format!(
            r#"{{"session_id":"{session}","cwd":"{}","hook_event_name":"{event}",{fields}}}"#,
            cwd.display()
        );
        let output = self.verger_with_input(&[&["hook", "claude"], words].concat(), payload);
        assert_eq!((output.stderr.as_str(), output.code), ("", 0));
        output.stdout
    }

    /// Writes a record of verger's own about an earlier record of the session, as a gate does.
    pub(crate) fn own_event(
        &mut self,
        session: &str,
        about: u64,
        event: impl FnOnce(EventId) -> Event,
    ) {
        self.tick();
        let (store, key) = (self.store(), key(session));
        let mut subject = None;
        store
            .read(&key, &mut |entry| match entry {
                Entry::Record(record) if record.seq == about => subject = Some(record.draft),
                _ => {}
            })
            .unwrap();
        let Draft { id, origin, standing, .. } = subject.unwrap();
        let at = Timestamp::from_millis(START_MS + 1000 * self.calls);
        let draft = Draft {
            id: EventId::new(at, u128::from(100 * self.calls)),
            at,
            origin,
            standing: Standing { task: standing.task, evidence: vec![id], ..Standing::default() },
            access: Access::default(),
            event: event(id),
        };
        store.open::<Session>(&key).unwrap().commit(vec![draft]).unwrap();
    }

    /// A scripted session in this project, which begins this number of minutes after the others.
    pub(crate) fn script(&self, session: &str, minutes: u64) -> DriftScript {
        let path = ("PATH".into(), "/usr/local/bin:/usr/bin:/bin".into());
        let git = Git::new("git", [path], Duration::from_secs(10));
        let directory = self.environment.project();
        let project = project_facts(&directory, &git).id;
        DriftScript::new(session, directory.to_str().unwrap(), START_MS + 60_000 * minutes)
            .in_project(Some(project))
    }

    /// Writes the script's new records, and sets the clock to an hour after the first call.
    pub(crate) fn play(&mut self, script: &mut DriftScript) {
        let drafts = script.take();
        self.store().open::<Session>(&script.key()).unwrap().commit(drafts).unwrap();
        self.calls = self.calls.max(3_600);
        self.tick();
    }

    /// The kinds and summaries of the log's entries after a record, without times.
    pub(crate) fn kinds_after(&self, seq: usize) -> String {
        let trace = self.verger(&["session", "trace", "1111"]).success().stdout;
        let kinds = trace.lines().skip(seq).map(|line| &line[28..]);
        kinds.collect::<Vec<_>>().join("\n")
    }

    fn store(&self) -> LocalStore {
        let data = self.environment.verger_home().join("data");
        LocalStore::open(&data, Options::default()).unwrap()
    }

    pub(crate) fn verger(&self, arguments: &[&str]) -> Output {
        self.verger_with_input(arguments, "")
    }

    pub(crate) fn verger_with_input(
        &self,
        arguments: &[&str],
        input: impl Into<Vec<u8>>,
    ) -> Output {
        self.environment.run(env!("CARGO_BIN_EXE_verger"), arguments, input)
    }

    pub(crate) fn at_terminal(&self, arguments: &[&str], size: TerminalSize) -> Output {
        self.start_at_terminal(arguments, size).finish()
    }

    /// Starts a command at a terminal. The terminal has no colours unless a test sets `TERM`.
    pub(crate) fn start_at_terminal(&self, arguments: &[&str], size: TerminalSize) -> Terminal<'_> {
        let mut command = self.environment.command(env!("CARGO_BIN_EXE_verger"));
        command.args(arguments);
        if !command.get_envs().any(|(name, _)| name == "TERM") {
            command.env("TERM", "dumb");
        }
        self.environment.start_on_terminal(command, size)
    }

    /// The file of a session's segment.
    pub(crate) fn segment(&self, session: &str) -> std::path::PathBuf {
        let name = format!("claude-{session}.jsonl");
        let log = self.environment.verger_home().join("data/log");
        let buckets = fs::read_dir(log).unwrap();
        buckets.map(|bucket| bucket.unwrap().path().join(&name)).find(|path| path.exists()).unwrap()
    }
}
