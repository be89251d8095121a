//! The tables against a real shell: a stand-in for `gh` writes down how it is called.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;
use std::process::{Command, Stdio};

use verger_shell::{CommandPattern, read};

use crate::spellings::{CLOSES, MENTIONS};

/// Programs that the lines may use, where they are installed. None of them reaches beyond its folder.
const TOOLS: &[&str] = &[
    "awk", "base64", "bash", "cat", "dash", "echo", "env", "find", "flock", "grep", "ls", "mkdir",
    "nice", "nohup", "perl", "printf", "sed", "seq", "setsid", "sh", "sleep", "stdbuf", "tail",
    "tee", "timeout", "true", "wait", "xargs",
];

/// Whether bash ran `gh issue close` for this line.
#[expect(clippy::disallowed_methods, reason = "the real shell is what the test is about")]
fn closes_for_real(folder: &Path, line: &str) -> bool {
    let calls = folder.join("calls");
    fs::write(&calls, "").unwrap();
    let work = folder.join("work");
    fs::create_dir_all(&work).unwrap();
    Command::new("timeout")
        .args(["5", "bash", "-c", line])
        .current_dir(&work)
        .env_clear()
        .env("PATH", folder.join("bin"))
        .env("HOME", &work)
        .env("CALLS", &calls)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .unwrap();
    fs::read_to_string(&calls).unwrap().contains("|issue|close")
}

fn folder_with_tools() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let bin = folder.path().join("bin");
    fs::create_dir(&bin).unwrap();
    for tool in TOOLS {
        let installed = ["/usr/bin", "/bin"].map(|folder| Path::new(folder).join(tool));
        if let Some(path) = installed.iter().find(|path| path.exists()) {
            symlink(path, bin.join(tool)).unwrap();
        }
    }
    let gh = bin.join("gh");
    fs::write(&gh, "#!/bin/sh\nprintf '|%s' \"$@\" >> \"$CALLS\"\n").unwrap();
    fs::set_permissions(&gh, fs::Permissions::from_mode(0o755)).unwrap();
    folder
}

#[test]
fn what_a_real_shell_runs_is_found() {
    let folder = folder_with_tools();
    let pattern = CommandPattern::parse("gh issue close*").unwrap();
    let mut ran = 0;
    for line in CLOSES.iter().chain(MENTIONS) {
        let closes = closes_for_real(folder.path(), line);
        ran += usize::from(closes);
        assert!(!closes || pattern.matches(&read(line)), "not found: {line}");
        assert!(!closes || !MENTIONS.contains(line), "not only a mention: {line}");
    }
    // The others need programs that are not there, or are not meant to run.
    assert!(ran > 100, "{ran} lines ran it");
}
