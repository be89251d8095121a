//! Tests that the person's program runs when an agent is blocked, and that its failure is only a
//! warning.

use std::fs;

use verger_testkit::Conversation;

use crate::gate_stage::{conversation, lines};

/// Blocks the agent at its stop. `command` is the person's program.
fn hold(conversation: &Conversation, command: &str) {
    conversation.configure(format!("[notify]\ncommand = {{ command = {command} }}\n"));
    assert!(conversation.prompt("#review fix it").is_silence());
    conversation.write("work.rs", "// one\n");
    assert_eq!(conversation.stop().word(), "block");
}

#[test]
fn the_persons_program_is_told_that_an_agent_is_held() {
    let directory = tempfile::tempdir().unwrap();
    let pipe = directory.path().join("pipe");
    let begun = conversation();
    assert_eq!(begun.environment.run("mkfifo", [&pipe], "").code, 0);
    let script = format!("printf '%s' \\\"$1\\\" > {}", pipe.display());
    hold(&begun, &format!("[\"sh\", \"-c\", \"{script}\", \"sh\"]"));
    let text = fs::read_to_string(pipe).unwrap();
    assert!(text.starts_with("agent in project: held: "), "{text}");
    assert!(!text.contains('\n') && text.chars().count() <= 200, "{text}");
}

#[test]
fn a_program_that_is_missing_is_a_warning() {
    let conversation = conversation();
    hold(&conversation, "[\"/no/such/program\"]");
    let log = lines(&conversation);
    assert!(log.contains("cannot run notify.command (/no/such/program)"), "{log}");
}
