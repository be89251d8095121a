//! Tests of payloads of Copilot CLI, in the same vocabulary as other clients'.

use serde_json::{Value, json};
use verger_agent::COPILOT;
use verger_event::{
    Actor, CompactionTrigger, Continuation, DelegateCall, EditCall, EndReason, Event, FileChange,
    FileEdit, FileOutcome, Interruption, McpCall, MessageCall, PromptOrigin, ReadCall, ShellCall,
    StartSource, StopRequest, SubagentId, TextEdit, ToolCall, ToolOutput, ToolUse, WriteCall,
};

use crate::fixture::{Fixture, fixtures_of};

/// The main agent's session in which a subagent was started, and the subagent.
const PARENT: &str = "55601cc8-00dc-40c9-b807-cc71f7267107";
const CHILD: &str = "3904f99a-2768-468b-8b23-cc6e6494eb05";

#[track_caller]
fn named(name: &str) -> Fixture {
    fixtures_of(&COPILOT).into_iter().find(|fixture| fixture.name == name).unwrap()
}

/// Checks an event of the main agent.
#[track_caller]
fn check(name: &str, expected: &Event) {
    let fixture = named(name);
    let observed = fixture.observed();
    assert_eq!(observed.event, *expected);
    assert_eq!(observed.session.as_str(), fixture.json()["sessionId"]);
    assert_eq!(observed.actor, Actor::Main { agent_type: None });
    assert_eq!(observed.circumstance.cwd.as_deref(), Some("/home/dev/project"));
}

/// Checks an event of the subagent.
#[track_caller]
fn check_subagent(name: &str, expected: &Event) {
    let observed = named(name).observed();
    assert_eq!(observed.event, *expected);
    assert_eq!(observed.session.as_str(), PARENT);
    let (id, agent_type) = (SubagentId::new(CHILD), "general-purpose".to_owned());
    assert_eq!(observed.actor, Actor::Subagent { id, agent_type });
}

/// The event of a payload in the session `s`.
fn event_of(event_name: &str, mut payload: Value) -> Event {
    payload["sessionId"] = json!("s");
    let observed = (COPILOT.decode)(event_name, payload.to_string().as_bytes());
    observed.unwrap().unwrap().event
}

#[expect(clippy::unnecessary_wraps, reason = "the fields that it is for are optional")]
fn text(text: &str) -> Option<String> {
    Some(text.to_owned())
}

fn shell(line: &str) -> ToolCall {
    let (line, description) = (text(line), text("d"));
    ToolCall::new("bash", ToolUse::Shell(ShellCall { line, description, ..ShellCall::default() }))
}

fn exited(text: &str, code: i64) -> ToolOutput {
    ToolOutput { exit_code: Some(code), ..ToolOutput::text(text) }
}

fn failed(call: ToolCall, output: ToolOutput) -> Event {
    Event::ToolFailed { call, output, interruption: Interruption::None, duration_ms: None }
}

fn succeeded(call: ToolCall, output: ToolOutput) -> Event {
    Event::ToolSucceeded { call, output, duration_ms: None }
}

fn asked(call: ToolCall) -> Event {
    Event::PermissionAsked { call, suggestions: vec![] }
}

#[test]
fn a_shell_line_is_requested_asked_about_and_ends_with_its_exit_code() {
    check("preToolUse-bash", &Event::ToolRequested(shell("echo hi")));
    let line = ShellCall { line: text("echo hi"), ..ShellCall::default() };
    check("permissionRequest-bash", &asked(ToolCall::new("bash", ToolUse::Shell(line))));
    check("postToolUse-bash", &succeeded(shell("echo hi"), exited("hi", 0)));
    let oops = failed(shell("echo oops >&2; exit 3"), exited("oops", 3));
    check("postToolUse-bash-nonzero_exit", &oops);
}

/// The end of the shell line `a` that printed this.
fn end_of_line(printed: &str, kind: &str) -> Event {
    let args = json!({ "command": "a", "description": "d" });
    let result = json!({ "resultType": kind, "textResultForLlm": printed });
    event_of("postToolUse", json!({ "toolName": "bash", "toolArgs": args, "toolResult": result }))
}

#[test]
fn the_last_line_has_the_exit_code() {
    let end = |printed: &str| end_of_line(printed, "success");
    let last = "<shellId: 12 completed with exit code 0>";
    assert_eq!(end(last), succeeded(shell("a"), exited("", 0)));
    assert_eq!(end(&format!("a\n\n{last}")), succeeded(shell("a"), exited("a\n", 0)));
    assert_eq!(end(&format!("no newline{last}")), succeeded(shell("a"), exited("no newline", 0)));
    let twice = format!("<shellId: 1 completed with exit code 7>\n{last}");
    let printed = "<shellId: 1 completed with exit code 7>";
    assert_eq!(end(&twice), succeeded(shell("a"), exited(printed, 0)));
    let signalled = failed(shell("a"), exited("", -9));
    assert_eq!(end("<shellId: 1 completed with exit code -9>"), signalled);
}

#[test]
fn a_line_in_the_background_has_no_outcome() {
    let rest = json!({ "mode": "async", "shellId": "bg" });
    let call = ToolCall { rest, ..shell("sleep 3; echo late") };
    let output = ToolOutput::text("<command started in background with shellId: bg>");
    check("postToolUse-bash-background", &Event::ToolEnded { call, output, duration_ms: None });
    let output = ToolOutput::text("completed with exit code 0");
    let expected = Event::ToolEnded { call: shell("a"), output, duration_ms: None };
    assert_eq!(end_of_line("completed with exit code 0", "success"), expected);
}

#[test]
fn a_line_that_the_tool_refuses_fails_without_an_exit_code() {
    let error = "Command not executed. The 'kill' command must specify at least one numeric PID. \
                 Usage: kill <PID> or kill -9 <PID>";
    check("postToolUseFailure-bash", &failed(shell("kill -9 $$"), ToolOutput::text(error)));
}

#[test]
fn a_result_that_is_no_success_is_a_failure() {
    let rest = json!({ "resultType": "denied" });
    let output = ToolOutput { rest, ..ToolOutput::text("no") };
    assert_eq!(end_of_line("no", "denied"), failed(shell("a"), output));
}

#[test]
fn a_created_file_is_a_write_that_a_permission_for_an_edit_is_asked_for() {
    let path = "/home/dev/project/a.txt";
    let action = ToolUse::Write(WriteCall { path: text(path), text: text("x\n") });
    let create = ToolCall::new("create", action);
    check("preToolUse-create", &Event::ToolRequested(create.clone()));
    let file = Some(FileOutcome { created: true, first_line: None });
    let printed = "Created file /home/dev/project/a.txt with 2 characters";
    let output = ToolOutput { file, ..ToolOutput::text(printed) };
    check("postToolUse-create", &succeeded(create, output));
    let edits = vec![TextEdit { new: text("x"), ..TextEdit::default() }];
    let file = FileEdit { path: path.to_owned(), change: FileChange::Added, edits };
    let action = ToolUse::Edit(EditCall { files: vec![file] });
    // The whole input is kept, because the client needs its diff.
    let rest = named("permissionRequest-edit").json()["toolInput"].clone();
    check("permissionRequest-edit", &asked(ToolCall { rest, ..ToolCall::new("edit", action) }));
}

#[test]
fn an_edit_is_asked_about_and_made_or_finds_nothing() {
    let two = ToolCall::edit("/home/dev/project/a.txt", "2", "two");
    let rest = named("permissionRequest-edit-modified").json()["toolInput"].clone();
    check("permissionRequest-edit-modified", &asked(ToolCall { rest, ..two.clone() }));
    let printed = "File /home/dev/project/a.txt updated with changes.";
    check("postToolUse-edit", &succeeded(two, ToolOutput::text(printed)));
    let none = ToolCall::edit("/home/dev/project/README.md", "zzz", "y");
    check("preToolUse-edit", &Event::ToolRequested(none.clone()));
    check("postToolUseFailure-edit", &failed(none, ToolOutput::text("No match found")));
}

#[test]
fn a_file_that_exists_is_not_created() {
    let create = ToolCall::write("/home/dev/project/a.txt", "4\n");
    let create = ToolCall { tool: "create".to_owned(), ..create };
    check("postToolUseFailure-create", &failed(create, ToolOutput::text("Path already exists")));
}

#[test]
fn a_file_is_read_from_the_first_line_of_a_range() {
    let path = text("/nonexistent/xyz");
    let view = ToolCall::new("view", ToolUse::Read(ReadCall { path, from_line: None }));
    check("preToolUse-view", &Event::ToolRequested(view));
    let action =
        ToolUse::Read(ReadCall { path: text("/home/dev/project/a.txt"), from_line: Some(2) });
    // The range is kept, because the event has no place for its end.
    let rest = json!({ "view_range": [2, 3] });
    let range = ToolCall { rest, ..ToolCall::new("view", action) };
    check("preToolUse-view-range", &Event::ToolRequested(range.clone()));
    check("postToolUse-view-range", &succeeded(range, ToolOutput::text("2\n3")));
}

#[test]
fn a_server_is_told_by_the_name_of_its_tool() {
    let recall = |name: &str| {
        let action = McpCall { server: "memtest".to_owned(), tool: "recall".to_owned() };
        ToolCall { rest: json!({ "q": "abc" }), ..ToolCall::new(name, ToolUse::Mcp(action)) }
    };
    check("preToolUse-memtest_recall", &Event::ToolRequested(recall("memtest-recall")));
    check("permissionRequest-memtest_recall", &asked(recall("memtest/recall")));
    let answered = succeeded(recall("memtest-recall"), ToolOutput::text("MEMRESULT for abc"));
    check("postToolUse-memtest_recall", &answered);
}

#[test]
fn a_subagents_events_are_in_the_session_that_started_it() {
    let action = ToolUse::Delegate(DelegateCall {
        agent_type: text("general-purpose"),
        prompt: text("SUBGOAL-XYZ do"),
        description: text("d"),
    });
    let task = ToolCall::new("task", action);
    let task = ToolCall { rest: json!({ "mode": "sync", "name": "n" }), ..task };
    check("preToolUse-task", &Event::ToolRequested(task.clone()));
    check_subagent("subagentStart", &Event::SubagentStarted);
    let (origin, prompt) = (PromptOrigin::Person, "SUBGOAL-XYZ do".to_owned());
    check_subagent("userPromptSubmitted-in_subagent", &Event::PromptSubmitted { origin, prompt });
    let request = Event::ToolRequested(shell("echo insub"));
    check_subagent("preToolUse-bash-in_subagent", &request);
    let line = ShellCall { line: text("echo insub"), ..ShellCall::default() };
    let question = asked(ToolCall::new("bash", ToolUse::Shell(line)));
    check_subagent("permissionRequest-bash-in_subagent", &question);
    let end = succeeded(shell("echo insub"), exited("insub", 0));
    check_subagent("postToolUse-bash-in_subagent", &end);
    let stop = |continuation, last: &str| {
        let last_message = text(last);
        let stop = StopRequest { continuation, last_message, background: vec![], crons: vec![] };
        Event::SubagentStopRequested { stop, transcript: None }
    };
    check_subagent("subagentStop-first", &stop(Continuation::First, "sub result"));
    check_subagent("subagentStop-active", &stop(Continuation::AfterRefusal, "sub result 2"));
    check("postToolUse-task", &succeeded(task, ToolOutput::text("sub result 2")));
    // `subagentStop` follows, whose answer has an effect.
    let early = named("agentStop-first-in_subagent");
    assert_eq!(early.decode(&early.json()).unwrap(), None);
}

#[test]
fn a_subagents_subagent_is_told_by_its_own_id() {
    let session = named("permissionRequest-bash-nested").json()["sessionId"].clone();
    let (id, parent) = ("agentId", "parentAgentId");
    for name in ["subagentStart-nested", "subagentStop-nested", "permissionRequest-bash-nested"] {
        let observed = named(name).observed();
        assert_eq!(observed.session.as_str(), session, "{name}");
        let Actor::Subagent { id: agent, .. } = observed.actor else { panic!("{name}") };
        assert_eq!(agent.as_str(), named(name).json()[id], "{name}");
    }
    // Nothing in these payloads names the session.
    for name in ["preToolUse-bash-nested", "postToolUse-bash-nested"] {
        let (observed, payload) = (named(name).observed(), named(name).json());
        assert_eq!(observed.session.as_str(), payload[parent], "{name}");
        let Actor::Subagent { id: agent, .. } = observed.actor else { panic!("{name}") };
        assert_eq!(agent.as_str(), payload[id], "{name}");
    }
    let early = named("agentStop-nested");
    assert_eq!(early.decode(&early.json()).unwrap(), None);
}

#[test]
fn a_payload_of_a_subagent_that_cannot_be_read_is_kept_in_the_session_that_started_it() {
    let fixture = named("preToolUse-bash-in_subagent");
    let mut payload = fixture.json();
    payload["toolName"] = json!(["bash"]);
    let kept = (COPILOT.salvage)("preToolUse", payload.to_string().as_bytes()).unwrap();
    let whole = fixture.observed();
    assert_eq!(kept.session.as_str(), PARENT);
    assert_eq!((kept.actor, kept.circumstance), (whole.actor, whole.circumstance));
    assert_eq!(kept.event.kind(), "payload.unread");
}

#[test]
fn a_session_starts_gets_a_prompt_stops_and_ends() {
    let started =
        |source| Event::SessionStarted { source, model: None, transcript: None, client: None };
    check("sessionStart-new", &started(StartSource::Startup));
    check("sessionStart-resume", &started(StartSource::Resume));
    let (origin, prompt) = (PromptOrigin::Person, "do it".to_owned());
    check("userPromptSubmitted", &Event::PromptSubmitted { origin, prompt });
    let stop = |continuation| {
        let (last_message, background, crons) = (None, vec![], vec![]);
        Event::StopRequested(StopRequest { continuation, last_message, background, crons })
    };
    check("agentStop-first", &stop(Continuation::First));
    check("agentStop-active", &stop(Continuation::AfterRefusal));
    let ended = |reason: &str| Event::SessionEnded { reason: EndReason::Other(reason.to_owned()) };
    check("sessionEnd-complete", &ended("complete"));
    check("sessionEnd-error", &ended("error"));
}

#[test]
fn a_compaction_and_notices_are_told_but_no_error() {
    let (trigger, instructions) = (CompactionTrigger::Auto, None);
    check("preCompact", &Event::CompactionStarted { trigger, instructions });
    let notified = |kind: &str, message: &str| {
        let (kind, message) = (kind.to_owned(), message.to_owned());
        Event::Notified { kind, message }
    };
    let prompt = notified("permission_prompt", "Path permission needed: /dev/zero");
    check("notification-permission_prompt", &prompt);
    let message = "Shell command \"d\" (shellId: bg) has completed successfully.";
    check("notification-shell_completed", &notified("shell_completed", message));
    // The program sent the request again.
    let error = named("errorOccurred");
    assert_eq!(error.decode(&error.json()).unwrap(), None);
}

#[test]
fn a_message_to_an_agent_names_it() {
    let input = json!({ "agent_id": "a", "message": "go on" });
    let sent = (COPILOT.call)(None, "write_agent".to_owned(), input);
    assert_eq!(sent.action, ToolUse::Message(MessageCall { to: text("a"), text: text("go on") }));
}
