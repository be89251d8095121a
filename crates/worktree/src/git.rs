//! Runs git with verger's settings and without programs that the repository configures.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::time::Duration;

use verger_exec::{Deadline, Output, Program, RunError};

/// Overrides of settings with which a repository could make git run a program or reach another
/// place.
const HARDENING: &[&str] = &[
    "core.hooksPath=/dev/null",
    "core.fsmonitor=false",
    "core.pager=cat",
    "protocol.ext.allow=never",
    "diff.external=",
];

/// Environment variables that make git's output the same in all clones: replacements and grafts are
/// local, so git ignores them. Git doesn't prompt, take optional locks or fetch objects. Messages
/// are in English, because they are parsed.
const ENVIRONMENT: &[(&str, &str)] = &[
    ("GIT_GRAFT_FILE", "/dev/null"),
    ("GIT_NO_LAZY_FETCH", "1"),
    ("GIT_NO_REPLACE_OBJECTS", "1"),
    ("GIT_OPTIONAL_LOCKS", "0"),
    ("GIT_TERMINAL_PROMPT", "0"),
    ("LC_ALL", "C"),
];

/// The git program, its environment, and its time limit.
#[derive(Debug, Clone)]
pub struct Git {
    program: PathBuf,
    environment: Vec<(OsString, OsString)>,
    time_limit: Duration,
    /// The deadline for all calls together, if there is one.
    end: Option<Deadline<'static>>,
}

impl Git {
    /// Creates a `Git`. `program` is a path, or a name that is looked up in the `PATH` of
    /// `environment`. Variables that steer git (`GIT_*`) are not passed on. `time_limit` is for one
    /// operation of this crate, however many git commands it runs.
    pub fn new(
        program: impl Into<PathBuf>,
        environment: impl IntoIterator<Item = (OsString, OsString)>,
        time_limit: Duration,
    ) -> Self {
        let environment = environment
            .into_iter()
            .filter(|(name, _)| !name.as_encoded_bytes().starts_with(b"GIT_"))
            .collect();
        Self { program: program.into(), environment, time_limit, end: None }
    }

    /// Sets the time limit of each operation.
    #[must_use]
    pub fn within(self, time_limit: Duration) -> Self {
        Self { time_limit, end: None, ..self }
    }

    /// Sets `end` as the common deadline of all operations.
    #[must_use]
    pub fn until(self, end: Deadline<'static>) -> Self {
        Self { end: Some(end), ..self }
    }

    pub(crate) fn home(&self) -> Option<&Path> {
        self.directory("HOME")
    }

    /// The directory of the user's configuration, in which git looks for files by default.
    pub(crate) fn config_home(&self) -> Option<PathBuf> {
        let named = self.directory("XDG_CONFIG_HOME").map(Path::to_owned);
        named.or_else(|| Some(self.home()?.join(".config")))
    }

    fn directory(&self, variable: &str) -> Option<&Path> {
        let (_, path) = self.environment.iter().find(|(name, _)| name == variable)?;
        Some(Path::new(path)).filter(|path| path.is_absolute())
    }

    pub(crate) fn deadline(&self) -> Deadline<'static> {
        self.end.unwrap_or_else(|| Deadline::after(self.time_limit))
    }

    /// The deadline after a part of the time limit, such as a quarter.
    pub(crate) fn deadline_of_part(&self, part: u32) -> Deadline<'static> {
        Deadline::after(self.time_limit / part)
    }

    pub(crate) fn run<A: AsRef<OsStr>>(
        &self,
        directory: &Path,
        arguments: impl IntoIterator<Item = A>,
        deadline: Deadline<'_>,
    ) -> Result<Output, RunError> {
        self.program(directory).args(arguments).run(deadline)
    }

    /// A git command in `directory`, without arguments yet.
    pub(crate) fn program(&self, directory: &Path) -> Program {
        let ours = ENVIRONMENT.iter().map(|(name, value)| (OsStr::new(name), OsStr::new(value)));
        let given = self.environment.iter().map(|(name, value)| (name.as_ref(), value.as_ref()));
        let hardening = HARDENING.iter().flat_map(|setting| ["-c", setting]);
        Program::new(&self.program, given.chain(ours))
            .arg("-C")
            .arg(directory)
            .arg("--no-pager")
            .args(hardening)
    }
}
