use proptest::prelude::*;
use serde_json::json;
use verger_event::{Access, Actor, Circumstance, Draft, Origin, SessionId, Standing, TaskEnding};

use super::*;
use crate::record::TaskRecord;
use crate::tasks::TaskNumber;

const ROOT: &str = "/home/dev/portal";

fn key(session: &str) -> SessionKey {
    SessionKey { agent: "claude".parse().unwrap(), session: SessionId::new(session) }
}

fn id(number: u64) -> EventId {
    EventId::new(Timestamp::from_millis(number), number.into())
}

fn record((number, session): (u64, &str), event: Event) -> Record {
    let SessionKey { agent, session } = key(session);
    let origin = Origin {
        agent,
        agent_version: None,
        session,
        actor: Actor::Main { agent_type: None },
        user: Some("mia@example.com".to_owned()),
        role: None,
        project: None,
        circumstance: Circumstance { cwd: Some(ROOT.to_owned()), ..Circumstance::default() },
    };
    let (standing, access) = (Standing::default(), Access::default());
    let (id, at) = (id(number), Timestamp::from_millis(number));
    Record { seq: number, draft: Draft { id, at, origin, standing, access, event } }
}

/// The record of a task.
fn task(number: u16, ending: TaskEnding, goal: &str, files: &[&str]) -> TaskRecord {
    let files = files.iter().map(|file| (*file).to_owned()).collect();
    TaskRecord {
        number: TaskNumber(number.into()),
        parent: None,
        ending,
        query: goal.to_owned(),
        goal: goal.to_owned(),
        commit: Some("1a2b3c4".to_owned()),
        details: TaskDetails { files, ..TaskDetails::default() },
    }
}

/// A project with some recorded tasks.
fn project() -> Shelf {
    let done = TaskEnding::Complete;
    let tasks = [
        (done, "Fix the login redirect, see #412", "src/login.rs src/web/mod.rs"),
        (done, "Retries in `retry_webhook` must be idempotent", "src/payment/webhook.rs"),
        (done, "Write a migration for the invoice table (ABC-77)", "db/0007_invoice.sql"),
        (TaskEnding::Cleared, "Cache thumbnails of avatars on disk", "src/media/thumbnail.rs"),
        (done, "検索結果のページネーションが壊れているので直して", "src/search/pager.rs"),
        (
            TaskEnding::SessionEnded,
            "Move cookies to Redis: SessionCookieStore",
            "src/session/store.rs",
        ),
        (done, "Update the docs for 2.0", "CHANGELOG.md docs/README.md PLAN.md src/lib.rs"),
        (done, "Bump serde and tokio", "app/Cargo.toml app/Cargo.lock"),
        (done, "Accept UTF-8 from GitHub and macOS", "src/text.rs"),
    ];
    let mut shelf = Shelf::default();
    for (number, (ending, goal, files)) in (1..).zip(tasks) {
        let files: Vec<&str> = files.split(' ').collect();
        let task = task(1, ending, goal, &files);
        shelf.apply(&record((number, &format!("session {number}")), task.event()));
    }
    shelf
}

/// The offers for a prompt, each with the common files and names.
fn offered(shelf: &Shelf, prompt: &str) -> Vec<String> {
    let sought = Sought::in_prompt(prompt, Some(ROOT));
    let offers = sought.map(|sought| shelf.fitting(&sought, Some(&key("now"))));
    let told = |offer: &Offer| {
        let goal: Vec<&str> = offer.task.goal.split_whitespace().take(3).collect();
        format!("{}: {}", goal.join(" "), offer.common.join(" "))
    };
    offers.iter().flatten().map(told).collect()
}

#[test]
fn a_task_is_offered_that_shares_a_file_or_a_rare_name() {
    let shelf = project();
    let cases = [
        ("Rename the function in src/login.rs", "Fix the login: src/login.rs"),
        ("Rename the function in login.rs, please", "Fix the login: login.rs"),
        ("Look at @/home/dev/portal/src/login.rs:12 again", "Fix the login: src/login.rs"),
        ("portal/src/login.rsを読んで", "Fix the login: portal/src/login.rs"),
        ("#412 is not fixed", "Fix the login: #412"),
        ("look at https://example.com/dev/portal/issues/412#note", "Fix the login: #412"),
        ("retry_webhook books payments twice", "Retries in `retry_webhook`: retry_webhook"),
        ("ABC-77 の続き", "Write a migration: ABC-77"),
        ("`src/media/thumbnail.rs` is blurred", "Cache thumbnails of: src/media/thumbnail.rs"),
        ("Why is SessionCookieStore slow?", "Move cookies to: SessionCookieStore"),
        (
            "src/search/pager.rs に件数を出して",
            "検索結果のページネーションが壊れているので直して: src/search/pager.rs",
        ),
    ];
    let found: Vec<_> = cases.iter().map(|(prompt, _)| offered(&shelf, prompt)).collect();
    let expected: Vec<_> = cases.iter().map(|(_, offer)| vec![(*offer).to_owned()]).collect();
    assert_eq!(found, expected);
}

#[test]
fn other_words_in_common_are_no_reason_for_an_offer() {
    let shelf = project();
    let prompts = [
        "",
        "ok, go on",
        "はい、お願いします",
        "The login redirect is wrong",
        "Thumbnails of avatars are cached on disk for too long",
        "検索結果のページネーションに件数を出して",
        "Write a migration for the invoice table",
        "Fix the typo in README.md",
        "Add a line to CHANGELOG.md",
        "Follow PLAN.md",
        "Add anyhow to Cargo.toml",
        "Cargo.lock is not committed",
        "Split src/lib.rs into modules",
        "Tidy src/web/mod.rs",
        "Format everything in src/",
        "gin.rs is new",
        "UTF-8 fails on GitHub and macOS",
        "Is it 2.0 or 1.5?",
        "#4 is open",
        "<system-reminder>src/login.rs #412</system-reminder>",
        "Read https://example.com/src/login.rs",
    ];
    for prompt in prompts {
        assert_eq!(offered(&shelf, prompt), [""; 0], "{prompt}");
    }
}

#[test]
fn one_file_of_many_is_not_enough() {
    let shelf = project();
    let others: Vec<String> = (0..9).map(|n| format!("src/other{n}.rs")).collect();
    let five = format!("src/login.rs {}", others[..5].join(" "));
    assert_eq!(offered(&shelf, &five), ["Fix the login: src/login.rs"]);
    assert_eq!(offered(&shelf, &format!("src/login.rs {}", others.join(" "))), [""; 0]);
}

#[test]
fn a_file_or_name_of_many_tasks_is_no_sign_and_the_newest_task_comes_first() {
    let shelf = |count: u64| {
        let mut shelf = Shelf::default();
        for number in 1..=count {
            let goal = format!("Step{number} of it for parse_row");
            let task = task(1, TaskEnding::Complete, &goal, &["src/ledger.rs"]);
            shelf.apply(&record((number, &format!("session {number}")), task.event()));
        }
        shelf
    };
    let two = ["Step3 of it: src/ledger.rs", "Step2 of it: src/ledger.rs"];
    assert_eq!(offered(&shelf(3), "Is src/ledger.rs slow?"), two);
    assert_eq!(offered(&shelf(4), "Is src/ledger.rs slow?"), [""; 0]);
    assert_eq!(offered(&shelf(1), "Is parse_row slow?"), ["Step1 of it: parse_row"]);
    assert_eq!(offered(&shelf(3), "Is parse_row slow?"), [""; 0]);
    let both = offered(&shelf(2), "Is parse_row in src/ledger.rs slow?");
    assert_eq!(both[0], "Step2 of it: src/ledger.rs parse_row");
}

#[test]
fn the_task_with_more_in_common_comes_first() {
    let mut shelf = Shelf::default();
    for (number, files) in [(1, ["src/a.rs", "src/b.rs"]), (2, ["src/a.rs", "src/c.rs"])] {
        let task = task(1, TaskEnding::Complete, &format!("Step{number} of it"), &files);
        shelf.apply(&record((number, &format!("session {number}")), task.event()));
    }
    let expected = ["Step1 of it: src/a.rs src/b.rs", "Step2 of it: src/a.rs"];
    assert_eq!(offered(&shelf, "Merge src/a.rs and src/b.rs"), expected);
}

#[test]
fn names_come_out_of_code_or_are_tickets() {
    let text = "call parse_row, parseRow, RowParserError, __init__ in #12, ABC-3 and MAX_LEN; not GitHub, \
                iOS, SHA-256, #1, well-known, README, a_b, x-1, 2024-01-02, git@example.com";
    let expected = ["parse_row", "parseRow", "RowParserError", "#12", "ABC-3", "MAX_LEN"];
    assert_eq!(sought::names_in(text), expected);
}

#[test]
fn a_session_is_not_offered_its_own_tasks() {
    let shelf = project();
    let sought = Sought::in_prompt("#412 is open again", None).unwrap();
    assert_eq!(shelf.fitting(&sought, Some(&key("session 1"))), []);
    assert_eq!(shelf.fitting(&sought, Some(&key("session 2"))).len(), 1);
    assert_eq!(shelf.fitting(&sought, None).len(), 1);
}

#[test]
fn a_later_record_of_a_task_takes_the_place_of_the_earlier_one() {
    let mut shelf = Shelf::default();
    let partial = record((1, "s"), task(1, TaskEnding::SessionEnded, "Fix it", &["a.rs"]).event());
    let other = record((2, "t"), task(1, TaskEnding::Complete, "Other", &["b.rs"]).event());
    let complete = record((3, "s"), task(1, TaskEnding::Complete, "Fix it", &["a.rs"]).event());
    let second = record((4, "s"), task(2, TaskEnding::Complete, "Next", &["a.rs"]).event());
    // The log may contain the same record twice.
    for record in [&partial, &partial, &other, &complete, &partial, &second, &complete] {
        shelf.apply(record);
    }
    let kept: Vec<_> = shelf.tasks.iter().map(|task| (task.record, task.status)).collect();
    let expected = [
        (id(2), TaskStatus::Complete),
        (id(3), TaskStatus::Complete),
        (id(4), TaskStatus::Complete),
    ];
    assert_eq!(kept, expected);
    let size_of_all: usize = shelf.tasks.iter().map(size).sum();
    assert_eq!(shelf.bytes, size_of_all);
}

#[test]
fn a_record_of_another_version_is_read_as_far_as_possible() {
    let event = Event::TaskRecorded {
        number: u64::MAX,
        parent: None,
        status: TaskStatus::Partial,
        trigger: TaskEnding::SessionEnded,
        query: "x\n".repeat(100_000),
        goal: "Fix\nthe\u{202e} login".to_owned(),
        commit: Some("c".repeat(1000)),
        task: json!({ "files": 7 }),
    };
    let mut shelf = Shelf::default();
    shelf.apply(&record((1, "s"), event));
    let expected = ShelvedTask {
        record: id(1),
        at: Timestamp::from_millis(1),
        user: Some("mia@example.com".to_owned()),
        status: TaskStatus::Partial,
        goal: "Fix the\u{fffd} login".to_owned(),
        files: vec![],
        decision: None,
        commit: Some(format!("{}…", "c".repeat(MAX_LABEL))),
        session: key("s").file_stem(),
        number: u64::MAX,
        names: vec![],
    };
    assert_eq!(shelf.tasks, [expected]);
}

/// A task whose every field has the maximum length.
fn largest(letter: &str) -> TaskRecord {
    let long = letter.repeat(400);
    let many = |count: u8| (0..count).map(|n| format!("{n}{long}")).collect::<Vec<_>>();
    let decisions = many(9).into_iter().map(|choice| Decision { choice, reason: long.clone() });
    let words: Vec<String> = (0..99).map(|n| format!("word_{n}_{}", "a".repeat(50))).collect();
    TaskRecord {
        query: words.join(" "),
        commit: Some(long.clone()),
        details: TaskDetails {
            decisions: decisions.collect(),
            constraints: many(9),
            files: (0..40).map(|n| format!("{n}/{}", letter.repeat(36))).collect(),
            ..TaskDetails::default()
        },
        ..task(1, TaskEnding::Complete, &long, &[])
    }
}

#[test]
fn a_shelf_is_small_whatever_is_recorded() {
    for letter in ["字", "\"", "\u{1}", "a"] {
        let mut shelf = Shelf::default();
        for number in 0..60 {
            shelf.apply(&record((number, &format!("session {number}")), largest(letter).event()));
        }
        let bytes = serde_json::to_vec(&shelf).unwrap().len();
        assert!(bytes < 100_000, "{bytes} of {letter:?}");
        assert!(shelf.tasks.len() > 15, "{} of {letter:?}", shelf.tasks.len());
    }
    let mut usual = Shelf::default();
    for number in 0..300 {
        let goal = format!("Make the {number}th kind of invoice printable in src/invoice/print.rs");
        let mut task =
            task(1, TaskEnding::Complete, &goal, &["src/invoice/print.rs", "tests/print.rs"]);
        let reason = "the old layout is still needed".to_owned();
        task.details.decisions = vec![Decision { choice: "I kept it".to_owned(), reason }];
        usual.apply(&record((number, &format!("session {number}")), task.event()));
    }
    assert_eq!(usual.tasks.len(), MAX_TASKS);
    let stored = serde_json::to_vec(&usual).unwrap();
    assert_eq!(serde_json::from_slice::<Shelf>(&stored).unwrap(), usual);
}

#[test]
fn the_last_decision_with_a_reason_is_kept() {
    let decision = |choice: &str, reason: &str| Decision {
        choice: choice.to_owned(),
        reason: reason.to_owned(),
    };
    let mut whole = task(1, TaskEnding::Complete, "Fix it", &["src/a.rs"]);
    whole.details.decisions = vec![decision("I kept it", "it\nworks"), decision("npm ci", "")];
    let mut shelf = Shelf::default();
    shelf.apply(&record((1, "s"), whole.event()));
    assert_eq!(shelf.tasks[0].decision, Some(decision("I kept it", "it works")));
}

fn goals() -> impl Strategy<Value = String> {
    let words = "(login|parse_row|#412|src/a.rs|src/b.rs|削除|ABC-7|ledger) ?";
    prop_oneof![prop::collection::vec(words, 0..8).prop_map(|words| words.join(" ")), ".{0,60}"]
}

fn endings() -> impl Strategy<Value = TaskEnding> {
    let all = vec![
        TaskEnding::Complete,
        TaskEnding::LeftForOther,
        TaskEnding::SessionEnded,
        TaskEnding::Cleared,
    ];
    prop::sample::select(all)
}

proptest! {
    #[test]
    fn offers_are_few_and_of_other_sessions(
        recorded in prop::collection::vec((goals(), endings(), "src/[ab]\\.rs", 0u8..6, 0u16..3), 0..40),
        prompt in goals(),
    ) {
        let mut shelf = Shelf::default();
        for (number, (goal, ending, file, session, of_session)) in (1..).zip(&recorded) {
            let task = task(*of_session, *ending, goal, &[file]);
            shelf.apply(&record((number, &format!("session {session}")), task.event()));
        }
        prop_assert!(shelf.tasks.len() <= 18, "a task of a session is there once");
        let stored = serde_json::to_vec(&shelf).unwrap();
        let again: Shelf = serde_json::from_slice(&stored).unwrap();
        prop_assert_eq!(&again, &shelf);
        if let Some(sought) = Sought::in_prompt(&prompt, None) {
            let offers = shelf.fitting(&sought, Some(&key("session 0")));
            prop_assert!(offers.len() <= 2);
            prop_assert!(offers.iter().all(|offer| offer.task.session != key("session 0").file_stem()));
            prop_assert!(offers.iter().all(|offer| !offer.common.is_empty()));
        }
    }
}
