//! Tests of the facts about real repositories, which are created in temporary directories with the
//! installed git.
#![cfg(unix)]
#![expect(clippy::unwrap_used, reason = "a failed setup fails the test")]

mod added;
mod any_history;
mod config_search;
mod content;
mod diff;
mod fallback;
mod head;
mod hiding;
mod identity;
mod left_behind;
mod lines;
mod no_start;
mod odd_trees;
mod others;
mod project;
mod task;
mod touched;
mod undo;
mod undo_any;
mod undo_copies;
mod undo_filters;
mod undo_index;
mod undo_odd;

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::time::Duration;

use tempfile::TempDir;
use verger_worktree::{Git, ProjectFacts, project_facts};

const PATIENCE: Duration = Duration::from_mins(1);

/// A temporary directory with its own home directory and environment.
struct Ground {
    directory: TempDir,
    path: OsString,
}

impl Ground {
    #[expect(clippy::disallowed_methods, reason = "the installed git is found on the real PATH")]
    fn new() -> Self {
        let directory = TempDir::new().unwrap();
        let ground = Self { directory, path: std::env::var_os("PATH").unwrap() };
        ground.write(
            "home/.gitconfig",
            "[user]\nname = Ann\nemail = ann@example.org\n[init]\ndefaultBranch = main\n\
             [protocol \"file\"]\nallow = always\n",
        );
        ground
    }

    fn at(&self, path: impl AsRef<Path>) -> PathBuf {
        self.directory.path().canonicalize().unwrap().join(path)
    }

    fn write(&self, path: impl AsRef<Path>, text: &str) {
        let path = self.at(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    fn make_directory(&self, path: impl AsRef<Path>) -> PathBuf {
        let path = self.at(path);
        fs::create_dir_all(&path).unwrap();
        path
    }

    fn environment(&self) -> Vec<(OsString, OsString)> {
        vec![
            ("PATH".into(), self.path.clone()),
            ("HOME".into(), self.at("home").into()),
            ("XDG_CONFIG_HOME".into(), self.at("home/.config").into()),
        ]
    }

    fn git(&self) -> Git {
        Git::new("git", self.environment(), PATIENCE)
    }

    /// A fake git that behaves as named. Only behaviours that never end reach the time limit.
    fn fake_git(&self, behaviour: &str, limit: Duration) -> Git {
        let mut environment = self.environment();
        environment.push(("FAKE_GIT".into(), behaviour.into()));
        let program = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/facts/fake-git");
        Git::new(program, environment, limit)
    }

    fn facts(&self, cwd: impl AsRef<Path>) -> ProjectFacts {
        project_facts(&self.at(cwd), &self.git())
    }

    /// Runs git as a person would, with a fixed date.
    fn run(&self, cwd: impl AsRef<Path>, arguments: &[&str]) {
        self.run_on("2001-01-01T00:00:00Z", cwd, arguments);
    }

    fn run_on(&self, date: &str, cwd: impl AsRef<Path>, arguments: &[&str]) {
        let output = self.output(date, cwd, arguments);
        assert!(output.status.success(), "git {arguments:?}: {output:?}");
    }

    /// Runs git and returns whether it succeeded.
    fn try_run(&self, cwd: impl AsRef<Path>, arguments: &[&str]) -> bool {
        self.output("2001-01-01T00:00:00Z", cwd, arguments).status.success()
    }

    /// The standard output of a git command.
    fn said(&self, cwd: impl AsRef<Path>, arguments: &[&str]) -> String {
        let output = self.output("2001-01-01T00:00:00Z", cwd, arguments);
        String::from_utf8(output.stdout).unwrap()
    }

    #[expect(clippy::disallowed_methods, reason = "tests make repositories with git itself")]
    fn output(&self, date: &str, cwd: impl AsRef<Path>, arguments: &[&str]) -> Output {
        Command::new("git")
            .env_clear()
            .envs(self.environment())
            .env("GIT_CONFIG_NOSYSTEM", "1")
            .env("GIT_AUTHOR_DATE", date)
            .env("GIT_COMMITTER_DATE", date)
            .current_dir(self.at(cwd))
            .args(arguments)
            .output()
            .unwrap()
    }

    /// Runs a shell script with the git of the tests, and returns whether it succeeded.
    #[expect(clippy::disallowed_methods, reason = "tests make odd repositories by hand")]
    fn shell(&self, cwd: impl AsRef<Path>, script: &str) -> bool {
        let mut command = Command::new("bash");
        command.env_clear().envs(self.environment()).env("GIT_CONFIG_NOSYSTEM", "1");
        command.current_dir(self.at(cwd)).args(["-c", script]).status().unwrap().success()
    }

    /// Creates a repository with one commit.
    fn repository(&self, path: &str) {
        self.make_directory(path);
        self.run(path, &["init", "--quiet"]);
        self.run(path, &["commit", "--quiet", "--allow-empty", "--message", path]);
    }
}
