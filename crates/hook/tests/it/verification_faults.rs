//! Tests faults around the verification gate. If verger's state is broken, the agent is released,
//! the person is told, and no fault counts as a verification.

use std::fs;
use std::time::{Duration, Instant};

use insta::assert_snapshot;
use verger_gate::verification::{Depth, Status};
use verger_testkit::{Conversation, HookAnswer};

use crate::gate_stage::{conversation, warnings, without_store};
use crate::scene::SESSION;
use crate::verification_stage::{DONE, claiming, gate, phases, quiet, say, verify};

/// Checks that the agent may stop, that the person is told, and that no verification is recorded.
/// Returns the last warning.
#[track_caller]
fn check_passes(conversation: &Conversation) -> String {
    let answer = say(conversation, DONE);
    assert_eq!(answer.word(), "silence", "{answer}");
    assert!(!phases(conversation).iter().any(|line| line.starts_with("verified")));
    let notice = answer.notice.unwrap();
    assert!(notice.contains("WARNING: not verified"), "{notice}");
    warnings(conversation).pop().unwrap()
}

#[test]
fn without_git_the_agent_goes_and_somebody_is_told() {
    let mut conversation = claiming();
    conversation.environment.set("PATH", "/nonexistent");
    assert_snapshot!(check_passes(&conversation), @"verification gate: cannot run git: start the program: No such file or directory (os error 2)");
}

#[test]
fn in_a_repository_that_broke_the_agent_goes_and_somebody_is_told() {
    for breaking in ["mv .git .gone", "rm .git/HEAD", "echo x > .git/index", "rm -r .git/objects"] {
        let conversation = claiming();
        conversation.run(breaking);
        let warning = check_passes(&conversation);
        assert!(warning.starts_with("verification gate: "), "{breaking}: {warning}");
    }
}

#[test]
fn without_what_the_task_started_from_the_agent_goes_and_somebody_is_told() {
    let conversation = claiming();
    fs::remove_dir_all(conversation.environment.verger_home().join("data/trees")).unwrap();
    assert_snapshot!(check_passes(&conversation), @"verification gate: the start of the task is no longer recorded");
}

#[test]
fn a_git_that_hangs_holds_nobody_up_for_long() {
    let mut conversation = claiming();
    let bin = conversation.environment.root().join("bin");
    conversation.environment.write_program(bin.join("git"), "#!/bin/sh\nexec sleep 60\n");
    conversation.environment.find_programs_in(&bin);
    let start = Instant::now();
    assert_snapshot!(check_passes(&conversation), @"verification gate: cannot compare the working tree within its time");
    assert!(start.elapsed() < Duration::from_secs(5), "it took {:?}", start.elapsed());
}

#[test]
fn a_store_that_cannot_be_used_lets_the_agent_go_and_forgets_nothing() {
    let conversation = claiming();
    assert_eq!(say(&conversation, DONE).word(), "block");
    without_store(&conversation, || {
        let answer = say(&conversation, DONE);
        assert_eq!(answer.word(), "silence");
        assert!(answer.notice.unwrap().starts_with("verger could not check this stop"));
    });
    assert!(say(&conversation, DONE).notice.unwrap().contains("refusal 2 of 3"));
}

#[test]
fn a_state_that_cannot_be_read_is_folded_from_the_log_again() {
    let conversation = claiming();
    verify(&conversation, Depth::Quick, Status::Red);
    for _ in 0..10 {
        conversation.write("notes.txt", "x\n");
    }
    let path = format!("data/sessions/claude-{SESSION}.json");
    let snapshot = conversation.environment.verger_home().join(path);
    let before = gate(&conversation);
    assert!(snapshot.exists());
    fs::write(snapshot, "{").unwrap();
    assert_eq!(gate(&conversation), before);
    assert_eq!(say(&conversation, DONE).word(), "block");
}

#[test]
fn without_version_control_what_tools_touch_is_verified() {
    let mut conversation = conversation();
    let path =
        conversation.environment.command("true").get_envs().find_map(|(name, value)| {
            (name == "PATH").then(|| value.map(ToOwned::to_owned)).flatten()
        });
    conversation.environment.set("PATH", "/nonexistent");
    conversation.configure("[verification]\nmode = \"claims\"\n");
    quiet(&conversation.prompt("fix it"));
    conversation.write("parser.rs", "fn parse() {}\n");
    assert_eq!(say(&conversation, DONE).word(), "block");
    verify(&conversation, Depth::Quick, Status::Green);
    conversation.environment.set("PATH", path.unwrap());
    assert_eq!(say(&conversation, DONE), HookAnswer::default());
}
