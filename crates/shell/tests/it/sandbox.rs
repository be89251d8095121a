//! A directory in which real bash runs command lines. The programs are stand-ins that record their
//! calls.

use std::cell::Cell;
use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;
use std::process::{Command, Stdio};

use tempfile::TempDir;

/// Installed programs that the command lines may use. None of them accesses anything outside the
/// directory.
const TOOLS: &[&str] = &[
    "awk", "base64", "bash", "cat", "dash", "echo", "env", "find", "flock", "grep", "ls", "mkdir",
    "nice", "nohup", "perl", "printf", "sed", "seq", "setsid", "sh", "sleep", "stdbuf", "tail",
    "tee", "timeout", "true", "wait", "xargs",
];

/// The script of a stand-in program. It finds the directory from its own path, because a command
/// line may clear the environment.
const STAND_IN: &str =
    "#!/bin/sh\nprintf '%s\\0' \"$#\" \"${0##*/}\" \"$@\" >> \"${0%/bin/*}/calls\"\n";

pub(crate) struct Sandbox {
    folder: TempDir,
    runs: Cell<usize>,
}

/// The calls and files of one run.
#[derive(Debug)]
pub(crate) struct Ran {
    /// The calls of stand-ins, with their arguments.
    pub(crate) calls: Vec<Vec<String>>,
    /// The names of the files that the command line wrote.
    pub(crate) files: Vec<String>,
}

impl Sandbox {
    pub(crate) fn new(stand_ins: &[&str]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let bin = folder.path().join("bin");
        fs::create_dir(&bin).unwrap();
        for tool in TOOLS {
            let installed = ["/usr/bin", "/bin"].map(|folder| Path::new(folder).join(tool));
            if let Some(path) = installed.iter().find(|path| path.exists()) {
                symlink(path, bin.join(tool)).unwrap();
            }
        }
        for name in stand_ins {
            let path = bin.join(name);
            fs::write(&path, STAND_IN).unwrap();
            fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
        }
        Self { folder, runs: Cell::new(0) }
    }

    /// Runs the command line with bash, in an empty environment and with a time limit.
    #[expect(clippy::disallowed_methods, reason = "the tests run a real shell")]
    pub(crate) fn run(&self, line: &str) -> Ran {
        // Each run has its own directory, so that a process of an earlier run that is still running
        // does not write into it.
        self.runs.set(self.runs.get() + 1);
        let run = self.folder.path().join(self.runs.get().to_string());
        let work = run.join("work");
        fs::create_dir_all(&work).unwrap();
        fs::write(run.join("calls"), "").unwrap();
        symlink(self.folder.path().join("bin"), run.join("bin")).unwrap();
        Command::new("timeout")
            .args(["2", "bash", "-c", line])
            .current_dir(&work)
            .env_clear()
            .env("PATH", run.join("bin"))
            .env("HOME", &work)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status()
            .unwrap();
        let files = fs::read_dir(&work).unwrap().map(|entry| entry.unwrap().file_name());
        let files = files.map(|name| name.to_string_lossy().into_owned()).collect();
        Ran { calls: calls(&run), files }
    }
}

/// Whether bash accepts the syntax of the command line. Does not run it.
#[expect(clippy::disallowed_methods, reason = "the tests run a real shell")]
pub(crate) fn is_valid(line: &str) -> bool {
    let mut bash = Command::new("bash");
    let bash = bash.args(["-n", "-c", line]).env_clear().stdin(Stdio::null()).stderr(Stdio::null());
    bash.status().unwrap().success()
}

fn calls(run: &Path) -> Vec<Vec<String>> {
    let bytes = fs::read(run.join("calls")).unwrap();
    let text = String::from_utf8_lossy(&bytes);
    let mut fields = text.split_terminator('\0');
    let mut calls = Vec::new();
    while let Some(count) = fields.next() {
        let count = count.parse::<usize>().unwrap();
        calls.push(fields.by_ref().take(count + 1).map(str::to_owned).collect());
    }
    calls
}
