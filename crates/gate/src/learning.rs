//! The learning gate: the agent records what it learned before it stops.
//!
//! A reflection becomes *wanted* when a ticket is closed, when the agent's own to-do list is done,
//! or when the session changed enough lines and uses no tickets. The gate then refuses a stop until
//! the agent reflects or the reflection is skipped. Agents may skip a reflection themselves, unless
//! the user allows only people to skip.
//!
//! [`step`] maps an input to changes and a message. [`Learning::apply`] folds the gate's own
//! changes into its state. [`Learning::take`] folds the session's other records: notes, lists,
//! start trees and shown learnings.

mod baseline;
mod change;
mod changed;
mod close_command;
mod events;
mod input;
mod inserted;
pub mod message;
mod offers;
mod phase;
mod policy;
mod shown;
mod step;
#[cfg(test)]
mod tests;
mod ticket;
mod todos;
mod want;

use serde::{Deserialize, Serialize};
use verger_event::{Event, Record, TicketSystem, Timestamp};

pub use baseline::Baseline;
pub use change::{Change, ReleasedBy, SkippedBy};
pub use changed::Changed;
pub use close_command::closes;
pub use events::events;
pub use input::{Extent, Input, Reflection, StopFacts};
pub use inserted::Inserted;
pub use offers::{Offer, OfferKind, Offers};
pub use phase::{After, Phase};
pub use policy::{Mode, Policy, SkipIs, Small};
pub use shown::Shown;
pub use step::{Ask, Hold, Say, Step, step};
pub use ticket::{Close, Failing, Stage, Ticket, TicketName};
pub use todos::Todos;
pub use want::{CallEnd, EndedCall, Want};

use crate::blocks::Blocks;
use crate::gate_state::{GateState, Seen, StoredChange};
use crate::work::Start;

/// The name of the learning gate in the log and in messages.
pub const GATE: &str = verger_event::LEARNING_GATE;

/// The state of the learning gate for one session.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Learning {
    /// The phase of the gate: whether a reflection is wanted.
    pub phase: Phase,
    /// The stops that the gate refused in a row.
    pub blocks: Blocks,
    /// The ticket system that the session uses. `None` if there is none, or if it wasn't looked up
    /// yet.
    pub system: Option<TicketSystem>,
    /// The start tree from which the session's changes are counted.
    pub baseline: Baseline,
    /// The agent's own to-do list.
    pub todos: Todos,
    /// Notes, findings and reports that may become learnings.
    pub offers: Offers,
    /// The learnings that the session was shown.
    pub shown: Shown,
    /// Text that the agent inserted into files. It may show that the agent used a learning.
    #[serde(default)]
    pub inserted: Inserted,
    /// Whether the session requested a tool call yet.
    #[serde(default)]
    pub has_begun: bool,
}

impl GateState for Learning {
    const NAMES: &'static [&'static str] = &[GATE];
    type Change = Change;

    fn observe(&mut self, seen: &Seen<'_>) {
        if seen.begins_task {
            self.begin_task();
        }
        self.take(seen.record);
    }

    fn apply(&mut self, change: &Change, stored: &StoredChange<'_>) {
        self.apply(change, stored.at);
    }
}

impl Learning {
    /// Handles the start of a task: the refused stops no longer count.
    pub(crate) fn begin_task(&mut self) {
        self.blocks.forget();
    }

    /// Updates the state for a record of the session that isn't a change of this gate.
    pub(crate) fn take(&mut self, record: &Record) {
        self.baseline.apply(record);
        self.offers.apply(record);
        self.todos.apply(record);
        self.shown.apply(&record.draft.event);
        self.inserted.apply(record, self.shown.unused().next().is_some());
        self.has_begun |= matches!(record.draft.event, Event::ToolRequested(_));
    }

    /// The ids of the tickets that the current work is about, for statistics and learnings.
    pub fn ticket_ids(&self) -> Vec<String> {
        self.phase.answered().into_iter().filter_map(|ticket| ticket.id).collect()
    }

    /// Whether a completed to-do list of the agent makes a reflection wanted.
    fn asks_by_todos(&self, policy: &Policy) -> bool {
        policy.uses(TicketSystem::Tasks)
            && matches!(self.system, None | Some(TicketSystem::Tasks | TicketSystem::Session))
    }

    /// Whether the size of the session's change makes a reflection wanted. This is so if the
    /// session uses neither tickets nor a to-do list.
    fn asks_by_session(&self, policy: &Policy) -> bool {
        policy.uses(TicketSystem::Session)
            && match self.system {
                None | Some(TicketSystem::Session) => true,
                Some(TicketSystem::Tasks) => !self.todos.are_used(),
                Some(TicketSystem::Tissue | TicketSystem::Beads) => false,
            }
    }

    /// Whether the decision about a stop needs the size of the session's change.
    pub fn asks_for_changes(&self, policy: &Policy) -> bool {
        let can_be_small = policy.small != Small::Counts;
        let is_noted = *self.baseline.start() != Start::NotTaken;
        policy.mode == Mode::On
            && match &self.phase {
                // If a command closed a ticket, and no start tree was recorded before it, the size
                // of the change is unknown.
                Phase::Pending { want } | Phase::Blocked { want } => {
                    can_be_small
                        && want.changed.is_none()
                        && (is_noted || want.closes.iter().all(|close| close.call.is_none()))
                }
                _ => self.asks_by_session(policy) && is_noted,
            }
    }

    /// Applies one change of the gate to its state.
    pub fn apply(&mut self, change: &Change, at: Timestamp) {
        match change {
            Change::Found { system, ticket } => {
                self.system = *system;
                if let Some(ticket) = ticket {
                    self.found(ticket);
                }
            }
            Change::CloseRequested { closes } => {
                self.want(at, |want| closes.iter().for_each(|close| want.add(close)));
            }
            Change::CloseEnded { tickets, end } => self.close_ended(tickets, *end),
            Change::Due { changed } => self.want(at, |want| want.changed = Some(*changed)),
            Change::Held { block } => {
                self.blocks.refused(block.clone());
                if let Phase::Pending { want } = &self.phase {
                    self.phase = Phase::Blocked { want: want.clone() };
                }
            }
            Change::Refused { why } => {
                if let Some(want) = self.phase.open_want_mut() {
                    want.refused(why);
                }
            }
            Change::Reflected { .. } => {
                self.blocks.forget();
                self.settle(Phase::Reflected { at, tickets: self.phase.answered() });
            }
            Change::Skipped { by, .. } => {
                self.blocks.forget();
                self.settle(Phase::Skipped { at, by: *by, tickets: self.phase.answered() });
            }
            // The refused stops still count, so that the gate doesn't refuse again for the same
            // reason within the cooldown.
            Change::Released { by } => {
                self.settle(Phase::Idle { after: After::Released { by: *by, at } });
            }
            Change::Ended => self.phase = Phase::default(),
        }
    }

    fn found(&mut self, ticket: &Ticket) {
        match &mut self.phase {
            Phase::Pending { want } | Phase::Blocked { want } => {
                want.in_hand = Some(ticket.clone());
            }
            phase => *phase = Phase::Active { ticket: ticket.clone() },
        }
    }

    /// Changes the wanted reflection. Creates one if no reflection is wanted yet.
    fn want(&mut self, at: Timestamp, change: impl FnOnce(&mut Want)) {
        match &mut self.phase {
            Phase::Pending { want } | Phase::Blocked { want } => change(want),
            phase => {
                let mut want = Want::new(phase.ticket().cloned(), at);
                change(&mut want);
                *phase = Phase::Pending { want };
            }
        }
    }

    fn close_ended(&mut self, tickets: &[TicketName], end: CallEnd) {
        let Some(want) = self.phase.open_want_mut() else { return };
        match end {
            CallEnd::Succeeded | CallEnd::Unclear => {
                for close in want.closes.iter_mut().filter(|c| tickets.contains(&c.ticket)) {
                    close.stage = Stage::Done;
                }
            }
            CallEnd::Failed | CallEnd::Refused => {
                want.closes.retain(|close| !tickets.contains(&close.ticket));
                if want.is_void() {
                    let failed = tickets.first().cloned().map(Ticket::named);
                    let ticket = want.in_hand.take().or(failed);
                    self.phase = match ticket {
                        Some(ticket) => Phase::Active { ticket },
                        None => Phase::default(),
                    };
                }
            }
        }
    }

    /// Ends a request for a reflection. The gate counts later changes of files from a new baseline.
    fn settle(&mut self, phase: Phase) {
        self.phase = phase;
        self.baseline = Baseline::default();
        self.offers = Offers::default();
    }
}
