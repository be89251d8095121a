//! Tests that tools which need an approval are denied in every spelling, and that other tools are
//! not.

use insta::assert_snapshot;
use serde_json::{Value, json};
use verger_testkit::{Conversation, HookAnswer, Speaker};

use crate::gate_stage::{conversation, lines, news};
use crate::gated_spellings::{CLOSES, CLOSES_TICKET, MENTIONS, MISSED_ELSEWHERE, Spelling};

const ISSUES: &str = "Bash:gh issue close*";
const TICKETS: &str = "Bash:bd close*";
const CONFIG: &str = r#"
    [review]
    gated_tools = ["Bash:gh issue close*", "Bash:bd close*", "mcp__tissue__close*"]
"#;

const SUBAGENT: Speaker<'_> = Speaker::Subagent { id: "a1", agent_type: "general-purpose" };

/// A conversation in the middle of a task, with gated tools.
#[track_caller]
fn gated() -> Conversation {
    let conversation = conversation();
    conversation.configure(CONFIG);
    assert_eq!(conversation.prompt("close the ticket"), HookAnswer::default());
    conversation
}

/// The expected answer to a call that matches `pattern`. It is the answer to a plain call, with
/// another name in it.
#[track_caller]
fn denial(conversation: &Conversation, pattern: &str) -> HookAnswer {
    let plain = conversation.bash(Speaker::Main, "gh issue close 1");
    assert_eq!(plain.word(), "deny");
    let named = |text: String| text.replace(ISSUES, pattern);
    HookAnswer {
        verdict: plain.verdict.map(|(word, reason)| (word, named(reason))),
        context: plain.context,
        notice: plain.notice.map(named),
        rewritten: None,
    }
}

#[test]
fn a_gated_call_is_denied_until_there_is_a_review() {
    let conversation = gated();
    assert_snapshot!(conversation.bash(Speaker::Main, "gh issue close 1"), @r#"
    deny: verger blocked this call: `Bash:gh issue close*` needs an approved review first, and this work was not reviewed yet.
    Next step: start the subagent `verger:reviewer` with your Agent (Task) tool. In its prompt, only describe the task; it looks at the work itself and decides. Wait for it, fix what it finds, and start a new one: each reviewer decides once.
    When it is approved, make the same call again. A person can release this gate; you cannot.
    notice: verger: `Bash:gh issue close*` is blocked until a review approves the work. To allow it without one, run in your own terminal: verger release review --session f0357e9b-fb48-41a1-afb7-88e26c9c25cd
    "#);
}

/// Checks that every command line gets the expected answer.
#[track_caller]
fn check(spellings: &[Spelling], expected: impl Fn(&Conversation) -> HookAnswer) {
    let conversation = gated();
    let expected = expected(&conversation);
    let wrong: Vec<_> = spellings
        .iter()
        .map(|(why, line)| (*why, *line, conversation.bash(Speaker::Main, line)))
        .filter(|(_, _, answer)| *answer != expected)
        .collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn the_spellings_that_other_gates_missed_are_denied() {
    check(MISSED_ELSEWHERE, |conversation| denial(conversation, ISSUES));
}

#[test]
fn sixty_more_spellings_are_denied() {
    check(CLOSES, |conversation| denial(conversation, ISSUES));
}

#[test]
fn every_pattern_counts() {
    check(CLOSES_TICKET, |conversation| denial(conversation, TICKETS));
}

#[test]
fn lines_that_only_mention_a_gated_command_get_no_answer() {
    check(MENTIONS, |_| HookAnswer::default());
}

#[test]
fn lines_that_are_too_deep_or_too_long_to_be_read_are_denied_for_the_word_in_them() {
    let conversation = gated();
    let deep = format!("{}gh issue close 5{}", "$( ".repeat(300), " )".repeat(300));
    let long = format!("echo {}; gh issue close 5", "x".repeat(200_000));
    let many = format!("{}gh issue close 5", "true; ".repeat(3_000));
    for line in [&deep, &long, &many] {
        let answer = conversation.bash(Speaker::Main, line);
        assert_eq!(answer, denial(&conversation, ISSUES), "{}", &line[..20]);
    }
    let other = format!("echo {}; make; {}", "x".repeat(200_000), "true; ".repeat(3_000));
    assert_eq!(conversation.bash(Speaker::Main, &other), HookAnswer::default());
}

#[test]
fn a_call_without_a_line_to_read_is_met_with_silence() {
    let conversation = gated();
    for input in [json!({}), json!({ "command": 7 }), json!(null), json!("gh issue close 5")] {
        let answer = conversation.tool(Speaker::Main, "Bash", &input);
        assert_eq!(answer, HookAnswer::default(), "{input}");
    }
}

#[test]
fn a_subagent_is_denied_in_its_own_words() {
    let conversation = gated();
    assert_eq!(conversation.start_subagent("a1", "general-purpose"), HookAnswer::default());
    assert_snapshot!(conversation.bash(SUBAGENT, "cd x && bd close bd-1"), @r#"
    deny: verger blocked this call: `Bash:bd close*` needs an approved review first, and this work was not reviewed yet.
    You are a subagent: do not retry. Report to the main agent that this call waits for a review of its work.
    notice: verger: `Bash:bd close*` is blocked until a review approves the work. To allow it without one, run in your own terminal: verger release review --session f0357e9b-fb48-41a1-afb7-88e26c9c25cd
    "#);
    assert_snapshot!(conversation.tool(SUBAGENT, "mcp__tissue__close_issue", &json!({})), @r#"
    deny: verger blocked this call: `mcp__tissue__close*` needs an approved review first, and this work was not reviewed yet.
    You are a subagent: do not retry. Report to the main agent that this call waits for a review of its work.
    notice: verger: `mcp__tissue__close*` is blocked until a review approves the work. To allow it without one, run in your own terminal: verger release review --session f0357e9b-fb48-41a1-afb7-88e26c9c25cd
    "#);
    assert_eq!(conversation.bash(SUBAGENT, "bd show bd-1"), HookAnswer::default());
    // The stop is refused too, because the main agent must get the review.
    assert_eq!(conversation.stop().word(), "block");
    assert_snapshot!(lines(&conversation), @r#"
    1 main session.started - - - Startup
    2 main prompt.submitted P1 T1 - "close the ticket"
    3 A1:general-purpose subagent.started P1 T1 -
    4 A1:general-purpose start_tree.taken P1 T1 - a tree
    5 A1:general-purpose tool.requested P1 T1 - C1 Bash {"command":"cd x && bd close bd-1","description":"x"}
    6 A1:general-purpose gate.changed P1 T1 - review idle -> pending: gated call denied: Bash:bd close*
    7 A1:general-purpose verdict.given P1 T1 - deny by review
    8 A1:general-purpose tool.requested P1 T1 - C2 mcp__tissue__close_issue {}
    9 A1:general-purpose gate.changed P1 T1 - review pending -> pending: gated call denied: mcp__tissue__close*
    10 A1:general-purpose verdict.given P1 T1 - deny by review
    11 A1:general-purpose tool.requested P1 T1 - C3 Bash {"command":"bd show bd-1","description":"x"}
    12 main stop.requested P1 T1 - "Task complete."
    13 main gate.changed P1 T1 - review pending -> blocked: stop refused, number 1
    14 main verdict.given P1 T1 - deny by review
    "#);
}

#[test]
fn tools_of_servers_are_known_by_their_names() {
    let conversation = gated();
    let call = |tool: &str, input: Value| conversation.tool(Speaker::Main, tool, &input);
    for tool in ["mcp__tissue__close", "mcp__tissue__close_issue", "mcp__tissue__closed"] {
        let answer = call(tool, json!({ "id": "x" }));
        assert_eq!(answer, denial(&conversation, "mcp__tissue__close*"), "{tool}");
    }
    for tool in ["mcp__tissue__list", "mcp__tissue", "mcp__other__close", "Tmcp__tissue__close"] {
        let input = json!({ "command": "gh issue close 5", "note": "mcp__tissue__close" });
        assert_eq!(call(tool, input), HookAnswer::default(), "{tool}");
    }
}

#[test]
fn any_tool_can_be_gated() {
    let conversation = conversation();
    let tools = r#"["WebFetch", "Bash:git push*", "Bash:gh issue close*"]"#;
    conversation.configure(format!("[review]\ngated_tools = {tools}\n"));
    assert_eq!(conversation.prompt("go"), HookAnswer::default());
    let fetch = conversation.tool(Speaker::Main, "WebFetch", &json!({ "url": "x" }));
    assert_eq!(fetch, denial(&conversation, "WebFetch"));
    let push = conversation.bash(Speaker::Main, "git -C x push --force origin HEAD");
    assert_eq!(push, denial(&conversation, "Bash:git push*"));
    assert_eq!(conversation.bash(Speaker::Main, "git pull"), HookAnswer::default());
}

#[test]
fn without_gated_tools_nothing_is_denied() {
    let conversation = conversation();
    assert_eq!(conversation.prompt("go"), HookAnswer::default());
    for (_, line) in MISSED_ELSEWHERE {
        assert_eq!(conversation.bash(Speaker::Main, line), HookAnswer::default(), "{line}");
    }
    assert_eq!(news(&conversation), ["main start_tree.taken a tree"]);
}

#[test]
fn denials_are_no_blocks_and_the_review_is_wanted_from_then_on() {
    let conversation = gated();
    for _ in 0..10 {
        let answer = conversation.bash(Speaker::Main, "gh issue close 5");
        assert_eq!(answer, denial(&conversation, ISSUES));
    }
    let words: Vec<_> = (0..4).map(|_| conversation.stop().word().to_owned()).collect();
    assert_eq!(words, ["block", "block", "block", "silence"]);
}

#[test]
fn in_the_mode_never_gated_tools_want_a_review_all_the_same() {
    let conversation = gated();
    conversation.configure(format!("{CONFIG}\nmode = \"never\"\n"));
    assert_eq!(conversation.prompt("#review go"), HookAnswer::default());
    let answer = conversation.bash(Speaker::Main, "gh issue close 5");
    assert_eq!(answer, denial(&conversation, ISSUES));
    assert_eq!(conversation.stop().word(), "block");
}

#[test]
fn a_tripped_gate_is_open_for_tools_during_the_cooldown_and_the_person_is_told() {
    let conversation = gated();
    let close = || conversation.bash(Speaker::Main, "gh issue close 5");
    assert_eq!(close(), denial(&conversation, ISSUES));
    for _ in 0..4 {
        drop(conversation.stop());
    }
    assert_snapshot!(close(), @"notice: verger: WARNING: not reviewed. `Bash:gh issue close*` was allowed: the gate released it after several refusals without progress. See: verger why --last --session f0357e9b-fb48-41a1-afb7-88e26c9c25cd");
    conversation.pass_seconds(297);
    assert_eq!(close().word(), "silence");
    assert_eq!(close(), denial(&conversation, ISSUES));
    // In the next task, the gate refuses again.
    for _ in 0..4 {
        drop(conversation.stop());
    }
    assert_eq!(close().word(), "silence");
    assert_eq!(conversation.prompt("the next ticket"), HookAnswer::default());
    assert_eq!(close(), denial(&conversation, ISSUES));
}
