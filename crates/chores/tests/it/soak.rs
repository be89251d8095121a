//! Runs a short version of every part of `cargo xtask soak`, with a fixed seed.

use std::process::Command;

#[track_caller]
fn check(part: &str) {
    #[expect(clippy::disallowed_methods, reason = "the test starts the chore")]
    let mut command = Command::new(env!("CARGO_BIN_EXE_verger-chores"));
    let output = command.args(["soak", "--small", "--seed", "7", "--only", part]).output();
    let output = output.unwrap_or_else(|error| panic!("{error}"));
    let (printed, said) =
        (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{printed}\n{said}");
}

#[test]
fn nothing_acknowledged_is_lost_when_writers_are_killed() {
    check("kill");
}

#[test]
fn a_writer_may_die_at_any_point_of_a_turn() {
    check("points");
}

#[test]
fn a_damaged_log_is_read_and_written_on() {
    check("corruption");
}

#[test]
fn hooks_on_one_session_at_once_lose_nothing() {
    check("hooks");
}

#[test]
fn hooks_answer_while_the_holder_of_the_lock_is_stopped() {
    check("stopped");
}

#[test]
fn a_full_disk_tears_nothing() {
    check("disk-full");
}
