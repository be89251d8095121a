//! Running git: with verger's settings only, and without programs configured by the repository.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::time::Duration;

use verger_exec::{Deadline, Output, Program, RunError};

/// Settings that a repository could otherwise use to make git run or reach something.
const HARDENING: &[&str] = &[
    "core.hooksPath=/dev/null",
    "core.fsmonitor=false",
    "core.pager=cat",
    "protocol.ext.allow=never",
    "diff.external=",
];

/// Makes the answers the same in all clones: replacements and grafts are local, so git ignores
/// them. Git doesn't prompt, take optional locks or fetch objects. Messages are in English, because
/// they are parsed.
const ENVIRONMENT: &[(&str, &str)] = &[
    ("GIT_GRAFT_FILE", "/dev/null"),
    ("GIT_NO_LAZY_FETCH", "1"),
    ("GIT_NO_REPLACE_OBJECTS", "1"),
    ("GIT_OPTIONAL_LOCKS", "0"),
    ("GIT_TERMINAL_PROMPT", "0"),
    ("LC_ALL", "C"),
];

/// The git program, the environment it gets and the time it may take.
#[derive(Debug, Clone)]
pub struct Git {
    program: PathBuf,
    environment: Vec<(OsString, OsString)>,
    time_limit: Duration,
    /// The deadline that all calls share.
    end: Option<Deadline<'static>>,
}

impl Git {
    /// `program` is a path, or a name that is looked up in the `PATH` of `environment`.
    /// Variables that steer git (`GIT_*`) are not passed on. `time_limit` is for one question,
    /// however many processes it takes.
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

    /// Sets the time limit of each call.
    #[must_use]
    pub fn within(self, time_limit: Duration) -> Self {
        Self { time_limit, end: None, ..self }
    }

    /// Makes all calls together end at `end`.
    #[must_use]
    pub fn until(self, end: Deadline<'static>) -> Self {
        Self { end: Some(end), ..self }
    }

    pub(crate) fn home(&self) -> Option<&Path> {
        self.directory("HOME")
    }

    /// The directory in which git looks for the user's files by default.
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

    /// Git in a directory, without arguments yet.
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
