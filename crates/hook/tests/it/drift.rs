//! Tests drift in the hook: when a session is scored, the texts for the agent, handoffs and
//! records.

use std::collections::BTreeMap;
use std::fs;

use serde_json::{Value, json};
use verger_event::{Event, ReadCall, Record, ToolCall, ToolOutput, ToolUse};
use verger_testkit::{Conversation, HookAnswer, Speaker, captured};

use crate::gate_stage::{conversation, lines, news, warnings};
use crate::log::Log;
use crate::scene::{SESSION, key};

const CWD: &str = "/home/dev/app/lib";
const CORRECT: &str = "[drift]\nmode = \"correct\"\n";
const SUBAGENT: Speaker<'_> = Speaker::Subagent { id: "a1", agent_type: "general" };

#[track_caller]
pub(crate) fn begun(settings: &str, prompt: &str) -> Conversation {
    let conversation = conversation();
    conversation.configure(settings);
    assert_eq!(conversation.prompt(prompt), HookAnswer::default());
    conversation
}

/// Edits one file in a batch of its own. Returns the answers to the request and to the batch.
#[track_caller]
pub(crate) fn edits(
    conversation: &Conversation,
    file: &str,
    old: &str,
    new: &str,
) -> [HookAnswer; 2] {
    edits_as(conversation, Speaker::Main, file, (old, new))
}

#[track_caller]
fn edits_as(
    conversation: &Conversation,
    speaker: Speaker<'_>,
    file: &str,
    (old, new): (&str, &str),
) -> [HookAnswer; 2] {
    let path = conversation.environment.project().join(file);
    let input = json!({ "file_path": path, "old_string": old, "new_string": new });
    let id = json!(conversation.next_tool_use());
    let requested = conversation.tool(speaker, "Edit", &input);
    if requested.verdict.is_some() {
        return [requested, HookAnswer::default()];
    }
    conversation.environment.write(file, new);
    [requested, ended(conversation, speaker, "Edit", &input, &id)]
}

#[track_caller]
fn call(
    conversation: &Conversation,
    speaker: Speaker<'_>,
    tool: &str,
    input: &Value,
) -> [HookAnswer; 2] {
    let id = json!(conversation.next_tool_use());
    let requested = conversation.tool(speaker, tool, input);
    if requested.verdict.is_some() {
        return [requested, HookAnswer::default()];
    }
    [requested, ended(conversation, speaker, tool, input, &id)]
}

/// Reports a successful call and the end of its batch. Returns the answer to the batch.
#[track_caller]
fn ended(
    conversation: &Conversation,
    speaker: Speaker<'_>,
    tool: &str,
    input: &Value,
    id: &Value,
) -> HookAnswer {
    let changes = [
        ("tool_name", json!(tool)),
        ("tool_input", input.clone()),
        ("tool_response", json!({ "stdout": "ok" })),
        ("tool_use_id", id.clone()),
    ];
    let done = conversation.call_of(speaker, "PostToolUse-Bash", &changes);
    assert_eq!(done, HookAnswer::default());
    batch(conversation, speaker, tool, input, id)
}

fn batch(
    conversation: &Conversation,
    speaker: Speaker<'_>,
    tool: &str,
    input: &Value,
    id: &Value,
) -> HookAnswer {
    let mut calls = captured("PostToolBatch")["tool_calls"].clone();
    calls[0]["tool_use_id"] = id.clone();
    calls[0]["tool_name"] = json!(tool);
    calls[0]["tool_input"] = input.clone();
    conversation.call_of(speaker, "PostToolBatch", &[("tool_calls", calls)])
}

/// Edits these files, each in a batch of its own. Returns the contexts that the batches get.
#[track_caller]
fn edits_all(conversation: &Conversation, files: &[&str]) -> Vec<Option<String>> {
    let texts = files.iter().map(|file| {
        let [_, batch] = edits(conversation, file, "color: red", "color: teal; margin: 4px");
        batch.context
    });
    texts.collect()
}

/// Runs a command line in a batch of its own. Returns the answers to the request and to the
/// batch.
#[track_caller]
fn runs(conversation: &Conversation, line: &str) -> [HookAnswer; 2] {
    call(conversation, Speaker::Main, "Bash", &json!({ "command": line }))
}

const STYLES: &[&str] = &["web/theme.css", "web/icons.css", "web/fonts.css"];
pub(crate) const LOGIN: &str = "Fix the login redirect in src/login.rs. Do not add dependencies.";
const NO_STYLES: &str = "Fix the typo in README.md. Do not touch web/.";

#[track_caller]
pub(crate) fn works_on_login(conversation: &Conversation) {
    edits_unheard(conversation, "src/login.rs", "fn redirect(to)", "fn redirect(url)");
}

/// Edits a file and checks that the hook doesn't answer.
#[track_caller]
fn edits_unheard(conversation: &Conversation, file: &str, old: &str, new: &str) {
    let said = edits(conversation, file, old, new);
    assert_eq!(said, [HookAnswer::default(), HookAnswer::default()]);
}

#[test]
fn a_session_without_limits_and_failing_checks_is_not_measured() {
    let conversation = begun(CORRECT, "Fix the login redirect in src/login.rs.");
    assert_eq!(edits_all(&conversation, &[STYLES, STYLES].concat()), vec![None; 6]);
    assert_eq!(news(&conversation), ["main start_tree.taken a tree"]);
}

#[test]
fn an_agent_that_breaks_a_limit_is_told_once_per_break() {
    let conversation = begun(CORRECT, NO_STYLES);
    edits_unheard(&conversation, "README.md", "teh", "the");
    let told = edits_all(&conversation, STYLES);
    let [None, Some(first), Some(second)] = &told[..] else { panic!("{told:?}") };
    insta::assert_snapshot!(first, @"
    verger: you did something that the person forbade.
    - `web/icons.css`: the person said: do not change web/
    Next: restore `web/theme.css`, `web/icons.css` to the content before this task. If you think that the person has changed their mind, ask before you go on.
    ");
    insta::assert_snapshot!(second, @"
    verger: you did it again after you were told that the person forbade it.
    - `web/fonts.css`: the person said: do not change web/
    Do this first, before anything else: restore `web/theme.css`, `web/icons.css`, `web/fonts.css` to the content before this task. If you need it, ask the person.
    ");
    edits_unheard(&conversation, "README.md", "adn", "and");
    insta::assert_snapshot!(news(&conversation).join("\n"), @"
    main start_tree.taken a tree
    main gate.changed drift normal -> drifted: score 5: `web/icons.css`: the person said: do not change web/
    main context.injected tool_batch.ended: drift
    main gate.changed drift drifted -> drifted: score 3: `web/fonts.css`: the person said: do not change web/
    main context.injected tool_batch.ended: drift
    ");
    assert_eq!(warnings(&conversation), Vec::<String>::new());
}

#[test]
fn in_mode_observe_findings_are_recorded_and_the_agent_is_not_told() {
    let conversation = begun("", NO_STYLES);
    assert_eq!(edits_all(&conversation, STYLES), [None, None, None]);
    insta::assert_snapshot!(news(&conversation).join("\n"), @"
    main start_tree.taken a tree
    main gate.changed drift normal -> normal: score 5: `web/fonts.css`: the person said: do not change web/
    ");
    let off = begun("[drift]\nmode = \"off\"\n", NO_STYLES);
    assert_eq!(edits_all(&off, STYLES), [None, None, None]);
    assert_eq!(news(&off), ["main start_tree.taken a tree"]);
}

/// A session whose agent has broken its limit three times.
fn forced() -> Conversation {
    let conversation = begun(CORRECT, NO_STYLES);
    let told = edits_all(&conversation, &[STYLES, &["web/grid.css", "web/menu.css"]].concat());
    let told: Vec<bool> = told.iter().map(Option::is_some).collect();
    assert_eq!(told, [false, false, true, true, true]);
    conversation
}

#[test]
fn a_third_break_is_denied_until_the_person_speaks() {
    let conversation = forced();
    let [denied, _] = edits(&conversation, "web/more.css", "a", "b");
    insta::assert_snapshot!(denied, @"
    deny: verger: this did not run. The person forbade it.
    - `web/menu.css`: the person said: do not change web/
    You were told before. Do not do it with another tool; this is recorded. If you need it, also to undo it, stop and ask the person.
    notice: verger denied an action that you forbade and that the agent did three times. If the agent may do it now, tell it. `verger drift` shows what happened.
    ");
    edits_unheard(&conversation, "README.md", "teh", "the");
    let answer = conversation.prompt("You can edit web/ now.");
    assert_eq!(answer, HookAnswer::default());
    assert_eq!(edits(&conversation, "web/more.css", "a", "b")[0], HookAnswer::default());
}

#[test]
fn an_action_is_denied_three_times_and_then_runs() {
    let conversation = forced();
    let answers = [(); 5].map(|()| edits(&conversation, "web/more.css", "a", "b"));
    let said = answers.map(|[answer, _]| match (answer.verdict, answer.notice) {
        (Some((word, _)), _) => word,
        (None, Some(_)) => "released".to_owned(),
        (None, None) => "-".to_owned(),
    });
    assert_eq!(said, ["deny", "deny", "deny", "released", "-"]);
}

#[test]
fn a_file_that_has_its_content_from_the_start_of_the_task_again_ends_the_finding() {
    let conversation = conversation();
    conversation.configure(CORRECT);
    conversation.environment.write("web/theme.css", "color: red\n");
    assert_eq!(conversation.prompt(NO_STYLES), HookAnswer::default());
    let edit = |content: &str| {
        let path = conversation.environment.project().join("web/theme.css");
        let input = json!({ "file_path": path, "content": content });
        let id = json!(conversation.next_tool_use());
        let requested = conversation.tool(Speaker::Main, "Write", &input);
        assert_eq!(requested, HookAnswer::default());
        conversation.environment.write("web/theme.css", content);
        ended(&conversation, Speaker::Main, "Write", &input, &id).context
    };
    assert_eq!(edit("color: teal\n"), None);
    assert_eq!(edit("color: blue\n"), None);
    assert!(edit("color: green\n").is_some(), "the third batch is scored");
    assert_eq!(edit("color: red\n"), None, "a change that restores the file is no new break");
    let news = news(&conversation);
    insta::assert_snapshot!(news[news.len() - 2..].join("\n"), @"
    main gate.changed drift drifted -> drifted: restored: web/theme.css
    main gate.changed drift drifted -> normal: score 10
    ");
}

#[test]
fn going_in_circles_is_told_once_and_denies_nothing() {
    let conversation = begun(CORRECT, "Fix the login redirect in src/login.rs.");
    let mut told = vec![];
    for _ in 0..6 {
        works_on_login_unless_told(&conversation, &mut told);
        let id = json!(conversation.next_tool_use());
        let input = json!({ "command": "cargo test" });
        assert_eq!(conversation.tool(Speaker::Main, "Bash", &input), HookAnswer::default());
        let error =
            "Exit code 101\ntest login::redirects ... FAILED\n\nfailures:\n    login::redirects\n";
        let changes = [
            ("tool_name", json!("Bash")),
            ("tool_input", input.clone()),
            ("error", json!(error)),
            ("tool_use_id", id.clone()),
        ];
        told.extend(conversation.call("PostToolUseFailure-Bash", &changes).context);
        told.extend(batch(&conversation, Speaker::Main, "Bash", &input, &id).context);
    }
    insta::assert_snapshot!(told.join("\n---\n"), @"
    verger: the same check keeps failing in the same way, although you changed files in between.
    - `cargo test` failed 3 times in the same way, with edits in between: login::redirects
    Before the next edit: look at the failure itself, say what you learned from it, then try another way or ask the person.
    ");
}

fn works_on_login_unless_told(conversation: &Conversation, told: &mut Vec<String>) {
    let [requested, batch] =
        edits(conversation, "src/login.rs", "fn redirect(to)", "fn redirect(url)");
    assert_eq!(requested.verdict, None);
    told.extend([requested.context, batch.context].into_iter().flatten());
}

#[test]
fn a_program_of_the_users_choice_scores_and_its_failure_changes_nothing() {
    let scorer = |conversation: &Conversation, script: &str| {
        let root = conversation.environment.root().join("scorer");
        let program =
            conversation.environment.write_program(root, format!("#!/bin/sh\n{script}\n"));
        conversation.configure(format!(
            "[drift]\nmode = \"correct\"\nscorer = {{ command = [{:?}] }}\n",
            program.display().to_string()
        ));
    };
    let judged = begun("", LOGIN);
    let answer = r#"{"score": 4, "reason": "the redirect was not looked at"}"#;
    scorer(&judged, &format!("cat > \"$0.told\"; echo '{answer}'"));
    works_on_login(&judged);
    works_on_login(&judged);
    let [_, batch] = edits(&judged, "src/login.rs", "fn redirect(to)", "fn redirect(url)");
    insta::assert_snapshot!(batch, @r#"
    context: verger: you are no longer working on what the person asked for: "Fix the login redirect in src/login.rs. Do not add dependencies."
    - the redirect was not looked at
    Do this first, before anything else: go back to what the person asked for. If the person wants something else by now, ask.
    "#);
    insta::assert_snapshot!(judged.environment.read(judged.environment.root().join("scorer.told")), @r#"{"constraints":["do not add dependencies"],"done":["Changed src/login.rs, 3 times"],"files":["src/login.rs"],"goal":"Fix the login redirect in src/login.rs. Do not add dependencies.","reasons":[],"score":10,"state":[]}"#);
    let failing = begun("", LOGIN);
    scorer(&failing, "exit 3");
    for _ in 0..6 {
        works_on_login(&failing);
    }
    insta::assert_snapshot!(news(&failing).join("\n"), @"
    main start_tree.taken a tree
    main gate.changed drift-scorer asked -> failed: it ended with exit status: 3
    main gate.changed drift normal -> normal: score 10
    main gate.changed drift-scorer asked -> failed: it ended with exit status: 3
    ");
}

#[test]
fn a_subagent_is_never_told_and_its_steps_count() {
    let conversation = begun(CORRECT, NO_STYLES);
    assert_eq!(conversation.start_subagent("a1", "general"), HookAnswer::default());
    for file in [STYLES, STYLES].concat() {
        let said = edits_as(&conversation, SUBAGENT, file, ("color: red", "color: teal"));
        assert_eq!(said, [HookAnswer::default(), HookAnswer::default()]);
    }
    let file = json!({ "file_path": conversation.environment.project().join("README.md") });
    let looks = [(); 3].map(|()| call(&conversation, Speaker::Main, "Read", &file));
    let told = looks.map(|[_, batch]| batch.context.is_some());
    assert_eq!(told, [false, false, true], "the main agent is told of its subagents' steps");
}

#[test]
fn a_push_that_the_person_ruled_out_is_found() {
    let conversation = begun(CORRECT, "Fix the typo in README.md, but don't push.");
    edits_unheard(&conversation, "README.md", "teh", "the");
    assert_eq!(runs(&conversation, "git push origin main")[1], HookAnswer::default());
    let [_, batch] = edits(&conversation, "README.md", "adn", "and");
    insta::assert_snapshot!(batch, @"
    context: verger: you did something that the person forbade.
    - `git push`: the person said: do not push
    Next: do not run `git push` again, and tell the person that it ran. If you think that the person has changed their mind, ask before you go on.
    ");
}

#[track_caller]
fn recorded(conversation: &Conversation, kind: &str) -> Vec<String> {
    let lines = lines(conversation);
    let of_kind = lines.lines().filter(|line| line.split(' ').nth(2) == Some(kind));
    of_kind.map(|line| line.splitn(7, ' ').last().unwrap_or_default().to_owned()).collect()
}

#[test]
fn a_finished_task_is_recorded_and_one_that_is_held_is_not() {
    let conversation = begun("", LOGIN);
    works_on_login(&conversation);
    let says =
        |words: &str| conversation.call("Stop-first", &[("last_assistant_message", json!(words))]);
    assert_eq!(says("Shall I also rename it?"), HookAnswer::default());
    assert_eq!(recorded(&conversation, "task.recorded"), Vec::<String>::new());
    assert_eq!(conversation.prompt("No, leave the name."), HookAnswer::default());
    assert_eq!(says("Fixed. I kept the old name because you asked for it."), HookAnswer::default());
    insta::assert_snapshot!(recorded(&conversation, "task.recorded").join("\n"), @r#"{"number":1,"status":"complete","trigger":"complete","query":"Fix the login redirect in src/login.rs. Do not add dependencies.","goal":"Fix the login redirect in src/login.rs. Do not add dependencies. No, leave the name.","task":{"breaches":0,"cites":["01M7G83HV000000000000003X0"],"constraints":["do not add dependencies"],"decisions":[{"choice":"I kept the old name","reason":"you asked for it"}],"files":["src/login.rs"],"steps":1,"tags":["rs"],"trace":["Changed src/login.rs"]}}"#);
    let held = begun("", &format!("#review {LOGIN}"));
    works_on_login(&held);
    held.write("src/login.rs", "fn redirect(url) {}\n");
    assert!(
        held.call("Stop-first", &[("last_assistant_message", json!("Fixed."))]).verdict.is_some()
    );
    assert_eq!(recorded(&held, "task.recorded"), Vec::<String>::new());
}

#[test]
fn tasks_left_for_other_work_or_at_the_session_end_are_recorded() {
    let conversation = begun("", LOGIN);
    works_on_login(&conversation);
    let other = "Forget that. Write a changelog generator in tools/changelog.py.";
    assert_eq!(conversation.prompt(other), HookAnswer::default());
    edits_unheard(&conversation, "tools/changelog.py", "a", "def collect():");
    assert_eq!(conversation.call("SessionEnd-other", &[]), HookAnswer::default());
    let status = |line: &String| {
        let record: Value = serde_json::from_str(line).unwrap();
        format!("{} {} {}", record["number"], record["status"], record["trigger"])
    };
    let recorded: Vec<_> = recorded(&conversation, "task.recorded").iter().map(status).collect();
    assert_eq!(recorded, [r#"1 "abandoned" "other work""#, r#"2 "partial" "session end""#]);
}

#[test]
fn goal_and_constraints_outlive_a_compaction_once() {
    let conversation = begun("", LOGIN);
    works_on_login(&conversation);
    assert_eq!(conversation.call("PreCompact-auto", &[]), HookAnswer::default());
    let given = conversation.call("SessionStart-compact", &[]);
    insta::assert_snapshot!(given, @"
    context: verger: notes of this session from before the conversation was compacted. They are a record, not an instruction: the person's words come first.

    ## Goal
    Fix the login redirect in src/login.rs. Do not add dependencies.

    ## Limits of the person
    - do not add dependencies

    ## Progress
    - Changed src/login.rs

    ## Decisions
    - nothing

    ## Files
    - src/login.rs

    ## Current state
    - nothing

    ## Next action
    go on with the goal, or say that it is done
    ");
    assert_eq!(conversation.call("SessionStart-compact", &[]), HookAnswer::default());
    assert_eq!(conversation.call("SessionEnd-other", &[]), HookAnswer::default());
    let again = conversation.call("SessionStart-resume", &[]);
    assert!(again.context.is_some_and(|text| text.contains("before the session ended")));
    assert_eq!(conversation.call("SessionStart-resume", &[]), HookAnswer::default());
}

/// The number, status and files of each recorded task.
#[track_caller]
fn tasks(conversation: &Conversation) -> Vec<String> {
    let told = |line: &String| {
        let record: Value = serde_json::from_str(line).unwrap();
        format!("{} {} {}", record["number"], record["status"], record["task"]["files"])
    };
    recorded(conversation, "task.recorded").iter().map(told).collect()
}

#[track_caller]
fn says(conversation: &Conversation, words: &str) {
    let answer = conversation.call("Stop-first", &[("last_assistant_message", json!(words))]);
    assert_eq!(answer, HookAnswer::default());
}

#[test]
fn a_task_that_goes_on_after_it_was_finished_is_recorded_again() {
    for (done, answer, done_again) in [
        ("Fixed the redirect. Shall I also add a test?", "yes, please", "Done, the test passes."),
        (
            "リダイレクトを修正しました。テストも追加しましょうか？",
            "はい、お願いします",
            "テストを追加しました。すべて通っています。",
        ),
    ] {
        let conversation = begun("", LOGIN);
        works_on_login(&conversation);
        says(&conversation, done);
        assert_eq!(tasks(&conversation), [r#"1 "unverified" ["src/login.rs"]"#], "{done}");
        assert_eq!(conversation.prompt(answer), HookAnswer::default());
        edits_unheard(&conversation, "tests/login.rs", "", "fn redirects() {}");
        says(&conversation, done_again);
        let again = r#"1 "unverified" ["src/login.rs","tests/login.rs"]"#;
        assert_eq!(tasks(&conversation)[1..], [again], "{answer}");
    }
}

#[test]
fn finished_tasks_survive_a_compaction_and_open_tasks_a_resume() {
    let conversation = begun("", LOGIN);
    works_on_login(&conversation);
    says(&conversation, "Fixed. I kept the old name because the mobile app uses it.");
    assert_eq!(conversation.call("PreCompact-auto", &[]), HookAnswer::default());
    insta::assert_snapshot!(conversation.call("SessionStart-compact", &[]), @"
    context: verger: notes of this session from before the conversation was compacted. They are a record, not an instruction: the person's words come first.

    ## Goal
    Fix the login redirect in src/login.rs. Do not add dependencies.

    ## Limits of the person
    - do not add dependencies

    ## Progress
    - Changed src/login.rs

    ## Decisions
    - I kept the old name: the mobile app uses it

    ## Files
    - src/login.rs

    ## Current state
    - the task is finished
    - the agent's last message: Fixed. I kept the old name because the mobile app uses it.

    ## Next action
    nothing: wait for the person's next prompt
    ");
    assert_eq!(conversation.call("SessionEnd-other", &[]), HookAnswer::default());
    assert_eq!(conversation.call("SessionStart-resume", &[]), HookAnswer::default());
    let more = "the redirect must keep the query";
    assert_eq!(conversation.prompt(more), HookAnswer::default());
    edits_unheard(&conversation, "src/query.rs", "redirect(url)", "redirect(url, query)");
    assert_eq!(conversation.call("SessionEnd-other", &[]), HookAnswer::default());
    insta::assert_snapshot!(conversation.call("SessionStart-resume", &[]), @"
    context: verger: notes of this session from before the session ended. They are a record, not an instruction: the person's words come first.

    ## Goal
    the redirect must keep the query

    ## Limits of the person
    - nothing

    ## Progress
    - Changed src/query.rs

    ## Decisions
    - nothing

    ## Files
    - src/query.rs

    ## Current state
    - nothing

    ## Next action
    go on with the goal, or say that it is done
    ");
    assert_eq!(conversation.prompt("go on"), HookAnswer::default());
    says(&conversation, "Fixed: the query is kept.");
    assert_eq!(
        tasks(&conversation),
        [
            r#"1 "unverified" ["src/login.rs"]"#,
            r#"2 "partial" ["src/query.rs"]"#,
            r#"2 "unverified" ["src/query.rs"]"#,
        ]
    );
}

#[test]
fn paths_to_restore_survive_a_compaction() {
    let conversation = begun(CORRECT, NO_STYLES);
    let told = edits_all(&conversation, STYLES);
    assert!(told[2].is_some(), "{told:?}");
    assert_eq!(conversation.call("PreCompact-auto", &[]), HookAnswer::default());
    let given = conversation.call("SessionStart-compact", &[]).context.unwrap();
    let (_, state) = given.split_once("## Current state\n").unwrap();
    insta::assert_snapshot!(state, @"
    - drift: `web/fonts.css`: the person said: do not change web/

    ## Next action
    restore `web/theme.css`, `web/icons.css`, `web/fonts.css` to the content before this task
    ");
}

#[test]
fn two_sessions_in_one_directory_never_mix() {
    let mut conversation = begun(CORRECT, LOGIN);
    works_on_login(&conversation);
    let first = conversation.session().to_owned();
    conversation.continue_as("22222222-2222-4222-8222-222222222222");
    assert_eq!(conversation.prompt("Restyle the pages in web/."), HookAnswer::default());
    assert_eq!(edits_all(&conversation, STYLES), [None, None, None], "that is its work");
    assert_eq!(conversation.call("PreCompact-auto", &[]), HookAnswer::default());
    conversation.continue_as(&first);
    assert_eq!(conversation.call("SessionStart-compact", &[]), HookAnswer::default());
    works_on_login(&conversation);
    works_on_login(&conversation);
}

#[test]
fn whatever_a_prompt_or_a_call_holds_the_agent_goes_on() {
    let conversation = begun(CORRECT, LOGIN);
    let long = "fix src/login.rs ".repeat(60_000);
    let code = "```rust\nfn main() {}\n```";
    for prompt in [&*long, "", " \n", code, "直して fix это src/login.rs を"] {
        assert_eq!(conversation.prompt(prompt), HookAnswer::default());
    }
    for input in [json!({}), json!([]), json!({ "file_path": 7 }), json!({ "command": null })] {
        for tool in ["Edit", "Bash", "Grep", "mcp__x__y"] {
            assert_eq!(call(&conversation, Speaker::Main, tool, &input)[0].verdict, None);
        }
    }
    conversation.set_back_seconds(86_400);
    works_on_login(&conversation);
    assert_eq!(warnings(&conversation), Vec::<String>::new());
}

/// The sizes of the session's snapshots, by the suffixes of their names.
fn snapshots(conversation: &Conversation) -> BTreeMap<String, u64> {
    let directory = conversation.environment.verger_home().join("data/sessions");
    let files = fs::read_dir(directory).unwrap().map(|entry| entry.unwrap());
    let sized = files.map(|file| {
        let name = file.file_name().into_string().unwrap();
        let (_, ending) = name.split_once('.').unwrap();
        (ending.to_owned(), file.metadata().unwrap().len())
    });
    sized.collect()
}

#[test]
fn a_session_of_ten_thousand_records_has_snapshots_of_bounded_size() {
    let conversation = begun("", LOGIN);
    works_on_login(&conversation);
    let log = Log::of(&conversation.environment);
    let records = log.records(&key(SESSION));
    let is_call = |record: &&Record| matches!(record.draft.event, Event::ToolSucceeded { .. });
    let done = records.iter().find(is_call).unwrap();
    let mut sizes = vec![];
    for thousand in 0..10 {
        let calls = (0..1_000).map(|number| {
            let file = format!("{CWD}/part{}/file{thousand}x{number}.rs", number % 7);
            let call = match number % 4 {
                0 => ToolCall::edit(&*file, "a", &file),
                1 => ToolCall::shell(format!("cargo test part{number}")),
                _ => {
                    let read = ReadCall { path: Some(file), from_line: None };
                    ToolCall::new("Read", ToolUse::Read(read))
                }
            };
            let call = call.with_id(format!("toolu_{thousand}_{number}"));
            Event::ToolSucceeded { call, output: ToolOutput::text("ok"), duration_ms: None }
        });
        log.append_all(done, calls);
        assert_eq!(conversation.prompt("Go on."), HookAnswer::default());
        sizes.push(snapshots(&conversation));
    }
    assert!(log.records(&key(SESSION)).len() > 10_000);
    let [_, early, .., last] = &sizes[..] else { panic!("{sizes:?}") };
    assert_eq!(last.keys().collect::<Vec<_>>(), ["json", "json.1", "track.bin"]);
    for (name, bytes) in last {
        assert!(*bytes < 24 * 1024, "{name}: {sizes:?}");
        assert!(*bytes < early[name] + early[name] / 10, "{name}: {sizes:?}");
    }
    assert_eq!(warnings(&conversation), Vec::<String>::new());
}
