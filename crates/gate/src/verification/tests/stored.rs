//! Tests the stored forms. Lines of the golden file never change; new lines are added.

use proptest::prelude::*;
use verger_event::{ContentHash, Event, Timestamp};

use super::super::*;
use super::built::{check, could_not_run, issue, named, verified};
use crate::blocks::{Block, Mark};
use crate::played::check_stored;

const GOLDEN: &str = include_str!("../../../fixtures/verification-changes.jsonl");

fn every_change() -> Vec<Change> {
    let boxed = |verified| Change::Verified { verified: Box::new(verified) };
    let mut changes = vec![];
    for depth in Depth::ALL {
        for status in [Status::Green, Status::Red, Status::Incomplete] {
            changes.push(boxed(verified("c1", depth, status)));
        }
    }
    let skipped = CheckStatus::Skipped { why: "there are none".to_owned() };
    let timed_out = CheckStatus::TimedOut { limit_seconds: 900 };
    let ends = [CheckStatus::Passed, CheckStatus::Failed, could_not_run(), timed_out, skipped];
    let kinds = CheckKind::ALL.into_iter().zip(ends.iter().cycle().cloned());
    let mut checks: Vec<_> = kinds.map(|(kind, end)| check(kind, end)).collect();
    checks[3].command = Some("cargo clippy".to_owned());
    let without_place = Issue { path: None, line: None, ..issue("it does not build") };
    let full = Verified {
        checks,
        issues: vec![issue("unused variable"), without_place],
        more_issues: 3,
        next_steps: vec!["Fix what lint found.".to_owned()],
        failing_tests: named(&["save::twice"]),
        tree_changed: vec!["src/save.rs".to_owned()],
        ..verified("c1", Depth::Deep, Status::Red)
    };
    let why = "make names none".to_owned();
    let unknown = Verified { failing_tests: FailingTests::Unknown { why }, ..full.clone() };
    changes.extend([boxed(full), boxed(unknown)]);
    for findings in [None, Some("r1".to_owned())] {
        let mark = Mark { content: ContentHash::new("c1"), findings };
        let block = Block { number: 2, at: Timestamp::from_millis(100), mark };
        let ask = Ask { trigger: Trigger::Always, depth: Depth::Quick };
        changes.push(Change::Held { block, ask });
    }
    changes.push(Change::Satisfied);
    for by in [ReleasedBy::Person, ReleasedBy::Breaker, ReleasedBy::Limit] {
        changes.push(Change::Released { by, reason: None });
    }
    let reason = Some("it is late".to_owned());
    changes.push(Change::Released { by: ReleasedBy::Person, reason });
    let lasting = Some(Status::Green);
    let live = Verified { lasting, ..verified("c1", Depth::Quick, Status::Red) };
    changes.push(boxed(live));
    let (what, words) = ("cargo test".to_owned(), "all is done.".to_owned());
    let claim = Trigger::Claim { words };
    for trigger in [Trigger::Marker, claim, Trigger::Failure { what: what.clone() }] {
        let mark = Mark { content: ContentHash::new("c1"), findings: None };
        let block = Block { number: 1, at: Timestamp::from_millis(100), mark };
        changes.push(Change::Held { block, ask: Ask { trigger, depth: Depth::Deep } });
    }
    let (run, content) = ("r1".to_owned(), ContentHash::new("c1"));
    changes.push(Change::Started { run: run.clone(), depth: Depth::Standard, content });
    changes.push(Change::Lost { run });
    for kind in [WatchedKind::Tests, WatchedKind::Build, WatchedKind::Lint, WatchedKind::Users] {
        changes.push(Change::Failed { what: what.clone(), kind });
    }
    changes.push(Change::Succeeded { what });
    let plan = Some("0a1b".to_owned());
    changes.push(boxed(Verified { plan, ..verified("c1", Depth::Quick, Status::Green) }));
    let mark = Mark { content: ContentHash::new("c1"), findings: None };
    let block = Block { number: 2, at: Timestamp::from_millis(100), mark };
    let trigger = Trigger::FailedBefore { what: "cargo test".to_owned() };
    changes.push(Change::Held { block, ask: Ask { trigger, depth: Depth::Deep } });
    let ran_tests = Some(212);
    changes.push(boxed(Verified { ran_tests, ..verified("c1", Depth::Deep, Status::Green) }));
    changes.push(Change::Released { by: ReleasedBy::Untrusted, reason: None });
    let ask = Ask { trigger: Trigger::Marker, depth: Depth::Quick };
    let why = "this work was not verified yet".to_owned();
    changes.push(Change::Claimed { ask, content: ContentHash::new("c1"), why });
    let needs_deep = check(CheckKind::Acceptance, CheckStatus::NotInDepth { needs: Depth::Deep });
    let green = verified("c1", Depth::Quick, Status::Green);
    changes.push(boxed(Verified { checks: vec![needs_deep], ..green }));
    changes
}

#[test]
fn a_stored_change_is_read_and_written_as_ever() {
    check_stored(GOLDEN, &every_change());
}

#[test]
fn the_lasting_event_has_a_summary_in_one_line() {
    let checks = [CheckStatus::Passed, CheckStatus::Failed, could_not_run()];
    let red = Verified {
        checks: checks.map(|status| check(CheckKind::Lint, status)).into(),
        issues: vec![issue("unused variable")],
        more_issues: 2,
        ..verified("c1", Depth::Standard, Status::Red)
    };
    let expected = Event::VerificationRecorded {
        status: Status::Red,
        depth: Depth::Standard,
        content_hash: ContentHash::new("c1"),
        summary: "1 check passed, 3 issues".to_owned(),
        verified: serde_json::to_value(&red).unwrap(),
    };
    assert_eq!(red.event(), expected);
}

#[test]
fn an_issue_says_where_what_and_who_found_it() {
    let without_line = Issue { line: None, ..issue("unused variable") };
    let without_place = Issue { path: None, ..issue("it does not build") };
    let lines = [issue("unused variable"), without_line, without_place].map(|one| one.line());
    let expected = [
        "src/save.rs:3: unused variable (lint)",
        "src/save.rs: unused variable (lint)",
        "it does not build (lint)",
    ];
    assert_eq!(lines, expected);
}

#[test]
fn long_lists_are_cut_and_too_many_failing_tests_are_unknown() {
    let many: Vec<_> = (0..300).map(|number| format!("test {number}")).collect();
    let big = Verified {
        issues: (0..60).map(|number| issue(&number.to_string())).collect(),
        more_issues: 5,
        failing_tests: FailingTests::Named { names: many },
        tree_changed: (0..30).map(|number| number.to_string()).collect(),
        next_steps: vec!["é".repeat(300)],
        ..verified("c1", Depth::Deep, Status::Red)
    };
    let kept = big.bounded();
    let why = "too many tests failed to record their names".to_owned();
    assert_eq!(kept.failing_tests, FailingTests::Unknown { why });
    assert_eq!((kept.issues.len(), kept.more_issues, kept.tree_changed.len()), (50, 15, 10));
    assert_eq!(kept.next_steps, [format!("{}…", "é".repeat(98))]);
    let small = verified("c1", Depth::Quick, Status::Green);
    assert_eq!(small.clone().bounded(), small);
}

proptest! {
    #[test]
    fn a_record_fits_whatever_programs_say(
        texts in prop::collection::vec("(\\PC|\"|\\\\|\\x00|\u{202e}){0,700}", 1..4),
        count in 0usize..400,
    ) {
        let text = |number: usize| texts[number % texts.len()].clone();
        let all = |count: usize| (0..count).map(text).collect::<Vec<_>>();
        let big = Verified {
            run: text(0),
            plan: Some(text(1)),
            checks: (0..count).map(|number| Check {
                name: text(number),
                command: Some(text(number + 1)),
                summary: text(number + 2),
                ..check(CheckKind::Lint, CheckStatus::Skipped { why: text(number) })
            }).collect(),
            issues: (0..count).map(|number| Issue {
                path: Some(text(number)),
                check: text(number),
                ..issue(&text(number))
            }).collect(),
            next_steps: all(count),
            failing_tests: FailingTests::Named { names: all(count) },
            tree_changed: all(count),
            ..verified("c1", Depth::Deep, Status::Red)
        };
        let issues = big.issues.len() as u64;
        let kept = big.bounded();
        let json = serde_json::to_vec(&kept).unwrap();
        prop_assert!(json.len() <= MAX_VERIFIED_BYTES, "{} bytes", json.len());
        prop_assert_eq!(kept.issues.len() as u64 + kept.more_issues, issues);
        prop_assert_eq!(kept.clone().bounded(), kept.clone());
        let remembered = kept.remembered();
        let json = serde_json::to_vec(&remembered).unwrap();
        prop_assert!(json.len() <= 8 * 1024, "{} bytes are remembered", json.len());
        prop_assert_eq!(remembered.issues.len() as u64 + remembered.more_issues, issues);
    }
}
