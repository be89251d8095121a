//! Tests that the person's program is run when an agent is held or released, and that its failure is only a warning.

use std::fs;
use std::path::{Path, PathBuf};

use verger_testkit::Conversation;

use crate::gate_stage::{conversation, lines};

/// Sets the person's program for notifications.
fn notify(conversation: &Conversation, command: &str) {
    conversation.configure(format!("[notify]\ncommand = {{ command = {command} }}\n"));
}

/// The person's program writes its last argument to this pipe from now on.
fn notify_by_pipe(conversation: &Conversation, directory: &Path) -> PathBuf {
    let pipe = directory.join("pipe");
    assert_eq!(conversation.environment.run("mkfifo", [&pipe], "").code, 0);
    let script = format!("printf '%s' \\\"$1\\\" > {}", pipe.display());
    notify(conversation, &format!("[\"sh\", \"-c\", \"{script}\", \"sh\"]"));
    pipe
}

/// Gives the agent work that has to be reviewed.
fn want_review(conversation: &Conversation) {
    assert!(conversation.prompt("#review fix it").is_silence());
    conversation.write("work.rs", "// one\n");
}

#[test]
fn the_persons_program_is_told_that_an_agent_is_held() {
    let (conversation, directory) = (conversation(), tempfile::tempdir().unwrap());
    let pipe = notify_by_pipe(&conversation, directory.path());
    want_review(&conversation);
    assert_eq!(conversation.stop().word(), "block");
    let text = fs::read_to_string(pipe).unwrap();
    assert!(text.starts_with("agent in project: held: "), "{text}");
    assert!(!text.contains('\n') && text.chars().count() <= 200, "{text}");
}

#[test]
fn the_persons_program_is_told_that_an_agent_is_released_unsatisfied() {
    let (conversation, directory) = (conversation(), tempfile::tempdir().unwrap());
    want_review(&conversation);
    for _ in 0..3 {
        assert_eq!(conversation.stop().word(), "block");
    }
    let pipe = notify_by_pipe(&conversation, directory.path());
    assert_ne!(conversation.stop().word(), "block");
    assert_eq!(
        fs::read_to_string(pipe).unwrap(),
        "agent in project: released by the review gate: the agent made no progress \
         while its stops were refused"
    );
}

#[test]
fn a_program_that_is_missing_is_a_warning() {
    let conversation = conversation();
    notify(&conversation, "[\"/no/such/program\"]");
    want_review(&conversation);
    assert_eq!(conversation.stop().word(), "block");
    let log = lines(&conversation);
    assert!(log.contains("cannot run notify.command (/no/such/program)"), "{log}");
}
