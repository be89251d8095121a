//! Tests of the tables of tasks and drift, which are updated and rebuilt from the log alone.
#![cfg(feature = "index")]

use std::fs;

use proptest::prelude::*;
use verger_chronicle::Action;
use verger_chronicle::{FindingKind, Position, Telling};
use verger_event::{Draft, Event, ProjectId, Session, Timestamp, ToolCall, ToolOutput};
use verger_store::Retention;
use verger_store_local::{Difference, Index, NoProbe, StepEntry};
use verger_testkit::{DriftScript, TaskEnding};

use crate::sandbox::Sandbox;

const CWD: &str = "/home/dev/app";

fn script(session: &str) -> DriftScript {
    DriftScript::new(session, CWD, 0)
}

fn project() -> ProjectId {
    ProjectId::new("b0b1")
}

/// A session that drifts, recovers, gets its task recorded, and continues with other work.
fn story(script: &mut DriftScript) -> Vec<Draft> {
    script.start().prompt("Fix the login redirect in src/login.rs. Do not touch web/.");
    script.read("src/login.rs").edit("src/login.rs", "fn redirect(to: &str) {", "fn go() {");
    for file in ["colours", "fonts", "grid", "menu"] {
        script.edit(&format!("web/theme/{file}.css"), "red", "blue");
    }
    script.read("README.md").edit("src/login.rs", "to.path()", "to.as_str()");
    script.run("cargo test login", "test result: ok");
    script.stop("Fixed.").record(TaskEnding::Complete);
    script.prompt("Also update the tests in tests/login.rs");
    script.edit("tests/login.rs", "assert!(a)", "assert!(b)");
    script.take()
}

#[test]
fn the_files_of_a_session_and_where_its_agent_stands_are_known() {
    let log = Sandbox::new();
    let mut script = script("s").corrected();
    let stem = script.key().file_stem();
    script
        .start()
        .prompt("Fix the login redirect in src/login.rs. Do not touch web/.")
        .read("src/login.rs");
    log.commit(&script.key(), &script.take());
    let index = Index::open(&log.store).unwrap();
    index.refresh_drift(std::slice::from_ref(&stem), &mut |_| {}).unwrap();
    assert_eq!(index.files_of(&stem).unwrap(), ["src/login.rs"]);
    assert_eq!(index.position_of(&stem).unwrap(), None);
    for file in ["colours", "fonts", "grid", "menu"] {
        script.edit(&format!("web/theme/{file}.css"), "red", "blue");
    }
    log.commit(&script.key(), &script.take());
    index.refresh_drift(std::slice::from_ref(&stem), &mut |_| {}).unwrap();
    let told = Position {
        score: Some(2),
        kind: Some(FindingKind::Limit),
        telling: Telling::Told,
        followed: None,
    };
    assert_eq!(index.position_of(&stem).unwrap(), Some(told));
    assert_eq!(index.files_of(&stem).unwrap().len(), 5);
    assert_eq!(index.files_of("claude-other").unwrap(), [""; 0]);
}

#[track_caller]
fn brought_up_to_date(log: &Sandbox, script: &DriftScript) -> String {
    let index = Index::open(&log.store).unwrap();
    index.refresh::<Session>().unwrap();
    told(&index, &script.key().file_stem())
}

#[track_caller]
fn told(index: &Index<'_, NoProbe>, stem: &str) -> String {
    index.refresh_drift(&[stem.to_owned()], &mut |_| {}).unwrap();
    let mut lines = vec![];
    for task in index.session_states(stem).unwrap() {
        lines.push(format!(
            "task {} of {:?}: {} {} {} waits {} failed {} from {} to {}: {:?} in {:?} not {:?} of {:?}",
            task.number, task.parent, task.kind, task.status, task.mode.as_str(),
            task.waits_for_recovery, task.escalations, task.began.as_millis(),
            task.last.as_millis(), task.goal, task.scope, task.constraints, task.keywords
        ));
    }
    for (table, entries) in
        [("step", index.steps(stem).unwrap()), ("drift", index.drift_log(stem).unwrap())]
    {
        lines.extend(entries.iter().map(|entry| format!("{table} {}", shown(entry))));
    }
    for task in index.tasks(&project()).unwrap() {
        let details = &task.details;
        let cited = details.cites.len();
        lines.push(format!(
            "kept {} {} {:?} {} of {:?}: {} by {}, {:?} {:?} {:?} {:?} {:?} {:?} {:?} {:?} {} steps, \
             {} breaches, {cited} cited",
            task.id,
            task.session,
            task.user,
            task.number,
            task.parent,
            task.status,
            task.trigger,
            task.goal,
            task.query,
            task.commit,
            details.trace,
            details.decisions,
            details.constraints,
            details.files,
            details.tags,
            details.steps,
            details.breaches,
        ));
    }
    lines.join("\n")
}

fn shown(entry: &StepEntry) -> String {
    let StepEntry { step, score, drift_type, is_validated, .. } = entry;
    let correction = entry.correction.as_deref().and_then(|text| text.lines().next());
    format!(
        "{} {} {} for {:?} at {}: {:?} {:?} {:?} {:?} failed {} key {} {:?}; {score:?} \
         {drift_type:?} valid {is_validated}; told {:?} {correction:?}; {:?} back: {:?}",
        step.ordinal,
        step.id,
        step.tool_use.as_ref().map_or("", |id| id.as_str()),
        step.task,
        step.at.as_millis(),
        step.action,
        step.files,
        step.folders,
        step.command,
        step.failed,
        step.is_key_decision,
        step.breaks,
        entry.correction_level,
        entry.reason,
        entry.recovery_plan,
    )
}

#[track_caller]
fn assert_nothing_differs(log: &Sandbox) {
    assert_eq!(log.store.compare::<Session>(&mut |_| {}).unwrap().1, []);
}

#[test]
fn a_session_is_told_in_tables() {
    let log = Sandbox::new();
    let mut script = script("s").corrected();
    log.commit(&script.key(), &story(&mut script));
    insta::assert_snapshot!(brought_up_to_date(&log, &script), @r#"
    task 1 of None: main completed forced waits true failed 2 from 2000 to 18000: "Fix the login redirect in src/login.rs. Do not touch web/." in ["src/login.rs", "web/"] not ["do not change web/"] of []
    task 2 of None: main active normal waits false failed 0 from 21000 to 22000: "Also update the tests in tests/login.rs" in ["tests/login.rs"] not [] of []
    step 1 00000002XR0000000000000003 t1 for Some(1) at 3000: Read ["src/login.rs"] ["src"] None failed false key false None; Some(5) Some("minor") valid true; told None None; None back: None
    step 2 00000003X00000000000000004 t2 for Some(1) at 4000: Edit ["src/login.rs"] ["src"] None failed false key false None; Some(5) Some("minor") valid true; told None None; None back: None
    step 7 0000000FM0000000000000000G t7 for Some(1) at 16000: Read ["README.md"] [""] None failed false key false None; None None valid true; told None None; None back: None
    step 8 0000000GK8000000000000000H t8 for Some(1) at 17000: Edit ["src/login.rs"] ["src"] None failed false key false None; None None valid true; told None None; None back: None
    step 9 0000000HJG000000000000000J t9 for Some(1) at 18000: Bash [] [] Some("cargo test login") failed false key false None; None None valid true; told None None; None back: None
    step 10 0000000NFG000000000000000P t10 for Some(2) at 22000: Edit ["tests/login.rs"] ["tests"] None failed false key false None; None None valid true; told None None; None back: None
    drift 3 00000004W80000000000000005 t3 for Some(1) at 5000: Edit ["web/theme/colours.css"] ["web/theme"] None failed false key false Some("do not change web/"); Some(5) Some("minor") valid false; told Some("correct") Some("verger: you did something that the person forbade."); Some("the person said: do not change web/") back: Some("restore `web/theme/colours.css` to the content before this task")
    drift 4 00000007T00000000000000008 t4 for Some(1) at 8000: Edit ["web/theme/fonts.css"] ["web/theme"] None failed false key false Some("do not change web/"); Some(3) Some("major") valid false; told Some("intervene") Some("verger: you did it again after you were told that the person forbade it."); Some("the person said: do not change web/") back: Some("restore `web/theme/colours.css`, `web/theme/fonts.css` to the content before this task")
    drift 5 0000000AQR000000000000000B t5 for Some(1) at 11000: Edit ["web/theme/grid.css"] ["web/theme"] None failed false key false Some("do not change web/"); Some(2) Some("critical") valid false; told Some("halt") Some("verger: stop. You did this three times although the person forbade it."); Some("the person said: do not change web/") back: Some("restore `web/theme/colours.css`, `web/theme/fonts.css`, `web/theme/grid.css` to the content before this task")
    drift 6 0000000DNG000000000000000E t6 for Some(1) at 14000: Edit ["web/theme/menu.css"] ["web/theme"] None failed false key false Some("do not change web/"); Some(2) Some("critical") valid false; told None None; Some("the person said: do not change web/") back: Some("restore `web/theme/colours.css`, `web/theme/fonts.css`, `web/theme/grid.css`, `web/theme/menu.css` to the content before this task")
    kept 0000000KH0000000000000000M s Some("dev") 1 of None: complete by complete, "Fix the login redirect in src/login.rs. Do not touch web/." "Fix the login redirect in src/login.rs. Do not touch web/." None ["Read src/login.rs", "Changed src/login.rs:47", "Changed web/theme/colours.css:47", "Changed web/theme/fonts.css:47", "Changed web/theme/grid.css:47", "Changed web/theme/menu.css:47", "Read README.md", "Changed src/login.rs:47", "Ran cargo test login"] [] ["do not change web/"] ["web/theme/colours.css", "web/theme/fonts.css", "web/theme/grid.css", "web/theme/menu.css", "src/login.rs"] ["web", "theme", "css", "rs"] 9 steps, 4 breaches, 9 cited
    "#);
    assert_nothing_differs(&log);
}

#[test]
fn idle_steps_are_removed_when_the_task_has_a_record_that_does_not_cite_them() {
    let log = Sandbox::new();
    let mut script = script("s");
    script.prompt("Fix the login redirect in src/login.rs. Do not touch web/.");
    for n in 0..40 {
        script.read(&format!("src/other{n}.rs")).grep(&format!("redirect{n}"));
    }
    script.edit("src/login.rs", "fn redirect(to: &str) {", "fn go() {").run("ls", "src");
    log.commit(&script.key(), &script.take());
    let stem = script.key().file_stem();
    let index = Index::open(&log.store).unwrap();
    let actions = || {
        index.refresh_drift(std::slice::from_ref(&stem), &mut |_| {}).unwrap();
        let steps = index.steps(&stem).unwrap();
        let looked = steps
            .iter()
            .filter(|entry| matches!(entry.step.action, Action::Read | Action::Glob | Action::Grep))
            .count();
        (looked, steps.len() - looked)
    };
    assert_eq!(actions(), (80, 2));
    let on = |file: &str| index.steps_on(&stem, &[file.to_owned()]).unwrap().len();
    assert_eq!((on("src/other0.rs"), on("src/login.rs")), (1, 1));
    script.record(TaskEnding::Complete);
    let record = script.take();
    let Event::TaskRecorded { task, .. } = &record[0].event else { panic!("{record:?}") };
    // One cited step is the edit, which is not idle, so it is subtracted.
    let cited = task["cites"].as_array().unwrap().len() - 1;
    assert!(cited > 0);
    log.commit(&script.key(), &record);
    assert_eq!(actions(), (cited, 2));
    assert_eq!((on("src/other0.rs"), on("src/login.rs")), (0, 1));
    assert_nothing_differs(&log);
}

#[test]
fn a_record_that_cannot_be_read_costs_its_own_rows_alone() {
    let log = Sandbox::new();
    let mut script = script("s");
    let drafts = story(&mut script);
    log.commit(&script.key(), &drafts);
    let segment = log.segment();
    let text = fs::read_to_string(&segment).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    // Damages the second edit's record and inserts a line that is not a record.
    let mut damaged: Vec<String> = lines.iter().map(ToString::to_string).collect();
    let edit = lines.iter().position(|line| line.contains("colours.css")).unwrap();
    damaged[edit] = damaged[edit].replace("colours", "coloxrs");
    damaged.insert(3, "not a record".to_owned());
    fs::write(&segment, damaged.join("\n") + "\n").unwrap();
    let index = Index::open(&log.store).unwrap();
    let stem = script.key().file_stem();
    index.refresh_drift(std::slice::from_ref(&stem), &mut |_| {}).unwrap();
    let count = index.steps(&stem).unwrap().len() + index.drift_log(&stem).unwrap().len();
    assert_eq!(count, 9, "of 10 steps, one of which is damaged");
    assert_nothing_differs(&log);
}

#[test]
fn a_session_without_prompts_has_steps_and_no_task() {
    let log = Sandbox::new();
    let mut script = script("s");
    let odd = ToolCall::mcp("odd", "odd", serde_json::json!(3));
    script.start().read("a.rs").fail("make", "no rule").call(odd, ToolOutput::default());
    log.commit(&script.key(), &script.take());
    insta::assert_snapshot!(brought_up_to_date(&log, &script), @r#"
    step 1 00000001YG0000000000000002 t1 for None at 2000: Read ["a.rs"] [""] None failed false key false None; None None valid true; told None None; None back: None
    step 2 00000002XR0000000000000003 t2 for None at 3000: Bash [] [] Some("make") failed true key false None; None None valid true; told None None; None back: None
    step 3 00000003X00000000000000004 t3 for None at 4000: Other [] [] None failed false key false None; None None valid true; told None None; None back: None
    "#);
}

#[test]
fn a_prompt_of_a_megabyte_is_a_goal_of_a_few_lines() {
    let log = Sandbox::new();
    let mut script = script("s");
    script.prompt(&format!("Fix src/login.rs. {}", "Look at the log: ".repeat(65_000)));
    script.edit("src/login.rs", "a", "b");
    log.commit(&script.key(), &script.take());
    let index = Index::open(&log.store).unwrap();
    let stem = script.key().file_stem();
    index.refresh_drift(std::slice::from_ref(&stem), &mut |_| {}).unwrap();
    let task = index.session_states(&stem).unwrap().remove(0);
    assert_eq!((task.goal.len(), task.scope), (500, vec!["src/login.rs".to_owned()]));
}

#[test]
fn of_two_records_of_a_task_the_later_one_in_the_log_counts_whatever_the_clock_said() {
    let log = Sandbox::new();
    let mut script = DriftScript::new("s", CWD, 20 * 60 * 60 * 1000);
    script.start().prompt("Fix the login redirect in src/login.rs.");
    script.edit("src/login.rs", "to.path()", "to.as_str()").record(TaskEnding::SessionLeft);
    log.commit(&script.key(), &script.take());
    script.edit("src/login.rs", "to.as_str()", "to").stop("Fixed.").record(TaskEnding::Complete);
    let mut set_back = script.take();
    for (n, draft) in (0..).zip(&mut set_back) {
        draft.at = Timestamp::from_millis(n);
    }
    log.commit(&script.key(), &set_back);
    let kept = Index::open(&log.store).unwrap().tasks(&project()).unwrap();
    let told: Vec<_> = kept.iter().map(|task| (&*task.status, task.earlier.len())).collect();
    assert_eq!(told, [("complete", 1)]);
    assert_nothing_differs(&log);
}

#[test]
fn a_session_that_is_gone_is_forgotten_and_its_tasks_are_kept() {
    let log = Sandbox::new();
    let mut script = script("s");
    log.commit(&script.key(), &story(&mut script));
    brought_up_to_date(&log, &script);
    log.store.remove(&script.key()).unwrap();
    let index = Index::open(&log.store).unwrap();
    index.refresh::<Session>().unwrap();
    let stem = script.key().file_stem();
    assert_eq!((index.steps(&stem).unwrap(), index.drift_log(&stem).unwrap()), (vec![], vec![]));
    assert_eq!(index.session_states(&stem).unwrap(), []);
    assert_eq!(index.root_of(&stem).unwrap(), None);
    let kept = index.tasks(&project()).unwrap();
    assert_eq!(
        kept.iter().map(|task| &*task.goal).collect::<Vec<_>>(),
        ["Fix the login redirect in src/login.rs. Do not touch web/."]
    );
    assert_nothing_differs(&log);
}

#[test]
fn wrong_rows_of_the_tables_are_a_difference_that_a_rebuild_repairs() {
    let log = Sandbox::new();
    let mut script = script("s");
    log.commit(&script.key(), &story(&mut script));
    let expected = brought_up_to_date(&log, &script);
    let stem = script.key().file_stem();
    for (statement, difference) in [
        ("DELETE FROM steps WHERE ordinal = 2", Difference::DriftTables { stem: stem.clone() }),
        ("UPDATE drift_log SET drift_score = 9", Difference::DriftTables { stem: stem.clone() }),
        (
            "UPDATE session_states SET status = 'lost'",
            Difference::DriftTables { stem: stem.clone() },
        ),
        ("DELETE FROM step_files", Difference::DriftTables { stem: stem.clone() }),
        ("UPDATE drift_folds SET state = '{}'", Difference::DriftTables { stem }),
        ("UPDATE tasks SET goal = 'another'", Difference::Tasks { stem: "b0b1".to_owned() }),
    ] {
        let other = rusqlite::Connection::open(log.root().join("index.db")).unwrap();
        assert!(other.execute(statement, []).unwrap() > 0);
        drop(other);
        assert_eq!(log.store.compare::<Session>(&mut |_| {}).unwrap().1, [difference]);
        log.store.rebuild::<Session>(&mut |_| {}).unwrap();
        assert_nothing_differs(&log);
        assert_eq!(brought_up_to_date(&log, &script), expected);
    }
}

#[test]
fn a_rebuild_makes_no_tables_that_nobody_asked_for() {
    let log = Sandbox::new();
    let mut script = script("s");
    log.commit(&script.key(), &story(&mut script));
    log.store.rebuild::<Session>(&mut |_| {}).unwrap();
    let index = Index::open(&log.store).unwrap();
    assert_eq!(index.root_of(&script.key().file_stem()).unwrap(), None);
}

#[test]
fn two_sessions_in_one_directory_never_mix() {
    let log = Sandbox::new();
    let (mut one, mut two) = (script("one"), DriftScript::new("two", CWD, 1_000_000));
    let (ones, twos) = (story(&mut one), story(&mut two));
    for (n, draft) in ones.iter().enumerate() {
        log.commit(&one.key(), std::slice::from_ref(draft));
        log.commit(&two.key(), &twos[n..=n]);
    }
    let index = Index::open(&log.store).unwrap();
    let stems = [one.key().file_stem(), two.key().file_stem()];
    index.refresh_drift(&stems, &mut |_| {}).unwrap();
    let [first, second] =
        stems.map(|stem| index.steps_on(&stem, &["src/login.rs".to_owned()]).unwrap());
    let ordinals =
        |entries: &[StepEntry]| entries.iter().map(|e| e.step.ordinal).collect::<Vec<_>>();
    assert_eq!(ordinals(&first), [1, 2, 8]);
    assert_eq!(ordinals(&first), ordinals(&second));
    assert!(first.iter().zip(&second).all(|(first, second)| first.step.id != second.step.id));
}

/// An action of the test in a session.
#[derive(Debug, Clone)]
enum Happening {
    Prompt(u8),
    Read(u8),
    Edit(u8),
    Run(u8),
    Stop,
    Record,
    End,
    /// Reads the drift tables.
    Ask,
    /// Writes the next record to a spill file.
    Spill,
}

fn happening() -> impl Strategy<Value = Happening> {
    prop_oneof![
        2 => any::<u8>().prop_map(Happening::Prompt),
        4 => any::<u8>().prop_map(Happening::Read),
        8 => any::<u8>().prop_map(Happening::Edit),
        3 => any::<u8>().prop_map(Happening::Run),
        2 => Just(Happening::Stop),
        2 => Just(Happening::Record),
        1 => Just(Happening::End),
        4 => Just(Happening::Ask),
        1 => Just(Happening::Spill),
    ]
}

const PROMPTS: [&str; 5] = [
    "Fix the login redirect in src/login.rs. Do not touch web/.",
    "Also update the tests in tests/login.rs",
    "First install the dependencies",
    "Now write the docs of the theme in docs/theme.md",
    "ok, go on",
];
const FILES: [&str; 6] = [
    "src/login.rs",
    "tests/login.rs",
    "web/theme/a.css",
    "web/theme/b.css",
    "docs/theme.md",
    "infra/main.tf",
];

fn happen(script: &mut DriftScript, happening: &Happening) {
    let file = |n: u8| FILES[usize::from(n) % FILES.len()];
    match happening {
        Happening::Prompt(n) => {
            script.prompt(PROMPTS[usize::from(*n) % PROMPTS.len()]);
        }
        Happening::Read(n) => {
            script.read(file(*n));
        }
        Happening::Edit(n) => {
            script.edit(file(*n), "left", "right");
        }
        Happening::Run(n) if n % 2 == 0 => {
            script.run("cargo test", "test result: ok");
        }
        Happening::Run(_) => {
            script.fail("cargo test", "test result: FAILED");
        }
        Happening::Stop => {
            script.stop("Done.");
        }
        Happening::Record => {
            script.record(TaskEnding::Complete);
        }
        Happening::End => {
            script.end();
        }
        Happening::Ask | Happening::Spill => {}
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(10))]

    #[test]
    fn brought_up_to_date_bit_by_bit_they_equal_those_made_anew(
        happenings in prop::collection::vec(happening(), 1..40),
        is_corrected: bool,
    ) {
        let log = Sandbox::new();
        let mut script = script("s");
        if is_corrected {
            script = script.corrected();
        }
        let mut is_spilling = false;
        for happening in &happenings {
            happen(&mut script, happening);
            let drafts = script.take();
            match happening {
                Happening::Ask => {
                    brought_up_to_date(&log, &script);
                }
                Happening::Spill => is_spilling = true,
                _ if drafts.is_empty() => {}
                _ if std::mem::take(&mut is_spilling) => {
                    log.spill(&script.key(), &drafts);
                    brought_up_to_date(&log, &script);
                }
                _ => {
                    log.commit(&script.key(), &drafts);
                }
            }
        }
        let live = brought_up_to_date(&log, &script);
        assert_nothing_differs(&log);
        fs::remove_file(log.root().join("index.db")).unwrap();
        prop_assert_eq!(brought_up_to_date(&log, &script), live);
    }
}

/// The length of the fold's stored state and the number of steps in the tables.
fn held(log: &Sandbox, script: &DriftScript) -> (i64, i64) {
    let stem = script.key().file_stem();
    let index = Index::open(&log.store).unwrap();
    index.refresh_drift(std::slice::from_ref(&stem), &mut |_| {}).unwrap();
    drop(index);
    let tables = rusqlite::Connection::open(log.root().join("index.db")).unwrap();
    let number = |query: &str| tables.query_row(query, [&stem], |row| row.get(0)).unwrap();
    let state = number("SELECT length(state) FROM drift_folds WHERE stem = ?1");
    (state, number("SELECT count(*) FROM steps WHERE stem = ?1"))
}

#[test]
fn of_ten_thousand_steps_the_index_goes_on_from_a_bounded_state_and_keeps_what_counts() {
    let log = Sandbox::new();
    let mut script = script("s");
    script.start().prompt("Fix the login redirect in src/login.rs. Do not touch web/.");
    let mut states = vec![];
    for thousand in 0..10 {
        for number in 0..999 {
            script.read(&format!("lib/part{}/file{thousand}x{number}.rs", number % 7));
        }
        script.edit("src/login.rs", &format!("a{thousand}"), &format!("b{thousand}"));
        log.commit(&script.key(), &script.take());
        states.push(held(&log, &script).0);
    }
    assert!(states.iter().all(|bytes| *bytes < 16 * 1024), "{states:?}");
    assert!(states[9] < states[1] + states[1] / 10, "{states:?}");
    assert_eq!(held(&log, &script).1, 10_000);
    script.stop("Fixed.").record(TaskEnding::Complete);
    log.commit(&script.key(), &script.take());
    let (_, steps) = held(&log, &script);
    assert!((10..=42).contains(&steps), "what the record speaks of, and changes: {steps}");
}
