use proptest::prelude::*;
use serde_json::json;
use verger_event::{Access, Actor, Circumstance, Draft, Origin, SessionId, Standing};

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

/// What a task of a session was about, how it ended and what it changed.
fn task(number: u16, ending: Ending, goal: &str, files: &[&str]) -> TaskRecord {
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

/// A project with some history.
fn project() -> Shelf {
    let done = Ending::Complete;
    let tasks = [
        (done, "Fix the login redirect in src/login.rs. Do not add dependencies.", "src/login.rs"),
        (done, "Retries of the payment webhook must be idempotent", "src/payment/webhook.rs"),
        (done, "Write a migration for the invoice table", "db/migrations/0007_invoice.sql"),
        (Ending::Cleared, "Cache thumbnails of avatars on disk", "src/media/thumbnail.rs"),
        (done, "Translate the onboarding emails to French", "mails/onboarding.fr.html"),
        (done, "検索結果のページネーションが壊れているので直して", "src/search/pager.rs"),
        (done, "請求書の削除機能を追加してください", "src/invoice/delete.rs"),
        (Ending::SessionEnded, "Move session cookies to Redis", "src/session/store.rs"),
        (done, "Update the changelog and the readme for 2.0", "CHANGELOG.md README.md src/lib.rs"),
        (done, "Bump serde and tokio", "Cargo.toml Cargo.lock"),
    ];
    let mut shelf = Shelf::default();
    for (number, (ending, goal, files)) in (1..).zip(tasks) {
        let files: Vec<&str> = files.split(' ').collect();
        let task = task(1, ending, goal, &files);
        shelf.apply(&record((number, &format!("session {number}")), task.event()));
    }
    shelf
}

/// What is offered for a prompt, each with what it has in common.
fn offered(shelf: &Shelf, prompt: &str, touched: &[&str]) -> Vec<String> {
    let offers = Sought::in_prompt(prompt, Some(ROOT)).map(|sought| {
        let sought = sought.beside(touched.iter().copied(), Some(ROOT));
        shelf.fitting(&sought, Some(&key("now")))
    });
    let told = |offer: &Offer| {
        let goal: Vec<&str> = offer.task.goal.split_whitespace().take(3).collect();
        format!("{}: {}", goal.join(" "), offer.common.join(" "))
    };
    offers.iter().flatten().map(told).collect()
}

#[track_caller]
fn check(shelf: &Shelf, prompt: &str, touched: &[&str], expected: &[&str]) {
    assert_eq!(offered(shelf, prompt, touched), expected, "{prompt}");
}

#[test]
fn a_task_is_offered_where_it_really_fits() {
    let shelf = project();
    let login = "Fix the login:";
    let cases: &[(&str, &[&str], &str)] = &[
        ("The login still redirects to the wrong page", &[], &format!("{login} login redire")),
        ("Rename the function in src/login.rs", &[], &format!("{login} login src/login.rs")),
        ("Rename the function in login.rs, please", &[], &format!("{login} login login.rs")),
        (
            "Look at /home/dev/portal/src/login.rs again",
            &[],
            &format!("{login} login src/login.rs"),
        ),
        ("The webhook is retried: payments are booked twice", &[], "Retries of the: paymen webhoo"),
        ("What happens in src/payment/?", &[], "Retries of the: src/payment/"),
        (
            "The thumbnails in src/media/thumbnail.rs are blurred",
            &[],
            "Cache thumbnails of: thumbn src/media/thumbnail.rs",
        ),
        (
            "検索のページネーションに件数を出して",
            &[],
            "検索結果のページネーションが壊れているので直して: search pagina",
        ),
        (
            "src/search/pager.rs を読みやすくして",
            &[],
            "検索結果のページネーションが壊れているので直して: src/search/pager.rs",
        ),
        ("The session is lost when Redis restarts", &[], "Move session cookies: redi sess"),
        (
            "The cookies need another name",
            &["/home/dev/portal/src/session/store.rs"],
            "Move session cookies: cook src/session/store.rs",
        ),
    ];
    let all: Vec<_> =
        cases.iter().map(|(prompt, touched, _)| offered(&shelf, prompt, touched)).collect();
    let expected: Vec<_> = cases.iter().map(|(_, _, offer)| vec![(*offer).to_owned()]).collect();
    assert_eq!(all, expected);
}

#[test]
fn nothing_is_offered_where_nothing_really_fits() {
    let shelf = project();
    let cases: &[(&str, &[&str])] = &[
        ("", &[]),
        ("ok, go on", &[]),
        ("はい、お願いします", &[]),
        ("Write a haiku about the sea", &[]),
        ("Please fix the failing tests", &[]),
        ("Add a feature flag for the beta dashboard", &[]),
        // One word is not enough.
        ("The login page needs a dark theme", &[]),
        ("Export the invoice list as a spreadsheet", &[]),
        ("削除ボタンの色を変えて", &[]),
        ("検索窓を広くして", &[]),
        ("ユーザー一覧を画面に表示してください", &[]),
        // What was given up is offered by its files alone.
        ("Thumbnails of avatars are cached on disk for too long", &[]),
        // Files that say nothing, or that are forbidden.
        ("Fix the typo in README.md", &[]),
        ("Add a line to CHANGELOG.md", &[]),
        ("Add anyhow to Cargo.toml", &[]),
        ("Split lib.rs into modules", &[]),
        ("Format everything in src/", &[]),
        ("Make the colours warmer. Do not touch src/login.rs.", &[]),
        // What was touched needs a word beside it.
        ("Now write the documentation", &["/home/dev/portal/src/session/store.rs"]),
        // Where the project lies is no word of it.
        ("/home/dev/portal/tools/report.py prints too much", &[]),
        ("<system-reminder>login redirect src/login.rs</system-reminder>", &[]),
        ("```\nerror[E0308]: mismatched types\n```", &[]),
    ];
    for (prompt, touched) in cases {
        check(&shelf, prompt, touched, &[]);
    }
}

#[test]
fn of_a_long_prompt_two_words_are_not_enough() {
    let other = "colour palette contrast theme gradient typography spacing margin radius shadow hover focus";
    let prompt = format!("The login redirect is fine. {other}");
    check(&project(), &prompt, &[], &["Fix the login: login redire"]);
    let mut shelf = Shelf::default();
    let goal = format!("login redirect {other}");
    shelf.apply(&record((1, "then"), task(1, Ending::Complete, &goal, &["a.css"]).event()));
    let unlike =
        "session storage retry webhook payment avatar thumbnail pagination cookies onboarding";
    check(&shelf, &format!("login redirect {unlike}"), &[], &[]);
}

#[test]
fn what_many_tasks_have_is_no_sign_and_of_those_that_fit_the_newest_come_first() {
    let mut shelf = Shelf::default();
    for number in 1..=30 {
        let goal = format!("Adjust ledger journal topic{number} in src/ledger.rs");
        let task = task(1, Ending::Complete, &goal, &["src/ledger.rs"]);
        shelf.apply(&record((number, &format!("session {number}")), task.event()));
    }
    check(&shelf, "The ledger journal is slow", &[], &[]);
    check(&shelf, "src/ledger.rs is slow", &[], &[]);
    let mut shelf = Shelf::default();
    for number in 1..=4 {
        let goal = format!("Step{number} of it");
        let task = task(1, Ending::Complete, &goal, &["src/ledger.rs"]);
        shelf.apply(&record((number, &format!("session {number}")), task.event()));
    }
    let expected = ["Step4 of it: src/ledger.rs", "Step3 of it: src/ledger.rs"];
    check(&shelf, "Is src/ledger.rs slow?", &[], &expected);
}

#[test]
fn a_session_is_not_offered_its_own_tasks() {
    let shelf = project();
    let sought = Sought::in_prompt("The login still redirects wrongly", None).unwrap();
    assert_eq!(shelf.fitting(&sought, Some(&key("session 1"))), []);
    assert_eq!(shelf.fitting(&sought, Some(&key("session 2"))).len(), 1);
    assert_eq!(shelf.fitting(&sought, None).len(), 1);
}

#[test]
fn a_later_record_of_a_task_takes_the_place_of_the_earlier_one() {
    let mut shelf = Shelf::default();
    let partial = record((1, "s"), task(1, Ending::SessionEnded, "Fix it", &["a.rs"]).event());
    let other = record((2, "t"), task(1, Ending::Complete, "Other", &["b.rs"]).event());
    let complete = record((3, "s"), task(1, Ending::Complete, "Fix it", &["a.rs"]).event());
    let second = record((4, "s"), task(2, Ending::Complete, "Next", &["a.rs"]).event());
    // The log may hold a record twice.
    for record in [&partial, &partial, &other, &complete, &partial, &second, &complete] {
        shelf.apply(record);
    }
    let kept: Vec<_> = shelf.tasks.iter().map(|task| (task.record, task.status)).collect();
    let expected =
        [(id(2), Status::Complete), (id(3), Status::Complete), (id(4), Status::Complete)];
    assert_eq!(kept, expected);
    let size_of_all: usize = shelf.tasks.iter().map(size).sum();
    assert_eq!(shelf.bytes, size_of_all);
}

#[test]
fn what_another_version_wrote_is_taken_as_far_as_it_is_understood() {
    let event = Event::TaskRecorded {
        number: u64::MAX,
        parent: None,
        status: "paused".to_owned(),
        trigger: "moon".to_owned(),
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
        status: Status::Partial,
        goal: "Fix the\u{fffd} login".to_owned(),
        files: vec![],
        decisions: vec![],
        constraints: vec![],
        commit: Some(format!("{}…", "c".repeat(MAX_NAME))),
        session: key("s").file_stem(),
        number: u64::MAX,
        words: "login".to_owned(),
        replaced: vec![],
    };
    assert_eq!(shelf.tasks, [expected]);
}

/// A task of which everything is as long as can be, in letters of three bytes or of two as JSON.
fn largest(letter: &str) -> TaskRecord {
    let long = letter.repeat(400);
    let many = |count: u8| (0..count).map(|n| format!("{n}{long}")).collect::<Vec<_>>();
    let decisions = many(9).into_iter().map(|choice| Decision { choice, reason: long.clone() });
    let words: Vec<String> = (0..99).map(|n| format!("{letter}w{n}ords")).collect();
    TaskRecord {
        query: words.join(" "),
        commit: Some(long.clone()),
        details: TaskDetails {
            decisions: decisions.collect(),
            constraints: many(9),
            files: (0..40).map(|n| format!("{n}/{}", letter.repeat(36))).collect(),
            ..TaskDetails::default()
        },
        ..task(1, Ending::Complete, &long, &[])
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
        assert!(shelf.len() > 15, "{} of {letter:?}", shelf.len());
    }
    let mut usual = Shelf::default();
    for number in 0..300 {
        let goal = format!("Make the {number}th kind of invoice printable in src/invoice/print.rs");
        let mut task =
            task(1, Ending::Complete, &goal, &["src/invoice/print.rs", "tests/print.rs"]);
        let reason = "the old layout is still needed".to_owned();
        task.details.decisions = vec![Decision { choice: "I kept it".to_owned(), reason }];
        usual.apply(&record((number, &format!("session {number}")), task.event()));
    }
    assert_eq!(usual.len(), MAX_TASKS);
    let stored = serde_json::to_vec(&usual).unwrap();
    assert_eq!(serde_json::from_slice::<Shelf>(&stored).unwrap(), usual);
}

fn goals() -> impl Strategy<Value = String> {
    let words = "(login|redirect|invoice|payment|src/a.rs|src/b.rs|削除|検索|ledger) ?";
    prop_oneof![prop::collection::vec(words, 0..8).prop_map(|words| words.join(" ")), ".{0,60}"]
}

fn endings() -> impl Strategy<Value = Ending> {
    let all = vec![Ending::Complete, Ending::LeftForOther, Ending::SessionEnded, Ending::Cleared];
    prop::sample::select(all)
}

proptest! {
    #[test]
    fn offers_are_few_of_other_sessions_and_always_the_same(
        recorded in prop::collection::vec((goals(), endings(), "src/[ab]\\.rs", 0u8..6, 0u16..3), 0..40),
        prompt in goals(),
        touched in prop::collection::vec("src/[ab]\\.rs", 0..3),
    ) {
        let mut shelf = Shelf::default();
        for (number, (goal, ending, file, session, of_session)) in (1..).zip(&recorded) {
            let task = task(*of_session, *ending, goal, &[file]);
            shelf.apply(&record((number, &format!("session {session}")), task.event()));
        }
        prop_assert!(shelf.len() <= 18, "a task of a session is there once");
        let stored = serde_json::to_vec(&shelf).unwrap();
        let again: Shelf = serde_json::from_slice(&stored).unwrap();
        prop_assert_eq!(&again, &shelf);
        if let Some(sought) = Sought::in_prompt(&prompt, None) {
            let sought = sought.beside(touched.iter().map(String::as_str), None);
            let offers = shelf.fitting(&sought, Some(&key("session 0")));
            prop_assert!(offers.len() <= 2);
            prop_assert!(offers.iter().all(|offer| offer.task.session != key("session 0").file_stem()));
            prop_assert!(offers.iter().all(|offer| !offer.common.is_empty()));
            prop_assert_eq!(&again.fitting(&sought, Some(&key("session 0"))), &offers);
        }
    }
}
