//! A scene: verger's directory with a session in its log, calls of the hook, and checks after
//! each call.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use verger_event::{Event, Record, SessionId, SessionKey};
use verger_testkit::{Output, TestEnvironment, changed};

use crate::log::Log;
use crate::stage::HOOK;

/// The session id in most fixtures.
pub(crate) const SESSION: &str = "f0357e9b-fb48-41a1-afb7-88e26c9c25cd";

/// Extra time for a loaded machine, added to every limit.
const GRACE: Duration = Duration::from_secs(1);

pub(crate) fn key(session: &str) -> SessionKey {
    SessionKey { agent: "claude".parse().unwrap(), session: SessionId::new(session) }
}

/// The session's file with this extension.
#[track_caller]
pub(crate) fn session_file(environment: &TestEnvironment, ending: &str) -> PathBuf {
    let name = format!("claude-{SESSION}.{ending}");
    let buckets = fs::read_dir(environment.verger_home().join("data/log")).unwrap();
    let mut found = buckets.map(|bucket| bucket.unwrap().path().join(&name));
    found.find(|path| path.symlink_metadata().is_ok()).unwrap()
}

/// An environment whose log has the first records of a session.
pub(crate) struct Scene {
    pub(crate) environment: TestEnvironment,
    seed: Vec<Record>,
    outside: Tree,
}

/// The result of a call.
pub(crate) struct Called {
    pub(crate) output: Output,
    pub(crate) took: Duration,
}

impl Scene {
    #[track_caller]
    pub(crate) fn new() -> Self {
        let environment = TestEnvironment::with_repository();
        let cwd = environment.project().display().to_string();
        for (event, name) in [
            ("SessionStart", "SessionStart-startup"),
            ("UserPromptSubmit", "UserPromptSubmit"),
            ("PreToolUse", "PreToolUse-Bash"),
        ] {
            let changes = [("cwd", cwd.as_str().into()), ("session_id", SESSION.into())];
            let payload = changed(name, &changes);
            let output = environment.run(HOOK, ["claude", event], payload).success();
            assert_eq!(output.to_string(), "");
        }
        let seed = Log::of(&environment).records(&key(SESSION));
        assert_eq!(seed.len(), 4);
        let outside = Tree::outside(&environment);
        Self { environment, seed, outside }
    }

    /// Sets an environment variable for all later calls.
    pub(crate) fn set(&mut self, name: &str, value: impl AsRef<std::ffi::OsStr>) {
        self.environment.set(name, value.as_ref());
    }

    /// Stores the state of all files outside of verger's directory. Later calls must not change
    /// them.
    pub(crate) fn settle(&mut self) {
        self.outside = Tree::outside(&self.environment);
    }

    /// Calls the hook. The hook must print nothing, exit with 0, end within `limit`, and write no
    /// file outside of verger's directory.
    #[track_caller]
    pub(crate) fn call_within(
        &self,
        limit: Duration,
        arguments: &[&str],
        stdin: impl Into<Vec<u8>>,
    ) -> Called {
        let mut command = self.environment.command(HOOK);
        command.args(arguments);
        self.run_within(limit, command, stdin)
    }

    /// Like [`call_within`](Self::call_within), for a command that runs the hook.
    #[track_caller]
    pub(crate) fn run_within(
        &self,
        limit: Duration,
        command: Command,
        stdin: impl Into<Vec<u8>>,
    ) -> Called {
        let start = Instant::now();
        let output = self.environment.run_command(command, stdin);
        let called = Called { output, took: start.elapsed() };
        self.check(limit, &called);
        called
    }

    #[track_caller]
    pub(crate) fn check(&self, limit: Duration, called: &Called) {
        let silence = Output { stdout: String::new(), stderr: String::new(), code: 0 };
        assert_eq!(called.output, silence);
        assert!(called.took < limit + GRACE, "it took {:?}", called.took);
        self.check_outside();
    }

    /// Checks that no file changed outside of verger's own directory.
    #[track_caller]
    pub(crate) fn check_outside(&self) {
        assert_eq!(Tree::outside(&self.environment), self.outside);
    }

    /// Calls the hook for `event`. The call must not wait for anything.
    #[track_caller]
    pub(crate) fn call(&self, event: &str, stdin: impl Into<Vec<u8>>) {
        self.call_within(Duration::ZERO, &["claude", event], stdin);
    }

    /// The log. Checks first that it still has all earlier records.
    #[track_caller]
    pub(crate) fn log(&self) -> Log {
        let log = Log::of(&self.environment);
        let records = log.records(&key(SESSION));
        assert_eq!(records[..self.seed.len().min(records.len())], self.seed);
        assert_eq!(log.faults(), []);
        log
    }

    /// The new records: their kinds, and the messages of warnings.
    #[track_caller]
    pub(crate) fn news(&self) -> Vec<String> {
        let seed: Vec<_> = self.seed.iter().map(|record| record.draft.id).collect();
        let records = self.log().all().into_iter();
        records
            .filter(|record| !seed.contains(&record.draft.id))
            .map(|record| match &record.draft.event {
                Event::Warned { area, message } => {
                    self.environment.normalise(&format!("warning: {area}: {message}"))
                }
                event => event.kind().to_owned(),
            })
            .collect()
    }
}

/// Every file below a directory, with the metadata that writing would change.
#[derive(Debug, PartialEq)]
struct Tree(BTreeMap<PathBuf, (u32, u64, i64, i64)>);

impl Tree {
    /// All files of the environment, except verger's own directory.
    fn outside(environment: &TestEnvironment) -> Self {
        let mut tree = Self(BTreeMap::new());
        tree.add(environment.root(), &environment.verger_home());
        tree
    }

    fn add(&mut self, path: &Path, except: &Path) {
        if path == except {
            return;
        }
        let metadata = path.symlink_metadata().unwrap();
        // Creating verger's directory changes the directory above it, so its time is ignored.
        let (modified, nanoseconds) = if except.parent() == Some(path) {
            (0, 0)
        } else {
            (metadata.mtime(), metadata.mtime_nsec())
        };
        let size = if metadata.is_dir() { 0 } else { metadata.len() };
        self.0.insert(path.to_owned(), (metadata.mode(), size, modified, nanoseconds));
        if metadata.is_dir() {
            for entry in fs::read_dir(path).unwrap() {
                self.add(&entry.unwrap().path(), except);
            }
        }
    }
}
