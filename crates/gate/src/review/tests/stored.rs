//! Tests the stored form of changes. Lines of the golden file never change; new lines are added.

use super::super::*;
use super::built::*;
use crate::blocks::{Block, Mark};
use crate::played::check_stored;

const GOLDEN: &str = include_str!("../../../fixtures/review-changes.jsonl");

/// Every kind of change with every kind of value, in the order of the golden file.
fn every_change() -> Vec<Change> {
    let reviewer = || subagent("a1b2");
    let mut changes = vec![];
    for trigger in [prompt_trigger(), Trigger::Always, Trigger::Tool, Trigger::Reviewer] {
        changes.push(Change::Wanted { trigger });
    }
    changes.push(Change::Denied { call: close(5) });
    for findings in [None, Some("a bug".to_owned())] {
        let mark = Mark { content: hash("c0ffee"), findings };
        let block = Block { number: 2, at: at(100), mark };
        changes.push(Change::Held { block, template: "default".to_owned() });
    }
    let job = || ReviewerId::Command("j1".to_owned());
    let program = ReviewerProgram {
        program: "critic".to_owned(),
        path: Some("/usr/bin/critic".to_owned()),
        sha256: Some("ab".repeat(32)),
        arguments: vec!["--json".to_owned()],
    };
    for (reviewer, proof) in
        [(reviewer(), Proof::Token(token("one"))), (job(), Proof::Run(program))]
    {
        changes.push(Change::ReviewerStarted { reviewer, proof, content: hash("c0ffee") });
    }
    let full = Decision {
        outcome: Outcome::Issues,
        summary: "a bug".to_owned(),
        message: Some("fix it".to_owned()),
        opinions: Some("two agree".to_owned()),
    };
    let (outcome, digest) = (full.outcome, full.digest());
    changes.push(Change::Attested { reviewer: reviewer(), outcome, digest });
    changes.push(Change::ReviewerHeld { reviewer: reviewer() });
    changes.push(Change::ReviewerEnded { reviewer: reviewer() });
    for took_millis in [None, Some(1500)] {
        let ran = Ran { ending: "exited with 0".to_owned(), took_millis };
        changes.push(Change::RunEnded { reviewer: job(), ran });
    }
    for decision in [decision(Outcome::Complete), full, decision(Outcome::Unavailable)] {
        changes.push(Change::Decided { reviewer: reviewer(), decision, content: hash("c0ffee") });
    }
    for why in [
        Refusal::NotTheReviewer,
        Refusal::UnknownToken,
        Refusal::NoToken,
        Refusal::TokenUsed,
        Refusal::NotAttested,
        Refusal::OtherSession,
        Refusal::NotPlain,
        Refusal::Bad { problem: "no summary".to_owned() },
        Refusal::ContentChanged { paths: vec!["src/main.rs".to_owned()] },
    ] {
        changes.push(Change::Refused { why });
    }
    changes.extend([Change::ApprovalUsed, Change::Restored, Change::Satisfied]);
    for (by, reason) in [
        (ReleasedBy::Breaker, None),
        (ReleasedBy::Limit, None),
        (ReleasedBy::Unavailable, None),
        (ReleasedBy::Person, Some("late".to_owned())),
    ] {
        changes.push(Change::Released { by, reason });
    }
    changes.push(Change::PassedUncompared);
    changes
}

#[test]
fn a_stored_change_is_read_and_written_as_ever() {
    check_stored(GOLDEN, &every_change());
}

#[test]
fn every_kind_of_change_has_a_line() {
    let kinds = |change: &Change| match change {
        Change::Wanted { .. } => 0,
        Change::Denied { .. } => 1,
        Change::Held { .. } => 2,
        Change::ReviewerStarted { .. } => 3,
        Change::Attested { .. } => 4,
        Change::ReviewerHeld { .. } => 5,
        Change::ReviewerEnded { .. } => 6,
        Change::RunEnded { .. } => 7,
        Change::Decided { .. } => 8,
        Change::Refused { .. } => 9,
        Change::ApprovalUsed => 10,
        Change::Restored => 11,
        Change::Satisfied => 12,
        Change::Released { .. } => 13,
        Change::PassedUncompared => 14,
    };
    let mut seen: Vec<_> = every_change().iter().map(kinds).collect();
    seen.dedup();
    assert_eq!(seen, (0..15).collect::<Vec<_>>());
}

#[test]
fn fields_that_a_newer_version_added_are_passed_over() {
    let line = r#"{"is":"satisfied","since":"then","more":{"a":1}}"#;
    assert_eq!(serde_json::from_str::<Change>(line).unwrap(), Change::Satisfied);
    assert!(serde_json::from_str::<Change>(r#"{"is":"not known yet"}"#).is_err());
}
