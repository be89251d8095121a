//! Tests the learning gate with tickets: finding tickets, closing them in several spellings,
//! failed closes, and reflections.

use insta::assert_snapshot;
use serde_json::{Value, json};
use verger_testkit::{Conversation, HookAnswer, Misbehaviour, Speaker, StandIn, TestEnvironment};

use crate::gate_stage::warnings;
use crate::learning_stage::{end, end_batch, fail, phases, reflect, run, stops, ticketed, tickets};
use crate::recall::STATS;
use crate::stage::HOOK;

const SUBAGENT: Speaker<'_> = Speaker::Subagent { id: "a1", agent_type: "general-purpose" };

fn long(lines: usize) -> String {
    "fn parse() {}\n".repeat(lines)
}

#[test]
fn a_closed_ticket_asks_for_a_reflection() {
    let (conversation, _) = ticketed();
    conversation.write("parser.rs", &long(20));
    assert_eq!(conversation.stop(), HookAnswer::default(), "it is still open");
    run(&conversation, "bd close bd-1 --reason done");
    assert_snapshot!(conversation.stop(), @r#"
    block: verger: do not stop yet: beads bd-1 was closed, and you have not written down what you learned from this work.
    Run this one command, with your own learnings in place of the example. Keep the here-document quoted.

    verger reflect --session f0357e9b-fb48-41a1-afb7-88e26c9c25cd <<'END'
    {"candidates":[{"category":"pitfall","criteria":["behavior_changing","stable_fact"],"detail":"The idempotency key is made inside the retry loop, so every attempt has another one. Make it once, before the loop, and pass it to save().","files":["src/orders/service.ts"],"scope":"project","summary":"Retrying OrderService.save doubles the row","symbols":["OrderService.save"],"tags":["retry","orders"]}]}
    END

    Write down what the next session should know and cannot see in the code: one to five candidates.
    category: pattern, pitfall, convention, dependency, process, domain or debugging. scope: project, team, personal or ephemeral. criteria: behavior_changing, decision_rationale, stable_fact or explicit_request. summary: 10 to 200 characters; detail: 20 to 2000, and not the summary again; 1 to 10 tags. Optional: files, symbols, supersedes; `used` names learnings that helped you.
    If you really learned nothing, run this instead: verger skip --gate learning --session f0357e9b-fb48-41a1-afb7-88e26c9c25cd --reason "why there is nothing to learn"
    notice: verger: the agent wanted to stop; it must first write down what it learned (beads bd-1 was closed; refusal 1 of 3). To let it stop without a reflection, run in your own terminal: verger release learning --session f0357e9b-fb48-41a1-afb7-88e26c9c25cd
    "#);
    reflect(&conversation);
    assert_eq!(conversation.stop(), HookAnswer::default());
    assert_snapshot!(phases(&conversation).join("\n"), @r#"
    active: current ticket: beads bd-1
    pending: closing beads bd-1
    pending: closed beads bd-1
    blocked: stop refused, number 1
    reflected: reflection recorded: 1 kept, 0 rejected
    "#);
    assert_snapshot!(tickets(&conversation).join("\n"), @r#"
    beads bd-1 Found Fix the parser
    beads bd-1 CloseRequested
    beads bd-1 Closed
    "#);
}

#[test]
fn changes_after_a_reflection_are_counted_anew_in_the_same_task() {
    let (conversation, _) = ticketed();
    conversation.write("parser.rs", &long(20));
    run(&conversation, "bd close bd-1");
    assert_eq!(conversation.stop().word(), "block");
    reflect(&conversation);
    conversation.write("lexer.rs", &long(2));
    run(&conversation, "bd close bd-2");
    let small = conversation.stop();
    assert!(small.reason().contains("Little changed (2 lines)"), "{small}");
    conversation.write("lexer.rs", &long(30));
    let large = conversation.stop();
    assert!(large.reason().contains("still blocked: beads bd-2 was closed"), "{large}");
    assert!(!large.reason().contains("Little changed"), "{large}");
}

#[test]
fn a_close_is_known_in_every_spelling_and_a_mention_is_none() {
    for (line, expected) in [
        ("cd . && bd close bd-1", "block"),
        ("bash -lc 'bd close bd-1'", "block"),
        ("env A=b sudo bd update bd-1 --status=closed", "block"),
        ("bd close bd-1 | tail -1; git status", "block"),
        ("tissue status t-1 closed", "block"),
        ("echo bd close bd-1", "silence"),
        ("git commit -m 'bd close bd-1'", "silence"),
        ("bd close --help", "silence"),
        ("bd update bd-1 --status open", "silence"),
    ] {
        let (conversation, _) = ticketed();
        conversation.write("parser.rs", &long(20));
        run(&conversation, line);
        assert_eq!(conversation.stop().word(), expected, "{line}");
    }
}

#[test]
fn a_close_that_failed_was_refused_or_was_held_back_is_no_close() {
    let (conversation, _) = ticketed();
    conversation.write("parser.rs", &long(20));
    fail(&conversation, "bd close bd-1");
    assert_eq!(conversation.stop(), HookAnswer::default());
    // The person refuses the call. The client reports this only with the end of the batch.
    let id = conversation.next_tool_use();
    assert_eq!(conversation.bash(Speaker::Main, "bd close bd-1"), HookAnswer::default());
    end_batch(&conversation, &id, &json!({ "command": "bd close bd-1" }));
    assert_eq!(conversation.stop(), HookAnswer::default());
    conversation.configure("[review]\ngated_tools = [\"Bash:bd close*\"]\n");
    assert_eq!(conversation.bash(Speaker::Main, "bd close bd-1").word(), "deny");
    assert_snapshot!(phases(&conversation).join("\n"), @r#"
    active: current ticket: beads bd-1
    pending: closing beads bd-1
    active: close failed: beads bd-1
    pending: closing beads bd-1
    active: close refused: beads bd-1
    "#);
}

#[test]
fn a_subagents_close_and_notes_reach_the_main_agent() {
    let (conversation, _) = ticketed();
    conversation.write("parser.rs", &long(20));
    assert_eq!(conversation.start_subagent("a1", "general-purpose"), HookAnswer::default());
    end(&conversation, SUBAGENT, "bd close bd-1", "PostToolUse-Bash-in_subagent", &[]);
    let said = [("last_assistant_message", json!("I fixed it.\nThe lexer eats the BOM."))];
    let stopped = conversation.call_of(SUBAGENT, "SubagentStop-first", &said);
    assert_eq!(stopped, HookAnswer::default());
    let reason = conversation.stop().reason().to_owned();
    assert_snapshot!(reason.lines().last().unwrap(), @"- reported by general-purpose: I fixed it. The lexer eats the BOM.");
}

#[test]
fn both_gates_speak_in_one_message() {
    let (conversation, _) = ticketed();
    assert_eq!(conversation.prompt("#review"), HookAnswer::default());
    conversation.write("parser.rs", &long(20));
    run(&conversation, "bd close bd-1");
    let answer = conversation.stop();
    let reason = answer.reason();
    let heads: Vec<_> = reason.lines().filter(|line| line.starts_with("verger: ")).collect();
    assert_snapshot!(heads.join("\n"), @r#"
    verger: do not stop yet: this work was not reviewed yet. An independent review has to approve this work first.
    verger: before you stop, do this too: beads bd-1 was closed, and you have not written down what you learned from this work.
    "#);
    assert_eq!(answer.notice.unwrap().lines().count(), 2);
    assert_eq!(stops(&conversation, 4), "block block silence silence");
}

#[test]
fn a_small_change_is_asked_for_once_or_not_at_all() {
    let (conversation, _) = ticketed();
    conversation.write("parser.rs", "fn parse() {}\n");
    run(&conversation, "bd close bd-1");
    let answer = conversation.stop();
    assert_snapshot!(answer.reason().lines().last().unwrap(), @r#"Little changed (1 line), so you decide, and you are asked only once. If you learned nothing, run this instead: verger skip --gate learning --session f0357e9b-fb48-41a1-afb7-88e26c9c25cd --reason "why there is nothing to learn""#);
    assert_eq!(stops(&conversation, 2), "silence silence");
    assert_snapshot!(phases(&conversation).last().unwrap(), @"skipped: skipped by auto");
    let (conversation, _) = ticketed();
    conversation.configure("learning.auto_skip_decider = 'always'\n");
    conversation.write("parser.rs", "fn parse() {}\n");
    run(&conversation, "bd close bd-1");
    assert_eq!(stops(&conversation, 2), "silence silence");
    assert_snapshot!(phases(&conversation).last().unwrap(), @"skipped: skipped by auto");
    let log = conversation.environment.read(conversation.environment.root().join(STATS));
    let mut line: Value = serde_json::from_str(&log).unwrap();
    for varying in ["v", "id", "at", "session"] {
        line.as_object_mut().unwrap().remove(varying);
    }
    assert_snapshot!(line, @r#"{"by":"auto","event":"skip","files":["parser.rs"],"lines":1,"reason":"small change: 1 line","tickets":["bd-1"]}"#);
    let (conversation, _) = ticketed();
    conversation.configure("learning.auto_skip_decider = 'never'\n");
    conversation.write("parser.rs", "fn parse() {}\n");
    run(&conversation, "bd close bd-1");
    assert_snapshot!(conversation.stop().reason().lines().last().unwrap(), @"A person can release this gate; you cannot, so tell them if you cannot go on.");
    assert_eq!(stops(&conversation, 4), "block block silence silence");
}

#[test]
fn an_agent_may_skip_unless_the_user_keeps_that() {
    let (conversation, _) = ticketed();
    let line = "verger skip --gate learning --session x --reason 'nothing new'";
    let bash = |line: &str| conversation.bash(Speaker::Main, line);
    assert_eq!(bash(line).word(), "allow");
    assert_eq!(bash("verger skip --gate learning && ls").word(), "silence");
    assert_eq!(bash("verger release review").word(), "deny");
    conversation.configure("learning.auto_skip_decider = 'never'\n");
    for line in [line, "verger skip --gate=learning; ls"] {
        assert_eq!(bash(line).word(), "deny", "{line}");
    }
}

#[test]
fn whoever_comes_back_to_a_session_that_owes_a_reflection_is_told() {
    let (conversation, _) = ticketed();
    conversation.write("parser.rs", &long(20));
    run(&conversation, "bd close bd-1");
    assert_eq!(conversation.call("SessionEnd-other", &[]), HookAnswer::default());
    let told = |start| conversation.call(start, &[]).context.unwrap();
    assert_snapshot!(told("SessionStart-resume").lines().next().unwrap(), @"verger: a reflection is still missing in this session: beads bd-1 was closed. Before you stop, write down what you learned from that work:");
    assert_eq!(told("SessionStart-compact"), told("SessionStart-resume"));
    assert_eq!(conversation.stop().word(), "block");
    reflect(&conversation);
    assert_eq!(conversation.call("SessionStart-resume", &[]), HookAnswer::default());
}

#[test]
fn an_open_ticket_ends_with_its_session_quietly() {
    let (conversation, _) = ticketed();
    assert_eq!(conversation.call("SessionEnd-other", &[]), HookAnswer::default());
    assert_eq!(conversation.call("SessionStart-resume", &[]), HookAnswer::default());
    assert_snapshot!(phases(&conversation).join("\n"), @r#"
    active: current ticket: beads bd-1
    idle: the session ended without closing a ticket
    active: current ticket: beads bd-1
    "#);
}

#[test]
fn the_agents_own_list_arms_the_gate_and_never_blocks() {
    let conversation = Conversation::begin(TestEnvironment::with_repository(), &[HOOK]);
    conversation.configure("[tickets]\ntasks = true\n");
    assert_eq!(conversation.prompt("make a plan"), HookAnswer::default());
    let todo = |name: &str, id: &str| conversation.call(name, &[("task_id", json!(id))]);
    for (name, id) in
        [("TaskCreated", "1"), ("TaskCreated", "2"), ("TaskCompleted", "1"), ("TaskCompleted", "2")]
    {
        assert_eq!(todo(name, id), HookAnswer::default());
    }
    conversation.write("parser.rs", &long(20));
    assert_eq!(conversation.stop().word(), "block");
    assert_snapshot!(phases(&conversation).join("\n"), @r#"
    active: current ticket: tasks 1
    pending: closing tasks 2
    blocked: stop refused, number 1
    "#);
    let off = Conversation::begin(TestEnvironment::with_repository(), &[HOOK]);
    for name in ["TaskCreated", "TaskCompleted"] {
        assert_eq!(off.call(name, &[]), HookAnswer::default());
    }
    assert_eq!((off.stop(), phases(&off)), (HookAnswer::default(), vec![]));
}

#[test]
fn a_ticket_system_that_cannot_be_asked_holds_nobody_up() {
    for (misbehaviour, expected) in [
        (Misbehaviour::Fail, "tickets: bd ended with 1"),
        (Misbehaviour::Hang, "tickets: bd did not answer in time"),
        (Misbehaviour::Garble, "tickets: bd answered with something other than tickets"),
    ] {
        let mut environment = TestEnvironment::with_repository();
        let beads = StandIn::beads(&mut environment);
        beads.misbehave("list", misbehaviour);
        let conversation = Conversation::begin(environment, &[HOOK]);
        assert!(warnings(&conversation)[0].starts_with(expected), "{:?}", warnings(&conversation));
        assert_eq!(conversation.prompt("do bd-1"), HookAnswer::default());
        conversation.write("parser.rs", &long(20));
        run(&conversation, "bd close bd-1");
        assert_eq!(conversation.stop().word(), "block", "{misbehaviour:?}");
    }
}

#[test]
fn a_tool_of_a_ticket_systems_server_closes() {
    for (tool, ending, expected) in [
        ("mcp__beads__close", "PostToolUse-Bash", "block"),
        ("mcp__beads__close", "PostToolUseFailure-Bash", "silence"),
        ("mcp__beads__list", "PostToolUse-Bash", "silence"),
        ("mcp__browser__close", "PostToolUse-Bash", "silence"),
    ] {
        let (conversation, _) = ticketed();
        conversation.write("parser.rs", &long(20));
        let id = conversation.next_tool_use();
        let input = json!({ "issue_id": "bd-1" });
        assert_eq!(conversation.tool(Speaker::Main, tool, &input), HookAnswer::default());
        let changes =
            [("tool_name", json!(tool)), ("tool_input", input), ("tool_use_id", json!(id))];
        assert_eq!(conversation.call(ending, &changes), HookAnswer::default());
        assert_eq!(conversation.stop().word(), expected, "{tool} {ending}");
    }
}
