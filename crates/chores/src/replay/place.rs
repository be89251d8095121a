//! A temporary home and project for a replay, and the programs that run in them.

use std::fs;
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use serde_json::Value;
use tempfile::TempDir;
use wait4::Wait4 as _;

use crate::replay::ReplayError;

/// The paths of the hook and of `verger`.
#[derive(Debug, Clone)]
pub(crate) struct Programs {
    hook: PathBuf,
    verger: PathBuf,
}

impl Programs {
    pub(crate) fn in_folder(folder: &Path) -> Result<Self, ReplayError> {
        let unreadable = |source| ReplayError::Read { path: folder.to_owned(), source };
        let folder = fs::canonicalize(folder).map_err(unreadable)?;
        let programs = Self { hook: folder.join("verger-hook"), verger: folder.join("verger") };
        for path in [&programs.hook, &programs.verger] {
            if !path.is_file() {
                return Err(ReplayError::NoProgram { path: path.clone() });
            }
        }
        Ok(programs)
    }
}

/// A temporary directory with a home, a project and verger's own directory. Dropping the value
/// removes it.
pub(crate) struct ReplayPlace {
    /// The temporary directory. It is removed when this is dropped.
    _folder: TempDir,
    programs: Programs,
    project: PathBuf,
    home: PathBuf,
    verger_home: PathBuf,
}

/// The result of one call of the hook.
#[derive(Debug, Clone, Default)]
pub(crate) struct HookCall {
    /// The CPU time of the hook and of the child processes for which it waited.
    pub(crate) cpu: Duration,
    /// The exit code. `None` if a signal killed the hook.
    pub(crate) exit: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl HookCall {
    /// The hook's JSON answer for the client. `None` if it printed no answer.
    pub(crate) fn answer(&self) -> Option<Value> {
        serde_json::from_str(&self.stdout).ok()
    }
}

impl ReplayPlace {
    /// Creates a home with these settings, and a project that is a repository with one commit.
    pub(crate) fn new(
        parent: &Path,
        programs: &Programs,
        settings: &str,
    ) -> Result<Self, ReplayError> {
        let unwritable = |source| ReplayError::Write { path: parent.to_owned(), source };
        let folder = tempfile::Builder::new().prefix("replay-").tempdir_in(parent);
        let folder = folder.map_err(unwritable)?;
        let real = fs::canonicalize(folder.path()).map_err(unwritable)?;
        let home = real.join("dev");
        let place = Self {
            _folder: folder,
            programs: programs.clone(),
            project: home.join("work").join("project"),
            verger_home: real.join("verger"),
            home,
        };
        let config = place.verger_home.join("config");
        fs::create_dir_all(&place.project).map_err(unwritable)?;
        fs::create_dir_all(&config).map_err(unwritable)?;
        fs::write(config.join("config.toml"), settings).map_err(unwritable)?;
        fs::write(place.project.join("README.md"), "A project.\n").map_err(unwritable)?;
        let as_dev = ["-c", "user.name=dev", "-c", "user.email=dev@example.org"];
        for arguments in [
            &["init", "--quiet", "--initial-branch=main"][..],
            &["add", "README.md"],
            &[&as_dev[..], &["commit", "--quiet", "--message=Begin"]].concat(),
        ] {
            place.output("git", arguments)?;
        }
        Ok(place)
    }

    pub(crate) fn project(&self) -> &Path {
        &self.project
    }

    /// The directory with the segments of the log.
    pub(crate) fn log(&self) -> PathBuf {
        self.verger_home.join("data").join("log")
    }

    /// Replaces the placeholders in a payload by the paths of this place.
    pub(crate) fn fill(&self, payload: &str) -> String {
        let project = in_json(&self.project);
        payload.replace("@P@", &project).replace("@H@", &in_json(&self.home))
    }

    /// Creates the working directory that a payload names. Agents always work in existing
    /// directories.
    pub(crate) fn make_directory(&self, cwd: &str) -> Result<(), ReplayError> {
        let path = Path::new(cwd);
        if !path.starts_with(&self.home) || path.is_dir() {
            return Ok(());
        }
        let made = fs::create_dir_all(path);
        made.map_err(|source| ReplayError::Write { path: path.to_owned(), source })
    }

    /// Trusts the project with `verger trust`, so that agents may build and test in it.
    pub(crate) fn trust(&self) -> Result<(), ReplayError> {
        self.verger(&["trust", "--yes"]).map(drop)
    }

    /// Runs a `verger` command and returns its standard output.
    pub(crate) fn verger(&self, arguments: &[&str]) -> Result<String, ReplayError> {
        let program = self.programs.verger.to_string_lossy().into_owned();
        self.output(&program, arguments)
    }

    /// Starts the hook as the client does, and waits until it ends.
    pub(crate) fn hook(&self, event: &str, payload: &str) -> Result<HookCall, ReplayError> {
        let mut command = self.command(&self.programs.hook);
        command.args(["claude", event]).stdin(Stdio::piped());
        call(&mut command, payload).map_err(|source| ReplayError::Start {
            command: format!("verger-hook claude {event}"),
            source,
        })
    }

    fn output(&self, program: &str, arguments: &[&str]) -> Result<String, ReplayError> {
        let line = || {
            format!("{} {}", program.rsplit('/').next().unwrap_or_default(), arguments.join(" "))
        };
        let mut command = self.command(Path::new(program));
        let output = command.args(arguments).stdin(Stdio::null()).output();
        let output = output.map_err(|source| ReplayError::Start { command: line(), source })?;
        if output.status.success() {
            return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
        }
        let output = String::from_utf8_lossy(&output.stderr).trim().to_owned();
        Err(ReplayError::Failed { command: line(), output })
    }

    fn command(&self, program: &Path) -> Command {
        let mut command = Command::new(program);
        command
            .current_dir(&self.project)
            .env_clear()
            .env("PATH", std::env::var_os("PATH").unwrap_or_default())
            .env("HOME", &self.home)
            .env("LANG", "C.UTF-8")
            .env("GIT_CONFIG_NOSYSTEM", "1")
            .env("VERGER_HOME", &self.verger_home);
        command
    }

    /// The total size of verger's own files. There is no index, because only `verger` commands
    /// write one.
    pub(crate) fn bytes(&self) -> u64 {
        bytes_below(&self.verger_home)
    }
}

/// Starts a program, writes the payload to it, reads its output, and waits until it ends.
fn call(command: &mut Command, payload: &str) -> io::Result<HookCall> {
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
    let (stdin, stdout, stderr) = (child.stdin.take(), child.stdout.take(), child.stderr.take());
    if let Some(mut stdin) = stdin {
        // Writing fails if the hook closes the pipe before it has read everything. The hook may do
        // that.
        match stdin.write_all(payload.as_bytes()) {
            Err(error) if error.kind() != io::ErrorKind::BrokenPipe => return Err(error),
            _ => {}
        }
    }
    let mut printed = [Vec::new(), Vec::new()];
    if let Some(mut stdout) = stdout {
        stdout.read_to_end(&mut printed[0])?;
    }
    if let Some(mut stderr) = stderr {
        stderr.read_to_end(&mut printed[1])?;
    }
    let used = child.wait4()?;
    let [stdout, stderr] = printed.map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    Ok(HookCall {
        cpu: used.rusage.utime + used.rusage.stime,
        exit: used.status.code(),
        stdout,
        stderr,
    })
}

/// A path as text inside of a JSON string, escaped but without quotes.
fn in_json(path: &Path) -> String {
    let quoted = Value::from(path.to_string_lossy()).to_string();
    quoted.trim_matches('"').to_owned()
}

fn bytes_below(folder: &Path) -> u64 {
    let Ok(entries) = fs::read_dir(folder) else { return 0 };
    let bytes = entries.flatten().map(|entry| match entry.metadata() {
        Ok(metadata) if metadata.is_dir() => bytes_below(&entry.path()),
        Ok(_) if entry.file_name().to_string_lossy().starts_with("index.") => 0,
        Ok(metadata) => metadata.len(),
        // Another process has removed the file in the meantime.
        Err(_) => 0,
    });
    bytes.sum()
}
