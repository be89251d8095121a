//! The errors that can end a chore, with the command that helps.

use std::error::Error as StdError;
use std::fmt::Write as _;
use std::io;
use std::path::PathBuf;
use std::process::ExitStatus;

use thiserror::Error;

#[derive(Debug, Error)]
pub enum Failure {
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
    #[error("`cargo metadata` printed something that is not of its form")]
    Metadata,
    #[error("`rustc -vV` names no host target")]
    NoHost,
    #[error("{} missing: {}", if programs.len() == 1 { "a program is" } else { "programs are" }, programs.join(", "))]
    MissingPrograms { programs: Vec<&'static str>, packages: Vec<&'static str> },
    #[error("the Rust component `{component}` is missing")]
    MissingComponent { component: &'static str },
    #[error("tidy has {count} finding{}", if *count == 1 { "" } else { "s" })]
    Untidy { count: usize },
    #[error("no check is named `{name}`")]
    UnknownCheck { name: String, known: Vec<&'static str> },
    #[error("{path} is not a 64-bit little-endian ELF file: {reason}")]
    NotElf { path: PathBuf, reason: &'static str },
    #[error("{path} asks for a dynamic loader, so it is not statically linked")]
    NotStatic { path: PathBuf },
    #[error("{path} has {bytes} bytes, more than the {max} allowed")]
    TooLarge { path: PathBuf, bytes: u64, max: u64 },
    #[error("too slow: {}", commands.join(", "))]
    SlowBuilds { commands: Vec<&'static str> },
    #[error("failed: {}", phases.join(", "))]
    PhasesFailed { phases: Vec<&'static str> },
}

impl Failure {
    /// Formats the error, its causes and the advice, on one line each.
    pub fn report(&self) -> String {
        report(self, self.help())
    }

    /// Advice on the next step. `None` if the error's message already contains it.
    pub fn help(&self) -> Option<String> {
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
            Self::NotStatic { .. } => Some(
                "the C library's static archive must be installed (libc6-dev), and no dependency \
                 may ask for a shared library"
                    .to_owned(),
            ),
            Self::TooLarge { .. } => {
                Some("cargo tree -p verger-hook -e normal,no-proc-macro".to_owned())
            }
            Self::SlowBuilds { .. } => Some(
                "measure again when nothing else runs; `cargo build --release --timings` says \
                 where the time goes"
                    .to_owned(),
            ),
            Self::PhasesFailed { .. } => Some(
                "the command of a failed phase stands after its `$` above and can be run alone; \
                 `cargo fmt --all` formats, `cargo xtask tidy` checks the tree"
                    .to_owned(),
            ),
            Self::Start { .. }
            | Self::Exited { .. }
            | Self::NotText { .. }
            | Self::Read { .. }
            | Self::Write { .. }
            | Self::Metadata
            | Self::NoHost
            | Self::NotElf { .. } => None,
        }
    }
}

/// Formats an error, its causes and the advice `help`, on one line each.
pub fn report(error: &dyn StdError, help: Option<String>) -> String {
    let mut report = format!("error: {error}\n");
    let mut cause = error.source();
    while let Some(error) = cause {
        // Writing to a String cannot fail.
        writeln!(report, "cause: {error}").unwrap_or_default();
        cause = error.source();
    }
    if let Some(help) = help {
        writeln!(report, " help: {help}").unwrap_or_default();
    }
    report
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
