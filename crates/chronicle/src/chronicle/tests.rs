use serde_json::{Value, json};
use verger_event::{Draft, HandoffTrigger, TaskEnding};
use verger_testkit::DriftScript;

use super::*;

fn records(drafts: Vec<Draft>) -> impl Iterator<Item = Record> {
    (1..).zip(drafts).map(|(seq, draft)| Record { seq, draft })
}

fn told(script: &mut DriftScript) -> String {
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
            let StepRow { ordinal, task, action, files, command, breaks, .. } = &**step;
            let command = command.as_deref().unwrap_or_default();
            format!("step {ordinal} for {task:?}: {action:?} {files:?} {command} {breaks:?}")
        }
        Line::Scored(scored) => {
            let Scored { score, after, upto, reasons, level, telling, .. } = &**scored;
            format!("score {score:?} of ({after}, {upto}]: {level:?}, {telling:?}, {reasons:?}")
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
    let mut script = DriftScript::new("s", "/home/dev/app", 0).corrected();
    script.start().prompt("Fix the login redirect in src/login.rs. Do not touch web/.");
    script.read("src/login.rs").edit("src/login.rs", "fn redirect(to: &str) {", "fn go() {");
    for file in ["colours", "fonts", "grid", "menu", "table"] {
        script.edit(&format!("web/theme/{file}.css"), "red", "blue");
    }
    script.edit("src/login.rs", "to.path()", "to.as_str()");
    script.run("cargo test login", "test result: ok");
    script.stop("Fixed.").record(TaskEnding::Complete);
    script.prompt("Also update the tests in tests/login.rs");
    script.edit("tests/login.rs", "assert!(a)", "assert!(b)");
    script.hand_over(HandoffTrigger::Compaction).end();
    insta::assert_snapshot!(told(&mut script), @r#"
    Prompted { action: NewTask, task: 1 }
    Left { but: Some(1) }
    task 1 of None, main active, normal, 0 times: "Fix the login redirect in src/login.rs. Do not touch web/." in ["src/login.rs", "web/"] but ["do not change web/"]
    step 1 for Some(1): Read ["src/login.rs"]  None
    step 2 for Some(1): Edit ["src/login.rs"]  None
    step 3 for Some(1): Edit ["web/theme/colours.css"]  Some("do not change web/")
    score Some(5) of (0, 3]: Some(Correct), Waits, ["`web/theme/colours.css`: the person said: do not change web/"]
    task 1 of None, main active, drifted and waits, 0 times: "Fix the login redirect in src/login.rs. Do not touch web/." in ["src/login.rs", "web/"] but ["do not change web/"]
    corrected at 3: Some(Correct)
    step 4 for Some(1): Edit ["web/theme/fonts.css"]  Some("do not change web/")
    score Some(3) of (3, 4]: Some(Intervene), Waits, ["`web/theme/fonts.css`: the person said: do not change web/"]
    task 1 of None, main active, drifted and waits, 1 times: "Fix the login redirect in src/login.rs. Do not touch web/." in ["src/login.rs", "web/"] but ["do not change web/"]
    corrected at 4: Some(Intervene)
    step 5 for Some(1): Edit ["web/theme/grid.css"]  Some("do not change web/")
    score Some(2) of (4, 5]: Some(Halt), Waits, ["`web/theme/grid.css`: the person said: do not change web/"]
    task 1 of None, main active, forced and waits, 2 times: "Fix the login redirect in src/login.rs. Do not touch web/." in ["src/login.rs", "web/"] but ["do not change web/"]
    corrected at 5: Some(Halt)
    step 6 for Some(1): Edit ["web/theme/menu.css"]  Some("do not change web/")
    score Some(2) of (5, 6]: Some(Halt), ToldBefore, ["`web/theme/menu.css`: the person said: do not change web/"]
    task 1 of None, main active, forced and waits, 2 times: "Fix the login redirect in src/login.rs. Do not touch web/." in ["src/login.rs", "web/"] but ["do not change web/"]
    step 7 for Some(1): Edit ["web/theme/table.css"]  Some("do not change web/")
    score Some(2) of (6, 7]: Some(Halt), ToldBefore, ["`web/theme/table.css`: the person said: do not change web/"]
    task 1 of None, main active, forced and waits, 2 times: "Fix the login redirect in src/login.rs. Do not touch web/." in ["src/login.rs", "web/"] but ["do not change web/"]
    step 8 for Some(1): Edit ["src/login.rs"]  None
    step 9 for Some(1): Bash [] cargo test login None
    recorded 1: complete, so completed, 9 cited
    Prompted { action: NewTask, task: 2 }
    Left { but: Some(2) }
    task 2 of None, main active, normal, 0 times: "Also update the tests in tests/login.rs" in ["tests/login.rs"] but []
    step 10 for Some(2): Edit ["tests/login.rs"]  None
    handed over: the conversation was compacted
    Left { but: None }
    "#);
}

#[test]
fn observed_findings_are_in_the_chronicle() {
    let mut script = DriftScript::new("s", "/home/dev/app", 0);
    script
        .prompt("Fix the login redirect in src/login.rs. Do not touch web/.")
        .read("src/login.rs");
    script.edit("src/login.rs", "fn redirect(to: &str) {", "fn redirect(to: &Url) {");
    for file in ["colours", "fonts", "grid", "list"] {
        script.edit(&format!("web/theme/{file}.css"), "red", "blue");
    }
    script.edit("web/theme/menu.css", "red", "blue").prompt("stop that, fix src/login.rs");
    insta::assert_snapshot!(told(&mut script), @r#"
    Prompted { action: NewTask, task: 1 }
    Left { but: Some(1) }
    task 1 of None, main active, normal, 0 times: "Fix the login redirect in src/login.rs. Do not touch web/." in ["src/login.rs", "web/"] but ["do not change web/"]
    step 1 for Some(1): Read ["src/login.rs"]  None
    step 2 for Some(1): Edit ["src/login.rs"]  None
    step 3 for Some(1): Edit ["web/theme/colours.css"]  Some("do not change web/")
    score Some(5) of (0, 3]: Some(Correct), Observed, ["`web/theme/colours.css`: the person said: do not change web/"]
    task 1 of None, main active, drifted, 0 times: "Fix the login redirect in src/login.rs. Do not touch web/." in ["src/login.rs", "web/"] but ["do not change web/"]
    step 4 for Some(1): Edit ["web/theme/fonts.css"]  Some("do not change web/")
    score Some(5) of (3, 4]: Some(Correct), Observed, ["`web/theme/fonts.css`: the person said: do not change web/"]
    task 1 of None, main active, drifted, 0 times: "Fix the login redirect in src/login.rs. Do not touch web/." in ["src/login.rs", "web/"] but ["do not change web/"]
    step 5 for Some(1): Edit ["web/theme/grid.css"]  Some("do not change web/")
    score Some(5) of (4, 5]: Some(Correct), Observed, ["`web/theme/grid.css`: the person said: do not change web/"]
    task 1 of None, main active, drifted, 0 times: "Fix the login redirect in src/login.rs. Do not touch web/." in ["src/login.rs", "web/"] but ["do not change web/"]
    step 6 for Some(1): Edit ["web/theme/list.css"]  Some("do not change web/")
    score Some(5) of (5, 6]: Some(Correct), Observed, ["`web/theme/list.css`: the person said: do not change web/"]
    task 1 of None, main active, drifted, 0 times: "Fix the login redirect in src/login.rs. Do not touch web/." in ["src/login.rs", "web/"] but ["do not change web/"]
    step 7 for Some(1): Edit ["web/theme/menu.css"]  Some("do not change web/")
    score Some(5) of (6, 7]: Some(Correct), Observed, ["`web/theme/menu.css`: the person said: do not change web/"]
    task 1 of None, main active, drifted, 0 times: "Fix the login redirect in src/login.rs. Do not touch web/." in ["src/login.rs", "web/"] but ["do not change web/"]
    Prompted { action: Continue, task: 1 }
    task 1 of None, main active, normal, 0 times: "Fix the login redirect in src/login.rs. Do not touch web/." in ["src/login.rs", "web/"] but ["do not change web/"]
    "#);
}

#[test]
fn unreadable_changes_are_no_lines() {
    let changed = |change: Value| Event::GateChanged {
        gate: GATE.into(),
        from: String::new(),
        to: String::new(),
        cause: String::new(),
        change: Some(change),
    };
    let mut script = DriftScript::new("s", "/home/dev/app", 0);
    script.event(changed(json!({ "is": "of a later version" })));
    script.event(changed(json!({ "is": "scored", "score": "high" })));
    script.event(changed(json!(null)));
    script.stop("Nobody asked for anything.").end();
    assert_eq!(told(&mut script), "Left { but: None }");
}

#[test]
fn a_task_whose_details_are_of_another_version_is_recorded_all_the_same() {
    let mut script = DriftScript::new("s", "/home/dev/app", 0);
    script.event(Event::TaskRecorded {
        number: 7,
        parent: None,
        status: TaskStatus::Abandoned,
        trigger: TaskEnding::LeftForOther,
        query: "q".to_owned(),
        goal: "g".to_owned(),
        commit: None,
        task: json!({ "trace": 3, "cites": "none" }),
    });
    assert_eq!(told(&mut script), "recorded 7: abandoned, so abandoned, 0 cited");
}

#[test]
fn the_state_does_not_grow_with_the_session() {
    let mut script = DriftScript::new("s", "/home/dev/app", 0).corrected();
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

/// The agent's positions: a line for each record that changes the position.
fn positions(script: &mut DriftScript) -> String {
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
        format!("{score:?}, {telling:?}, {followed:?}")
    });
    changed.collect::<Vec<_>>().join("\n")
}

fn left(script: &mut DriftScript) {
    script
        .start()
        .prompt("Fix the login redirect in src/login.rs. Do not touch web/.")
        .read("src/login.rs");
    script.edit("src/login.rs", "fn redirect(to: &str) {", "fn redirect(to: &Url) {");
    for file in ["colours", "fonts", "grid", "list"] {
        script.edit(&format!("web/theme/{file}.css"), "red", "blue");
    }
}

#[test]
fn where_an_agent_stands_is_its_last_score_and_what_came_after_it() {
    let mut observed = DriftScript::new("s", "/home/dev/app", 0);
    left(&mut observed);
    observed.edit("web/theme/menu.css", "red", "blue").stop("I go on.");
    observed.edit("web/theme/tree.css", "red", "blue").prompt("What about the login?");
    insta::assert_snapshot!(positions(&mut observed), @"
    Some(5), Observed, None
    Some(5), Observed, Some(PersonSpoke)
    ");
    let mut back = DriftScript::new("s", "/home/dev/app", 0).corrected();
    left(&mut back);
    back.edit("src/login.rs", "redirect(a)", "redirect(b)").stop("Fixed.");
    insta::assert_snapshot!(positions(&mut back), @"
    Some(5), Waits, None
    Some(5), Told, None
    Some(3), Waits, None
    Some(3), Told, None
    Some(2), Waits, None
    Some(2), Told, None
    Some(2), ToldBefore, None
    ");
    let mut on = DriftScript::new("s", "/home/dev/app", 0).corrected();
    left(&mut on);
    for file in ["menu", "table", "tree"] {
        on.edit(&format!("web/theme/{file}.css"), "red", "blue");
    }
    insta::assert_snapshot!(positions(&mut on), @"
    Some(5), Waits, None
    Some(5), Told, None
    Some(3), Waits, None
    Some(3), Told, None
    Some(2), Waits, None
    Some(2), Told, None
    Some(2), ToldBefore, None
    ");
}

#[test]
fn findings_told_before_stay_told_at_the_end_of_the_turn() {
    let mut on = DriftScript::new("s", "/home/dev/app", 0).corrected();
    left(&mut on);
    on.edit("web/theme/menu.css", "red", "blue").stop("I went on.");
    insta::assert_snapshot!(positions(&mut on), @"
    Some(5), Waits, None
    Some(5), Told, None
    Some(3), Waits, None
    Some(3), Told, None
    Some(2), Waits, None
    Some(2), Told, None
    Some(2), ToldBefore, None
    ");
    let mut elsewhere = DriftScript::new("s", "/home/dev/app", 0).corrected();
    left(&mut elsewhere);
    elsewhere.prompt("Fix the login redirect in src/login.rs. Do not touch web/.");
    elsewhere.edit("web/theme/menu.css", "red", "blue").stop("I went on.");
    insta::assert_snapshot!(positions(&mut elsewhere), @"
    Some(5), Waits, None
    Some(5), Told, None
    Some(3), Waits, None
    Some(3), Told, None
    Some(2), Waits, None
    Some(2), Told, None
    Some(2), ToldBefore, None
    Some(2), ToldBefore, Some(PersonSpoke)
    Some(5), TurnEnded, None
    ");
}

#[test]
fn an_agent_that_is_denied_as_often_as_allowed_is_released() {
    let mut script = DriftScript::new("s", "/home/dev/app", 0).corrected();
    left(&mut script);
    let change = serde_json::to_value(Change::Released { what: "Edit web/a.css".to_owned() });
    script.event(Event::GateChanged {
        gate: GATE.into(),
        from: String::new(),
        to: String::new(),
        cause: String::new(),
        change: change.ok(),
    });
    insta::assert_snapshot!(positions(&mut script), @"
    Some(5), Waits, None
    Some(5), Told, None
    Some(3), Waits, None
    Some(3), Told, None
    Some(2), Waits, None
    Some(2), Told, None
    Some(2), ToldBefore, None
    Some(2), ToldBefore, Some(Released)
    ");
}

#[test]
fn the_programs_reading_is_a_line_of_the_prompt() {
    let mut script = DriftScript::new("s", "/home/dev/app", 0);
    let reading = Reading {
        goal: Some("Fix the logout".to_owned()),
        paths: vec!["web/session".to_owned()],
        constraints: vec!["Do not touch src/billing.".to_owned()],
        task: Some(PromptAction::NewTask),
        ..Reading::default()
    };
    script.start().prompt("Fix the login redirect in src/login.rs. Do not touch web/.");
    script.read_prompt("Also the logout, please.", &reading);
    insta::assert_snapshot!(told(&mut script), @r#"
    Prompted { action: NewTask, task: 1 }
    Left { but: Some(1) }
    task 1 of None, main active, normal, 0 times: "Fix the login redirect in src/login.rs. Do not touch web/." in ["src/login.rs", "web/"] but ["do not change web/"]
    Prompted { action: NewTask, task: 2 }
    Left { but: Some(2) }
    task 2 of None, main active, normal, 0 times: "Also the logout, please." in ["web/session"] but ["do not change src/billing (read by drift.reader)"]
    Read(Reading { goal: Some("Fix the logout"), paths: ["web/session"], keywords: [], constraints: ["Do not touch src/billing."], task: Some(NewTask) })
    "#);
}
