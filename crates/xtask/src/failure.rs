//! Everything that can end a chore early, and the command that helps.

use std::error::Error as _;
use std::fmt::Write as _;
use std::io;
use std::path::PathBuf;
use std::process::ExitStatus;
use std::time::Duration;

use thiserror::Error;
use verger_store::StoreError;
use verger_store_local::IndexError;
use verger_testkit::{InstallError, Version};

#[derive(Debug, Error)]
pub(crate) enum Failure {
    #[error("the workspace was not found: CARGO_MANIFEST_DIR is not set")]
    NotUnderCargo,
    #[error("`{command}` did not start")]
    Start { command: String, source: io::Error },
    #[error("`{command}` failed ({status})")]
    Exited { command: String, status: ExitStatus },
    #[error("`{command}` printed something that is not UTF-8")]
    NotText { command: String },
    #[error("{path} could not be read")]
    Read { path: PathBuf, source: io::Error },
    #[error("{path} could not be written")]
    Write { path: PathBuf, source: io::Error },
    #[error("`cargo metadata` failed")]
    Metadata(#[from] cargo_metadata::Error),
    #[error("`rustc -vV` names no host target")]
    NoHost,
    #[error("{} missing: {}", if programs.len() == 1 { "a program is" } else { "programs are" }, programs.join(", "))]
    MissingPrograms { programs: Vec<&'static str>, packages: Vec<&'static str> },
    #[error("the Rust component `{component}` is missing")]
    MissingComponent { component: &'static str },
    #[error("Claude Code {version} could not be installed")]
    InstallAgent { version: Version, source: InstallError },
    #[error("Claude Code {version} is not installed for the tests")]
    NoClient { version: String },
    #[error("the client says that it is {told}, not {given}")]
    OtherVersion { given: String, told: String },
    #[error("the client did not follow the scenario `{name}`")]
    ScenarioFailed { name: &'static str },
    #[error("tidy has {count} finding{}", if *count == 1 { "" } else { "s" })]
    Untidy { count: usize },
    #[error("no check is named `{name}`")]
    UnknownCheck { name: String, known: Vec<&'static str> },
    #[error("{} not up to date: {}", if paths.len() == 1 { "a generated file is" } else { "generated files are" }, paths.join(", "))]
    Stale { paths: Vec<&'static str> },
    #[error("{path} is not a 64-bit little-endian ELF file: {reason}")]
    NotElf { path: PathBuf, reason: &'static str },
    #[error("{path} asks for a dynamic loader, so it is not statically linked")]
    NotStatic { path: PathBuf },
    #[error("{path} has {bytes} bytes, more than the {max} allowed")]
    TooLarge { path: PathBuf, bytes: u64, max: u64 },
    #[error("failed: {}", phases.join(", "))]
    PhasesFailed { phases: Vec<&'static str> },
    #[error("README.md has no commands below \"{section}\"")]
    NoSteps { section: &'static str },
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
}

impl Failure {
    /// What happened, why, and what helps: one line each.
    pub(crate) fn report(&self) -> String {
        let mut report = format!("error: {self}\n");
        let mut cause = self.source();
        while let Some(error) = cause {
            // Writing to a String cannot fail.
            writeln!(report, "cause: {error}").unwrap_or_default();
            cause = error.source();
        }
        if let Some(help) = self.help() {
            writeln!(report, " help: {help}").unwrap_or_default();
        }
        report
    }

    /// The next thing to do, where there is one that the error itself does not say.
    fn help(&self) -> Option<String> {
        match self {
            Self::NotUnderCargo => Some("start it as `cargo xtask <chore>`".to_owned()),
            Self::MissingPrograms { packages, .. } => Some(format!(
                "as root: apt-get update && apt-get install -y {} (or `cargo xtask test` as root, which does it)",
                packages.join(" ")
            )),
            Self::MissingComponent { component } => {
                Some(format!("rustup component add {component}"))
            }
            Self::Untidy { .. } => Some(
                "each line above says what to do; a case that must stay goes to \
                 crates/xtask/src/tidy/exceptions.rs with its reason"
                    .to_owned(),
            ),
            Self::UnknownCheck { known, .. } => Some(format!("one of: {}", known.join(", "))),
            Self::Stale { .. } => Some("cargo xtask generate".to_owned()),
            Self::NotStatic { .. } => Some(
                "the C library's static archive must be installed (libc6-dev), and no dependency \
                 may ask for a shared library"
                    .to_owned(),
            ),
            Self::TooLarge { .. } => {
                Some("cargo tree -p verger-hook -e normal,no-proc-macro".to_owned())
            }
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
            Self::PhasesFailed { .. } => Some(
                "the command of a failed phase stands after its `$` above and can be run alone; \
                 `cargo fmt --all` formats, `cargo xtask tidy` checks the tree"
                    .to_owned(),
            ),
            Self::SoakFailed { .. } => {
                Some("`cargo xtask soak --only PART --seed SEED` runs one part again".to_owned())
            }
            Self::BoundsBroken { .. } => {
                Some("on a busy machine measure again; `--no-fail` only prints".to_owned())
            }
            Self::Start { .. }
            | Self::Exited { .. }
            | Self::NotText { .. }
            | Self::Read { .. }
            | Self::Write { .. }
            | Self::Metadata(_)
            | Self::NoHost
            | Self::NotElf { .. }
            | Self::NoSteps { .. }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_report_says_what_happened_why_and_what_helps() {
        let path = PathBuf::from("docs/a.md");
        let source = io::Error::new(io::ErrorKind::NotFound, "no such file");
        assert_eq!(
            Failure::Read { path, source }.report(),
            "error: docs/a.md could not be read\ncause: no such file\n"
        );
        let missing = Failure::MissingPrograms {
            programs: vec!["node", "tmux"],
            packages: vec!["nodejs", "tmux"],
        };
        assert_eq!(
            missing.report(),
            "error: programs are missing: node, tmux\n help: as root: apt-get update && apt-get \
             install -y nodejs tmux (or `cargo xtask test` as root, which does it)\n"
        );
    }
}
