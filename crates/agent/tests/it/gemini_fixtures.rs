//! Tests of payloads of Gemini CLI, in the same vocabulary as other clients'.

use serde_json::{Value, json};
use verger_agent::GEMINI;
use verger_event::{
    Actor, AskCall, Continuation, DelegateCall, EndReason, Event, FileOutcome, Interruption,
    McpCall, PromptOrigin, ReadCall, SearchCall, SearchTarget, ShellCall, StartSource, StopRequest,
    ToolCall, ToolOutput, ToolUse, WriteCall,
};

use crate::fixture::fixtures_of;

#[track_caller]
fn check(name: &str, session: &str, expected: &Event) {
    let fixture = fixtures_of(&GEMINI).into_iter().find(|fixture| fixture.name == name).unwrap();
    let observed = fixture.observed();
    assert_eq!(observed.event, *expected);
    assert!(observed.session.as_str().starts_with(session), "{:?}", observed.session);
    assert_eq!(observed.actor, Actor::Main { agent_type: None });
    assert_eq!(observed.circumstance.cwd.as_deref(), Some("/home/dev/project"));
}

#[expect(clippy::unnecessary_wraps, reason = "the fields that it is for are optional")]
fn text(text: &str) -> Option<String> {
    Some(text.to_owned())
}

fn shell(line: &str) -> ToolCall {
    let action = ToolUse::Shell(ShellCall {
        line: text(line),
        description: text("d"),
        ..ShellCall::default()
    });
    ToolCall::new("run_shell_command", action)
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

fn ended(call: ToolCall, output: ToolOutput) -> Event {
    Event::ToolEnded { call, output, duration_ms: None }
}

#[test]
fn a_shell_line_is_requested_and_ends_with_its_exit_code() {
    check("BeforeTool-run_shell_command", "4db0cd39", &Event::ToolRequested(shell("echo hi")));
    let line = succeeded(shell("echo hi"), exited("hi", 0));
    check("AfterTool-run_shell_command", "4db0cd39", &line);
    let line = failed(shell("echo oops >&2; exit 3"), exited("oops", 3));
    check("AfterTool-run_shell_command-nonzero_exit", "4db0cd39", &line);
}

/// The end of the shell line `a` with this answer.
fn end_of_line(answer: &Value) -> Event {
    let payload = json!({
        "session_id": "s",
        "tool_name": "run_shell_command",
        "tool_input": { "command": "a", "description": "d" },
        "tool_response": answer,
    });
    let observed = (GEMINI.decode)("AfterTool", payload.to_string().as_bytes());
    observed.unwrap().unwrap().event
}

#[track_caller]
fn check_line(content: &str, shown: &str, expected: &Event) {
    let content = format!("<untrusted_context>\n{content}\n</untrusted_context>");
    let answer = json!({ "llmContent": content, "returnDisplay": shown });
    assert_eq!(end_of_line(&answer), *expected);
}

#[test]
fn a_line_that_prints_nothing_has_no_text() {
    let silent = |name: &str, expected: &Event| check(name, "6bca2dc7", expected);
    let success = succeeded(shell("true"), exited("", 0));
    silent("AfterTool-run_shell_command-no_output", &success);
    let failure = failed(shell("exit 5"), exited("", 5));
    silent("AfterTool-run_shell_command-no_output-nonzero_exit", &failure);
    check_line("Output: (empty)", "(empty)", &succeeded(shell("a"), exited("(empty)", 0)));
}

#[test]
fn the_output_of_a_line_is_not_taken_for_the_programs_own_words() {
    let line = succeeded(shell("printf 'done\\nExit Code: 4'"), exited("done\nExit Code: 4", 0));
    check("AfterTool-run_shell_command-like_exit_code", "6bca2dc7", &line);
    let line = succeeded(shell("sleep 2 & echo started"), exited("started", 0));
    check("AfterTool-run_shell_command-background_pids", "6bca2dc7", &line);
    let printed = "done\nExit Code: 4";
    let content = format!("Output: {printed}\nExit Code: 1\nProcess Group PGID: 7");
    check_line(&content, printed, &failed(shell("a"), exited(printed, 1)));
    let printed = "Error: 7\nSignal: none";
    let content = format!("Output: {printed}\nExit Code: 1");
    check_line(&content, printed, &failed(shell("a"), exited(printed, 1)));
    // A terminal's output is shown as a list of styled pieces.
    let content = "<untrusted_context>\nOutput: a\nb\nExit Code: 2\n</untrusted_context>";
    let answer = json!({ "llmContent": content, "returnDisplay": [[{ "text": "a" }]] });
    assert_eq!(end_of_line(&answer), failed(shell("a"), exited("a\nb", 2)));
}

#[test]
fn a_line_that_a_signal_ended_failed_without_an_exit_code() {
    let output = ToolOutput { errors: "Signal: 9".to_owned(), ..ToolOutput::default() };
    let line = failed(shell("kill -9 $$"), output);
    check("AfterTool-run_shell_command-signal", "6bca2dc7", &line);
    let output = ToolOutput { errors: "Signal: 15".to_owned(), ..ToolOutput::text("a") };
    let content = "Output: a\nSignal: 15\nProcess Group PGID: 7";
    check_line(content, "a", &failed(shell("a"), output));
}

#[test]
fn a_line_that_could_not_be_started_failed() {
    let content =
        "<untrusted_context>\nOutput: (empty)\nError: no shell\nat all\n</untrusted_context>";
    let error = json!({ "message": "no shell\nat all", "type": "shell_execute_error" });
    let shown = "Command failed: no shell\nat all";
    let answer = json!({ "llmContent": content, "returnDisplay": shown, "error": error });
    let errors = "Error: no shell\nat all".to_owned();
    let output = ToolOutput { errors, rest: json!({ "error": error }), ..ToolOutput::default() };
    assert_eq!(end_of_line(&answer), failed(shell("a"), output));
}

#[test]
fn a_cancelled_line_failed() {
    let content = "Command was cancelled by user before it could complete. There was no output \
                   before it was cancelled.";
    let (output, interruption) = (ToolOutput::text(content), Interruption::ByPerson);
    let by_person = Event::ToolFailed { call: shell("a"), output, interruption, duration_ms: None };
    check_line(content, "Command cancelled by user.", &by_person);
    let content = "Command was automatically cancelled because it exceeded the timeout of 5.0 \
                   minutes without output. There was no output before it was cancelled.";
    check_line(content, "", &failed(shell("a"), ToolOutput::text(content)));
}

#[test]
fn nobody_knows_how_a_line_in_the_background_or_in_a_summary_ends() {
    let content = "Command moved to background (PID: 5280). Output hidden. Press Ctrl+B to view.";
    let call = ToolCall { rest: json!({ "is_background": true }), ..shell("sleep 30") };
    let line = ended(call, ToolOutput::text(content));
    check("AfterTool-run_shell_command-background", "6bca2dc7", &line);
    let summary = "The tests ran.";
    check_line(summary, "ok", &ended(shell("a"), ToolOutput::text(summary)));
    assert_eq!(end_of_line(&Value::Null), ended(shell("a"), ToolOutput::default()));
}

#[test]
fn a_written_file_is_new_or_has_a_first_changed_line() {
    let action = ToolUse::Write(WriteCall { path: text("a.txt"), text: text("x\n") });
    let call = ToolCall::new("write_file", action);
    check("BeforeTool-write_file", "4db0cd39", &Event::ToolRequested(call.clone()));
    let printed = "Successfully created and wrote to new file: /home/dev/project/a.txt. Here is the \
                   updated code:\nx\n";
    let file = Some(FileOutcome { created: true, first_line: Some(1) });
    let output = ToolOutput { file, ..ToolOutput::text(printed) };
    check("AfterTool-write_file", "4db0cd39", &succeeded(call, output));
}

#[test]
fn an_overwritten_file_is_not_new() {
    let call = ToolCall::write("a.txt", "1\n2\n");
    let call = ToolCall { tool: "write_file".to_owned(), ..call };
    let printed = "Successfully overwrote file: /home/dev/project/a.txt. Here is the updated code:\n\
                   1\n2\n";
    let file = Some(FileOutcome { created: false, first_line: Some(1) });
    let output = ToolOutput { file, ..ToolOutput::text(printed) };
    check("AfterTool-write_file-overwritten", "6bca2dc7", &succeeded(call, output));
}

/// A replacement in the file `a.txt`.
fn replace(old: &str, new: &str) -> ToolCall {
    let rest = json!({ "instruction": "i" });
    ToolCall { tool: "replace".to_owned(), rest, ..ToolCall::edit("a.txt", old, new) }
}

#[test]
fn an_edit_tells_its_first_line_and_a_failed_one_has_no_effect() {
    check("BeforeTool-replace", "6bca2dc7", &Event::ToolRequested(replace("2", "two")));
    let printed = "Successfully modified file: /home/dev/project/a.txt (1 replacements). Here is the \
                   updated code:\n1\ntwo\n3\n";
    let file = Some(FileOutcome { created: false, first_line: Some(1) });
    let output = ToolOutput { file, ..ToolOutput::text(printed) };
    check("AfterTool-replace", "6bca2dc7", &succeeded(replace("2", "two"), output));
    let message = "Could not find an exact match for 'old_string' in 'a.txt'. If previous edits \
                   modified the file or you are modifying lines outside your recent read window, \
                   please use ReadFile to inspect the target lines before retrying with an exact \
                   'old_string'.";
    let rest = json!({ "error": { "message": message, "type": "edit_no_occurrence_found" } });
    let output = ToolOutput { rest, ..ToolOutput::text(message) };
    check("AfterTool-replace-failed", "6bca2dc7", &failed(replace("zzz", "y"), output));
}

#[test]
fn a_part_of_a_file_is_without_the_notice_before_it() {
    let action = ToolUse::Read(ReadCall { path: text("a.txt"), from_line: Some(2) });
    let call = ToolCall::new("read_file", action);
    check("BeforeTool-read_file", "6bca2dc7", &Event::ToolRequested(call.clone()));
    let read = succeeded(call, ToolOutput::text("2\n3\n"));
    check("AfterTool-read_file-range", "6bca2dc7", &read);
}

#[test]
fn a_server_is_named_beside_the_tool() {
    let mcp = |server: &str, tool: &str| {
        ToolUse::Mcp(McpCall { server: server.to_owned(), tool: tool.to_owned() })
    };
    let action = mcp("memtest", "recall");
    let rest = json!({ "q": "abc" });
    let call = ToolCall { rest, ..ToolCall::new("mcp_memtest_recall", action) };
    check("BeforeTool-mcp_memtest_recall", "f0601f32", &Event::ToolRequested(call.clone()));
    let answered = succeeded(call, ToolOutput::text("MEMRESULT for abc"));
    check("AfterTool-mcp_memtest_recall", "f0601f32", &answered);
}

#[test]
fn every_part_of_a_servers_answer_is_without_its_tags() {
    let part = |text: &str| json!({ "text": format!("<untrusted_context>\n{text}\n</untrusted_context>") });
    let payload = json!({
        "session_id": "s",
        "tool_name": "mcp_a_b",
        "tool_input": {},
        "mcp_context": { "server_name": "a", "tool_name": "b" },
        "tool_response": { "llmContent": [part("x"), part("y")], "returnDisplay": "x\ny" },
    });
    let observed = (GEMINI.decode)("AfterTool", payload.to_string().as_bytes()).unwrap().unwrap();
    let Event::ToolSucceeded { output, .. } = observed.event else { panic!("{observed:?}") };
    assert_eq!(output, ToolOutput::text("x\ny"));
}

#[test]
fn a_subagent_is_only_a_call_of_the_main_agent() {
    let (agent_type, prompt) = (text("generalist"), text("SUBGOAL-XYZ"));
    let action = ToolUse::Delegate(DelegateCall { agent_type, prompt, ..DelegateCall::default() });
    let call = ToolCall::new("invoke_agent", action);
    check("BeforeTool-invoke_agent", "f90368d1", &Event::ToolRequested(call.clone()));
    let printed = "Subagent 'generalist' finished.\nTermination Reason: ERROR_NO_COMPLETE_TASK_CALL\n\
                   Result:\nAgent stopped calling tools but did not call 'complete_task'.";
    check("AfterTool-invoke_agent", "f90368d1", &succeeded(call, ToolOutput::text(printed)));
    // The subagent's own call.
    let search =
        SearchCall { target: SearchTarget::Names, pattern: None, path: text("."), names: None };
    let action = ToolUse::Search(search);
    let call = ToolCall::new("list_directory", action);
    check("BeforeTool-list_directory", "f90368d1", &Event::ToolRequested(call));
}

#[test]
fn a_session_starts_gets_a_prompt_stops_and_ends() {
    let transcript = |name: &str| text(&format!("/home/dev/.gemini/tmp/proj/chats/{name}.jsonl"));
    let started = |source, name| Event::SessionStarted {
        source,
        model: None,
        transcript: transcript(name),
        client: None,
    };
    let first = started(StartSource::Startup, "session-2026-11-15T18-51-4db0cd39");
    check("SessionStart-startup", "4db0cd39", &first);
    let resumed = started(StartSource::Resume, "session-2026-11-15T18-54-166131cc");
    check("SessionStart-resume", "166131cc", &resumed);
    let (origin, prompt) = (PromptOrigin::Person, "do it".to_owned());
    check("BeforeAgent", "4db0cd39", &Event::PromptSubmitted { origin, prompt });
    let stop = |continuation, last: &str| {
        let last_message = text(last);
        let (background, crons) = (vec![], vec![]);
        Event::StopRequested(StopRequest { continuation, last_message, background, crons })
    };
    check("AfterAgent-first", "4db0cd39", &stop(Continuation::First, "Running\nDone"));
    check("AfterAgent-active", "04adaeb5", &stop(Continuation::AfterRefusal, "Done 0\nDone 1"));
    let reason = EndReason::Other("exit".to_owned());
    check("SessionEnd-exit", "4db0cd39", &Event::SessionEnded { reason });
}

#[test]
fn a_question_for_a_person_is_a_notice_or_a_call() {
    let (kind, message) = ("ToolPermission", "Tool Confirm Shell Command requires execution");
    let (kind, message) = (kind.to_owned(), message.to_owned());
    check("Notification-ToolPermission", "0e1186eb", &Event::Notified { kind, message });
    let asked = |tool: &str| (GEMINI.call)(None, tool.to_owned(), json!({})).action;
    assert_eq!(asked("ask_user"), ToolUse::Ask(AskCall::Question));
    assert_eq!(asked("exit_plan_mode"), ToolUse::Ask(AskCall::Plan));
}
