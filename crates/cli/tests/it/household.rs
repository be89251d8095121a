//! A user's home with the agent's files, and a hook program to install.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::PathBuf;

use verger_testkit::{Output, TestEnvironment};

const VERGER: &str = env!("CARGO_BIN_EXE_verger");

pub(crate) struct Household {
    pub(crate) environment: TestEnvironment,
}

impl Household {
    /// A home as users have it: `VERGER_HOME` is not set.
    pub(crate) fn new() -> Self {
        let mut environment = TestEnvironment::with_repository();
        environment.unset("VERGER_HOME");
        environment.set("VERGER_TEST_NOW_MS", "1794767961000");
        environment.set("VERGER_TEST_SEED", "1");
        environment.set("VERGER_TEST_ANCESTRY_END", std::process::id().to_string());
        let programs = environment.root().join("programs");
        fs::create_dir(&programs).unwrap();
        symlink(VERGER, programs.join("verger")).unwrap();
        // None of the machine's own agents may be found.
        environment.set("PATH", format!("{}:/usr/bin:/bin", programs.display()));
        let household = Self { environment };
        household.put_on_path("claude");
        household.environment.write_program(household.hook_program(), hook_script("0.1.0"));
        household
    }

    /// Puts a program of an agent on the `PATH`.
    pub(crate) fn put_on_path(&self, name: &str) {
        let program = self.environment.root().join("programs").join(name);
        self.environment.write_program(program, "#!/bin/sh\necho 1.0.0\n");
    }

    pub(crate) fn remove_from_path(&self, name: &str) {
        fs::remove_file(self.environment.root().join("programs").join(name)).unwrap();
    }

    /// The hook program to install.
    pub(crate) fn hook_program(&self) -> PathBuf {
        self.environment.root().join("built/verger-hook")
    }

    pub(crate) fn directory(&self) -> PathBuf {
        self.environment.home().join(".claude")
    }

    pub(crate) fn settings(&self) -> PathBuf {
        self.directory().join("settings.json")
    }

    pub(crate) fn local_settings(&self) -> PathBuf {
        self.environment.project().join(".claude/settings.local.json")
    }

    pub(crate) fn project_settings(&self) -> PathBuf {
        self.environment.project().join(".claude/settings.json")
    }

    pub(crate) fn data(&self) -> PathBuf {
        self.environment.home().join(".local/share/verger")
    }

    pub(crate) fn verger(&self, arguments: &[&str]) -> Output {
        self.environment.run(VERGER, arguments, "")
    }

    pub(crate) fn init(&self, arguments: &[&str]) -> Output {
        let hook = self.hook_program();
        let given = ["init", "--yes", "--hook", hook.to_str().unwrap()];
        self.verger(&[&given, arguments].concat())
    }

    pub(crate) fn uninstall(&self, arguments: &[&str]) -> Output {
        self.verger(&[&["uninstall", "--yes"], arguments].concat())
    }

    /// The paths of all files of verger and the agent in the home. Directories end with `/`.
    pub(crate) fn files(&self) -> Vec<String> {
        let home = self.environment.home();
        let find = self.environment.run("find", [home.to_str().unwrap(), "-printf", "%P%y\n"], "");
        let mut files: Vec<_> = find
            .success()
            .stdout
            .lines()
            .filter(|line| !line.starts_with("project/.git") && line.len() > 1)
            .map(|line| match line.split_at(line.len() - 1) {
                (path, "d") => format!("{path}/"),
                (path, _) => path.to_owned(),
            })
            .collect();
        files.sort();
        files
    }
}

/// A script that does the work of `verger-hook` with the program under test.
pub(crate) fn hook_script(version: &str) -> String {
    format!(
        "#!/bin/sh\n[ \"$1\" = --version ] && echo verger-hook {version} && exit\n\
         exec '{VERGER}' hook \"$@\"\n"
    )
}

/// Asserts that a command succeeded, and ignores its output.
#[track_caller]
pub(crate) fn done(output: Output) {
    drop(output.success());
}
