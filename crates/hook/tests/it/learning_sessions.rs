//! Tests the learning gate without tickets: a session with enough changes is asked for a
//! reflection at its stop.

use insta::assert_snapshot;
use verger_testkit::{Conversation, HookAnswer, TestEnvironment};

use crate::learning_stage::{in_session_mode, phases, reflect, run, stops};
use crate::stage::HOOK;

#[test]
fn a_large_change_is_asked_for_and_a_tiny_one_is_not() {
    let conversation = in_session_mode("");
    assert_eq!(conversation.stop(), HookAnswer::default(), "nothing changed");
    conversation.write("a.rs", "one\ntwo\n");
    assert_eq!(conversation.stop(), HookAnswer::default(), "two lines");
    conversation.run("git add --all && git commit --quiet -m work");
    assert_eq!(conversation.stop(), HookAnswer::default(), "committed, and still two lines");
    assert_eq!(conversation.prompt("and more"), HookAnswer::default());
    conversation.write("b.rs", "one\ntwo\nthree\n");
    let answer = conversation.stop();
    assert_snapshot!(answer.reason().lines().next().unwrap(), @"verger: do not stop yet: this session changed 5 lines, and you have not written down what you learned from this work.");
    reflect(&conversation);
    assert_eq!(stops(&conversation, 2), "silence silence");
    assert_eq!(conversation.prompt("look"), HookAnswer::default());
    run(&conversation, "ls");
    assert_eq!(conversation.stop(), HookAnswer::default(), "nothing changed since");
    assert_snapshot!(phases(&conversation).join("\n"), @r#"
    pending: the session changed 5 lines
    blocked: stop refused, number 1
    reflected: reflection recorded: 1 kept, 0 rejected
    "#);
}

#[test]
fn earlier_changes_of_the_user_do_not_count() {
    let environment = TestEnvironment::with_repository();
    environment.write("begun.rs", "the user's\n".repeat(50));
    let conversation = Conversation::begin(environment, &[HOOK]);
    conversation.configure("[tickets]\nsession = true\n");
    assert_eq!(conversation.prompt("change it"), HookAnswer::default());
    conversation.write("begun.rs", &("the user's\n".repeat(50) + "the agent's\n"));
    assert_eq!(conversation.stop(), HookAnswer::default());
}

#[test]
fn work_that_was_put_aside_is_asked_for_too() {
    let conversation = in_session_mode("");
    conversation.write("a.rs", &"line\n".repeat(50));
    conversation.run("git stash --include-untracked --quiet");
    assert_eq!(conversation.stop().word(), "block");
}

#[test]
fn without_version_control_touched_files_count() {
    let conversation = Conversation::begin(TestEnvironment::new(), &[HOOK]);
    conversation.configure("[tickets]\nsession = true\n");
    assert_eq!(conversation.prompt("change it"), HookAnswer::default());
    run(&conversation, "ls");
    assert_eq!(conversation.stop(), HookAnswer::default());
    assert_eq!(conversation.prompt("go on"), HookAnswer::default());
    conversation.write("a.txt", "one\n");
    let answer = conversation.stop();
    assert_snapshot!(answer.reason().lines().next().unwrap(), @"verger: do not stop yet: this session changed 1 file, and you have not written down what you learned from this work.");
}

#[test]
fn a_session_that_is_asked_again_and_again_stops_in_the_end() {
    let conversation = in_session_mode("");
    conversation.write("a.rs", &"line\n".repeat(50));
    assert_eq!(stops(&conversation, 3), "block block block");
    assert_snapshot!(conversation.stop(), @"notice: verger: WARNING: no learnings were written down. The agent stopped (this session changed 50 lines): the gate released it after several refusals without progress. See: verger why --last --session f0357e9b-fb48-41a1-afb7-88e26c9c25cd");
    assert_eq!(stops(&conversation, 2), "silence silence");
}

#[test]
fn when_every_change_counts_one_line_is_enough() {
    let conversation = in_session_mode("[learning]\nauto_skip = false\n");
    conversation.write("a.rs", "one\n");
    assert_eq!(conversation.stop().word(), "block");
}

#[test]
fn switched_off_nothing_is_asked() {
    for more in ["[learning]\nmode = 'off'\n", "session = false\n"] {
        let conversation = Conversation::begin(TestEnvironment::with_repository(), &[HOOK]);
        conversation.configure(format!("[tickets]\n{more}"));
        assert_eq!(conversation.prompt("change it"), HookAnswer::default());
        conversation.write("a.rs", &"line\n".repeat(50));
        run(&conversation, "bd list");
        assert_eq!((conversation.stop(), phases(&conversation)), (HookAnswer::default(), vec![]));
    }
}
