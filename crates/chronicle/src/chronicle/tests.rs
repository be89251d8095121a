use serde_json::{Value, json};
use verger_drift::Ending;
use verger_event::Draft;
use verger_testkit::CourseScript;

use super::*;

fn records(drafts: Vec<Draft>) -> impl Iterator<Item = Record> {
    (1..).zip(drafts).map(|(seq, draft)| Record { seq, draft })
}

fn told(script: &mut CourseScript) -> String {
    let mut chronicle = Chronicle::default();
    let lines = records(script.take()).flat_map(|record| chronicle.take(&record));
    lines.map(|line| short(&line)).collect::<Vec<_>>().join("\n")
}

fn short(line: &Line) -> String {
    match line {
        Line::Task(task) => {
            let TaskRow { number, parent, kind, goal, scope, constraints, status, .. } = &**task;
            let (mode, again) = (task.mode.as_str(), task.escalations);
            let waits = if task.waits_for_recovery { " and waits" } else { "" };
            format!(
                "task {number} of {parent:?}, {kind} {status}, {mode}{waits}, {again} times: \
                 {goal:?} in {scope:?} but {constraints:?}"
            )
        }
        Line::Step(step) => {
            let StepRow { ordinal, task, action, files, command, bearing, .. } = &**step;
            let command = command.as_deref().unwrap_or_default();
            format!("step {ordinal} for {task:?}: {action:?} {files:?} {command} {bearing:?}")
        }
        Line::Scored(scored) => {
            let Scored { score, after, upto, reasons, level, telling, .. } = &**scored;
            format!("score {score} of ({after}, {upto}]: {level:?}, {telling:?}, {reasons:?}")
        }
        Line::Corrected(Given { ordinal, level, .. }) => {
            format!("corrected at {ordinal}: {level:?}")
        }
        Line::Recorded { task, ending, status, cites } => {
            format!("recorded {task}: {ending}, so {status}, {} cited", cites.len())
        }
        Line::HandedOver { trigger, .. } => format!("handed over: {trigger}"),
        other => format!("{other:?}"),
    }
}

#[test]
fn a_session_that_is_corrected_and_goes_back_is_told_line_by_line() {
    let mut script = CourseScript::new("s", "/home/dev/app", 0).corrected();
    script.start().prompt("Fix the login redirect in src/login.rs. No new dependencies.");
    script.read("src/login.rs").edit("src/login.rs", "fn redirect(to: &str) {", "fn go() {");
    for file in ["colours", "fonts", "grid", "menu", "table"] {
        script.edit(&format!("web/theme/{file}.css"), "red", "blue");
    }
    script.edit("src/login.rs", "to.path()", "to.as_str()");
    script.run("cargo test login", "test result: ok");
    script.stop("Fixed.").record(Ending::Complete);
    script.prompt("Also update the tests in tests/login.rs");
    script.edit("tests/login.rs", "assert!(a)", "assert!(b)");
    script.hand_over("compaction").end();
    insta::assert_snapshot!(told(&mut script), @r#"
    Prompted { action: NewTask, task: 1 }
    Left { but: Some(1) }
    task 1 of None, main active, normal, 0 times: "Fix the login redirect in src/login.rs. No new dependencies." in ["src/login.rs"] but ["no new dependencies"]
    step 1 for Some(1): Read ["src/login.rs"]  Neutral
    step 2 for Some(1): Edit ["src/login.rs"]  Aligned
    step 3 for Some(1): Edit ["web/theme/colours.css"]  Astray
    score 9 of (0, 3]: None, Nothing, []
    task 1 of None, main active, normal, 0 times: "Fix the login redirect in src/login.rs. No new dependencies." in ["src/login.rs"] but ["no new dependencies"]
    step 4 for Some(1): Edit ["web/theme/fonts.css"]  Astray
    step 5 for Some(1): Edit ["web/theme/grid.css"]  Astray
    step 6 for Some(1): Edit ["web/theme/menu.css"]  Astray
    score 4 of (3, 6]: Some(Intervene), Waits, ["`web/theme/colours.css` has nothing to do with what was asked for", "`web/theme/fonts.css` has nothing to do with what was asked for", "`web/theme/grid.css` has nothing to do with what was asked for"]
    task 1 of None, main active, drifted and waits, 0 times: "Fix the login redirect in src/login.rs. No new dependencies." in ["src/login.rs"] but ["no new dependencies"]
    corrected at 6: Some(Intervene)
    step 7 for Some(1): Edit ["web/theme/table.css"]  Astray
    Turned(Astray)
    task 1 of None, main active, drifted and waits, 1 times: "Fix the login redirect in src/login.rs. No new dependencies." in ["src/login.rs"] but ["no new dependencies"]
    corrected at 7: Some(Halt)
    step 8 for Some(1): Edit ["src/login.rs"]  Aligned
    Turned(Aligned)
    task 1 of None, main active, normal, 0 times: "Fix the login redirect in src/login.rs. No new dependencies." in ["src/login.rs"] but ["no new dependencies"]
    step 9 for Some(1): Bash [] cargo test login Neutral
    score 6 of (6, 9]: Some(Correct), SaidBefore, ["`web/theme/fonts.css` has nothing to do with what was asked for", "`web/theme/grid.css` has nothing to do with what was asked for", "`web/theme/menu.css` has nothing to do with what was asked for"]
    task 1 of None, main active, normal, 0 times: "Fix the login redirect in src/login.rs. No new dependencies." in ["src/login.rs"] but ["no new dependencies"]
    recorded 1: complete, so completed, 9 cited
    Prompted { action: ParallelTask, task: 2 }
    task 2 of Some(1), parallel active, normal, 0 times: "Also update the tests in tests/login.rs" in ["src/login.rs", "tests/login.rs"] but ["no new dependencies"]
    step 10 for Some(2): Edit ["tests/login.rs"]  Aligned
    handed over: compaction
    Left { but: None }
    "#);
}

#[test]
fn what_nobody_was_told_of_is_seen_all_the_same() {
    let mut script = CourseScript::new("s", "/home/dev/app", 0);
    script.prompt("Fix the login redirect in src/login.rs").read("src/login.rs");
    script.edit("src/login.rs", "fn redirect(to: &str) {", "fn redirect(to: &Url) {");
    for file in ["colours", "fonts", "grid", "list"] {
        script.edit(&format!("web/theme/{file}.css"), "red", "blue");
    }
    script.edit("web/theme/menu.css", "red", "blue").prompt("stop that, fix src/login.rs");
    insta::assert_snapshot!(told(&mut script), @r#"
    Prompted { action: NewTask, task: 1 }
    Left { but: Some(1) }
    task 1 of None, main active, normal, 0 times: "Fix the login redirect in src/login.rs" in ["src/login.rs"] but []
    step 1 for Some(1): Read ["src/login.rs"]  Neutral
    step 2 for Some(1): Edit ["src/login.rs"]  Aligned
    step 3 for Some(1): Edit ["web/theme/colours.css"]  Astray
    score 9 of (0, 3]: None, Nothing, []
    task 1 of None, main active, normal, 0 times: "Fix the login redirect in src/login.rs" in ["src/login.rs"] but []
    step 4 for Some(1): Edit ["web/theme/fonts.css"]  Astray
    step 5 for Some(1): Edit ["web/theme/grid.css"]  Astray
    step 6 for Some(1): Edit ["web/theme/list.css"]  Astray
    score 4 of (3, 6]: Some(Intervene), Observed, ["`web/theme/colours.css` has nothing to do with what was asked for", "`web/theme/fonts.css` has nothing to do with what was asked for", "`web/theme/grid.css` has nothing to do with what was asked for"]
    task 1 of None, main active, drifted, 0 times: "Fix the login redirect in src/login.rs" in ["src/login.rs"] but []
    step 7 for Some(1): Edit ["web/theme/menu.css"]  Astray
    Prompted { action: NewTask, task: 2 }
    Left { but: Some(2) }
    task 2 of None, main active, normal, 0 times: "stop that, fix src/login.rs" in ["src/login.rs"] but []
    score 3 of (6, 7]: Some(Intervene), TurnEnded, ["`web/theme/colours.css` has nothing to do with what was asked for", "`web/theme/fonts.css` has nothing to do with what was asked for", "`web/theme/grid.css` has nothing to do with what was asked for"]
    "#);
}

#[test]
fn what_cannot_be_read_is_no_line() {
    let changed = |change: Value| Event::GateChanged {
        gate: GATE.to_owned(),
        from: String::new(),
        to: String::new(),
        cause: String::new(),
        change: Some(change),
    };
    let mut script = CourseScript::new("s", "/home/dev/app", 0);
    script.event(changed(json!({ "is": "of a later version" })));
    script.event(changed(json!({ "is": "scored", "score": "high" })));
    script.event(changed(json!(null)));
    script.stop("Nobody asked for anything.").end();
    assert_eq!(told(&mut script), "Left { but: None }");
}

#[test]
fn a_task_whose_details_are_of_another_version_is_recorded_all_the_same() {
    let mut script = CourseScript::new("s", "/home/dev/app", 0);
    script.event(Event::TaskRecorded {
        number: 7,
        parent: None,
        status: "handed to a colleague".to_owned(),
        trigger: String::new(),
        query: "q".to_owned(),
        goal: "g".to_owned(),
        commit: None,
        task: json!({ "trace": 3, "cites": "none" }),
    });
    assert_eq!(told(&mut script), "recorded 7: handed to a colleague, so abandoned, 0 cited");
}

#[test]
fn what_is_held_does_not_grow_with_the_session() {
    let mut script = CourseScript::new("s", "/home/dev/app", 0).corrected();
    let mut chronicle = Chronicle::default();
    let mut sizes = vec![];
    script.prompt(&format!("Fix the login in src/login.rs {}", "and more ".repeat(120_000)));
    for round in 0..3 {
        for n in 0..1_000 {
            let file = format!("web/{round}/page{n}.css");
            script.edit(&file, &format!("colour{n}"), &format!("width{round}"));
            for record in records(script.take()) {
                chronicle.take(&record);
            }
        }
        sizes.push(serde_json::to_string(&chronicle).unwrap().len());
    }
    assert_eq!(chronicle.steps(), 3_000);
    assert!(sizes.iter().all(|size| *size < 64 * 1024), "{sizes:?}");
    assert!(sizes[2] < sizes[1] + sizes[1] / 10, "{sizes:?}");
}

/// Where the agent stands after each record that changes it.
fn positions(script: &mut CourseScript) -> String {
    let mut chronicle = Chronicle::default();
    let all: Vec<_> = records(script.take())
        .map(|record| {
            chronicle.take(&record);
            chronicle.position()
        })
        .collect();
    let changed = all.windows(2).filter(|pair| pair[0] != pair[1]);
    let changed = changed.filter_map(|pair| pair[1]).map(|position| {
        let Position { score, telling, followed, .. } = position;
        format!("{score}, {telling:?}, {followed:?}")
    });
    changed.collect::<Vec<_>>().join("\n")
}

fn left(script: &mut CourseScript) {
    script.start().prompt("Fix the login redirect in src/login.rs").read("src/login.rs");
    script.edit("src/login.rs", "fn redirect(to: &str) {", "fn redirect(to: &Url) {");
    for file in ["colours", "fonts", "grid", "list"] {
        script.edit(&format!("web/theme/{file}.css"), "red", "blue");
    }
}

#[test]
fn where_an_agent_stands_is_its_last_score_and_what_came_after_it() {
    let mut observed = CourseScript::new("s", "/home/dev/app", 0);
    left(&mut observed);
    observed.edit("web/theme/menu.css", "red", "blue").stop("I go on.");
    observed.edit("web/theme/tree.css", "red", "blue").prompt("What about the login?");
    insta::assert_snapshot!(positions(&mut observed), @"
    9, Nothing, None
    4, Observed, None
    3, TurnEnded, None
    3, TurnEnded, Some(PersonSpoke)
    1, TurnEnded, Some(PersonSpoke)
    ");
    let mut back = CourseScript::new("s", "/home/dev/app", 0).corrected();
    left(&mut back);
    back.edit("src/login.rs", "redirect(a)", "redirect(b)").stop("Fixed.");
    insta::assert_snapshot!(positions(&mut back), @"
    9, Nothing, None
    4, Waits, None
    4, Said, None
    4, Said, Some(WentBack)
    7, StillThere, None
    ");
    let mut on = CourseScript::new("s", "/home/dev/app", 0).corrected();
    left(&mut on);
    for file in ["menu", "table", "tree"] {
        on.edit(&format!("web/theme/{file}.css"), "red", "blue");
    }
    insta::assert_snapshot!(positions(&mut on), @"
    9, Nothing, None
    4, Waits, None
    4, Said, None
    4, Said, Some(WentOn)
    4, Said, Some(HeldBack)
    1, SaidBefore, Some(HeldBack)
    ");
}

#[test]
fn what_an_agent_was_told_of_it_was_told_of_when_its_turn_ends() {
    let mut on = CourseScript::new("s", "/home/dev/app", 0).corrected();
    left(&mut on);
    on.edit("web/theme/menu.css", "red", "blue").stop("I went on.");
    insta::assert_snapshot!(positions(&mut on), @"
    9, Nothing, None
    4, Waits, None
    4, Said, None
    4, Said, Some(WentOn)
    3, StillThere, Some(WentOn)
    ");
    let mut elsewhere = CourseScript::new("s", "/home/dev/app", 0).corrected();
    left(&mut elsewhere);
    elsewhere.prompt("Fix the login redirect in src/login.rs. Do not touch web/.");
    elsewhere.edit("web/theme/menu.css", "red", "blue").stop("I went on.");
    insta::assert_snapshot!(positions(&mut elsewhere), @"
    9, Nothing, None
    4, Waits, None
    4, Said, None
    4, Said, Some(PersonSpoke)
    4, TurnEnded, None
    ");
}

#[test]
fn an_agent_that_is_denied_often_enough_stands_where_it_stood_and_is_let_go() {
    let mut script = CourseScript::new("s", "/home/dev/app", 0).corrected();
    left(&mut script);
    let change = serde_json::to_value(Change::LetGo { what: "Edit web/a.css".to_owned() });
    script.event(Event::GateChanged {
        gate: GATE.to_owned(),
        from: String::new(),
        to: String::new(),
        cause: String::new(),
        change: change.ok(),
    });
    insta::assert_snapshot!(positions(&mut script), @"
    9, Nothing, None
    4, Waits, None
    4, Said, None
    4, Said, Some(LetGo)
    ");
}

#[test]
fn what_a_program_reads_out_of_a_prompt_is_told_with_it() {
    let mut script = CourseScript::new("s", "/home/dev/app", 0);
    let reading = Reading {
        goal: Some("Fix the logout".to_owned()),
        paths: vec!["web/session".to_owned()],
        constraints: vec!["Do not touch src/billing.".to_owned()],
        task: Some(PromptAction::NewTask),
        ..Reading::default()
    };
    script.start().prompt("Fix the login redirect in src/login.rs. No new dependencies.");
    script.read_prompt("Also the logout, please.", &reading);
    insta::assert_snapshot!(told(&mut script), @r#"
    Prompted { action: NewTask, task: 1 }
    Left { but: Some(1) }
    task 1 of None, main active, normal, 0 times: "Fix the login redirect in src/login.rs. No new dependencies." in ["src/login.rs"] but ["no new dependencies"]
    Prompted { action: NewTask, task: 2 }
    Left { but: Some(2) }
    task 2 of None, main active, normal, 0 times: "Also the logout, please." in ["web/session"] but ["no new dependencies", "do not change src/billing (as a program reads it)"]
    Read(Reading { goal: Some("Fix the logout"), paths: ["web/session"], keywords: [], constraints: ["Do not touch src/billing."], task: Some(NewTask) })
    "#);
}

#[test]
fn a_finished_task_is_finished_again_when_a_question_about_it_is_answered() {
    let mut script = CourseScript::new("s", "/home/dev/app", 0);
    script.start().prompt("Fix the login redirect in src/login.rs.");
    script.edit("src/login.rs", "fn redirect(to: &str) {", "fn go() {");
    script.stop("Fixed.").record(Ending::Complete);
    let status = |script: &mut CourseScript, chronicle: &mut Chronicle| {
        records(script.take()).for_each(|record| chronicle.apply(&record));
        chronicle.task().map(|task| task.status.clone()).unwrap_or_default()
    };
    let mut chronicle = Chronicle::default();
    assert_eq!(status(&mut script, &mut chronicle), "completed");
    script.prompt("does the redirect keep the query?").read("src/login.rs");
    assert_eq!(status(&mut script, &mut chronicle), "active");
    script.stop("Yes, it does.");
    assert_eq!(status(&mut script, &mut chronicle), "completed");
    script.prompt("the redirect should drop it").edit("src/login.rs", "query", "");
    script.stop("I am looking at the tests next.");
    assert_eq!(status(&mut script, &mut chronicle), "active");
}

#[test]
fn what_was_changed_and_taken_back_is_no_result() {
    let mut script = CourseScript::new("s", "/home/dev/app", 0);
    script.start().prompt("Fix the login redirect in src/login.rs. Do not touch src/api/.");
    script.edit("src/login.rs", "fn redirect(to: &str) {", "fn redirect(to: &Url) {");
    script.edit("src/login.rs", "to.path()", "to.as_str()");
    script.edit("src/api/routes.rs", "login(to)", "redirect(to)");
    script.edit("src/api/routes.rs", "redirect(to)", "login(to)");
    script.edit("src/redirect.rs", "login: 1", "login: 2");
    script.run("git checkout src/redirect.rs", "Updated 1 path from the index");
    script.edit("src/session.rs", "login: 3", "login: 4").run("git stash", "Saved");
    script.run("git stash pop", "Dropped");
    let record = script.track().record_current(Ending::Complete).unwrap().details;
    let handoff = script.track().handoff(&[]).unwrap();
    assert_eq!([&record.files, &handoff.files], [&["src/login.rs", "src/session.rs"]; 2]);
    insta::assert_snapshot!(record.trace.join("\n"), @"
    Changed src/login.rs:47, 2 times
    Changed and took back src/api/routes.rs:47, 2 times
    Changed and took back src/redirect.rs:47
    Ran git checkout src/redirect.rs
    Changed src/session.rs:47
    Ran git stash
    Ran git stash pop
    ");
    assert_eq!(record.trace, handoff.progress);
}

#[test]
fn a_file_that_was_changed_for_the_goal_stays_when_only_something_else_in_it_is_taken_back() {
    let mut script = CourseScript::new("s", "/home/dev/app", 0);
    script.start().prompt("Fix the login redirect in src/login.rs. No new dependencies.");
    script.edit("Cargo.toml", "name = \"login\"", "name = \"login-redirect\"");
    script.edit("Cargo.toml", "[dependencies]", "[dependencies]\nurl = \"2\"");
    script.edit("Cargo.toml", "[dependencies]\nurl = \"2\"", "[dependencies]");
    let record = script.track().record_current(Ending::Complete).unwrap().details;
    assert_eq!(record.files, ["Cargo.toml"]);
}

#[test]
fn a_task_of_which_all_was_taken_back_is_recorded_with_that() {
    let mut script = CourseScript::new("s", "/home/dev/app", 0);
    script.start().prompt("Fix the login redirect in src/login.rs.");
    script.edit("src/login.rs", "to.path()", "to.as_str()").run("git reset --hard", "HEAD is now");
    let record = script.track().record_current(Ending::Complete).unwrap().details;
    let trace = ["Changed and took back src/login.rs:47", "Ran git reset --hard"];
    assert_eq!((record.files.len(), record.trace), (0, trace.map(str::to_owned).to_vec()));
}
