//! Tests the stored form of changes. Lines of the golden file never change; new lines are added.

use verger_event::{ContentHash, TicketSystem};

use super::super::*;
use super::built::{at, close, name, ticket};
use crate::blocks::{Block, Mark};
use crate::played::check_stored;

const GOLDEN: &str = include_str!("../../../fixtures/learning-changes.jsonl");

/// Every kind of change with every kind of value, in the order of the golden file.
fn every_change() -> Vec<Change> {
    let mut changes = vec![];
    for system in TicketSystem::ALL {
        changes.push(Change::Found { system: Some(system), ticket: None });
    }
    changes.push(Change::Found { system: None, ticket: None });
    let system = Some(TicketSystem::Beads);
    changes.push(Change::Found { system, ticket: Some(ticket("bd-1")) });
    let done = Close {
        ticket: TicketName::unknown(TicketSystem::Tissue),
        call: None,
        failing: Failing::MeansNothing,
        stage: Stage::Done,
    };
    changes.push(Change::CloseRequested { closes: vec![close("bd-1", 1), done] });
    for end in [CallEnd::Succeeded, CallEnd::Failed, CallEnd::Refused] {
        changes.push(Change::CloseEnded { tickets: vec![name("bd-1")], end });
    }
    for changed in [Changed::Nothing, Changed::Lines(7), Changed::Files(2), Changed::Unknown] {
        changes.push(Change::Due { changed });
    }
    for findings in [None, Some("no candidates".to_owned())] {
        let mark = Mark { content: ContentHash::new("beads bd-1, 0"), findings };
        changes.push(Change::Held { block: Block { number: 2, at: at(100), mark } });
    }
    changes.push(Change::Refused { why: "no candidates".to_owned() });
    changes.push(Change::Reflected { kept: 2, rejected: 1 });
    for by in [SkippedBy::Auto, SkippedBy::Agent, SkippedBy::Person] {
        let reason = "a typo".to_owned();
        changes.push(Change::Skipped { by, reason, lines: None, files: vec![] });
    }
    for by in [ReleasedBy::Breaker, ReleasedBy::Limit] {
        changes.push(Change::Released { by });
    }
    changes.push(Change::Ended);
    let (tickets, end) = (vec![name("bd-1")], CallEnd::Unclear);
    changes.push(Change::CloseEnded { tickets, end });
    let (reason, files) = ("a typo".to_owned(), vec!["src/save.rs".to_owned()]);
    changes.push(Change::Skipped { by: SkippedBy::Agent, reason, lines: Some(3), files });
    changes
}

#[test]
fn a_stored_change_is_read_and_written_as_ever() {
    check_stored(GOLDEN, &every_change());
}

#[test]
fn every_kind_of_change_has_a_line() {
    let kinds = |change: &Change| match change {
        Change::Found { .. } => 0,
        Change::CloseRequested { .. } => 1,
        Change::CloseEnded { .. } => 2,
        Change::Due { .. } => 3,
        Change::Held { .. } => 4,
        Change::Refused { .. } => 5,
        Change::Reflected { .. } => 6,
        Change::Skipped { .. } => 7,
        Change::Released { .. } => 8,
        Change::Ended => 9,
    };
    let mut seen: Vec<_> = every_change().iter().map(kinds).collect();
    seen.sort_unstable();
    seen.dedup();
    assert_eq!(seen, (0..10).collect::<Vec<_>>());
}
