//! Tests of captured payloads of Codex, in the same vocabulary as other clients'.

use verger_agent::CODEX;
use verger_event::{
    DelegateCall, EditCall, Event, FileChange, FileEdit, Interruption, ShellCall, TextEdit,
    ToolCall, ToolOutput, ToolUse, ToolUseId,
};

use crate::fixture::fixtures_of;

#[track_caller]
fn check(name: &str, expected: &Event) {
    let fixture = fixtures_of(&CODEX).into_iter().find(|fixture| fixture.name == name).unwrap();
    assert_eq!(fixture.observed().event, *expected);
}

fn call(id: &str, tool: &str, action: ToolUse) -> ToolCall {
    ToolCall { id: Some(ToolUseId::new(id)), ..ToolCall::new(tool, action) }
}

fn shell(id: &str, line: &str) -> ToolCall {
    let line = Some(line.to_owned());
    call(id, "Bash", ToolUse::Shell(ShellCall { line, ..ShellCall::default() }))
}

#[test]
fn a_patch_is_an_edit_of_the_files_that_it_names() {
    let new = Some("hello".to_owned());
    let edits = vec![TextEdit { new, ..TextEdit::default() }];
    let file = FileEdit { path: "a.txt".to_owned(), change: FileChange::Added, edits };
    let action = ToolUse::Edit(EditCall { files: vec![file] });
    // The call keeps the whole patch, because the client needs its context lines.
    let patch = "*** Begin Patch\n*** Add File: a.txt\n+hello\n*** End Patch\n";
    let call = call("call_17947690117394138990", "apply_patch", action);
    let call = ToolCall { rest: serde_json::json!({ "command": patch }), ..call };
    check("PreToolUse-apply_patch", &Event::ToolRequested(call.clone()));
    let text = "Success. Updated the following files:\nA a.txt\n".to_owned();
    let output = ToolOutput { text, exit_code: Some(0), ..ToolOutput::default() };
    check("PostToolUse-apply_patch", &Event::ToolSucceeded { call, output, duration_ms: None });
}

#[test]
fn nobody_is_told_whether_a_line_failed() {
    let ended =
        |call, text| Event::ToolEnded { call, output: ToolOutput::text(text), duration_ms: None };
    let failed = shell("call_17947684476356570510", "echo oops >&2; exit 3");
    check("PostToolUse-Bash-nonzero_exit", &ended(failed, "oops\n"));
    let succeeded = shell("call_17947683554813517081", "echo hi");
    check("PostToolUse-Bash", &ended(succeeded, "hi\n"));
}

#[test]
fn a_patch_that_failed_is_told_by_its_exit_code() {
    let payload = br#"{"session_id":"s","tool_name":"apply_patch","tool_input":{"command":""},
        "tool_response":"Exit code: 1\nWall time: 0 seconds\nOutput:\nno such file"}"#;
    let observed = (CODEX.decode)("PostToolUse", payload).unwrap().unwrap();
    let call = ToolCall::new("apply_patch", ToolUse::Edit(EditCall::default()));
    let call = ToolCall { rest: serde_json::json!({ "command": "" }), ..call };
    let (text, interruption) = ("no such file".to_owned(), Interruption::None);
    let output = ToolOutput { text, exit_code: Some(1), ..ToolOutput::default() };
    let expected = Event::ToolFailed { call, output, interruption, duration_ms: None };
    assert_eq!(observed.event, expected);
}

#[test]
fn a_subagent_is_started_and_a_server_is_asked() {
    let prompt = Some("SUBGOAL-XYZ do it".to_owned());
    let action = ToolUse::Delegate(DelegateCall { prompt, ..DelegateCall::default() });
    let spawn = call("call_17947690249540629250", "spawn_agent", action);
    check("PreToolUse-spawn_agent", &Event::ToolRequested(spawn));
    let input = serde_json::json!({ "q": "abc" });
    let recall = ToolCall::mcp("memtest", "recall", input).with_id("call_17947690729356757800");
    check("PreToolUse-mcp_memtest_recall", &Event::ToolRequested(recall.clone()));
    let (output, duration_ms) = (ToolOutput::text("MEMRESULT for abc"), None);
    let answered = Event::ToolSucceeded { call: recall, output, duration_ms };
    check("PostToolUse-mcp_memtest_recall", &answered);
}

#[test]
fn a_shells_output_is_not_taken_for_the_head_of_an_answer() {
    let printed = "Exit code: 1\nWall time: 0 seconds\nOutput:\nno such file";
    let payload = serde_json::json!({
        "session_id": "s", "tool_name": "Bash", "tool_input": { "command": "cat log" },
        "tool_response": printed,
    });
    let observed = (CODEX.decode)("PostToolUse", payload.to_string().as_bytes()).unwrap().unwrap();
    let Event::ToolEnded { output, .. } = observed.event else { panic!("{observed:?}") };
    assert_eq!(output, ToolOutput::text(printed));
}

#[test]
fn a_servers_error_is_a_failure() {
    let response = serde_json::json!({ "content": [], "isError": true });
    let payload = serde_json::json!({
        "session_id": "s", "tool_name": "mcp__a__b", "tool_input": {}, "tool_response": response,
    });
    let observed = (CODEX.decode)("PostToolUse", payload.to_string().as_bytes()).unwrap().unwrap();
    let Event::ToolFailed { output, .. } = observed.event else { panic!("{observed:?}") };
    assert_eq!(output, ToolOutput { rest: response, ..ToolOutput::default() });
}
