//! The review gate when something around it is broken: the agent is never trapped, nothing is taken
//! for an approval, and the log tells the person.

use std::fs;

use insta::assert_snapshot;
use verger_testkit::{Conversation, HookAnswer, Speaker};

use crate::gate_stage::{conversation, news, warnings};

const CLOSE: &str = "gh issue close 5";

/// A conversation whose task wants a review and has one changed file.
#[track_caller]
fn wanted() -> Conversation {
    let conversation = conversation();
    conversation.configure("[review]\ngated_tools = [\"Bash:gh issue close*\"]\n");
    assert_eq!(conversation.prompt("#review fix the parser"), HookAnswer::default());
    conversation.write("parser.rs", "fn parse() {}\n");
    conversation
}

/// The agent is held, but not for ever, and its ticket stays open meanwhile.
#[track_caller]
fn check_held(conversation: &Conversation) {
    assert_eq!(conversation.bash(Speaker::Main, CLOSE).word(), "deny");
    let words: Vec<_> = (0..8).map(|_| conversation.stop().word().to_owned()).collect();
    let passed = words.iter().position(|word| word == "silence").unwrap_or(words.len());
    assert!((3..=7).contains(&passed), "{words:?}");
    assert!(words[passed..].iter().all(|word| word == "silence"), "{words:?}");
    assert!(!news(conversation).iter().any(|line| line.contains("-> approved")));
}

#[test]
fn without_git_the_gate_holds_and_says_so() {
    let mut conversation = wanted();
    conversation.environment.set("PATH", "/nonexistent");
    check_held(&conversation);
    assert_snapshot!(warnings(&conversation)[0], @"review gate: run git: start the program: No such file or directory (os error 2)");
    let mut conversation = wanted();
    conversation.environment.set("PATH", "/nonexistent");
    assert_snapshot!(conversation.stop(), @r#"
    block: verger: do not stop yet: this work was not reviewed yet. An independent review has to approve this work first.
    Changed so far: unknown
    What is left, in order:
    1. Finish the task and check your work yourself.
    2. Get the review: start the subagent `verger:reviewer` with your Agent (Task) tool. In its prompt say only what the task was; it looks at the work itself and decides. Wait for it, fix what it finds, and start a new one: each decides once.
    3. When it is approved, stop again. If the work changes afterwards, it needs another look.
    You cannot approve your own work. A person can release this gate; you cannot, so tell them if you cannot go on.
    notice: verger: the agent wanted to stop; a review is needed first (wanted by a prompt with #review; refusal 1 of 3). To let it go without one, in a terminal of your own: verger skip --gate review --session f0357e9b-fb48-41a1-afb7-88e26c9c25cd
    "#);
}

#[test]
fn in_a_repository_that_broke_the_gate_holds_and_says_so() {
    for breaking in ["mv .git .gone", "rm .git/HEAD", "echo x > .git/index", "rm -r .git/objects"] {
        let conversation = wanted();
        conversation.run(breaking);
        check_held(&conversation);
        assert!(!warnings(&conversation).is_empty(), "{breaking}");
    }
}

#[test]
fn without_what_the_task_started_from_the_gate_holds_and_says_so() {
    let conversation = wanted();
    fs::remove_dir_all(conversation.environment.verger_home().join("data/trees")).unwrap();
    check_held(&conversation);
    assert_snapshot!(warnings(&conversation)[0], @"review gate: what the task started from is no longer on record");
}

#[test]
fn who_reviews_what_cannot_be_looked_at_cannot_approve() {
    let conversation = wanted();
    conversation.run("mv .git .gone");
    assert_snapshot!(conversation.start_subagent("r1", "verger:reviewer"), @"context: verger: you cannot decide this review: verger could not look at the work. Report to the main agent, word for word, that verger does not accept this reviewer and why, and that a person has to put it right.");
}
