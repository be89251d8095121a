//! Runs deferred commands. A `verger` command defers itself to the hook if the agent's sandbox
//! keeps it from writing verger's data. The hook runs outside of the sandbox; it runs the same
//! command once more, with the arguments from the tool call.
//!
//! The hook starts `verger` for this, so that there is one implementation with one set of checks.
//! An environment variable marks the caller as an agent, so `verger` refuses commands that are
//! for people.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::time::Duration;

use verger_agent::{AgentSpec, Observed, mark_of};
use verger_event::{Event, Grounds, SessionKey, ToolCall, ToolOutput, VergerPart};
use verger_exec::{Deadline, Output, Program, RunError};
use verger_gate::learning::SkipIs;
use verger_gate::{KeptSince, LEFT_TO_HOOK, LeftCommand, LeftLine};
use verger_store::{Entry, ReadLog, with_causes};

use crate::Environment;
use crate::decision::Decision;

/// Time limit for a command. The agent waits meanwhile.
const TIME_LIMIT: Duration = Duration::from_secs(30);

/// Maximum output that is read. verger's commands print less.
const MAX_OUTPUT_BYTES: u64 = 32 * 1024;

/// The program's file name.
const VERGER: &str = "verger";

/// The command that an ended call deferred to the hook. This runs on every call, so it searches
/// the short output first, and parses the command line only if both texts mention verger.
pub(crate) fn left_by(observed: &Observed, skip: SkipIs) -> LeftLine {
    let Some((call, output)) = observed.event.ended_call() else { return LeftLine::None };
    match call.shell_line() {
        Some(line) if line.contains(VERGER) && says_left(output) => {
            LeftLine::read(line, &observed.session, skip)
        }
        _ => LeftLine::None,
    }
}

/// Whether the shell's output or error stream contains the text that a deferring command prints.
fn says_left(output: &ToolOutput) -> bool {
    [&output.text, &output.errors].iter().any(|text| text.contains(LEFT_TO_HOOK))
}

/// Runs the deferred command of one call.
pub(crate) struct Runner<'a, S> {
    pub(crate) spec: &'static AgentSpec,
    pub(crate) environment: &'a Environment,
    pub(crate) store: &'a S,
    pub(crate) key: &'a SessionKey,
    pub(crate) cwd: Option<&'a Path>,
    /// The seed of the child's ids, in tests with fixed ids.
    pub(crate) seed: Option<(&'static str, String)>,
}

impl<S: ReadLog> Runner<'_, S> {
    /// Runs the deferred command and returns its result as a text for the agent.
    pub(crate) fn decide(&self, left: &LeftLine, call: &ToolCall) -> Decision {
        let mut decision = Decision::default();
        let text = match left {
            LeftLine::None => return decision,
            LeftLine::Refused(why) => format!("not recorded: {}.", why.reason()),
            LeftLine::Command(command) => match self.run(command, call) {
                Ok(text) => text,
                Err(problem) => {
                    let message = format!("cannot run verger {}: {problem}", command.command);
                    decision
                        .events
                        .push(Event::Warned { area: VergerPart::Sandbox.into(), message });
                    format!(
                        "not recorded: verger's hook could not run the command ({problem}). Run it where \
                         verger's data can be written, or tell the person."
                    )
                }
            },
        };
        let text = format!("verger: {text}");
        let grounds = Grounds::of_rule("the agent's command could not write verger's data");
        decision.inject("sandbox", text, grounds);
        decision
    }

    fn run(&self, command: &LeftCommand, call: &ToolCall) -> Result<String, String> {
        if self.is_kept(command, call) {
            return Ok("the log already has this record; nothing was recorded again.".to_owned());
        }
        let program = program().ok_or(
            "the `verger` program is not beside the hook; `verger init` installs \
                             it",
        )?;
        let output = self.output(&program, command).map_err(|error| with_causes(&error))?;
        let said = [&output.stdout, &output.stderr].map(|text| String::from_utf8_lossy(text));
        let said = said.map(|text| text.trim_end().to_owned());
        let said = said.into_iter().filter(|text| !text.is_empty()).collect::<Vec<_>>().join("\n");
        let how = match output.status.code() {
            Some(0) => String::new(),
            Some(code) => format!(", with exit code {code}"),
            None => ", and a signal ended it".to_owned(),
        };
        let said = if said.is_empty() { ".".to_owned() } else { format!(":\n{said}") };
        Ok(format!("the hook ran this outside of the sandbox{how}{said}"))
    }

    fn output(&self, program: &Path, command: &LeftCommand) -> Result<Output, RunError> {
        let variables = self.environment.all().iter().map(|(name, value)| (name, value));
        let session = self.spec.session_env.iter().map(|name| (*name, self.key.session.as_str()));
        let seed = self.seed.iter().map(|(name, value)| (*name, value.as_str()));
        let mut program = Program::new(program, variables)
            .envs(session.chain(mark_of(self.spec.name)).chain(seed))
            .args(&command.arguments)
            .first_output(MAX_OUTPUT_BYTES)
            .current_dir(self.cwd.filter(|cwd| cwd.is_dir()).unwrap_or(Path::new("/")));
        if let Some(text) = &command.stdin {
            program = program.input(text.as_bytes());
        }
        program.run(Deadline::after(TIME_LIMIT))
    }

    /// Whether the log already has the record of the command. An unreadable log counts as no: a
    /// repeated command is better than a lost one.
    fn is_kept(&self, command: &LeftCommand, call: &ToolCall) -> bool {
        let mut kept = KeptSince::new(call, command);
        let read = self.store.read(self.key, &mut |entry| {
            if let Entry::Record(record) | Entry::Spilled(record) = entry {
                kept.read(&record.draft.event);
            }
        });
        read.is_ok() && kept.is_kept()
    }
}

/// The `verger` program beside this program, where `init` installs both. It is never looked up in
/// `PATH`, because an agent may write to those directories.
fn program() -> Option<PathBuf> {
    let own = std::env::current_exe().ok()?;
    if own.file_name() == Some(OsStr::new(VERGER)) {
        return Some(own);
    }
    Some(own.with_file_name(VERGER)).filter(|beside| beside.is_file())
}
