//! The files and variables that a program sees in a test environment.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::sync::Barrier;
use std::thread;

use verger_testkit::{Filter, Output, TestEnvironment};

#[test]
fn a_program_sees_only_the_variables_of_the_environment() {
    let mut environment = TestEnvironment::new();
    environment.set("EXTRA", "1");
    environment.unset("PATH");
    environment.add_filter(Filter::Literal { from: "Ada Example".into(), to: "$NAME".into() });
    let this = std::process::id().to_string();
    environment.add_filter(Filter::Literal { from: this, to: "$PID".into() });
    let output = environment.run("/usr/bin/env", [""; 0], "").success();
    let mut lines: Vec<&str> = output.stdout.lines().collect();
    lines.sort_unstable();
    assert_eq!(
        lines,
        [
            "EXTRA=1",
            "GIT_AUTHOR_DATE=2026-01-02T03:04:05Z",
            "GIT_AUTHOR_EMAIL=ada@example.invalid",
            "GIT_AUTHOR_NAME=$NAME",
            "GIT_COMMITTER_DATE=2026-01-02T03:04:05Z",
            "GIT_COMMITTER_EMAIL=ada@example.invalid",
            "GIT_COMMITTER_NAME=$NAME",
            "GIT_CONFIG_NOSYSTEM=1",
            "HOME=$ENV/home",
            "LANG=C.UTF-8",
            "TMPDIR=$ENV/tmp",
            "TZ=UTC",
            "VERGER_HOME=$ENV/home/.verger",
            "VERGER_TEST_ANCESTRY_END=$PID",
        ]
    );
}

#[test]
fn output_exit_code_and_input_are_those_of_the_program() {
    let environment = TestEnvironment::new();
    let output = environment.run("sh", ["-c", "cat; pwd >&2; exit 3"], "in\n");
    let expected = Output { stdout: "in\n".into(), stderr: "$ENV/home/project\n".into(), code: 3 };
    assert_eq!(output, expected);
    assert_eq!(
        output.to_string(),
        "in\n------- stderr -------\n$ENV/home/project\n------- exit code 3 -------"
    );
}

#[test]
fn the_home_is_private() {
    let environment = TestEnvironment::new();
    let mode = fs::metadata(environment.home()).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o700);
}

#[test]
fn a_repository_always_has_the_same_first_commit() {
    let commit = || {
        let environment = TestEnvironment::with_repository();
        environment.run("git", ["rev-parse", "main"], "").success().stdout
    };
    assert_eq!(commit(), commit());
}

#[test]
fn a_written_program_can_be_run_at_once() {
    let environment = TestEnvironment::new();
    let program = environment.write_program("tools/greet", "#!/bin/sh\necho hello $1\n");
    assert_eq!(environment.run(program, ["Ada"], "").success().stdout, "hello Ada\n");
}

#[test]
fn several_can_write_the_same_program_and_run_it() {
    const WRITERS: usize = 4;
    let environment = TestEnvironment::new();
    let start = Barrier::new(WRITERS);
    let write_and_run = || {
        start.wait();
        let program = environment.write_program("tools/greet", "#!/bin/sh\necho hello $1\n");
        assert_eq!(environment.run(program, ["Ada"], "").success().stdout, "hello Ada\n");
    };
    thread::scope(|scope| (0..WRITERS).for_each(|_| drop(scope.spawn(write_and_run))));
    let files = fs::read_dir(environment.project().join("tools")).unwrap();
    assert_eq!(files.count(), 1, "nothing is left beside it");
}

#[cfg(target_os = "linux")]
#[test]
fn a_process_that_left_its_group_ends_with_the_environment() {
    let environment = TestEnvironment::new();
    let script = "setsid sh -c 'echo $$; exec sleep 1000 > /dev/null 2>&1' &";
    let output = environment.run("sh", ["-c", script], "").success();
    let process = format!("/proc/{}/environ", output.stdout.trim());
    assert!(!fs::read(&process).unwrap().is_empty(), "the process runs");
    drop(environment);
    // An ended process without an environment is listed until its parent waits for it.
    assert_eq!(fs::read(&process).unwrap_or_default(), b"");
}
