//! The temporary home and project of the demo, and calls of the hook in them.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tempfile::TempDir;
use verger_agent::DEMONSTRATED;
use verger_agent::PLUGIN_WORD;
use verger_engine::Environment;
use verger_engine::{Home, NoHome};
use verger_event::ContentHash;
use verger_exec::{Deadline, Program, Running};
use verger_gate::verification::{Depth, Verified};
use verger_store::{Entry, Options, ReadLog, SegmentName};
use verger_store_local::LocalStore;
use verger_worktree::{CreateError, Git, create_repository};

use super::demo_error::DemoError;
use super::hook_command::HookCommand;
use super::interrupt::Interrupt;
use super::scene::{Calls, Edit, Effect, Settings};
use super::scenes::{CLAIMER, COMMITTED, SESSIONS, VERIFYING};
use crate::invocation::command_error::CommandError;
use crate::invocation::context::Context;
use crate::sessions::picker::choose;
use crate::verify::order::RunOrder;
use crate::verify::result::RunResult;
use crate::verify::runner;

/// The time limit of a hook call. It is longer than the hook's own limits.
const CALL_LIMIT: Duration = Duration::from_secs(20);
const GIT_LIMIT: Duration = Duration::from_secs(20);
/// The secret is written in two parts, so that secret scanners don't report this file.
pub(super) const SECRET: &str = concat!("ghp_", "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8");

/// The files of the project that the agent works in.
const FILES: &[(&str, &str)] = &[
    ("README.md", "# Totals\n\nAdds things up.\n"),
    ("src/main.rs", "mod total;\n"),
    (COMMITTED.path, COMMITTED.text),
    (".gitignore", ".env\n"),
    ("run-tests", RUN_TESTS),
];

/// Tests that fail for a file that reads the first item of a list.
const RUN_TESTS: &str = "for name in total receipt; do
    if grep -qs 'items\\[0\\]' src/$name.rs; then
        echo \"1 test failed: ${name}_of_nothing\"
        exit 3
    fi
done
";

/// The demo's directory and environment. The directory is removed on drop.
pub(super) struct Stage {
    directory: TempDir,
    environment: Vec<(OsString, OsString)>,
    hook: HookCommand,
    interrupt: Interrupt,
    pub(super) timing: Timing,
    /// The last token that the hook gave to a reviewer.
    token: Option<String>,
    /// The id of the last learning that the hook gave to a session.
    learning: Option<String>,
}

/// The number of calls, and the durations of the calls that did not run in parallel. A duration
/// includes the start of the process.
#[derive(Debug, Default)]
pub(super) struct Timing {
    pub(super) count: usize,
    took: Vec<Duration>,
}

impl Timing {
    /// The median duration. Of two middle values, the larger one.
    pub(super) fn median(&self) -> Option<Duration> {
        let mut took = self.took.clone();
        took.sort_unstable();
        took.get(took.len() / 2).copied()
    }
}

impl Stage {
    pub(super) fn new(
        environment: &Environment,
        hook: HookCommand,
        interrupt: Interrupt,
    ) -> Result<Self, DemoError> {
        let parent = environment.get("TMPDIR").filter(|value| !value.is_empty());
        let parent = parent.map_or_else(|| PathBuf::from("/tmp"), PathBuf::from);
        let directory = tempfile::Builder::new()
            .prefix("verger-demo-")
            .tempdir_in(&parent)
            .map_err(|source| DemoError::NoDirectory { directory: parent, source })?;
        let mut stage = Self {
            directory,
            environment: vec![],
            hook,
            interrupt,
            timing: Timing::default(),
            token: None,
            learning: None,
        };
        let own = [("HOME", stage.home()), ("TMPDIR", stage.temporary())];
        stage.environment = own.map(|(name, path)| (name.into(), path.into_os_string())).into();
        stage.environment.extend(environment.get("PATH").map(|path| ("PATH".into(), path)));
        stage.environment.push(("LANG".into(), "C.UTF-8".into()));
        for (path, text) in FILES {
            write(&stage.project().join(path), text)?;
        }
        write(&stage.project().join(".env"), &format!("DEPLOY_TOKEN={SECRET}\nPORT=8080\n"))?;
        write(&stage.temporary().join(".keep"), "")?;
        Ok(stage)
    }

    pub(super) fn path(&self) -> &Path {
        self.directory.path()
    }

    fn home(&self) -> PathBuf {
        self.path().join("home")
    }

    pub(super) fn project(&self) -> PathBuf {
        self.home().join("project")
    }

    pub(super) fn temporary(&self) -> PathBuf {
        self.path().join("tmp")
    }

    pub(super) fn hook(&self) -> &HookCommand {
        &self.hook
    }

    pub(super) fn interrupt(&self) -> &Interrupt {
        &self.interrupt
    }

    /// A program to run in the project, with the demo's environment only.
    pub(super) fn program(&self, program: &Path) -> Program {
        let variables = self.environment.iter().map(|(name, value)| (name, value));
        Program::new(program, variables).current_dir(self.project())
    }

    /// The environment of the demo's programs.
    pub(super) fn environment(&self) -> Environment {
        self.environment.iter().cloned().collect()
    }

    /// The context of a command in the project.
    pub(super) fn context(&self) -> Context {
        Context::of_place(self.environment(), self.project())
    }

    /// The directories of verger in the demo's home.
    pub(super) fn verger_home(&self) -> Result<Home, NoHome> {
        let environment = self.environment();
        Home::locate(|name| environment.get(name))
    }

    pub(super) fn data(&self) -> Result<PathBuf, NoHome> {
        Ok(self.verger_home()?.data)
    }

    /// Makes the project a git repository.
    pub(super) fn create_repository(&self) -> Result<(), CreateError> {
        let git = Git::new("git", self.environment.iter().cloned(), GIT_LIMIT);
        create_repository(&self.project(), &git)
    }

    /// Keeps the directory and returns its path.
    pub(super) fn keep(self) -> PathBuf {
        self.directory.keep()
    }

    /// Makes the hook calls under their settings, and returns the output of each.
    pub(super) fn make(&mut self, calls: Calls) -> Result<Vec<String>, CommandError> {
        if calls.settings.is_empty() {
            return Ok(self.call(calls.payloads)?);
        }
        let path = self.set(calls.settings)?;
        if calls.settings == VERIFYING {
            self.trust_project()?;
        }
        let outputs = self.call(calls.payloads)?;
        unset(path)?;
        Ok(outputs)
    }

    /// Verifies the claimer's work. Starts the process that runs the checks of `verger verify`, and
    /// not the command, because an agent may run the demo and the command would use that agent's
    /// home.
    pub(super) fn check(&self) -> Result<Verified, CommandError> {
        let verger = std::env::current_exe().map_err(DemoError::OwnProgram)?;
        let segment = choose(&self.store()?, CLAIMER)?;
        let (SegmentName::Session(stem) | SegmentName::Project(stem)) = segment;
        let order = RunOrder {
            run: self.context().clock.next_id().to_string(),
            session: Some(stem),
            root: self.project(),
            depth: Depth::Deep,
            plan: String::new(),
            content: ContentHash::new(""),
        };
        let order = serde_json::to_vec(&order).map_err(DemoError::from)?;
        let path = self.set(VERIFYING)?;
        let program = self.program(&verger).args([runner::WORD]).input(order);
        let said = self.said_by(&verger, program)?;
        unset(path)?;
        let result: RunResult = serde_json::from_str(&said).map_err(DemoError::from)?;
        Ok(result.verified)
    }

    /// Allows agents to run the checks of the project, as `verger trust` does.
    fn trust_project(&self) -> Result<(), CommandError> {
        let root = self.project();
        let root = root.canonicalize().unwrap_or(root);
        let list = json!({
            "version": 1,
            "trusted": [],
            "worktrees": [{ "root": root, "trusted_at_ms": 1 }],
        });
        Ok(write(&self.verger_home()?.trust_file(), &list.to_string())?)
    }

    fn set(&self, settings: Settings) -> Result<PathBuf, CommandError> {
        let path = self.verger_home()?.config_file();
        write(&path, settings)?;
        Ok(path)
    }

    /// Calls the hook with each payload of the template and returns its outputs.
    fn call(&mut self, template: &str) -> Result<Vec<String>, DemoError> {
        let mut said = vec![];
        for paragraph in template.split("\n\n") {
            let paragraph = self.filled(paragraph);
            let payloads: Vec<&str> = paragraph.lines().collect();
            let start = now();
            let started: Result<Vec<_>, _> =
                payloads.iter().map(|payload| self.start_call(payload)).collect();
            for (event, running) in started? {
                let answer = self.finish_call(event, running)?;
                self.token = word_after(&answer, " --token ").or(self.token.take());
                self.learning = word_after(&answer, "\\n\\n[").or(self.learning.take());
                said.push(answer);
            }
            if payloads.len() == 1 {
                self.timing.took.push(now().duration_since(start));
            }
        }
        self.timing.count += said.len();
        Ok(said)
    }

    /// Makes the change that the agent's call makes to the project.
    pub(super) fn apply(&self, effect: Effect) -> Result<(), DemoError> {
        match effect {
            Effect::Write(Edit { path, text }) => write(&self.project().join(path), text),
            Effect::RemoveFolder(path) => {
                let path = self.project().join(path);
                fs::remove_dir_all(&path).map_err(|source| DemoError::Write { path, source })
            }
        }
    }

    /// The payloads of a template, with all placeholders filled in.
    pub(super) fn payloads(&self, template: &str) -> Result<Vec<Value>, DemoError> {
        let filled = self.filled(template);
        let payloads = filled.lines().filter(|line| !line.is_empty());
        payloads.map(|line| Ok(serde_json::from_str(line)?)).collect()
    }

    fn filled(&self, template: &str) -> String {
        let mut text = template.to_owned();
        for (placeholder, session) in SESSIONS {
            text = text.replace(placeholder, session);
        }
        text.replace("$SECRET", SECRET)
            .replace("$TOKEN", self.token.as_deref().unwrap_or_default())
            .replace("$LEARNING", self.learning.as_deref().unwrap_or_default())
            .replace("$PROJECT", &self.project().display().to_string())
            .replace("$HOME", &self.home().display().to_string())
    }

    /// Runs verger in the project and returns its output.
    pub(super) fn verger(&self, words: &[&str], input: &str) -> Result<String, DemoError> {
        let verger = std::env::current_exe().map_err(DemoError::OwnProgram)?;
        let words = words.iter().map(|word| self.filled(word));
        let program = self.program(&verger).args(words).input(input);
        self.said_by(&verger, program)
    }

    fn said_by(&self, path: &Path, program: Program) -> Result<String, DemoError> {
        let deadline = Deadline::after(CALL_LIMIT).or_when(self.interrupt.flag());
        let failed = |source| DemoError::Client { program: path.to_owned(), source };
        let output = program.run(deadline).map_err(|error| DemoError::of_run(error, failed))?;
        let said = String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned();
        if output.status.success() {
            return Ok(said.trim_end().to_owned());
        }
        Err(DemoError::ClientTrouble { program: path.to_owned(), status: output.status, said })
    }

    fn start_call(&self, payload: &str) -> Result<(String, Running), DemoError> {
        let fields: Value = serde_json::from_str(payload)?;
        let event = fields["hook_event_name"].as_str().unwrap_or_default().to_owned();
        let running = self
            .program(&self.hook.program)
            .args(self.hook.word)
            .args([DEMONSTRATED.name, &event, PLUGIN_WORD])
            .input(payload)
            .start();
        match running {
            Ok(running) => Ok((event, running)),
            Err(source) => Err(DemoError::Hook { event, source }),
        }
    }

    /// Waits for the hook's output, which is empty if verger doesn't answer.
    fn finish_call(&self, event: String, running: Running) -> Result<String, DemoError> {
        let deadline = Deadline::after(CALL_LIMIT).or_when(self.interrupt.flag());
        let output = match running.finish(deadline) {
            Ok(output) => output,
            Err(error) => {
                return Err(DemoError::of_run(error, |source| DemoError::Hook { event, source }));
            }
        };
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        if output.status.success() && output.stderr.is_empty() {
            return Ok(said);
        }
        let said = said + &String::from_utf8_lossy(&output.stderr);
        Err(DemoError::HookTrouble { event, status: output.status, said })
    }

    pub(super) fn store(&self) -> Result<LocalStore, CommandError> {
        Ok(LocalStore::open(&self.data()?, Options::default())?)
    }

    /// The entries of all sessions, session by session.
    pub(super) fn entries(&self) -> Result<Vec<Entry>, CommandError> {
        let store = self.store()?;
        let mut entries = vec![];
        for segment in store.segments()? {
            if matches!(segment, SegmentName::Session(_)) {
                store.read_segment(&segment, &mut |entry| entries.push(entry))?;
            }
        }
        Ok(entries)
    }
}

/// The word after `before` in an answer.
fn word_after(answer: &str, before: &str) -> Option<String> {
    let (_, after) = answer.split_once(before)?;
    let end = after.find(|letter: char| !letter.is_ascii_alphanumeric() && !"-_".contains(letter));
    Some(after[..end.unwrap_or(after.len())].to_owned())
}

/// Removes the config file, so that the default settings apply again.
fn unset(path: PathBuf) -> Result<(), DemoError> {
    fs::remove_file(&path).map_err(|source| DemoError::Write { path, source })
}

fn write(path: &Path, text: &str) -> Result<(), DemoError> {
    let failed = |source| DemoError::Write { path: path.to_owned(), source };
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).map_err(failed)?;
    }
    fs::write(path, text).map_err(failed)
}

#[expect(clippy::disallowed_methods, reason = "the output includes the duration of calls")]
fn now() -> Instant {
    Instant::now()
}
