//! The errors of the demo.

use std::io;
use std::path::PathBuf;
use std::process::ExitStatus;

use verger_exec::RunError;

use crate::invocation::command_error::CommandError;

#[derive(Debug, thiserror::Error)]
pub(super) enum DemoError {
    #[error("finish the demo: it was interrupted")]
    Interrupted,
    #[error("listen for Ctrl-C")]
    Watch(#[source] io::Error),
    #[error("make a temporary directory in {directory}")]
    NoDirectory { directory: PathBuf, source: io::Error },
    #[error("write {path}")]
    Write { path: PathBuf, source: io::Error },
    #[error("read {path}")]
    Read { path: PathBuf, source: io::Error },
    #[error("read the demo's own payload")]
    Payload(#[from] serde_json::Error),
    #[error("run verger-hook for {event}")]
    Hook { event: String, source: RunError },
    #[error("run verger-hook for {event}: it ended with {status} and said {said:?}")]
    HookTrouble { event: String, status: ExitStatus, said: String },
    #[error("find verger's own program")]
    OwnProgram(#[source] io::Error),
    #[error("show what was recorded: the hook program ran and recorded nothing")]
    NothingRecorded,
    #[error("start a model service on this machine")]
    Service(#[source] io::Error),
    #[error("run {program}")]
    Client { program: PathBuf, source: RunError },
    #[error("run {program}: it ended with {status} and said {said:?}")]
    ClientTrouble { program: PathBuf, status: ExitStatus, said: String },
    #[error("play the scripted session with this version of the agent's program: {}", problems.join("; "))]
    Unscripted { problems: Vec<String> },
}

impl DemoError {
    /// Converts the error of a program that failed. Programs are also stopped by the signal that
    /// interrupts the demo, so `Stopped` becomes `Interrupted`.
    pub(super) fn of_run(error: RunError, told: impl FnOnce(RunError) -> Self) -> Self {
        match error {
            RunError::Stopped => Self::Interrupted,
            error => told(error),
        }
    }
}

impl From<DemoError> for CommandError {
    fn from(error: DemoError) -> Self {
        let hint = match &error {
            DemoError::Interrupted => "run it again: verger demo",
            DemoError::Client { .. } => {
                "--claude PATH names Claude Code; verger demo without --real needs none"
            }
            DemoError::NoDirectory { .. }
            | DemoError::Write { .. }
            | DemoError::Read { .. }
            | DemoError::NothingRecorded => {
                "TMPDIR names the directory to use; is it writable, and is there room?"
            }
            DemoError::Watch(_)
            | DemoError::Payload(_)
            | DemoError::Hook { .. }
            | DemoError::HookTrouble { .. }
            | DemoError::OwnProgram(_)
            | DemoError::Service(_)
            | DemoError::ClientTrouble { .. }
            | DemoError::Unscripted { .. } => {
                "verger demo --keep leaves the files to look at; please report it"
            }
        };
        Self::Failed { source: error.into(), hint: hint.to_owned() }
    }
}
