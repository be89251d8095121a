//! Short constructors for test values. Every step happens at second 1000.

use verger_event::{TicketSystem, Timestamp, ToolUseId};

use super::super::*;
use crate::blocks::Block;

pub(super) const NOW: Timestamp = at(1000);

pub(super) const fn at(seconds: u64) -> Timestamp {
    Timestamp::from_millis(seconds * 1000)
}

pub(super) fn policy() -> Policy {
    Policy::default()
}

/// A policy with all ticket systems enabled.
pub(super) fn everything() -> Policy {
    Policy { systems: TicketSystem::ALL.to_vec(), ..policy() }
}

pub(super) fn name(id: &str) -> TicketName {
    TicketName::new(TicketSystem::Beads, id)
}

pub(super) fn ticket(id: &str) -> Ticket {
    Ticket::new(name(id), "A title", "What to do")
}

pub(super) fn call(number: u32) -> ToolUseId {
    ToolUseId::new(format!("call {number}"))
}

/// A close of a ticket by the tool call with this number.
pub(super) fn close(id: &str, number: u32) -> Close {
    let (failing, stage) = (Failing::MeansOpen, Stage::Requested);
    Close { ticket: name(id), call: Some(call(number)), failing, stage }
}

pub(super) fn want(closes: &[&str]) -> Want {
    let mut want = Want::new(Some(ticket("a")), at(100));
    for (number, id) in (1..).zip(closes) {
        want.add(&close(id, number));
    }
    want
}

pub(super) fn in_phase(phase: Phase) -> Learning {
    Learning { phase, system: Some(TicketSystem::Beads), ..Learning::default() }
}

pub(super) fn pending(closes: &[&str]) -> Learning {
    in_phase(Phase::Pending { want: want(closes) })
}

/// A state in the phase `Blocked`: at second 950, the gate refused the stop with this number.
pub(super) fn blocked(closes: &[&str], number: u32) -> Learning {
    let want = want(closes);
    let block = Block { number, at: at(950), mark: want.mark() };
    let mut learning = in_phase(Phase::Blocked { want });
    learning.blocks.refused(block);
    learning
}

/// A list of named states that covers every phase and every optional field.
pub(super) fn states() -> Vec<(&'static str, Learning)> {
    let released = |by| Phase::Idle { after: After::Released { by, at: at(900) } };
    let tickets = || vec![name("a")];
    let skipped = |by| Phase::Skipped { at: at(900), by, tickets: tickets() };
    vec![
        ("idle", in_phase(Phase::default())),
        ("idle, breaker", in_phase(released(ReleasedBy::Breaker))),
        ("active a", in_phase(Phase::Active { ticket: ticket("a") })),
        ("pending a", pending(&["a"])),
        ("pending a b", pending(&["a", "b"])),
        ("blocked a", blocked(&["a"], 1)),
        ("blocked a, last time", blocked(&["a"], 3)),
        ("reflected a", in_phase(Phase::Reflected { at: at(900), tickets: tickets() })),
        ("skipped a, auto", in_phase(skipped(SkippedBy::Auto))),
        ("skipped a, agent", in_phase(skipped(SkippedBy::Agent))),
    ]
}

pub(super) fn stop(changed: Changed) -> Input<'static> {
    Input::Stop(StopFacts {
        extent: Extent { changed, files: &[] },
        waits: false,
        may_refuse: true,
    })
}
