//! The decision of the learning gate: one pure function that maps an input and the state to changes
//! and a message.

use verger_event::{TicketSystem, Timestamp};

use super::change::{Change, ReleasedBy, SkippedBy};
use super::changed::Changed;
use super::input::{Extent, Input, Reflection, StopFacts};
use super::policy::{Mode, Policy, SkipIs, Small};
use super::ticket::{Close, Failing, Stage, Ticket, TicketName};
use super::want::{CallEnd, EndedCall, Want};
use super::{Learning, Phase};
use crate::blocks::Attempt;

/// The maximum number of files in the record of a skip.
const MAX_SKIPPED_FILES: usize = 50;

/// The result of an input.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step {
    /// The changes of the gate for the log, in order.
    pub changes: Vec<Change>,
    /// The gate's message to the agent or to the person.
    pub say: Say,
}

/// The gate's message to the agent or to the person.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Say {
    /// The gate sends no message.
    Nothing,
    /// The gate refuses the stop.
    RefuseStop(Hold),
    /// The agent may stop without a reflection, and the person gets a notice.
    PassUnreflected {
        /// The limit on refused stops that was reached.
        by: ReleasedBy,
        /// The reflection that was wanted.
        want: Want,
    },
    /// The gate accepts the reflection or the skip.
    Taken,
    /// The gate rejects the reflection, and its phase stays the same.
    Refused,
    /// No reflection is wanted, so a skip has no effect.
    NothingToSkip,
    /// Agents may not skip the reflection, only people may.
    SkipIsPersons,
}

/// A refused stop, and the reflection that the gate wants.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hold {
    /// The reflection that the gate wants.
    pub want: Want,
    /// The number of stops that the gate refused in a row, including this stop.
    pub number: u32,
    /// The request to the agent: to reflect, or to reflect or skip.
    pub ask: Ask,
}

/// The kind of request to the agent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ask {
    /// A reflection is required.
    Reflect,
    /// The change is small, so the agent is asked once to reflect or skip.
    ReflectOrSkip {
        /// The size of the session's change of files.
        changed: Changed,
    },
}

/// Decides about an input. The returned changes describe the new state; `learning` itself stays the
/// same.
pub fn step(learning: &Learning, input: &Input<'_>, policy: &Policy, now: Timestamp) -> Step {
    match input {
        Input::Found { system, ticket } => found(learning, *system, *ticket),
        Input::SessionEnded => match learning.phase {
            Phase::Active { .. } => one(Change::Ended, Say::Nothing),
            _ => silence(),
        },
        Input::Reflection(Reflection::Taken { kept, rejected }) => {
            one(Change::Reflected { kept: *kept, rejected: *rejected }, Say::Taken)
        }
        Input::Reflection(Reflection::Refused { why }) => match learning.phase.open_want() {
            Some(_) => one(Change::Refused { why: (*why).to_owned() }, Say::Refused),
            None => Step { changes: vec![], say: Say::Refused },
        },
        Input::Skip { by, reason, extent } => {
            let reason = reason.unwrap_or("no reason was given").to_owned();
            skip(learning, skipped(*by, reason, *extent), policy)
        }
        Input::Prompted => prompted(learning),
        _ if policy.mode == Mode::Off => silence(),
        Input::CallEnded(call) => call_ended(learning, call),
        Input::CloseSeen { closes } => close_seen(learning, closes),
        Input::TodoCreated { id, subject } => todo_created(learning, id, subject, policy),
        Input::TodoCompleted { id } => todo_completed(learning, id, policy),
        Input::Stop(facts) => stop(learning, facts, policy, now),
    }
}

fn silence() -> Step {
    Step { changes: vec![], say: Say::Nothing }
}

fn one(change: Change, say: Say) -> Step {
    Step { changes: vec![change], say }
}

fn found(learning: &Learning, system: Option<TicketSystem>, ticket: Option<&Ticket>) -> Step {
    let is_new = |ticket: &&Ticket| {
        learning.phase.ticket() != Some(ticket) && !learning.phase.has_answer_for(&ticket.name)
    };
    let ticket = ticket.filter(is_new);
    if ticket.is_none() && system == learning.system {
        return silence();
    }
    one(Change::Found { system, ticket: ticket.cloned() }, Say::Nothing)
}

fn close_seen(learning: &Learning, closes: &[Close]) -> Step {
    let in_hand = learning.phase.ticket().map(|ticket| &ticket.name);
    let known = closes.iter().map(|close| match (&close.ticket, in_hand) {
        (TicketName { id: None, system }, Some(name)) if name.system == *system => {
            Close { ticket: name.clone(), ..close.clone() }
        }
        _ => close.clone(),
    });
    let closes: Vec<_> =
        known.filter(|close| !learning.phase.has_answer_for(&close.ticket)).collect();
    if closes.is_empty() { silence() } else { one(Change::CloseRequested { closes }, Say::Nothing) }
}

fn call_ended(learning: &Learning, call: &EndedCall<'_>) -> Step {
    let known = learning.phase.open_want().map(|want| &want.closes[..]).unwrap_or_default();
    let told: Vec<_> = known.iter().filter_map(|c| Some((&c.ticket, call.tells_of(c)?))).collect();
    let ends = [CallEnd::Succeeded, CallEnd::Failed, CallEnd::Refused, CallEnd::Unclear];
    let mut changes: Vec<_> = ends
        .into_iter()
        .map(|end| {
            let tickets = told.iter().filter(|(_, told)| *told == end);
            let tickets = tickets.map(|(ticket, _)| (*ticket).clone()).collect();
            Change::CloseEnded { tickets, end }
        })
        .filter(
            |change| !matches!(change, Change::CloseEnded { tickets, .. } if tickets.is_empty()),
        )
        .collect();
    if call.end == CallEnd::Succeeded {
        // A successful call may also close tickets for which no request was recorded, or whose
        // request was dropped.
        let missed =
            call.closes.iter().filter(|close| known.iter().all(|known| !is_same(known, close)));
        let missed: Vec<_> =
            missed.map(|close| Close { stage: Stage::Done, ..close.clone() }).collect();
        changes.extend(close_seen(learning, &missed).changes);
    }
    Step { changes, say: Say::Nothing }
}

/// Whether both closes are about the same ticket or the same tool call.
fn is_same(known: &Close, close: &Close) -> bool {
    known.ticket == close.ticket || (known.call.is_some() && known.call == close.call)
}

/// Handles a person's prompt. Closes that were only requested count as refused, because clients
/// don't report calls that a person interrupted or denied. In the phase `Blocked`, the agent wanted
/// to stop after the call, so the call ended by itself.
fn prompted(learning: &Learning) -> Step {
    let Phase::Pending { want } = &learning.phase else { return silence() };
    let open = want.closes.iter().filter(|close| close.stage == Stage::Requested);
    let tickets: Vec<_> = open.map(|close| close.ticket.clone()).collect();
    if tickets.is_empty() {
        return silence();
    }
    one(Change::CloseEnded { tickets, end: CallEnd::Refused }, Say::Nothing)
}

fn todo_created(learning: &Learning, id: &str, subject: &str, policy: &Policy) -> Step {
    let is_free = matches!(
        learning.phase,
        Phase::Idle { .. } | Phase::Reflected { .. } | Phase::Skipped { .. }
    );
    if !is_free || !learning.asks_by_todos(policy) {
        return silence();
    }
    let ticket = Ticket::new(TicketName::new(TicketSystem::Tasks, id), subject, "");
    one(Change::Found { system: learning.system, ticket: Some(ticket) }, Say::Nothing)
}

fn todo_completed(learning: &Learning, id: &str, policy: &Policy) -> Step {
    if !learning.asks_by_todos(policy) || !learning.todos.are_done() {
        return silence();
    }
    let ticket = TicketName::new(TicketSystem::Tasks, id);
    let close = Close { ticket, call: None, failing: Failing::MeansNothing, stage: Stage::Done };
    one(Change::CloseRequested { closes: vec![close] }, Say::Nothing)
}

fn skip(learning: &Learning, skipped: Change, policy: &Policy) -> Step {
    let say = match (&skipped, policy.skip) {
        _ if learning.phase.open_want().is_none() => Say::NothingToSkip,
        (Change::Skipped { by: SkippedBy::Agent, .. }, SkipIs::Persons) => Say::SkipIsPersons,
        _ => return one(skipped, Say::Taken),
    };
    Step { changes: vec![], say }
}

fn skipped(by: SkippedBy, reason: String, extent: Extent<'_>) -> Change {
    let files = extent.files.iter().take(MAX_SKIPPED_FILES).cloned().collect();
    Change::Skipped { by, reason, lines: extent.changed.lines(), files }
}

fn stop(learning: &Learning, facts: &StopFacts<'_>, policy: &Policy, now: Timestamp) -> Step {
    if facts.waits {
        return silence();
    }
    let changed = facts.extent.changed;
    let (want, due) = match &learning.phase {
        Phase::Pending { want } | Phase::Blocked { want } => (want.clone(), None),
        phase => {
            if !learning.asks_by_session(policy) || !changed.reaches(policy.session_lines()) {
                return silence();
            }
            let want = Want::new(phase.ticket().cloned(), now);
            (Want { changed: Some(changed), ..want }, Some(Change::Due { changed }))
        }
    };
    let ask = match small_change(&learning.phase, &want, changed, policy) {
        SmallChange::No => Ask::Reflect,
        SmallChange::AsksOnce => Ask::ReflectOrSkip { changed },
        SmallChange::Passes => {
            let reason = format!("small change: {changed}");
            return one(skipped(SkippedBy::Auto, reason, facts.extent), Say::Nothing);
        }
    };
    let (change, say) = match learning.blocks.attempt(want.mark(), &policy.blocks, now) {
        Attempt::Refused(block) if facts.may_refuse => {
            let hold = Hold { want, number: block.number, ask };
            (Change::Held { block }, Say::RefuseStop(hold))
        }
        attempt => {
            let by = match attempt {
                Attempt::Tripped => ReleasedBy::Breaker,
                Attempt::Refused(_) => ReleasedBy::Limit,
            };
            (Change::Released { by }, Say::PassUnreflected { by, want })
        }
    };
    Step { changes: due.into_iter().chain([change]).collect(), say }
}

enum SmallChange {
    No,
    AsksOnce,
    Passes,
}

/// The treatment of a closed ticket if the change of files is small. If the size of the change is
/// the reason for the reflection, the change is never small.
fn small_change(phase: &Phase, want: &Want, changed: Changed, policy: &Policy) -> SmallChange {
    if want.changed.is_some() || !changed.is_below(policy.small_below) {
        return SmallChange::No;
    }
    match (policy.small, phase) {
        (Small::Counts, _) => SmallChange::No,
        (Small::IsAskedOnce, Phase::Pending { .. }) => SmallChange::AsksOnce,
        (Small::IsAskedOnce | Small::Passes, _) => SmallChange::Passes,
    }
}

impl Step {
    /// The gate's state after the changes of this step.
    #[must_use]
    pub fn applied_to(&self, learning: &Learning, now: Timestamp) -> Learning {
        let mut after = learning.clone();
        for change in &self.changes {
            after.apply(change, now);
        }
        after
    }
}
