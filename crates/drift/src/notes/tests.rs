use verger_event::{FileOutcome, ReadCall, Timestamp};

use super::*;
use crate::check::CheckRun;
use crate::handoff::Handoff;

fn id(number: u64) -> EventId {
    EventId::new(Timestamp::from_millis(number), number.into())
}

fn step(action: Action) -> Step {
    Step { action, ..Step::default() }
}

fn edit(file: &str) -> Step {
    let file = file.to_owned();
    Step { files: vec![file.clone()], effects: vec![Effect::Changed(file)], ..step(Action::Edit) }
}

fn ran(command: &str, effects: Vec<Effect>) -> Step {
    Step { command: Some(command.to_owned()), effects, ..step(Action::Bash) }
}

fn checked(command: &str, result: CheckResult) -> Step {
    let failed = matches!(result, CheckResult::Failed(_));
    let check = Some(CheckRun { names: vec!["cargo test".to_owned()], result });
    Step { failed, check, ..ran(command, vec![]) }
}

fn take(notes: &mut Notes, number: u64, step: &Step) {
    let (call, output) = (ToolCall::shell(""), ToolOutput::default());
    notes.took(Done { step, call: &call, output: &output, on: id(number), breaks_limit: false });
}

fn notes() -> Notes {
    Notes::new(TaskNumber(1), None, " Fix the login redirect\nin the portal ")
}

#[test]
fn a_record_has_the_steps_the_files_the_commit_and_the_decisions() {
    let mut notes = notes();
    notes.person_said("Keep the old route because the app uses it.");
    let read = Step { files: vec!["src/web/login.rs".to_owned()], ..step(Action::Read) };
    for (number, from_line) in [(1, 12), (2, 40)] {
        let action = ToolUse::Read(ReadCall { path: None, from_line: Some(from_line) });
        let (call, output) = (ToolCall::new("read", action), ToolOutput::default());
        let on = id(number);
        notes.took(Done { step: &read, call: &call, output: &output, on, breaks_limit: false });
    }
    let file = Some(FileOutcome { created: false, first_line: Some(47) });
    let output = ToolOutput { file, ..ToolOutput::default() };
    let (step, call) = (edit("src/web/login.rs"), ToolCall::edit("src/web/login.rs", "", ""));
    notes.took(Done { step: &step, call: &call, output: &output, on: id(3), breaks_limit: true });
    take(&mut notes, 4, &ran("ls -l", vec![Effect::Ran(vec!["ls".to_owned(), "-l".to_owned()])]));
    take(&mut notes, 5, &checked("cargo test -p web", CheckResult::Passed));
    let commit = Some("1a2b3c4".to_owned());
    take(&mut notes, 6, &Step { commit, ..ran("git commit -am x", vec![Effect::Committed(None)]) });
    notes.said("Fixed. I used a relative path since the host differs.");
    let limits = vec!["do not push".to_owned()];
    let decision = |choice: &str, reason: &str| Decision {
        choice: choice.to_owned(),
        reason: reason.to_owned(),
    };
    let expected = TaskRecord {
        number: TaskNumber(1),
        parent: None,
        ending: TaskEnding::Complete,
        query: "Fix the login redirect\nin the portal".to_owned(),
        goal: "Fix the login redirect".to_owned(),
        commit: Some("1a2b3c4".to_owned()),
        details: TaskDetails {
            trace: [
                "Read src/web/login.rs:40, 2 times",
                "Changed src/web/login.rs:47",
                "Ran cargo test -p web",
                "Ran git commit -am x",
            ]
            .map(str::to_owned)
            .to_vec(),
            decisions: vec![
                decision("Keep the old route", "the app uses it"),
                decision("I used a relative path", "the host differs"),
            ],
            constraints: limits.clone(),
            files: vec!["src/web/login.rs".to_owned()],
            tags: ["web", "rs"].map(str::to_owned).to_vec(),
            steps: 6,
            breaches: 1,
            cites: [1, 3, 5, 6].map(id).to_vec(),
        },
    };
    assert_eq!(notes.record("", limits, TaskEnding::Complete), expected);
    assert_eq!(notes.record("The portal", vec![], TaskEnding::Complete).goal, "The portal");
}

#[test]
fn only_changes_that_no_record_has_are_news() {
    let mut notes = notes();
    let all = [TaskEnding::Complete, TaskEnding::SessionEnded];
    let news = |notes: &Notes| all.map(|ending| notes.has_news(ending));
    take(&mut notes, 1, &step(Action::Read));
    take(&mut notes, 2, &checked("cargo test", CheckResult::Failed(None)));
    assert_eq!(news(&notes), [false, false]);
    take(&mut notes, 3, &edit("a.rs"));
    assert_eq!(news(&notes), [true, true]);
    notes.was_recorded(TaskStatus::Partial);
    assert_eq!(news(&notes), [true, false]);
    notes.said("Fixed.");
    notes.was_recorded(TaskStatus::Complete);
    assert_eq!((news(&notes), notes.is_finished()), ([false, false], true));
    take(&mut notes, 4, &ran("git commit", vec![Effect::Committed(None)]));
    assert_eq!((news(&notes), notes.is_finished()), ([true, true], false));
}

#[test]
fn a_question_at_the_end_waits_for_an_answer() {
    let cases = [
        ("Installed. Shall I go on with the proxy?", true),
        ("**Shall I?**\n", true),
        ("修正しました。テストも追加しましょうか。", true),
        ("どちらにしますか？", true),
        ("Why did it fail? It was the path. Fixed.", false),
        ("修正しました。", false),
        ("", false),
    ];
    for (message, expected) in cases {
        let mut notes = notes();
        notes.said(message);
        assert_eq!(notes.is_asking(), expected, "{message}");
        notes.person_said("yes");
        assert!(!notes.is_asking(), "{message}");
    }
}

#[test]
fn both_ends_of_a_long_message_are_kept() {
    let long = format!("Done. {} Shall I go on?", "é".repeat(900));
    let kept = both_ends(&long);
    assert!(kept.starts_with("Done. é") && kept.ends_with("é Shall I go on?"), "{kept}");
    assert_eq!(kept.chars().count(), 2 * MAX_MESSAGE_PART + 4);
    assert_eq!(both_ends("Done."), "Done.");
}

#[test]
fn notes_are_bounded() {
    let mut notes = notes();
    for number in 0..200 {
        let read = Step { files: vec![format!("{number}.rs")], ..step(Action::Read) };
        take(&mut notes, number, &read);
        take(&mut notes, number, &edit(&format!("{number}.rs")));
        notes.said(&format!("I kept file {number} because it works."));
    }
    let TaskDetails { trace, decisions, files, tags, .. } =
        notes.record("", vec![], TaskEnding::Complete).details;
    let lengths = [trace.len(), decisions.len(), files.len(), tags.len()];
    assert_eq!(lengths, [MAX_TRACE, MAX_DECISIONS, MAX_FILES, 1]);
    assert_eq!(trace.first().map(String::as_str), Some("Changed 168.rs"));
}

fn handoff(notes: &Notes, waiting: &[&Notes], todos: &[String]) -> Handoff {
    Handoff::of(notes, waiting, todos)
}

#[test]
fn a_handoff_has_the_tasks_that_go_on() {
    let mut waiting = notes();
    take(&mut waiting, 1, &edit("src/login.rs"));
    waiting.said("I kept the route because the app uses it.");
    let mut current = Notes::new(TaskNumber(2), Some(TaskNumber(1)), "First bump serde");
    take(&mut current, 2, &checked("cargo test", CheckResult::Passed));
    take(&mut current, 3, &edit("Cargo.toml"));
    current.has_part("Look at the lock file", id(4));
    let expected = Handoff {
        progress: [
            "Changed src/login.rs",
            "Ran cargo test",
            "Changed Cargo.toml",
            "Finished: Look at the lock file",
        ]
        .map(str::to_owned)
        .to_vec(),
        decisions: vec!["I kept the route: the app uses it".to_owned()],
        files: ["src/login.rs", "Cargo.toml"].map(str::to_owned).to_vec(),
        state: vec!["`cargo test` passed; files were changed since".to_owned()],
        next: "run `cargo test` again".to_owned(),
        ..Handoff::default()
    };
    assert_eq!(handoff(&current, &[&waiting], &[]), expected);
}

#[test]
fn the_next_step_is_the_nearest_that_is_known() {
    let next = |notes: &Notes, todos: &[String]| handoff(notes, &[], todos).next;
    let todos = ["write the mails".to_owned()];
    let mut notes = notes();
    assert_eq!(next(&notes, &[]), "go on with the goal, or say that it is done");
    take(&mut notes, 1, &checked("cargo test", CheckResult::Failed(None)));
    assert_eq!(next(&notes, &[]), "make `cargo test` pass");
    take(&mut notes, 2, &checked("cargo test --all", CheckResult::Unknown));
    assert_eq!(next(&notes, &[]), "make `cargo test` pass");
    assert_eq!(next(&notes, &todos), "work on the open item: write the mails");
    notes.said("Which mails?");
    assert_eq!(next(&notes, &todos), "wait for the person's answer");
    notes.said("Done.");
    notes.was_recorded(TaskStatus::Complete);
    assert_eq!(next(&notes, &todos), "nothing: wait for the person's next prompt");
    let state = ["the task is finished", "`cargo test` failed", "the agent's last message: Done."];
    assert_eq!(handoff(&notes, &[], &todos).state, state);
}

#[test]
fn a_line_that_brings_files_back_is_traced() {
    let mut notes = notes();
    for (number, line) in
        [(1, "git checkout -- a.rs"), (2, "git checkout main"), (3, "git reset --hard")]
    {
        let words = line.split(' ').map(str::to_owned).collect();
        take(&mut notes, number, &ran(line, vec![Effect::Ran(words)]));
    }
    let traced: Vec<String> = notes.progress().collect();
    assert_eq!(traced, ["Ran git checkout -- a.rs", "Ran git reset --hard"]);
}
