//! The errors of commands as people see them: what happened, where, and the command that helps.
//! Only this module defines exit codes.

use std::error::Error;
use std::ffi::OsString;
use std::fmt;
use std::process::ExitCode;

use verger_config::ProblemKind;
use verger_engine::NoHome;
use verger_engine::UnknownContent;
use verger_recall::RecallError;
use verger_store::{StoreError, UnsafeDirectory, with_causes};
use verger_store_local::IndexError;
use verger_worktree::undo::NoUndo;

use crate::invocation::point_in_time::NoTime;

/// The outcome of a command that did not succeed.
#[derive(Debug)]
pub(crate) enum CommandError {
    /// The command worked and found a problem: exit code 1.
    Found,
    /// The arguments are not valid in the current state: exit code 2.
    Usage { message: String, hint: String },
    /// An error of verger's files or the system: exit code 3.
    Failed { source: Box<dyn Error>, hint: String },
    /// The caller may not run the command: exit code 4.
    Refused { message: String, hint: String },
    /// The command worked, but the result is not known yet: exit code 5.
    Incomplete,
    /// The reader of our output closed the pipe. Exit code 0, because the reader needed no more.
    ReaderGone,
}

impl CommandError {
    pub(crate) fn exit_code(&self) -> ExitCode {
        match self {
            Self::ReaderGone => ExitCode::SUCCESS,
            Self::Found => ExitCode::from(1),
            Self::Usage { .. } => ExitCode::from(2),
            Self::Failed { .. } => ExitCode::from(3),
            Self::Refused { .. } => ExitCode::from(4),
            Self::Incomplete => ExitCode::from(5),
        }
    }

    /// Whether the system denies access to verger's data, as a sandbox does.
    pub(crate) fn is_sealed(&self) -> bool {
        let Self::Failed { source, .. } = self else { return false };
        source.downcast_ref::<StoreError>().is_some_and(StoreError::is_refusal)
    }

    /// A short code word for programs that read our JSON.
    pub(crate) fn code(&self) -> &'static str {
        match self {
            Self::Found => "found",
            Self::Usage { .. } => "usage",
            Self::Failed { .. } => "failed",
            Self::Refused { .. } => "refused",
            Self::Incomplete => "incomplete",
            Self::ReaderGone => "reader_gone",
        }
    }

    pub(crate) fn hint(&self) -> Option<&str> {
        match self {
            Self::Usage { hint, .. } | Self::Failed { hint, .. } | Self::Refused { hint, .. } => {
                Some(hint)
            }
            Self::Found | Self::Incomplete | Self::ReaderGone => None,
        }
    }
}

impl fmt::Display for CommandError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Usage { message, .. } | Self::Refused { message, .. } => f.write_str(message),
            Self::Failed { source, .. } => write!(f, "cannot {}", with_causes(source.as_ref())),
            Self::Found | Self::Incomplete | Self::ReaderGone => Ok(()),
        }
    }
}

impl From<std::io::Error> for CommandError {
    fn from(error: std::io::Error) -> Self {
        if error.kind() == std::io::ErrorKind::BrokenPipe {
            return Self::ReaderGone;
        }
        Self::Failed {
            source: NotWritten(error).into(),
            hint: "is the disk full, or the output closed?".into(),
        }
    }
}

#[derive(Debug, thiserror::Error)]
#[error("write the output")]
struct NotWritten(#[source] std::io::Error);

impl From<&clap::Error> for CommandError {
    fn from(error: &clap::Error) -> Self {
        let text = error.to_string();
        let lines = text.lines().take_while(|line| !line.is_empty()).map(str::trim);
        let message = lines.collect::<Vec<_>>().join(" ");
        Self::Usage {
            message: message.strip_prefix("error: ").unwrap_or(&message).to_owned(),
            hint: "verger --help".into(),
        }
    }
}

/// A relative `VERGER_HOME` is refused. It could name a different directory than intended, which
/// would look like an empty log.
#[derive(Debug, thiserror::Error)]
#[error("use VERGER_HOME={value:?}: it must be an absolute path")]
pub(crate) struct RelativeHome {
    pub(crate) value: OsString,
}

impl From<NoUndo> for CommandError {
    fn from(error: NoUndo) -> Self {
        let hint = "nothing was changed; git status shows the state of the repository";
        Self::Failed { source: error.into(), hint: hint.into() }
    }
}

impl From<RelativeHome> for CommandError {
    fn from(error: RelativeHome) -> Self {
        let hint = "set VERGER_HOME to an absolute path, or unset it";
        Self::Failed { source: error.into(), hint: hint.into() }
    }
}

impl From<RecallError> for CommandError {
    fn from(error: RecallError) -> Self {
        Self::Failed {
            source: error.into(),
            hint: "verger learn archive --unused rebuilds the index".into(),
        }
    }
}

/// The current directory was removed.
#[derive(Debug, thiserror::Error)]
#[error("find the current directory: it does not exist any more")]
pub(crate) struct NoDirectory;

impl From<NoDirectory> for CommandError {
    fn from(error: NoDirectory) -> Self {
        Self::Failed { source: error.into(), hint: "change to a directory that exists".into() }
    }
}

impl From<NoHome> for CommandError {
    fn from(error: NoHome) -> Self {
        let hint = "set HOME, or VERGER_HOME to the directory that should hold verger's files";
        Self::Failed { source: error.into(), hint: hint.into() }
    }
}

impl From<NoTime> for CommandError {
    fn from(error: NoTime) -> Self {
        let hint = "verger log clean --before 30d --dry-run shows what would be removed";
        Self::Usage { message: error.to_string(), hint: hint.into() }
    }
}

/// The error for a key or value that no setting accepts.
impl From<ProblemKind> for CommandError {
    fn from(problem: ProblemKind) -> Self {
        let hint = match &problem {
            ProblemKind::UnknownKey { nearest: Some(nearest), .. } => {
                format!("verger config show {nearest}")
            }
            ProblemKind::Untrusted { .. } => "verger trust".to_owned(),
            ProblemKind::Loosening { key, .. } | ProblemKind::NotFromProject { key } => {
                format!("verger config set {key} VALUE, without --project")
            }
            ProblemKind::BadValue { key, nearest: Some(nearest), .. } => {
                format!("verger config set {key} {nearest}")
            }
            ProblemKind::BadValue { key, .. } => format!("verger config show {key} --origin"),
            _ => "verger config show --origin lists every key".to_owned(),
        };
        Self::Usage { message: problem.to_string(), hint }
    }
}

impl From<StoreError> for CommandError {
    fn from(error: StoreError) -> Self {
        let hint = match &error {
            StoreError::Unsafe { path, problem: UnsafeDirectory::Symlink } => format!(
                "set VERGER_HOME to the directory that {} points to, or replace the link by it",
                path.display()
            ),
            StoreError::Unsafe { path, problem: UnsafeDirectory::Writable } => {
                format!("chmod 700 {}", path.display())
            }
            StoreError::Io { path, .. } | StoreError::Unsafe { path, .. } => {
                format!("ls -ld {}", path.display())
            }
            StoreError::Encode(_) => "this is a bug in verger; please report it".into(),
        };
        Self::Failed { source: error.into(), hint }
    }
}

/// An approval applies to the reviewed content. It can't be recorded if the current content is
/// unknown.
#[derive(Debug, thiserror::Error)]
#[error("compare the work with what was reviewed")]
pub(crate) struct NotCompared(#[source] pub(crate) UnknownContent);

impl From<NotCompared> for CommandError {
    fn from(error: NotCompared) -> Self {
        let hint = "try again; if it fails again, decide unavailable and give the reason";
        Self::Failed { source: error.into(), hint: hint.into() }
    }
}

impl From<UnknownContent> for CommandError {
    fn from(error: UnknownContent) -> Self {
        let hint =
            "verger cannot read the work: check that `git status` works there, and try again";
        Self::Failed { source: error.into(), hint: hint.into() }
    }
}

impl From<IndexError> for CommandError {
    fn from(error: IndexError) -> Self {
        match error {
            IndexError::Store(error) => error.into(),
            error @ IndexError::Sqlite { .. } => Self::Failed {
                source: error.into(),
                hint: "verger log rebuild rebuilds the index from the log".into(),
            },
        }
    }
}
