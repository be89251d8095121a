//! Tests how long the review gate blocks an agent that has no review, and how the gate releases
//! the agent.

use insta::assert_snapshot;
use serde_json::{Value, json};
use verger_testkit::{Conversation, HookAnswer, Speaker, captured};

use crate::gate_stage::{conversation, lines, news, wanted};

/// The answers to several stops.
#[track_caller]
fn stops(conversation: &Conversation, count: usize) -> Vec<String> {
    (0..count).map(|_| brief(&conversation.stop())).collect()
}

/// The word of an answer, and the number of the refusal.
fn brief(answer: &HookAnswer) -> String {
    let notice = answer.notice.as_deref().unwrap_or_default();
    let count = notice.split("refusal ").nth(1).and_then(|rest| rest.split(')').next());
    match (count, notice) {
        (Some(count), _) => format!("{} {count}", answer.word()),
        (None, "") => answer.word().to_owned(),
        (None, _) => "passes".to_owned(),
    }
}

#[test]
fn three_stops_are_refused_and_the_fourth_passes_with_a_warning() {
    let conversation = wanted();
    assert_snapshot!(conversation.stop(), @r#"
    block: verger: do not stop yet: this work was not reviewed yet. An independent review has to approve this work first.
    Changed so far: 1 file
    What is left, in order:
    1. Finish the task and check your work yourself.
    2. Get the review: start the subagent `verger:reviewer` with your Agent (Task) tool. In its prompt, only describe the task; it looks at the work itself and decides. Wait for it, fix what it finds, and start a new one: each reviewer decides once.
    3. When it is approved, stop again. If the work changes afterwards, it needs a new review.
    You cannot approve your own work. A person can release this gate; you cannot, so tell them if you cannot go on.
    notice: verger: the agent wanted to stop; a review is needed first (wanted by a prompt with #review; refusal 1 of 3). To let it stop without one, run in your own terminal: verger release review --session f0357e9b-fb48-41a1-afb7-88e26c9c25cd
    "#);
    assert_eq!(stops(&conversation, 2), ["block 2 of 3", "block 3 of 3"]);
    assert_snapshot!(conversation.stop(), @"notice: verger: WARNING: not reviewed. The agent stopped: the gate released it after several refusals without progress. See: verger why --last --session f0357e9b-fb48-41a1-afb7-88e26c9c25cd");
    assert_eq!(conversation.stop(), HookAnswer::default());
    assert_snapshot!(lines(&conversation), @r##"
    1 main session.started - - - Startup
    2 main prompt.submitted P1 T1 - "#review fix the parser"
    3 main gate.changed P1 T1 - review idle -> pending: review wanted by a prompt with #review
    4 main start_tree.taken P1 T1 - a tree
    5 main tool.requested P1 T1 - C1 Write {"content":"fn parse() {}\n","file_path":"$ENV/home/project/parser.rs"}
    6 main stop.requested P1 T1 - "Task complete."
    7 main gate.changed P1 T1 - verification idle -> claimed: the agent wanted to stop without a green verification: this work was not verified yet
    8 main gate.changed P1 T1 - review pending -> blocked: stop refused, number 1
    9 main verdict.given P1 T1 - deny by review
    10 main stop.requested P1 T1 - "Task complete."
    11 main gate.changed P1 T1 - review blocked -> blocked: stop refused, number 2
    12 main verdict.given P1 T1 - deny by review
    13 main stop.requested P1 T1 - "Task complete."
    14 main gate.changed P1 T1 - review blocked -> blocked: stop refused, number 3
    15 main verdict.given P1 T1 - deny by review
    16 main stop.requested P1 T1 - "Task complete."
    17 main gate.changed P1 T1 - review blocked -> idle: released by breaker
    18 main gate.released P1 T1 - {"gate":"review","by":"breaker","reason":"the agent made no progress while its stops were refused"}
    19 main verdict.given P1 T1 - no opinion by review
    20 main stop.requested P1 T1 - "Task complete."
    "##);
}

#[test]
fn that_a_stop_follows_a_refusal_changes_nothing() {
    let conversation = wanted();
    let answers: Vec<_> = (0..4).map(|_| brief(&conversation.call("Stop-active", &[]))).collect();
    assert_eq!(answers, ["block 1 of 3", "block 2 of 3", "block 3 of 3", "passes"]);
}

#[test]
fn progress_begins_the_count_anew() {
    let conversation = wanted();
    assert_eq!(stops(&conversation, 2), ["block 1 of 3", "block 2 of 3"]);
    conversation.write("parser.rs", "fn parse() -> u8 { 1 }\n");
    let expected = ["block 1 of 3", "block 2 of 3", "block 3 of 3", "passes"];
    assert_eq!(stops(&conversation, 4), expected);
}

#[test]
fn calls_that_keep_the_content_are_no_progress() {
    let conversation = wanted();
    assert_eq!(stops(&conversation, 2), ["block 1 of 3", "block 2 of 3"]);
    conversation.write("parser.rs", "fn parse() {}\n");
    conversation.run("git add . && git commit --quiet --no-gpg-sign --message=Work");
    conversation.write(".verger/learnings.md", "one more\n");
    assert_eq!(stops(&conversation, 2), ["block 3 of 3", "passes"]);
}

#[test]
fn no_more_than_seven_stops_in_a_row_are_refused_whatever_changes() {
    let conversation = wanted();
    let mut answers = vec![];
    for number in 0..8 {
        conversation.write("parser.rs", &format!("fn parse() {{ {number} }}\n"));
        answers.push(conversation.stop());
    }
    let words: Vec<_> = answers.iter().map(brief).collect();
    assert_eq!(words, [&["block 1 of 3"; 7][..], &["passes"]].concat());
    assert_snapshot!(answers[7], @"notice: verger: WARNING: not reviewed. The agent stopped: too many stops in a row had been refused. See: verger why --last --session f0357e9b-fb48-41a1-afb7-88e26c9c25cd");
    // After the person's next request, the gate blocks again.
    assert_eq!(conversation.prompt("#review once more"), HookAnswer::default());
    conversation.write("parser.rs", "fn parse() {}\n");
    assert_eq!(stops(&conversation, 1), ["block 1 of 3"]);
}

#[test]
fn only_a_persons_words_begin_the_row_anew() {
    let conversation = wanted();
    let refused = |count: u32| {
        for number in 0..count {
            conversation.write("parser.rs", &format!("fn parse() {{ {number} + {count} }}\n"));
            assert_eq!(stops(&conversation, 1), ["block 1 of 3"], "{number} of {count}");
        }
    };
    refused(6);
    // A person's prompt continues the task, which still needs its review.
    assert_eq!(conversation.prompt("go on"), HookAnswer::default());
    refused(3);
    let notification = captured("UserPromptSubmit-task_notification")["prompt"].clone();
    let told = conversation
        .call("UserPromptSubmit", &[("prompt", notification), ("prompt_id", json!("n"))]);
    assert_eq!(told, HookAnswer::default());
    refused(3);
    // Some clients send verger's own reason as a prompt.
    conversation.write("parser.rs", "fn parse() { 7 }\n");
    let blocked = conversation.stop();
    assert_eq!(brief(&blocked), "block 1 of 3");
    assert_eq!(conversation.prompt(blocked.reason()), HookAnswer::default());
    conversation.write("parser.rs", "fn parse() { 8 }\n");
    assert_eq!(stops(&conversation, 1), ["passes"]);
}

#[test]
fn a_block_is_forgotten_after_the_cooldown() {
    let conversation = wanted();
    assert_eq!(stops(&conversation, 3), ["block 1 of 3", "block 2 of 3", "block 3 of 3"]);
    conversation.pass_seconds(298);
    assert_eq!(stops(&conversation, 1), ["passes"]);
    let conversation = wanted();
    assert_eq!(stops(&conversation, 3), ["block 1 of 3", "block 2 of 3", "block 3 of 3"]);
    conversation.pass_seconds(299);
    assert_eq!(stops(&conversation, 1), ["block 1 of 3"]);
}

#[test]
fn patience_is_a_setting() {
    let conversation = wanted();
    conversation.configure("[gates]\nmax_blocks = 1\n");
    assert_eq!(stops(&conversation, 3), ["block 1 of 1", "passes", "silence"]);
    // The limit of all gates together is lower than this limit, so this limit is never reached.
    let conversation = wanted();
    conversation.configure("[gates]\nmax_blocks = 7\ncooldown_seconds = 0\n");
    let words = stops(&conversation, 9);
    assert_eq!(words, [&["block 1 of 7"; 7][..], &["passes", "silence"]].concat());
}

#[test]
fn while_a_subagent_runs_in_the_background_a_stop_passes_uncounted() {
    let conversation = wanted();
    assert_eq!(conversation.start_subagent("a1", "general-purpose"), HookAnswer::default());
    for _ in 0..9 {
        assert_eq!(conversation.stop_beside("a1"), HookAnswer::default());
    }
    assert_eq!(conversation.stop_subagent("a1", "general-purpose"), HookAnswer::default());
    // The subagent has ended, although the client still lists it.
    assert_eq!(brief(&conversation.stop_beside("a1")), "block 1 of 3");
    assert_eq!(stops(&conversation, 3), ["block 2 of 3", "block 3 of 3", "passes"]);
    let kinds = news(&conversation);
    assert_eq!(kinds.iter().filter(|line| line.contains("-> idle")).count(), 1, "{kinds:#?}");
}

#[test]
fn a_subagent_in_the_background_is_waited_for_ten_minutes() {
    let conversation = wanted();
    assert_eq!(conversation.start_subagent("a1", "general-purpose"), HookAnswer::default());
    conversation.pass_seconds(599);
    assert_eq!(conversation.stop_beside("a1"), HookAnswer::default());
    assert_eq!(brief(&conversation.stop_beside("a1")), "block 1 of 3");
}

#[test]
fn other_background_tasks_do_not_matter() {
    let conversation = wanted();
    assert_eq!(brief(&conversation.stop_beside("never-seen")), "block 1 of 3");
    let shell = json!([{ "id": "b1", "type": "shell", "status": "running", "command": "sleep" }]);
    for background in [shell, json!("nonsense"), Value::Null] {
        let stopped = conversation.call("Stop-first", &[("background_tasks", background)]);
        assert_eq!(stopped.word(), "block", "{stopped}");
        conversation.write("parser.rs", &format!("// {}\n", lines(&conversation).len()));
    }
}

#[test]
fn a_stop_that_waits_does_not_begin_the_row_anew() {
    let conversation = wanted();
    assert_eq!(conversation.start_subagent("a1", "general-purpose"), HookAnswer::default());
    for number in 0..7 {
        assert_eq!(conversation.stop_beside("a1"), HookAnswer::default());
        conversation.write("parser.rs", &format!("fn parse() {{ {number} }}\n"));
        assert_eq!(stops(&conversation, 1), ["block 1 of 3"]);
    }
    assert_eq!(conversation.stop_beside("a1"), HookAnswer::default());
    conversation.write("parser.rs", "fn parse() { 7 }\n");
    assert_eq!(stops(&conversation, 1), ["passes"]);
}

#[test]
fn each_of_three_tasks_in_a_session_is_held_up() {
    let conversation = conversation();
    for task in 0..3 {
        assert_eq!(conversation.prompt("#roz do it"), HookAnswer::default());
        conversation.write("work.rs", &format!("// task {task}\n"));
        let expected = ["block 1 of 3", "block 2 of 3", "block 3 of 3", "passes"];
        assert_eq!(stops(&conversation, 4), expected, "task {task}");
    }
}

#[test]
fn a_stop_of_a_subagent_is_not_the_main_agents() {
    let conversation = wanted();
    let other = Speaker::Subagent { id: "a1", agent_type: "general-purpose" };
    assert_eq!(conversation.start_subagent("a1", "general-purpose"), HookAnswer::default());
    for _ in 0..5 {
        let stopped = conversation.call_of(other, "SubagentStop-first", &[]);
        assert_eq!(stopped, HookAnswer::default());
    }
    assert_eq!(stops(&conversation, 1), ["block 1 of 3"]);
}
