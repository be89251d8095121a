//! Tests that stopping a program also ends every process that it started.

use std::fs::File;
use std::io::Read;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use verger_exec::{Deadline, Program, RunError};
use verger_testkit::TestEnvironment;

/// A program that starts a child process. The child holds the pipe `held` open until it is killed.
fn with_a_child(environment: &TestEnvironment) -> Program {
    assert_eq!(environment.run("mkfifo", ["held"], "").success().stdout, "");
    Program::new("sh", [("PATH", "/usr/bin:/bin")])
        .args(["-c", "sleep 600 > held & wait"])
        .current_dir(environment.project())
}

/// Waits until the child process runs. Opening the pipe blocks until the child opens it too.
fn wait_for_child(environment: &TestEnvironment) -> File {
    File::open(environment.project().join("held")).unwrap()
}

#[track_caller]
fn assert_child_ends(mut held: File) {
    assert_eq!(held.read_to_end(&mut Vec::new()).unwrap(), 0);
}

#[test]
fn a_request_to_stop_ends_the_whole_group() {
    let environment = TestEnvironment::new();
    let stop = AtomicBool::new(false);
    let program = with_a_child(&environment);
    thread::scope(|scope| {
        let deadline = Deadline::after(Duration::MAX).or_when(&stop);
        let result = scope.spawn(move || program.run(deadline));
        let held = wait_for_child(&environment);
        stop.store(true, Ordering::Relaxed);
        let result = result.join().unwrap();
        assert!(matches!(result, Err(RunError::Stopped)), "{result:?}");
        assert_child_ends(held);
    });
}

#[test]
fn a_dropped_program_ends_with_its_group() {
    let environment = TestEnvironment::new();
    let running = with_a_child(&environment).start().unwrap();
    let held = wait_for_child(&environment);
    drop(running);
    assert_child_ends(held);
}
