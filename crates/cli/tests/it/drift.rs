//! `verger drift`, and what `verger why` says of the course.

use std::fs;

use serde_json::{Value, json};
use verger_event::{Event, Grounds, Opinion, ToolCall, Verdict};
use verger_gate::course;
use verger_testkit::{CourseScript, Ending};

use crate::recorded::Recorded;

/// What is shown of what [`drift`] was asked for.
const ASKED_FOR: &str = "\
goal                 Fix the login redirect in src/login.rs. No new dependencies.
task                 1
scope                src/login.rs
constraint           no new dependencies
";

fn drift(script: &mut CourseScript) {
    script.start().prompt("Fix the login redirect in src/login.rs. No new dependencies.");
    script.read("src/login.rs").edit("src/login.rs", "fn redirect(to: &str) {", "fn go() {");
    for file in ["colours", "fonts", "grid", "menu"] {
        script.edit(&format!("web/theme/{file}.css"), "red", "blue");
    }
}

/// Two sessions: one is corrected, goes back and finishes; one is only observed, and goes on.
fn two_courses() -> Recorded {
    let mut recorded = Recorded::nothing();
    let mut told = recorded.script("1111", 0).corrected();
    drift(&mut told);
    told.edit("src/login.rs", "to.path()", "to.as_str()");
    told.run("cargo test login", "test result: ok").stop("Fixed.").record(Ending::Complete);
    told.end();
    recorded.play(&mut told);
    let mut observed = recorded.script("2222", 10);
    drift(&mut observed);
    observed.prompt("What about the login?");
    recorded.play(&mut observed);
    recorded
}

/// What is shown of a session that was asked for it, without that.
#[track_caller]
fn shown(recorded: &Recorded, arguments: &[&str]) -> String {
    let all = recorded.verger(&[&["drift"], arguments].concat()).success().to_string();
    assert_eq!(all.matches(ASKED_FOR).count(), 1, "{all}");
    all.replace(ASKED_FOR, "")
}

#[test]
fn a_session_that_was_corrected_and_went_back_is_told() {
    let recorded = two_courses();
    insta::assert_snapshot!(shown(&recorded, &["--session", "1111"]), @r#"
    session              1111
    course               on course, as far as it was scored
    steps                8
    2026-11-15 18:39:23  the person asked for something: task 1
    2026-11-15 18:39:27  score 9, steps 1 to 3
    2026-11-15 18:39:31  score 4, steps 4 to 6, intervene
      because            `web/theme/colours.css` has nothing to do with what was asked for
      because            `web/theme/fonts.css` has nothing to do with what was asked for
      because            `web/theme/grid.css` has nothing to do with what was asked for
      way back           leave `web/theme/colours.css`, and go on with what was asked for
      then               it went back
    2026-11-15 18:39:32  the agent was told: intervene
      words              verger: you have left what the person asked for: "Fix the login redirect in src/login.rs. No new dependencies."
                         - `web/theme/colours.css` has nothing to do with what was asked for
                         - `web/theme/fonts.css` has nothing to do with what was asked for
                         - `web/theme/grid.css` has nothing to do with what was asked for
                         Do this first, before anything else: leave `web/theme/colours.css`, and go on with what was asked for. Then say in one sentence how you go on. If the person wants something else by now, ask.
      then               it went back
      see                verger why 01M7G83SN000000001M7G83EXK
    2026-11-15 18:39:37  score 7, steps 7 to 8, nudge if it were told; observed only
      because            `web/theme/fonts.css` has nothing to do with what was asked for
      because            `web/theme/grid.css` has nothing to do with what was asked for
      because            `web/theme/menu.css` has nothing to do with what was asked for
      way back           leave `web/theme/fonts.css`, and go on with what was asked for
    2026-11-15 18:39:38  task 1 was completed
    "#);
}

#[test]
fn without_a_name_the_live_session_is_meant_and_what_was_only_observed_is_said() {
    let recorded = two_courses();
    insta::assert_snapshot!(shown(&recorded, &[]), @"
    session              2222
    course               on course, as far as it was scored
    steps                6
    2026-11-15 18:49:23  the person asked for something: task 1
    2026-11-15 18:49:27  score 9, steps 1 to 3
    2026-11-15 18:49:31  score 4, steps 4 to 6, intervene if it were told; observed only
      because            `web/theme/colours.css` has nothing to do with what was asked for
      because            `web/theme/fonts.css` has nothing to do with what was asked for
      because            `web/theme/grid.css` has nothing to do with what was asked for
      way back           leave `web/theme/colours.css`, and go on with what was asked for
      then               the person spoke
    2026-11-15 18:49:32  the person spoke, about task 1
    ");
    insta::assert_snapshot!(recorded.verger(&["drift", "--json"]), @r#"{"added":[],"earlier":0,"goal":"Fix the login redirect in src/login.rs. No new dependencies.","is_scored":true,"moments":[{"at_ms":1794768563000,"id":"01M7G8NTSR00000001M7G8NRVA","is":"prompted","what":{"action":"new_task","task":1}},{"at_ms":1794768567000,"id":"01M7G8NYPR00000001M7G8NRVE","is":"scored","what":{"first_step":1,"followed":null,"goal":null,"last_step":3,"level":null,"reasons":[],"score":9,"told":false,"way_back":null}},{"at_ms":1794768571000,"id":"01M7G8P2KR00000001M7G8NRVJ","is":"scored","what":{"first_step":4,"followed":{"by":"person_spoke"},"goal":"Fix the login redirect in src/login.rs. No new dependencies.","last_step":6,"level":"intervene","reasons":["`web/theme/colours.css` has nothing to do with what was asked for","`web/theme/fonts.css` has nothing to do with what was asked for","`web/theme/grid.css` has nothing to do with what was asked for"],"score":4,"told":false,"way_back":"leave `web/theme/colours.css`, and go on with what was asked for"}},{"at_ms":1794768572000,"id":"01M7G8P3K000000001M7G8NRVK","is":"prompted","what":{"action":"continue","task":1}}],"session":"2222","steps":6,"task":{"began_ms":1794768563000,"constraints":["no new dependencies"],"escalations":0,"goal":"Fix the login redirect in src/login.rs. No new dependencies.","keywords":["login","redire"],"kind":"main","last_ms":1794768572000,"mode":"normal","number":1,"parent":null,"scope":["src/login.rs"],"status":"active","waits_for_recovery":false}}"#);
}

#[test]
fn of_a_long_session_the_latest_moments_are_shown() {
    let recorded = two_courses();
    insta::assert_snapshot!(shown(&recorded, &["--limit", "1"]), @"
    session              2222
    course               on course, as far as it was scored
    steps                6
    earlier              3 moments: verger drift --session 2222 --limit 0
    2026-11-15 18:49:32  the person spoke, about task 1
    ");
}

#[test]
fn what_happened_to_a_file_is_told_across_sessions() {
    let recorded = two_courses();
    insta::assert_snapshot!(recorded.verger(&["drift", "--file", "src/login.rs"]), @"
    file                 src/login.rs
    session              1111, task 1
      for                Fix the login redirect in src/login.rs. No new dependencies.
    2026-11-15 18:39:24  read: on course, score 9
    2026-11-15 18:39:25  changed: on course, score 9
    2026-11-15 18:39:33  changed: on course, score 7
    session              2222, task 1
      for                Fix the login redirect in src/login.rs. No new dependencies.
    2026-11-15 18:49:24  read: on course, score 9
    2026-11-15 18:49:25  changed: on course, score 9
    task                 2026-11-15, complete: Fix the login redirect in src/login.rs. No new dependencies.
      see                verger tasks show 01M7G83ZGG00000001M7G83EXS
    ");
    insta::assert_snapshot!(recorded.verger(&["drift", "--file", "./web/theme/menu.css"]), @"
    file                 web/theme/menu.css
    session              1111, task 1
      for                Fix the login redirect in src/login.rs. No new dependencies.
    2026-11-15 18:39:30  changed: off course, score 4
      because            `web/theme/colours.css` has nothing to do with what was asked for; `web/theme/fonts.css` has nothing to do with what was asked for; `web/theme/grid.css` has nothing to do with what was asked for
      told               the agent was told after it: intervene
    session              2222, task 1
      for                Fix the login redirect in src/login.rs. No new dependencies.
    2026-11-15 18:49:30  changed: off course, score 4
      because            `web/theme/colours.css` has nothing to do with what was asked for; `web/theme/fonts.css` has nothing to do with what was asked for; `web/theme/grid.css` has nothing to do with what was asked for
    task                 2026-11-15, complete: Fix the login redirect in src/login.rs. No new dependencies.
      see                verger tasks show 01M7G83ZGG00000001M7G83EXS
    ");
    insta::assert_snapshot!(recorded.verger(&["drift", "--file", "src/other.rs"]), @"no recorded step of this project touched src/other.rs, and no task names it; verger sessions lists what was recorded");
    let one =
        recorded.verger(&["drift", "--file", "web/theme/grid.css", "--session", "1111", "--json"]);
    insta::assert_snapshot!(one, @r#"{"earlier":0,"file":"web/theme/grid.css","steps":[{"action":"edit","at_ms":1794767969000,"bearing":"astray","command":null,"correction":null,"correction_level":null,"drift_type":"major","failed":false,"goal":"Fix the login redirect in src/login.rs. No new dependencies.","id":"01M7G83PQ800000001M7G83EXG","on_course":false,"reason":"`web/theme/colours.css` has nothing to do with what was asked for; `web/theme/fonts.css` has nothing to do with what was asked for; `web/theme/grid.css` has nothing to do with what was asked for","score":4,"session":"1111","step":5,"task":1,"user":"dev"}],"tasks":[{"agent":"claude","at_ms":1794767978000,"commit":null,"details":{"astray":4,"cites":["01M7G83HV000000001M7G83EXB","01M7G83JT800000001M7G83EXC","01M7G83KSG00000001M7G83EXD","01M7G83NR000000001M7G83EXF","01M7G83PQ800000001M7G83EXG","01M7G83QPG00000001M7G83EXH","01M7G83TM800000001M7G83EXM","01M7G83WJR00000001M7G83EXP"],"constraints":["no new dependencies"],"files":["web/theme/colours.css","web/theme/fonts.css","web/theme/grid.css","web/theme/menu.css","src/login.rs"],"steps":8,"tags":["web","theme","css","rs"],"trace":["Read src/login.rs","Changed src/login.rs:47 in redirect","Changed web/theme/colours.css:47","Changed web/theme/fonts.css:47","Changed web/theme/grid.css:47","Changed web/theme/menu.css:47","Changed src/login.rs:47","Ran cargo test login"]},"goal":"Fix the login redirect in src/login.rs. No new dependencies.","id":"01M7G83ZGG00000001M7G83EXS","number":1,"parent":null,"query":"Fix the login redirect in src/login.rs. No new dependencies.","session":"1111","status":"complete","trigger":"complete","user":"dev"}]}"#);
}

/// The same by way of the hook.
#[test]
fn what_the_hook_records_is_told() {
    let mut recorded = Recorded::nothing();
    recorded.event("1111", "SessionStart", r#""source":"startup""#);
    let prompt = r#""prompt_id":"p1","prompt":"Fix the login redirect in src/login.rs""#;
    recorded.event("1111", "UserPromptSubmit", prompt);
    let project = recorded.environment.project();
    for (n, file) in
        ["src/login.rs", "web/a.css", "web/b.css", "web/c.css", "web/d.css", "web/e.css"]
            .into_iter()
            .enumerate()
    {
        let input = json!({
            "file_path": project.join(file),
            "old_string": "fn redirect(to: &str)",
            "new_string": format!("colour{n}"),
        });
        let fields = format!(
            r#""prompt_id":"p1","tool_use_id":"t{n}","tool_name":"Edit","tool_input":{input},"tool_response":{{}}"#
        );
        recorded.event("1111", "PostToolUse", &fields);
    }
    insta::assert_snapshot!(recorded.verger(&["drift"]), @"
    session              1111
    goal                 Fix the login redirect in src/login.rs
    task                 1
    scope                src/login.rs
    course               on course, as far as it was scored
    steps                6
    2026-11-15 18:39:23  the person asked for something: task 1
    2026-11-15 18:39:26  score 10, steps 1 to 3
    2026-11-15 18:39:29  score 10, steps 4 to 6
    ");
    insta::assert_snapshot!(recorded.verger(&["drift", "--file", "web/e.css"]), @"
    file                 web/e.css
    session              1111, task 1
      for                Fix the login redirect in src/login.rs
    2026-11-15 18:39:29  changed: on course, score 10
    ");
    recorded.event("1111", "SessionEnd", r#""reason":"other""#);
    insta::assert_snapshot!(recorded.verger(&["tasks"]), @"2026-11-15 18:39:30  partial    01M7G83QPG00000000000000W6  Fix the login redirect in src/login.rs (6 files)");
    insta::assert_snapshot!(recorded.verger(&["rebuild", "--verify"]), @"compared 1 session with 13 records: live and rebuilt are equal");
}

#[test]
fn nothing_to_show_says_what_to_do() {
    let mut recorded = Recorded::nothing();
    insta::assert_snapshot!(recorded.verger(&["drift"]), @"
    ------- stderr -------
    verger: no session is live in this project
    hint: verger sessions lists all; name one with --session
    ------- exit code 2 -------
    ");
    let mut script = recorded.script("1111", 0);
    script.start().stop("Hello.");
    recorded.play(&mut script);
    insta::assert_snapshot!(recorded.verger(&["drift"]), @r#"
    session  1111
    goal     none: no person has said anything yet
    steps    0
    this session has not been scored yet: that is done every few tool calls, unless drift.mode is "off"
    "#);
    insta::assert_snapshot!(recorded.verger(&["drift", "--session", "9999"]), @r#"
    ------- stderr -------
    verger: no session begins with "9999"
    hint: verger sessions lists them; the latest is 1111
    ------- exit code 2 -------
    "#);
}

#[test]
fn damaged_and_foreign_records_cost_nothing_but_themselves() {
    let recorded = two_courses();
    let path = recorded.segment("2222");
    let text = fs::read_to_string(&path).unwrap();
    let damaged = text.replace("web/theme/menu.css", "web/theme/mxnu.css");
    fs::write(&path, format!("{damaged}{{\"v\":99}}\nnot a record\n")).unwrap();
    let shown = recorded.verger(&["drift", "--json"]).success();
    let shown: Value = serde_json::from_str(&shown.stdout).unwrap();
    // The damaged step is the sixth.
    assert_eq!(shown["steps"], 5);
    assert_eq!(recorded.verger(&["drift", "--file", "src/login.rs"]).code, 0);
    assert_eq!(recorded.verger(&["tasks"]).code, 0);
    assert_eq!(recorded.verger(&["handoff"]).code, 0);
    insta::assert_snapshot!(recorded.verger(&["rebuild", "--verify"]), @"compared 2 sessions with 28 records: live and rebuilt are equal");
}

#[test]
fn a_huge_prompt_is_shown_as_a_goal_of_a_few_lines() {
    let mut recorded = Recorded::nothing();
    let mut script = recorded.script("1111", 0);
    script.prompt(&format!("Fix src/login.rs. {}", "Look at the log: ".repeat(65_000)));
    recorded.play(&mut script);
    for arguments in [&["drift"][..], &["tasks"], &["handoff"], &["drift", "--json"]] {
        let shown = recorded.verger(arguments).success().stdout;
        assert!(shown.len() < 4_000, "{arguments:?}: {}", shown.len());
    }
}

/// The record of this number, as `verger why` names it.
fn numbered(recorded: &Recorded, kind: &str, nth: usize) -> String {
    let trace = recorded.verger(&["trace", "1111", "--json"]).success().stdout;
    let numbers: Vec<_> = trace
        .lines()
        .filter_map(|line| serde_json::from_str::<Value>(line).ok())
        .filter(|entry| entry["record"]["kind"] == kind)
        .filter(|entry| kind != "gate.changed" || entry["record"]["payload"]["gate"] == "course")
        .map(|entry| format!("1111:{}", entry["record"]["seq"]))
        .collect();
    numbers[nth].clone()
}

#[test]
fn why_explains_a_correction() {
    let recorded = two_courses();
    let correction = numbered(&recorded, "context.injected", 0);
    insta::assert_snapshot!(recorded.verger(&["why", &correction]), @r#"
    event       tool.succeeded at 1111:9
    id          01M7G83QPG00000001M7G83EXH
    when        2026-11-15 18:39:30
    session     1111 of claude
    directory   $ENV/home/project
    who         the agent
    what        Edit $ENV/home/project/web/theme/menu.css
    gate        course: on course -> to go back
      cause     score 4: `web/theme/colours.css` has nothing to do with what was asked for
    told agent  verger: you have left what the person asked for: "Fix the login redirect in src/login.rs. No new dependencies."
                - `web/theme/colours.css` has nothing to do with what was asked for
                - `web/theme/fonts.css` has nothing to do with what was asked for
                - `web/theme/grid.css` has nothing to do with what was asked for
                Do this first, before anything else: leave `web/theme/colours.css`, and go on with what was asked for. Then say in one sentence how you go on. If the person wants something else by now, ask.
      from      course
      grounds   not recorded
    finding     score 4, steps 4 to 6, intervene
      goal      Fix the login redirect in src/login.rs. No new dependencies.
      because   `web/theme/colours.css` has nothing to do with what was asked for
      because   `web/theme/fonts.css` has nothing to do with what was asked for
      because   `web/theme/grid.css` has nothing to do with what was asked for
      way back  leave `web/theme/colours.css`, and go on with what was asked for
      then      it went back
      see       verger drift --session 1111
    "#);
    let score = numbered(&recorded, "gate.changed", 1);
    let of_score = recorded.verger(&["why", &score]).success().stdout;
    assert_eq!(of_score, recorded.verger(&["why", &correction]).success().stdout);
    let explained = recorded.verger(&["why", &correction, "--json"]).success().stdout;
    let explained: Value = serde_json::from_str(&explained).unwrap();
    assert_eq!(explained["course"]["scored"]["score"], 4);
    assert_eq!(explained["course"]["scored"]["followed"], json!({ "by": "went_back" }));
}

#[test]
fn why_explains_a_change_that_was_denied() {
    let mut recorded = Recorded::nothing();
    let mut script = recorded.script("1111", 0).corrected();
    drift(&mut script);
    for file in ["a", "b", "c"] {
        script.edit(&format!("web/theme/{file}.css"), "red", "blue");
    }
    let input = json!({ "file_path": "web/theme/d.css" });
    let call = ToolCall { id: None, tool: "Edit".into(), input };
    script.event(Event::ToolRequested(call));
    recorded.play(&mut script);
    let about = script.records();
    recorded.own_event("1111", about, |on| {
        let verdict = Verdict::Deny { reason: "Go back first.".into() };
        Event::VerdictGiven {
            verdict: verdict.clone(),
            on,
            by: vec![Opinion { by: course::GATE.into(), verdict, grounds: Grounds::default() }],
            notice: None,
        }
    });
    let denied = numbered(&recorded, "verdict.given", 0);
    insta::assert_snapshot!(recorded.verger(&["why", &denied]), @"
    event       tool.requested at 1111:20
    id          01M7G842E800000001M7G83EXW
    when        2026-11-15 18:39:41
    session     1111 of claude
    directory   $ENV/home/project
    who         the agent
    what        Edit web/theme/d.css
    answer      deny: Go back first.
    course      said so
      grounds   not recorded
    finding     score 1, steps 7 to 9, halt
      goal      Fix the login redirect in src/login.rs. No new dependencies.
      because   `web/theme/colours.css` has nothing to do with what was asked for
      because   `web/theme/fonts.css` has nothing to do with what was asked for
      because   `web/theme/grid.css` has nothing to do with what was asked for
      way back  leave `web/theme/colours.css`, and go on with what was asked for
      see       verger drift --session 1111
    ");
}
