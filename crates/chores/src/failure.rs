//! The errors that can end a chore, with the command that helps.

use std::io;
use std::path::PathBuf;
use std::process::ExitStatus;
use std::time::Duration;

use thiserror::Error;
use verger_store::StoreError;
use verger_store_local::IndexError;
use verger_testkit::{Client, InstallError};

use crate::replay::ReplayError;

#[derive(Debug, Error)]
pub(crate) enum Failure {
    #[error(transparent)]
    Xtask(#[from] verger_xtask::Failure),
    #[error(transparent)]
    Replay(#[from] ReplayError),
    #[error("`{command}` did not start")]
    Start { command: String, source: io::Error },
    #[error("`{command}` failed ({status})")]
    Exited { command: String, status: ExitStatus },
    #[error("{path} could not be read")]
    Read { path: PathBuf, source: io::Error },
    #[error("{path} could not be written")]
    Write { path: PathBuf, source: io::Error },
    #[error("{client} could not be installed")]
    InstallAgent { client: Client, source: InstallError },
    #[error("Claude Code {version} is not installed for the tests")]
    NoClient { version: String },
    #[error("the client says that it is {told}, not {given}")]
    OtherVersion { given: String, told: String },
    #[error("the client did not follow the scenario `{name}`")]
    ScenarioFailed { name: &'static str },
    #[error("{} not up to date: {}", if paths.len() == 1 { "a generated file is" } else { "generated files are" }, paths.join(", "))]
    Stale { paths: Vec<&'static str> },
    #[error("{path} is not up to date")]
    OldPicture { path: &'static str },
    #[error("the demo failed, or shows other scenes than the picture needs:\n{output}")]
    DemoFailed { output: String },
    #[error("the path of this program is not known")]
    OwnProgram(#[source] io::Error),
    #[error("README.md has no commands below \"{section}\"")]
    NoSteps { section: &'static str },
    #[error("README.md has commands in \"{section}\", which the newcomer doesn't run")]
    UnknownSection { section: String },
    #[error("a command of README.md failed: {line}\n{output}")]
    StepFailed { line: String, output: String },
    #[error("README.md was followed, and verger does not have one of its {what}:\n{output}")]
    NotOne { what: &'static str, output: String },
    #[error("the first minute of README.md took {:.1} s", took.as_secs_f64())]
    LongMinute { took: Duration },
    #[error("the log could not be used")]
    Store(#[from] StoreError),
    #[error("the derived files could not be made")]
    Rebuild(#[from] IndexError),
    #[error("no agent has the name that the samples use")]
    NoSuchAgent,
    #[error("{needed} bytes are needed on disk, {free} are free")]
    NoRoom { free: u64, needed: u64 },
    #[error("this is no measurement: {line}")]
    NotMeasured { line: String },
    #[error("out of bounds: {}", names.join(", "))]
    BoundsBroken { names: Vec<&'static str> },
    #[error("a process that was started for a fault run cannot be talked to")]
    Pipe(#[source] io::Error),
    #[error("{count} faults, each of them in the output above")]
    SoakFailed { count: usize },
    #[error("no measurement is named `{name}`")]
    UnknownMeasurement { name: String, known: Vec<&'static str> },
}

impl Failure {
    /// The error, its causes and the advice, on one line each.
    pub(crate) fn report(&self) -> String {
        verger_xtask::report(self, self.help())
    }

    /// The next step, unless the error's message already contains it.
    fn help(&self) -> Option<String> {
        match self {
            Self::Xtask(failure) => failure.help(),
            Self::UnknownMeasurement { known, .. } => Some(format!("one of: {}", known.join(", "))),
            Self::Stale { .. } => Some("cargo xtask generate".to_owned()),
            Self::OldPicture { .. } => Some("cargo xtask picture".to_owned()),
            Self::InstallAgent { .. } => Some(
                "npm must reach its registry; `cargo xtask test --quick` runs the other tests"
                    .to_owned(),
            ),
            Self::NoClient { .. } => Some(
                "`cargo xtask test` installs the versions that the tests know; `--client PATH` \
                 names the program of any other"
                    .to_owned(),
            ),
            Self::OtherVersion { told, .. } => Some(format!("--client-version {told}")),
            Self::ScenarioFailed { .. } => Some(
                "what it did instead stands above; a scenario is in \
                 crates/testkit/src/claude_code/scenario.rs"
                    .to_owned(),
            ),
            Self::SoakFailed { .. } => {
                Some("`cargo xtask soak --only PART --seed SEED` runs one part again".to_owned())
            }
            Self::BoundsBroken { .. } => {
                Some("on a busy machine measure again; `--no-fail` only prints".to_owned())
            }
            Self::Replay(_)
            | Self::Start { .. }
            | Self::Exited { .. }
            | Self::Read { .. }
            | Self::Write { .. }
            | Self::DemoFailed { .. }
            | Self::OwnProgram(_)
            | Self::NoSteps { .. }
            | Self::UnknownSection { .. }
            | Self::StepFailed { .. }
            | Self::NotOne { .. }
            | Self::LongMinute { .. }
            | Self::Store(_)
            | Self::Rebuild(_)
            | Self::NoSuchAgent
            | Self::NoRoom { .. }
            | Self::NotMeasured { .. }
            | Self::Pipe(_) => None,
        }
    }
}
