//! The hook program: finds the one that belongs to this `verger`, reads its version, and installs a
//! copy for agents.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use verger_engine::Environment;
use verger_exec::RunError;

use crate::config::user_file::{self, NotReplaced};
use crate::install::program_version::program_version;
use crate::invocation::command_error::CommandError;

pub(crate) const NAME: &str = "verger-hook";
const VERGER: &str = "verger";

/// The error if the hook program cannot be used.
#[derive(Debug, thiserror::Error)]
pub(crate) enum UnusableProgram {
    #[error("find {NAME} beside {}", verger.display())]
    NotBeside { verger: PathBuf },
    #[error("find out where verger itself is")]
    NoSelf(#[source] io::Error),
    #[error("read {}", path.display())]
    Read {
        path: PathBuf,
        #[source]
        source: io::Error,
    },
    #[error("run {} --version", path.display())]
    Run {
        path: PathBuf,
        #[source]
        source: RunError,
    },
    #[error("use {}: it is not {NAME}", path.display())]
    Other { path: PathBuf },
    #[error("use {}: it has version {found} and verger has {}", path.display(), crate::VERSION)]
    Version { path: PathBuf, found: String },
    #[error(transparent)]
    NotReplaced(#[from] NotReplaced),
}

impl From<UnusableProgram> for CommandError {
    fn from(error: UnusableProgram) -> Self {
        let hint = match error {
            UnusableProgram::NotReplaced(error) => return error.into(),
            UnusableProgram::NotBeside { .. } => {
                "put both programs into one directory (in a checkout: cargo xtask dist)"
            }
            UnusableProgram::NoSelf(_) | UnusableProgram::Other { .. } => {
                "verger init --hook PATH names its path"
            }
            UnusableProgram::Read { .. } | UnusableProgram::Run { .. } => {
                "verger init --hook PATH uses another program"
            }
            UnusableProgram::Version { .. } => "install verger and verger-hook of one version",
        };
        Self::Failed { hint: hint.to_owned(), source: error.into() }
    }
}

/// The given program, or the one beside this program.
pub(crate) fn find(named: Option<&Path>) -> Result<PathBuf, UnusableProgram> {
    if let Some(path) = named {
        return Ok(path.to_owned());
    }
    let verger = std::env::current_exe().map_err(UnusableProgram::NoSelf)?;
    let beside = verger.with_file_name(NAME);
    if beside.is_file() { Ok(beside) } else { Err(UnusableProgram::NotBeside { verger }) }
}

/// The version that a hook program reports.
pub(crate) fn version(path: &Path, environment: &Environment) -> Result<String, UnusableProgram> {
    let text = program_version(path, environment)
        .map_err(|source| UnusableProgram::Run { path: path.to_owned(), source })?;
    let version = text.trim().strip_prefix(NAME).map(|version| version.trim().to_owned());
    version.ok_or_else(|| UnusableProgram::Other { path: path.to_owned() })
}

/// Refuses a program of another version, because both versions would read and write the same files.
pub(crate) fn check(path: &Path, environment: &Environment) -> Result<(), UnusableProgram> {
    let found = version(path, environment)?;
    if found == crate::VERSION {
        return Ok(());
    }
    Err(UnusableProgram::Version { path: path.to_owned(), found })
}

/// The state of the installed copy.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Copied {
    Current,
    Installed,
    Replaced,
}

/// The copies that [`install`] would write: all of them, or none if all are current.
pub(crate) fn would_write(program: &Path, place: &Path) -> Result<Vec<PathBuf>, UnusableProgram> {
    if outdated(program, place)?.is_empty() {
        return Ok(vec![]);
    }
    Ok(copies(program, place))
}

/// The paths of the copies of `program` and of the `verger` beside it.
pub(crate) fn copies(program: &Path, place: &Path) -> Vec<PathBuf> {
    with_verger(program, place).into_iter().map(|(_, place)| place).collect()
}

/// The installed copies of `program`, and of the `verger` beside it, that differ or cannot be
/// started. `place` is the path of the hook program's copy.
fn outdated(program: &Path, place: &Path) -> Result<Vec<PathBuf>, UnusableProgram> {
    let mut outdated = vec![];
    for (program, place) in with_verger(program, place) {
        if !user_file::is_runnable(&place) || read(&program)? != read(&place)? {
            outdated.push(place);
        }
    }
    Ok(outdated)
}

/// Replaces the copy at `place` atomically, because agents start it all the time. Also copies the
/// `verger` beside the program. The hook runs that copy for agents whose sandbox prevents writing.
/// The copy must be a file that agents can't change, unlike a file in a build directory.
pub(crate) fn install(program: &Path, place: &Path) -> Result<Copied, UnusableProgram> {
    if outdated(program, place)?.is_empty() {
        return Ok(Copied::Current);
    }
    let copied = if place.exists() { Copied::Replaced } else { Copied::Installed };
    for (program, place) in with_verger(program, place) {
        user_file::replace_program(&place, &read(&program)?)?;
    }
    Ok(copied)
}

/// The files to copy, with their destinations. The hook program is last, because agents start it.
fn with_verger(program: &Path, place: &Path) -> Vec<(PathBuf, PathBuf)> {
    let verger = verger_beside(program);
    let beside = verger.is_file().then(|| (verger, verger_beside(place)));
    beside.into_iter().chain([(program.to_owned(), place.to_owned())]).collect()
}

/// The path of the `verger` beside a hook program.
pub(crate) fn verger_beside(program: &Path) -> PathBuf {
    program.with_file_name(VERGER)
}

fn read(path: &Path) -> Result<Vec<u8>, UnusableProgram> {
    fs::read(path).map_err(|source| UnusableProgram::Read { path: path.to_owned(), source })
}
