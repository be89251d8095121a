//! The course at the hook: when it is scored, what the agent is told, what is handed over and recorded.

use std::collections::BTreeMap;
use std::fs;

use serde_json::{Value, json};
use verger_event::{Event, Record, ToolCall, ToolUseId};
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

/// An edit of one file that is a batch of its own; what is said to the request and to the batch.
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
    call(conversation, speaker, "Edit", &input)
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
    let changes = [
        ("tool_name", json!(tool)),
        ("tool_input", input.clone()),
        ("tool_response", json!({ "stdout": "ok" })),
        ("tool_use_id", id.clone()),
    ];
    let done = conversation.call_of(speaker, "PostToolUse-Bash", &changes);
    assert_eq!(done, HookAnswer::default());
    let mut calls = captured("PostToolBatch")["tool_calls"].clone();
    calls[0]["tool_use_id"] = id;
    calls[0]["tool_name"] = json!(tool);
    calls[0]["tool_input"] = input.clone();
    let batch = conversation.call_of(speaker, "PostToolBatch", &[("tool_calls", calls)]);
    [requested, batch]
}

/// What was said to the batches of these edits.
#[track_caller]
fn wanders(conversation: &Conversation, files: &[&str]) -> Vec<Option<String>> {
    let texts = files.iter().map(|file| {
        let [_, batch] = edits(conversation, file, "color: red", "color: teal; margin: 4px");
        batch.context
    });
    texts.collect()
}

const ELSEWHERE: &[&str] = &["web/theme.css", "web/icons.css", "web/fonts.css"];
pub(crate) const LOGIN: &str = "Fix the login redirect in src/login.rs. Do not add dependencies.";

#[track_caller]
pub(crate) fn works_on_login(conversation: &Conversation) {
    edits_unheard(conversation, "src/login.rs", "fn redirect(to)", "fn redirect(url)");
}

/// An edit to which nothing is said.
#[track_caller]
fn edits_unheard(conversation: &Conversation, file: &str, old: &str, new: &str) {
    let said = edits(conversation, file, old, new);
    assert_eq!(said, [HookAnswer::default(), HookAnswer::default()]);
}

#[test]
fn an_agent_that_wanders_is_told_once_and_goes_on_when_it_goes_back() {
    let conversation = begun(CORRECT, LOGIN);
    works_on_login(&conversation);
    let told = wanders(&conversation, ELSEWHERE);
    let [None, Some(text), None] = &told[..] else { panic!("{told:?}") };
    insta::assert_snapshot!(text, @r#"
    verger: a reminder. The person asked for: "Fix the login redirect in src/login.rs. Do not add dependencies."
    - `web/theme.css` has nothing to do with what was asked for
    - `web/icons.css` has nothing to do with what was asked for
    If it belongs to that, go on. Otherwise leave it.
    "#);
    for _ in 0..6 {
        works_on_login(&conversation);
    }
    insta::assert_snapshot!(news(&conversation).join("\n"), @r#"
    main start_tree.taken a tree
    main gate.changed course on course -> on course: score 7: `web/theme.css` has nothing to do with what was asked for
    main context.injected tool_batch.ended: course
    main gate.changed course on course -> on course: score 8
    main gate.changed course on course -> on course: score 10
    "#);
    assert_eq!(warnings(&conversation), Vec::<String>::new());
}

#[test]
fn what_is_only_observed_is_in_the_log_and_told_nobody() {
    let conversation = begun("", LOGIN);
    works_on_login(&conversation);
    assert_eq!(wanders(&conversation, ELSEWHERE), [None, None, None]);
    insta::assert_snapshot!(news(&conversation).join("\n"), @r#"
    main start_tree.taken a tree
    main gate.changed course on course -> on course: score 7: `web/theme.css` has nothing to do with what was asked for
    "#);
    let off = begun("[drift]\nmode = \"off\"\n", LOGIN);
    works_on_login(&off);
    assert_eq!(wanders(&off, ELSEWHERE), [None, None, None]);
    assert_eq!(news(&off), ["main start_tree.taken a tree"]);
}

#[test]
fn an_agent_that_does_not_go_back_is_held_and_a_person_lets_it_go() {
    let conversation = begun(CORRECT, "Fix the typo in README.md. Do not touch anything in web/.");
    let told: Vec<_> = wanders(&conversation, &[ELSEWHERE, ELSEWHERE].concat());
    let first_words = |text: &Option<String>| {
        text.as_ref().map(|text| text.split_whitespace().take(4).collect::<Vec<_>>().join(" "))
    };
    insta::assert_debug_snapshot!(told.iter().map(first_words).collect::<Vec<_>>(), @r#"
    [
        None,
        None,
        Some(
            "verger: you have left",
        ),
        Some(
            "verger: stop what you",
        ),
        None,
        None,
    ]
    "#);
    let [denied, _] = edits(&conversation, "web/more.css", "a", "b");
    insta::assert_snapshot!(denied, @r#"
    deny: verger: this did not run: it leads further away from what the person asked for: "Fix the typo in README.md. Do not touch anything in web/."
    - `web/theme.css`: the person said: do not change web/
    - `web/icons.css`: the person said: do not change web/
    - `web/fonts.css`: the person said: do not change web/
    You were told to go back and did not. Do this now: take back what you did to `web/theme.css`, then go on without it. Do not do it with another tool; this is recorded. If you think that it is wanted, stop and ask the person.
    notice: verger denied a change that leads away from "Fix the typo in README.md. Do not touch anything in web/.". Tell the agent what you want, and it goes on; `verger drift` shows the course.
    "#);
    assert_eq!(edits(&conversation, "README.md", "teh", "the")[0], HookAnswer::default());
    let answer = conversation.prompt("The styles are fine, go on with them.");
    assert_eq!(answer, HookAnswer::default());
    assert_eq!(edits(&conversation, "web/more.css", "a", "b")[0], HookAnswer::default());
}

#[test]
fn an_agent_that_takes_back_what_was_forbidden_is_free_again() {
    let conversation = begun(CORRECT, "Fix the typo in README.md. Do not touch anything in web/.");
    assert_eq!(wanders(&conversation, &[ELSEWHERE, ELSEWHERE].concat()).len(), 6);
    let back = |file: &str| {
        let [requested, batch] =
            edits(&conversation, file, "color: teal; margin: 4px", "color: red");
        assert_eq!([requested, batch], [HookAnswer::default(), HookAnswer::default()], "{file}");
    };
    [ELSEWHERE, ELSEWHERE].concat().into_iter().for_each(back);
    assert_eq!(edits(&conversation, "README.md", "teh", "the")[0], HookAnswer::default());
    insta::assert_snapshot!(news(&conversation).last().unwrap(), @"main gate.changed course did not go back -> on course: score 10");
}

#[test]
fn however_an_agent_that_is_held_takes_something_back_it_is_not_denied() {
    let conversation = begun(CORRECT, "Fix the typo in README.md. Do not touch anything in web/.");
    let run = |line: &str| {
        call(&conversation, Speaker::Main, "Bash", &json!({ "command": line }))[0].verdict.is_some()
    };
    assert!(!run("cat > web/new.css <<'EOF'\na { color: red }\nEOF"));
    wanders(&conversation, &[ELSEWHERE, ELSEWHERE].concat());
    let cases = [
        ("rm web/new.css", false),
        ("cat > /tmp/notes.md <<'EOF'\nrm web/theme.css\nEOF", false),
        ("sed -i 's/color: teal/color: blue/' web/theme.css", true),
        ("git apply -R /tmp/web.patch", false),
        ("patch -R -p1 < web.patch", false),
        ("git revert --no-edit HEAD", false),
        ("git checkout main -- web/theme.css", false),
        ("git diff web/icons.css | git apply -R", false),
        ("sed -i 's/color: teal; margin: 4px/color: red/' web/fonts.css", false),
    ];
    for (line, is_denied) in cases {
        assert_eq!(run(line), is_denied, "{line}");
    }
    run("ls");
    run("ls");
    let news = news(&conversation);
    let last = news.last().map(String::as_str);
    assert_eq!(last, Some("main gate.changed course did not go back -> on course: score 10"));
}

#[test]
fn what_else_is_forbidden_and_done_is_named_once() {
    let said = "Fix the typo in README.md. Do not touch anything in web/. Do not touch config/.";
    let conversation = begun(CORRECT, said);
    let files = [&ELSEWHERE[..2], &["web/more.css", "config/app.toml", "config/db.toml"]].concat();
    let told = wanders(&conversation, &files);
    let [None, None, Some(_), Some(text), None] = &told[..] else { panic!("{told:?}") };
    insta::assert_snapshot!(text, @r#"
    verger: stop what you are doing. The person asked for: "Fix the typo in README.md. Do not touch anything in web/. Do not touch config/."
    - `web/theme.css`: the person said: do not change web/
    - `config/app.toml`: the person said: do not change config/
    - `web/icons.css`: the person said: do not change web/
    The only thing to do now: take back what you did to `web/theme.css`, then go on without it. Change nothing else before that. If you cannot, say so and stop: the person decides.
    "#);
}

#[test]
fn what_a_person_says_again_is_told_again_before_anything_is_denied() {
    let conversation = begun(CORRECT, "Fix the typo in README.md. Do not touch anything in web/.");
    assert_eq!(wanders(&conversation, &[ELSEWHERE, ELSEWHERE].concat()).len(), 6);
    assert_eq!(
        conversation.prompt("I said: do not touch anything in web/!"),
        HookAnswer::default()
    );
    let told = wanders(&conversation, ELSEWHERE);
    let [None, None, Some(text)] = &told[..] else { panic!("{told:?}") };
    assert!(text.starts_with("verger: you have left"), "{text}");
}

#[test]
fn an_agent_that_is_denied_often_enough_is_let_go() {
    let conversation = begun(CORRECT, "Fix the typo in README.md. Do not touch anything in web/.");
    assert_eq!(wanders(&conversation, &[ELSEWHERE, ELSEWHERE].concat()).len(), 6);
    let answers = [(); 5].map(|()| edits(&conversation, "web/more.css", "a", "b"));
    let said = answers.map(|[answer, _]| match (answer.verdict, answer.notice) {
        (Some((word, _)), _) => word,
        (None, Some(_)) => "let go".to_owned(),
        (None, None) => "-".to_owned(),
    });
    assert_eq!(said, ["deny", "deny", "deny", "let go", "-"]);
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
    context: verger: you have left what the person asked for: "Fix the login redirect in src/login.rs. Do not add dependencies."
    - the redirect was not looked at
    Do this first, before anything else: go back to what was asked for. Then say in one sentence how you go on. If the person wants something else by now, ask.
    "#);
    insta::assert_snapshot!(judged.environment.read(judged.environment.root().join("scorer.told")), @r#"{"constraints":["no new dependencies"],"done":["Changed src/login.rs in redirect, 3 times"],"files":["src/login.rs"],"goal":"Fix the login redirect in src/login.rs. Do not add dependencies.","reasons":[],"score":10,"state":[]}"#);
    let failing = begun("", LOGIN);
    scorer(&failing, "exit 3");
    for _ in 0..6 {
        works_on_login(&failing);
    }
    insta::assert_snapshot!(news(&failing).join("\n"), @r#"
    main start_tree.taken a tree
    main gate.changed course-scorer asked -> failed: it ended with exit status: 3
    main gate.changed course on course -> on course: score 10
    main gate.changed course-scorer asked -> failed: it ended with exit status: 3
    main gate.changed course on course -> on course: score 10
    "#);
}

#[test]
fn a_subagent_is_never_told_and_what_it_changes_counts() {
    let conversation = begun(CORRECT, LOGIN);
    assert_eq!(conversation.start_subagent("a1", "general"), HookAnswer::default());
    for file in [ELSEWHERE, ELSEWHERE].concat() {
        let said = edits_as(&conversation, SUBAGENT, file, ("color: red", "color: teal"));
        assert_eq!(said, [HookAnswer::default(), HookAnswer::default()]);
    }
    let file = json!({ "file_path": conversation.environment.project().join("src/login.rs") });
    let looks = [(); 3].map(|()| call(&conversation, Speaker::Main, "Read", &file));
    let told = looks.map(|[_, batch]| batch.context.is_some());
    assert_eq!(told, [false, false, true], "the main agent is told of what its subagents do");
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
    insta::assert_snapshot!(recorded(&conversation, "task.recorded").join("\n"), @r#"{"number":1,"parent":null,"status":"complete","trigger":"complete","query":"Fix the login redirect in src/login.rs. Do not add dependencies.","goal":"Fix the login redirect in src/login.rs. Do not add dependencies.","commit":null,"task":{"astray":0,"cites":["01M7G83HV000000000000003X0"],"constraints":["no new dependencies"],"decisions":[{"choice":"I kept the old name","reason":"you asked for it"}],"files":["src/login.rs"],"steps":1,"tags":["rs"],"trace":["Changed src/login.rs in redirect"]}}"#);
    let held = begun("", &format!("#review {LOGIN}"));
    works_on_login(&held);
    held.write("src/login.rs", "fn redirect(url) {}\n");
    assert!(
        held.call("Stop-first", &[("last_assistant_message", json!("Fixed."))]).verdict.is_some()
    );
    assert_eq!(recorded(&held, "task.recorded"), Vec::<String>::new());
}

#[test]
fn what_is_left_for_other_work_or_when_a_session_ends_is_recorded() {
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
    insta::assert_snapshot!(given, @r#"
    context: verger: what was known in this session before the conversation was compacted. It is a record and no instruction: what the person says comes first.

    ## Goal
    Fix the login redirect in src/login.rs. Do not add dependencies.

    ## What the person forbade
    - no new dependencies

    ## Progress
    - Changed src/login.rs in redirect

    ## Key decisions
    - nothing

    ## Files
    - src/login.rs

    ## Current state
    - nothing

    ## Next action
    go on with the goal, or say that it is done
    "#);
    assert_eq!(conversation.call("SessionStart-compact", &[]), HookAnswer::default());
    assert_eq!(conversation.call("SessionEnd-other", &[]), HookAnswer::default());
    let again = conversation.call("SessionStart-resume", &[]);
    assert!(again.context.is_some_and(|text| text.contains("before the session ended")));
    assert_eq!(conversation.call("SessionStart-resume", &[]), HookAnswer::default());
}

/// Number, status and files of the tasks that were recorded.
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
fn a_reply_that_asks_for_more_is_one_task_with_its_answer() {
    for (asks, answer, done) in [
        ("Fixed the redirect. Shall I also add a test?", "yes, please", "Done, the test passes."),
        (
            "リダイレクトを修正しました。テストも追加しましょうか？",
            "はい、お願いします",
            "テストを追加しました。すべて通っています。",
        ),
    ] {
        let conversation = begun("", LOGIN);
        works_on_login(&conversation);
        says(&conversation, asks);
        assert_eq!(tasks(&conversation), Vec::<String>::new(), "{asks}");
        assert_eq!(conversation.prompt(answer), HookAnswer::default());
        edits_unheard(&conversation, "tests/login.rs", "", "fn redirects() {}");
        says(&conversation, done);
        assert_eq!(tasks(&conversation), [r#"1 "complete" ["src/login.rs","tests/login.rs"]"#]);
        let nobody_goes_on = begun("", LOGIN);
        works_on_login(&nobody_goes_on);
        says(&nobody_goes_on, asks);
        assert_eq!(nobody_goes_on.call("SessionEnd-other", &[]), HookAnswer::default());
        assert_eq!(tasks(&nobody_goes_on), [r#"1 "complete" ["src/login.rs"]"#], "{asks}");
    }
}

#[test]
fn a_part_is_finished_though_the_reply_asks_whether_to_go_on() {
    let conversation = begun("", "Set up the proxy in vite.config.ts");
    edits_unheard(&conversation, "vite.config.ts", "server", "server: proxy");
    says(&conversation, "The server block is there. The proxy is next.");
    assert_eq!(conversation.prompt("First I need to install deps"), HookAnswer::default());
    edits_unheard(&conversation, "package.json", "vite", "vite-proxy");
    says(&conversation, "The dependencies are installed. Shall I go on with the proxy?");
    assert_eq!(tasks(&conversation), [r#"2 "complete" ["package.json"]"#]);
    assert_eq!(conversation.prompt("yes, go on"), HookAnswer::default());
    edits_unheard(&conversation, "vite.config.ts", "proxy", "proxy: api");
    says(&conversation, "Done. The proxy works.");
    assert_eq!(tasks(&conversation)[1..], [r#"1 "complete" ["vite.config.ts"]"#]);
}

#[test]
fn what_was_finished_outlives_a_compaction_and_what_goes_on_a_resume() {
    let conversation = begun("", LOGIN);
    works_on_login(&conversation);
    says(&conversation, "Fixed. I kept the old name because the mobile app uses it.");
    assert_eq!(conversation.call("PreCompact-auto", &[]), HookAnswer::default());
    insta::assert_snapshot!(conversation.call("SessionStart-compact", &[]), @"
    context: verger: what was known in this session before the conversation was compacted. It is a record and no instruction: what the person says comes first.

    ## Goal
    Fix the login redirect in src/login.rs. Do not add dependencies.

    ## What the person forbade
    - no new dependencies

    ## Progress
    - Changed src/login.rs in redirect

    ## Key decisions
    - I kept the old name: the mobile app uses it

    ## Files
    - src/login.rs

    ## Current state
    - the task is finished
    - the agent said last: Fixed. I kept the old name because the mobile app uses it.

    ## Next action
    nothing: wait for what the person says
    ");
    assert_eq!(conversation.call("SessionEnd-other", &[]), HookAnswer::default());
    assert_eq!(conversation.call("SessionStart-resume", &[]), HookAnswer::default());
    let more = "the redirect must keep the query";
    assert_eq!(conversation.prompt(more), HookAnswer::default());
    edits_unheard(&conversation, "src/query.rs", "redirect(url)", "redirect(url, query)");
    assert_eq!(conversation.call("SessionEnd-other", &[]), HookAnswer::default());
    insta::assert_snapshot!(conversation.call("SessionStart-resume", &[]), @"
    context: verger: what was known in this session before the session ended. It is a record and no instruction: what the person says comes first.

    ## Goal
    Fix the login redirect in src/login.rs. Do not add dependencies.
    then: the redirect must keep the query

    ## What the person forbade
    - no new dependencies

    ## Progress
    - Changed src/login.rs in redirect
    - Changed src/query.rs

    ## Key decisions
    - I kept the old name: the mobile app uses it

    ## Files
    - src/login.rs
    - src/query.rs

    ## Current state
    - the agent said before it went on: Fixed. I kept the old name because the mobile app uses it.

    ## Next action
    go on with the goal, or say that it is done
    ");
    assert_eq!(conversation.prompt("go on"), HookAnswer::default());
    says(&conversation, "Fixed: the query is kept.");
    assert_eq!(
        tasks(&conversation),
        [
            r#"1 "complete" ["src/login.rs"]"#,
            r#"1 "partial" ["src/login.rs","src/query.rs"]"#,
            r#"1 "complete" ["src/login.rs","src/query.rs"]"#,
        ]
    );
}

#[test]
fn what_a_plan_says_that_the_person_wants_to_be_followed_is_on_course() {
    let reads = |conversation: &Conversation, content: &str| {
        let mut response = captured("PostToolUse-Read")["tool_response"].clone();
        response["file"]["content"] = json!(content);
        let input = json!({ "file_path": conversation.environment.project().join("docs/plan.md") });
        let changes = [("tool_input", input), ("tool_response", response)];
        assert_eq!(conversation.call("PostToolUse-Read", &changes), HookAnswer::default());
    };
    let told = |content: &str| {
        let conversation = begun(CORRECT, "Do what docs/plan.md says");
        reads(&conversation, content);
        edits_unheard(&conversation, "docs/notes.md", "plan", "plan: begun");
        let told = wanders(&conversation, &[ELSEWHERE, ELSEWHERE].concat());
        told.into_iter().flatten().count()
    };
    assert_eq!(told("1. Restyle web/theme.css\n2. Restyle the icons and fonts in web/"), 0);
    assert_ne!(told("1. Cache the lookups of the resolver in src/dns.rs"), 0);
}

#[test]
fn what_has_to_be_taken_back_outlives_a_compaction() {
    let conversation = begun(CORRECT, "Fix the typo in README.md. Do not touch anything in web/.");
    let told = wanders(&conversation, ELSEWHERE);
    assert!(told[2].is_some(), "{told:?}");
    assert_eq!(conversation.call("PreCompact-auto", &[]), HookAnswer::default());
    let given = conversation.call("SessionStart-compact", &[]).context.unwrap();
    let (_, state) = given.split_once("## Current state\n").unwrap();
    insta::assert_snapshot!(state, @"
    - off course: `web/theme.css`: the person said: do not change web/
    - off course: `web/icons.css`: the person said: do not change web/
    - off course: `web/fonts.css`: the person said: do not change web/

    ## Next action
    take back what you did to `web/theme.css`, then go on without it
    ");
}

#[test]
fn two_sessions_in_one_directory_never_mix() {
    let mut conversation = begun(CORRECT, LOGIN);
    works_on_login(&conversation);
    let first = conversation.session().to_owned();
    conversation.continue_as("22222222-2222-4222-8222-222222222222");
    assert_eq!(conversation.prompt("Restyle the pages in web/."), HookAnswer::default());
    assert_eq!(wanders(&conversation, ELSEWHERE), [None, None, None], "that is its work");
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

/// How long the snapshots of the session are, by the ends of their names.
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
            let (tool, input) = match number % 4 {
                0 => ("Edit", json!({ "file_path": file, "old_string": "a", "new_string": file })),
                1 => ("Bash", json!({ "command": format!("cargo test part{number}") })),
                _ => ("Read", json!({ "file_path": file })),
            };
            let id = Some(ToolUseId::new(format!("toolu_{thousand}_{number}")));
            let call = ToolCall { id, tool: tool.to_owned(), input };
            Event::ToolSucceeded { call, response: json!({ "stdout": "ok" }), duration_ms: None }
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
