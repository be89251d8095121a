//! A home, a project and a cleared environment for one test.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use tempfile::TempDir;

use crate::output::{Filter, Output, exit_code};
use crate::processes;
use crate::supervised::{Ending, Outcome, Supervised};

/// The time limit for programs that hang. A busy machine needs many times the usual time. It is
/// below nextest's limit, so that the failure shows the program's output.
pub(crate) const TIME_LIMIT: Duration = Duration::from_secs(90);

/// The environment of a program: its own `HOME` (0700), a project directory in it, and only the
/// variables that are set here.
///
/// Only `PATH` is inherited from the parent's environment, which is never changed. When the value
/// is dropped, processes that still run with its `HOME` are killed and the directory is removed.
pub struct TestEnvironment {
    /// Dropped last, after the processes that could still write to it were killed.
    _directory: TempDir,
    /// The directory with links resolved, as programs print it.
    path: PathBuf,
    variables: BTreeMap<OsString, OsString>,
    filters: Vec<Filter>,
}

impl TestEnvironment {
    /// An empty home and an empty project directory.
    #[expect(clippy::new_without_default, reason = "making directories is not a default value")]
    pub fn new() -> Self {
        // Not in the caller's TMPDIR, because byte counts in compared output depend on the length
        // of paths.
        let directory = tempfile::Builder::new().prefix("verger-").tempdir_in("/tmp").unwrap();
        let path = directory.path().canonicalize().unwrap();
        let mut environment =
            Self { _directory: directory, path, variables: BTreeMap::new(), filters: Vec::new() };
        for directory in [environment.home(), environment.project(), environment.temporary()] {
            fs::create_dir_all(&directory).unwrap();
            fs::set_permissions(&directory, Permissions::from_mode(0o700)).unwrap();
        }
        environment.filters.push(Filter::path(environment.root(), "$ENV"));
        let (home, temporary) = (environment.home(), environment.temporary());
        let verger_home = environment.verger_home();
        environment.set("PATH", std::env::var_os("PATH").unwrap_or_default());
        environment.set("HOME", home);
        environment.set("VERGER_HOME", verger_home);
        environment.set("TMPDIR", temporary);
        environment.set("TZ", "UTC");
        // The result of a test must not depend on the parent processes, which may include an agent.
        environment.set("VERGER_TEST_ANCESTRY_END", std::process::id().to_string());
        environment.set("LANG", "C.UTF-8");
        environment.set("GIT_CONFIG_NOSYSTEM", "1");
        for role in ["AUTHOR", "COMMITTER"] {
            environment.set(format!("GIT_{role}_NAME"), "Ada Example");
            environment.set(format!("GIT_{role}_EMAIL"), "ada@example.invalid");
            environment.set(format!("GIT_{role}_DATE"), "2026-01-02T03:04:05Z");
        }
        environment
    }

    /// An environment whose project is a git repository on branch `main`. Its first commit is
    /// always the same, so the project's id is too.
    pub fn with_repository() -> Self {
        let environment = Self::new();
        environment.write("README.md", "# Project\n");
        for arguments in [
            &["init", "--quiet", "--initial-branch=main"][..],
            &["add", "README.md"],
            &["commit", "--quiet", "--no-gpg-sign", "--message=Start"],
        ] {
            assert_eq!(environment.run("git", arguments, "").success().stdout, "");
        }
        environment
    }

    pub fn root(&self) -> &Path {
        &self.path
    }

    pub fn home(&self) -> PathBuf {
        self.path.join("home")
    }

    pub fn project(&self) -> PathBuf {
        self.path.join("home/project")
    }

    pub fn verger_home(&self) -> PathBuf {
        self.path.join("home/.verger")
    }

    fn temporary(&self) -> PathBuf {
        self.path.join("tmp")
    }

    /// Sets a variable for all programs that are started later.
    pub fn set(&mut self, name: impl Into<OsString>, value: impl Into<OsString>) {
        self.variables.insert(name.into(), value.into());
    }

    /// Adds a directory at the front of `PATH`.
    pub fn find_programs_in(&mut self, directory: &Path) {
        let path = self.variables.get(OsStr::new("PATH")).cloned().unwrap_or_default();
        let directories = std::env::split_paths(&path).collect::<Vec<_>>();
        let all = [directory.to_owned()].into_iter().chain(directories);
        self.set("PATH", std::env::join_paths(all).unwrap());
    }

    pub fn unset(&mut self, name: impl AsRef<OsStr>) {
        self.variables.remove(name.as_ref());
    }

    /// Adds a filter that is applied to all output.
    pub fn add_filter(&mut self, filter: Filter) {
        self.filters.push(filter);
    }

    /// Applies all filters to `text`: the environment's directory becomes `$ENV`, and so on.
    pub fn normalise(&self, text: &str) -> String {
        self.filters.iter().fold(text.to_owned(), |text, filter| filter.apply(&text))
    }

    /// Writes a file in the project, or anywhere below the environment if the path is absolute.
    /// Returns its path.
    pub fn write(&self, path: impl AsRef<Path>, contents: impl AsRef<[u8]>) -> PathBuf {
        let path = self.inside(path.as_ref());
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, contents).unwrap();
        path
    }

    /// Writes an executable file. It can be run at once, even while other threads write the same
    /// file.
    pub fn write_program(&self, path: impl AsRef<Path>, contents: impl AsRef<[u8]>) -> PathBuf {
        let path = self.inside(path.as_ref());
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        // Written to a temporary path and then renamed, so that no process runs an incomplete file.
        let workshop = tempfile::tempdir_in(self.temporary()).unwrap();
        let [source, program] = ["source", "program"].map(|name| workshop.path().join(name));
        fs::write(&source, contents).unwrap();
        fs::set_permissions(&source, Permissions::from_mode(0o755)).unwrap();
        // A process that another thread starts meanwhile inherits all open files until it executes
        // its program. A file that is open for writing can't be executed. So another program makes
        // the copy, and the copy is never open in this process.
        let copy = Command::new("cp").arg("-p").args([&source, &program]).status().unwrap();
        assert!(copy.success(), "could not write {}", path.display());
        fs::rename(program, &path).unwrap();
        path
    }

    pub fn read(&self, path: impl AsRef<Path>) -> String {
        let path = self.inside(path.as_ref());
        fs::read_to_string(&path)
            .unwrap_or_else(|error| panic!("could not read {}: {error}", path.display()))
    }

    #[track_caller]
    fn inside(&self, path: &Path) -> PathBuf {
        let path = self.project().join(path);
        assert!(path.starts_with(&self.path), "{} is not in the environment", path.display());
        path
    }

    /// Runs a program in the project directory. Returns its normalised output.
    ///
    /// Fails the test if the program can't be started or takes more than 90 seconds.
    pub fn run<I, A>(
        &self,
        program: impl AsRef<OsStr>,
        arguments: I,
        stdin: impl Into<Vec<u8>>,
    ) -> Output
    where
        I: IntoIterator<Item = A>,
        A: AsRef<OsStr>,
    {
        let mut command = self.command(program);
        command.args(arguments);
        self.run_command(command, stdin)
    }

    /// A command with the environment's variables and directory. Callers may change it further and
    /// pass it to [`run_command`](Self::run_command).
    pub fn command(&self, program: impl AsRef<OsStr>) -> Command {
        let mut command = Command::new(program);
        command.env_clear().envs(&self.variables).current_dir(self.project());
        command
    }

    pub fn run_command(&self, command: Command, stdin: impl Into<Vec<u8>>) -> Output {
        let description = format!("{command:?}");
        let mut running = Supervised::spawn(command, TIME_LIMIT);
        running.feed(stdin.into());
        let Outcome { ending, stdout, stderr } = running.finish();
        let text = |bytes: Vec<u8>| self.normalise(&String::from_utf8_lossy(&bytes));
        let (stdout, stderr) = (text(stdout), text(stderr));
        let Ending::Exited(status) = ending else {
            panic!("{description} ran for more than {TIME_LIMIT:?}\n{stdout}\n{stderr}");
        };
        Output { stdout, stderr, code: exit_code(status) }
    }
}

impl Drop for TestEnvironment {
    fn drop(&mut self) {
        processes::kill_all_with_home(&self.home());
    }
}
