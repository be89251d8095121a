//! Tests that every captured payload of Codex decodes as expected, in the same vocabulary as the
//! payloads of other clients.

use verger_agent::CODEX;
use verger_event::{
    DelegateCall, EditCall, Event, FileChange, FileEdit, Interruption, ShellCall, TextEdit,
    ToolCall, ToolOutput, ToolUse, ToolUseId,
};

use crate::fixture::{Fixture, fixtures_in, folders, stems};

/// Events that are not about the work and are not decoded.
const PASSED_OVER: &[&str] = &["Interrupt", "PostModelRequest", "PreModelRequest"];

#[test]
fn every_captured_payload_of_codex_means_what_its_expectation_says() {
    for folder in folders("codex") {
        let mut settings = insta::Settings::clone_current();
        settings.set_snapshot_path(folder.join("expected"));
        settings.set_prepend_module_to_snapshot(false);
        settings.set_omit_expression(true);
        settings.bind(|| {
            for fixture in fixtures_in(&folder) {
                let observed = (CODEX.decode)(fixture.event_name(), &fixture.bytes).unwrap();
                let is_passed_over = PASSED_OVER.contains(&fixture.event_name());
                assert_eq!(observed.is_none(), is_passed_over, "{}", fixture.name);
                insta::assert_debug_snapshot!(fixture.name.as_str(), observed);
            }
        });
        assert_eq!(stems(&folder, "json"), stems(&folder.join("expected"), "snap"));
    }
}

#[track_caller]
fn check(name: &str, expected: &Event) {
    let all = folders("codex").into_iter().flat_map(|folder| fixtures_in(&folder));
    let fixture: Vec<Fixture> = all.filter(|fixture| fixture.name == name).collect();
    let observed = (CODEX.decode)(fixture[0].event_name(), &fixture[0].bytes).unwrap().unwrap();
    assert_eq!(observed.event, *expected);
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
