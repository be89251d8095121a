//! Test values that the tests of the verification gate share.

use verger_event::{ContentHash, Timestamp};

use super::super::*;
use super::play::content;
use crate::blocks::{Block, Mark};

pub(crate) fn check(kind: CheckKind, status: CheckStatus) -> Check {
    let name = kind.words().to_owned();
    let summary = "a line".to_owned();
    Check { name, kind, command: None, status, took_millis: 7, summary }
}

pub(super) fn could_not_run() -> CheckStatus {
    CheckStatus::CouldNotRun { why: "no such program".to_owned() }
}

pub(super) fn named(names: &[&str]) -> FailingTests {
    FailingTests::Named { names: names.iter().map(|name| (*name).to_owned()).collect() }
}

pub(super) fn issue(text: &str) -> Issue {
    let path = Some("src/save.rs".to_owned());
    Issue { check: "lint".to_owned(), path, line: Some(3), text: text.to_owned() }
}

pub(crate) fn verified(content: &str, depth: Depth, status: Status) -> Verified {
    Verified {
        run: "r1".to_owned(),
        depth,
        content: ContentHash::new(content),
        status,
        lasting: None,
        checks: vec![],
        issues: vec![],
        more_issues: 0,
        next_steps: vec![],
        failing_tests: FailingTests::none(),
        ran_tests: None,
        tree_changed: vec![],
        plan: None,
    }
}

/// The time of every step in a test table.
pub(super) const NOW: Timestamp = at(1000);

pub(super) const fn at(seconds: u64) -> Timestamp {
    Timestamp::from_millis(seconds * 1000)
}

pub(super) fn ended(verified: Verified) -> Change {
    Change::Verified { verified: Box::new(verified) }
}

fn folded(changes: &[Change]) -> Verification {
    let mut gate = Verification::default();
    for change in changes {
        gate.apply(change, at(900));
    }
    gate
}

/// A state in the phase `Blocked`: at second 950, the gate refused the stop with this number,
/// because the work wasn't verified.
pub(super) fn blocked(number: u32) -> Verification {
    let mut gate = Verification::default();
    let ask = Ask { trigger: Trigger::Always, depth: Depth::Quick };
    let unverified = Hold {
        reason: HoldReason::Unverified,
        ask: ask.clone(),
        issues: vec![],
        more_issues: 0,
        steps: vec![],
        number,
        untrusted: None,
    };
    let mark: Mark = unverified.mark(&content("c1").hash);
    gate.apply(&Change::Held { block: Block { number, at: at(950), mark }, ask }, at(950));
    gate
}

/// A list of named states that covers every phase and every optional field.
pub(super) fn states() -> Vec<(&'static str, Verification)> {
    let of = |status| ended(verified("c1", Depth::Standard, status));
    let released = |by| Change::Released { by, reason: None };
    let failed = Change::Failed { what: "cargo test".to_owned(), kind: WatchedKind::Tests };
    let (run, content) = ("r1".to_owned(), ContentHash::new("c1"));
    let started = Change::Started { run, depth: Depth::Standard, content };
    let lasting = Some(Status::Green);
    let live = Verified { lasting, ..verified("c1", Depth::Standard, Status::Red) };
    let claimed = Change::Claimed {
        ask: Ask { trigger: Trigger::Marker, depth: Depth::Quick },
        content: ContentHash::new("c1"),
        why: "this work was not verified yet".to_owned(),
    };
    vec![
        ("idle", Verification::default()),
        ("idle, test failed", folded(&[failed])),
        ("idle, started", folded(&[started])),
        ("idle, green", folded(&[of(Status::Green)])),
        ("idle, red", folded(&[of(Status::Red)])),
        ("idle, incomplete", folded(&[of(Status::Incomplete)])),
        ("idle, red by the list", folded(&[ended(live)])),
        ("blocked", blocked(1)),
        ("blocked, last time", blocked(3)),
        ("claimed", folded(&[claimed])),
        ("verified, green", folded(&[of(Status::Green), Change::Satisfied])),
        ("released, person", folded(&[released(ReleasedBy::Person)])),
        ("released, breaker", folded(&[released(ReleasedBy::Breaker)])),
        ("released, limit", folded(&[released(ReleasedBy::Limit)])),
        ("released, untrusted", folded(&[released(ReleasedBy::Untrusted)])),
    ]
}
