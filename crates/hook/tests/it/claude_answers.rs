//! Tests that the adapter's answers have an effect on the real client. The effect is in the
//! client's next request to the model.

use serde_json::{Map, Value, json};
use verger_agent::by_name;
use verger_event::{Answer, Verdict};
use verger_testkit::{Kind, Print, Reply, Request, Rule, Script, Usage, Version, in_each_version};

use crate::stage::{Stage, bash};

in_each_version! {
    a_denied_tool_does_not_run_and_the_model_is_told_why
    an_allowed_tool_runs_without_being_allowed_elsewhere
    silence_leaves_the_decision_to_the_client
    where_nobody_can_be_asked_a_tool_that_must_be_asked_for_is_denied
    a_refused_stop_goes_on_with_the_reason
    a_refused_stop_of_a_subagent_goes_on_with_the_reason
    a_denied_prompt_never_reaches_the_model
    a_denied_item_is_not_on_the_list
    context_reaches_whom_it_is_for_and_notices_never_reach_the_model
    context_before_a_compaction_is_part_of_its_instructions
    context_over_the_limit_arrives_cut_and_says_so
    another_input_runs_instead_of_the_agents
    another_input_is_no_permission
    another_input_is_what_a_rule_of_the_client_is_asked_about
}

/// A command that the client doesn't run without permission.
const WRITE: &str = "echo written > made.txt";
const REASON: &str = "The reason, with \"quotes\" and two\nlines.";

fn deny() -> Answer {
    Answer { verdict: Verdict::Deny { reason: REASON.to_owned() }, ..Answer::default() }
}

fn context(text: &str) -> Answer {
    Answer { context: Some(text.to_owned()), ..Answer::default() }
}

/// Settings whose hooks answer the first call of each event and are silent after that.
fn answering(stage: &Stage, answers: &[(&str, Answer)]) -> Value {
    let hooks: Map<String, Value> = answers
        .iter()
        .map(|(event, answer)| {
            let text = (by_name("claude").unwrap().encode)(event, answer).unwrap_or_default();
            let path = stage.environment.root().join("answers").join(event);
            let path = stage.environment.write(path, text).display().to_string();
            let command = format!("mv {path} {path}.given 2> /dev/null && cat {path}.given; true");
            let hook = json!({ "type": "command", "command": command });
            ((*event).to_owned(), json!([{ "hooks": [hook] }]))
        })
        .collect();
    json!({ "hooks": hooks })
}

/// Runs one call of `bash(WRITE)` that the hooks answer. Returns the tool result that the model
/// gets.
fn try_to_write(stage: &Stage, answers: &[(&str, Answer)]) -> Value {
    let script = Script::new().step(bash(WRITE)).step(Reply::text("Done."));
    let played = stage.play(&answering(stage, answers), script, |print| print);
    assert_eq!(played.run.success().answer(), "Done.");
    let mut results = tool_results(&played.requests);
    assert_eq!(results.len(), 1, "{results:?}");
    results.remove(0)
}

/// The results of tool calls in the last turn of the main conversation. Additions of the client
/// are removed.
fn tool_results(requests: &[Request]) -> Vec<Value> {
    let last = requests.iter().rfind(|request| request.kind() == Kind::Main).unwrap();
    let messages = last.body["messages"].as_array().unwrap();
    let blocks = messages.iter().filter_map(|message| message["content"].as_array()).flatten();
    blocks
        .filter(|block| block["type"] == "tool_result")
        .map(|block| json!({ "is_error": block["is_error"], "content": block["content"] }))
        .collect()
}

fn is_written(stage: &Stage) -> bool {
    stage.environment.project().join("made.txt").exists()
}

fn a_denied_tool_does_not_run_and_the_model_is_told_why(version: Version) {
    let stage = Stage::new(version);
    let result = try_to_write(&stage, &[("PreToolUse", deny())]);
    let told = match version {
        Version::V2_1_197 => REASON.to_owned(),
        Version::V2_1_326 => format!("PreToolUse:Bash hook error: {REASON}"),
    };
    assert_eq!(result, json!({ "is_error": true, "content": told }));
    assert!(!is_written(&stage));
}

fn an_allowed_tool_runs_without_being_allowed_elsewhere(version: Version) {
    let stage = Stage::new(version);
    let allow = Verdict::Allow { reason: REASON.to_owned() };
    let answer = Answer { verdict: allow, ..Answer::default() };
    let result = try_to_write(&stage, &[("PreToolUse", answer)]);
    assert_eq!(result["is_error"], false, "{result}");
    assert!(is_written(&stage));
}

fn silence_leaves_the_decision_to_the_client(version: Version) {
    let stage = Stage::new(version);
    let result = try_to_write(&stage, &[("PreToolUse", Answer::default())]);
    assert_eq!(result["is_error"], true, "{result}");
    assert!(!is_written(&stage));
}

fn where_nobody_can_be_asked_a_tool_that_must_be_asked_for_is_denied(version: Version) {
    let stage = Stage::new(version);
    let ask = Verdict::Ask { reason: REASON.to_owned() };
    let answer = Answer { verdict: ask, ..Answer::default() };
    let result = try_to_write(&stage, &[("PreToolUse", answer)]);
    assert_eq!(result, json!({ "is_error": true, "content": REASON }));
    assert!(!is_written(&stage));
}

fn a_refused_stop_goes_on_with_the_reason(version: Version) {
    let stage = Stage::new(version);
    let answer = Answer { notice: Some("NOTICE".to_owned()), ..deny() };
    let script = Script::new().step(Reply::text("One.")).step(Reply::text("Two."));
    let played = stage.play(&answering(&stage, &[("Stop", answer)]), script, |print| print);
    assert_eq!(played.run.success().answer(), "Two.");
    let feedback = format!("Stop hook additional context: {REASON}");
    assert_eq!(mentions(&played.requests, &feedback), [(Kind::Main, false), (Kind::Main, true)]);
    assert_eq!(mentions(&played.requests, "NOTICE"), [(Kind::Main, false); 2]);
}

fn a_refused_stop_of_a_subagent_goes_on_with_the_reason(version: Version) {
    let stage = Stage::new(version);
    let script = Script::new()
        .step(agent())
        .step(Reply::text("Done."))
        .rule(Rule::subagent().step(Reply::text("One.")).step(Reply::text("Two.")));
    let settings = answering(&stage, &[("SubagentStop", deny())]);
    let played = stage.play(&settings, script, |print| print.allowed_tools(["Agent"]));
    assert_eq!(played.run.success().answer(), "Done.");
    assert_eq!(
        mentions(&played.requests, REASON),
        [(Kind::Main, false), (Kind::Subagent, false), (Kind::Subagent, true), (Kind::Main, false),]
    );
}

fn a_denied_prompt_never_reaches_the_model(version: Version) {
    let stage = Stage::new(version);
    let settings = answering(&stage, &[("UserPromptSubmit", deny())]);
    let played = stage.play(&settings, Script::new(), |print| print);
    let run = played.run.success();
    assert_eq!(run.result()["num_turns"], 0);
    assert!(run.answer().contains(REASON), "{}", run.answer());
    assert_eq!(mentions(&played.requests, REASON), []);
}

fn a_denied_item_is_not_on_the_list(version: Version) {
    let stage = Stage::new(version);
    let item = json!({ "subject": "Sweep", "description": "The floor", "activeForm": "Sweeping" });
    let script = Script::new()
        .step(Reply::tool_use("TaskCreate", item))
        .step(Reply::tool_use("TaskList", json!({})))
        .step(Reply::text("Done."));
    let settings = answering(&stage, &[("TaskCreated", deny())]);
    // Version 2.1.325 offers its to-do tools only if this variable is set.
    let todo_tools = "CLAUDE_CODE_ENABLE_TODO_TOOLS";
    let played = stage.play(&settings, script, |print| print.env(todo_tools, "1"));
    assert_eq!(played.run.success().answer(), "Done.");
    let feedback = format!("TaskCreated hook feedback:\n{REASON}");
    let denied = json!({ "is_error": true, "content": feedback });
    let listed = json!({ "is_error": null, "content": "No tasks found" });
    assert_eq!(tool_results(&played.requests), [denied, listed]);
}

fn context_reaches_whom_it_is_for_and_notices_never_reach_the_model(version: Version) {
    const EVENTS: [&str; 6] = [
        "SessionStart",
        "UserPromptSubmit",
        "SubagentStart",
        "PreToolUse",
        "PostToolUse",
        "PostToolBatch",
    ];
    let stage = Stage::new(version);
    let answers = EVENTS.map(|event| {
        let notice = Some(format!("NOTICE-{event}"));
        (event, Answer { notice, ..context(&format!("CONTEXT-{event}")) })
    });
    let script = Script::new()
        .step(bash("echo main"))
        .step(agent())
        .step(Reply::text("Done."))
        .rule(Rule::subagent().step(Reply::text("Looked.")));
    let settings = answering(&stage, &answers);
    let played = stage.play(&settings, script, |print| print.allowed_tools(["Agent", "Bash"]));
    assert_eq!(played.run.success().answer(), "Done.");
    let requests = &played.requests;
    let (main, subagent) = ((Kind::Main, false), (Kind::Subagent, false));
    assert_eq!(mentions(requests, "NOTICE"), [main, main, subagent, main]);
    // Each letter is one request to the model that contains the context.
    let reached = EVENTS.map(|event| {
        let mentions = mentions(requests, &format!("CONTEXT-{event}"));
        let letters = mentions.iter().map(|mention| match mention {
            (Kind::Main, true) => 'M',
            (Kind::Subagent, true) => 'S',
            _ => '.',
        });
        format!("{event} {}", letters.collect::<String>())
    });
    assert_eq!(
        reached,
        [
            "SessionStart MM.M",
            "UserPromptSubmit MM.M",
            "SubagentStart ..S.",
            "PreToolUse .M.M",
            "PostToolUse .M.M",
            "PostToolBatch .M.M",
        ]
    );
}

fn context_before_a_compaction_is_part_of_its_instructions(version: Version) {
    let stage = Stage::new(version);
    let full = Usage { input_tokens: 180_000, ..Usage::default() };
    let script = Script::new()
        .step(bash("echo one"))
        .step(bash("echo two").usage(full))
        .step(Reply::text("Done."))
        .rule(Rule::compaction().step(Reply::text("<summary>Echoed twice.</summary>")));
    let settings = answering(&stage, &[("PreCompact", context("Keep the word MARROW."))]);
    let played =
        stage.play(&settings, script, |print| Print::small_context(print).allowed_tools(["Bash"]));
    assert_eq!(played.run.success().answer(), "Done.");
    assert_eq!(
        mentions(&played.requests, "Keep the word MARROW."),
        [(Kind::Main, false), (Kind::Main, false), (Kind::Compaction, true), (Kind::Main, false),]
    );
}

fn context_over_the_limit_arrives_cut_and_says_so(version: Version) {
    let stage = Stage::new(version);
    let settings = answering(&stage, &[("SessionStart", context(&"0123456789".repeat(1_200)))]);
    let played = stage.play(&settings, Script::new().step(Reply::text("Done.")), |print| print);
    assert_eq!(played.run.success().answer(), "Done.");
    let cut = format!(
        "{}\n[verger: 2100 of 12000 characters are left out here]",
        "0123456789".repeat(990)
    );
    assert_eq!(mentions(&played.requests, &cut), [(Kind::Main, true)]);
}

/// An answer that replaces the command line of the call.
fn rewriting(line: &str) -> Answer {
    let rewritten = Some(json!({ "command": line, "description": "x" }));
    Answer { rewritten, ..Answer::default() }
}

const REWRITTEN: &str = "echo rewritten > made.txt";

fn another_input_runs_instead_of_the_agents(version: Version) {
    let stage = Stage::new(version);
    let script = Script::new().step(bash(WRITE)).step(Reply::text("Done."));
    let settings = answering(&stage, &[("PreToolUse", rewriting(REWRITTEN))]);
    let played = stage.play(&settings, script, |print| print.allowed_tools(["Bash"]));
    assert_eq!(played.run.success().answer(), "Done.");
    assert_eq!(stage.environment.read("made.txt"), "rewritten\n");
}

fn another_input_is_no_permission(version: Version) {
    let stage = Stage::new(version);
    let result = try_to_write(&stage, &[("PreToolUse", rewriting(REWRITTEN))]);
    assert_eq!(result["is_error"], true, "{result}");
    assert!(!is_written(&stage));
}

/// The client applies its rules to the rewritten command line, not to the requested one.
fn another_input_is_what_a_rule_of_the_client_is_asked_about(version: Version) {
    for (allowed, expected) in [("Bash(touch made.txt)", true), ("Bash(touch asked.txt)", false)] {
        let stage = Stage::new(version);
        let script = Script::new().step(bash("touch asked.txt")).step(Reply::text("Done."));
        let settings = answering(&stage, &[("PreToolUse", rewriting("touch made.txt"))]);
        let played = stage.play(&settings, script, |print| print.allowed_tools([allowed]));
        assert_eq!(played.run.success().answer(), "Done.");
        let results = tool_results(&played.requests);
        assert_eq!(is_written(&stage), expected, "{allowed} {results:#?}");
    }
}

/// A call that starts a subagent in the foreground. Version 2.1.325 would otherwise start it in
/// the background.
fn agent() -> Reply {
    let call = json!({
        "description": "Look",
        "prompt": "Look around",
        "subagent_type": "general-purpose",
        "run_in_background": false,
    });
    Reply::tool_use("Agent", call)
}

/// For each request to the model: its kind, and whether it contains `text`.
fn mentions(requests: &[Request], text: &str) -> Vec<(Kind, bool)> {
    let messages = requests.iter().map(|request| (request.kind(), request.mentions(text)));
    messages.filter(|(kind, _)| *kind != Kind::Probe).collect()
}
