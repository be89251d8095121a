//! The part of drift's state that every hook call reads and writes. It is small for that reason.

use serde::{Deserialize, Serialize};
use verger_drift::recovery::{Correction, Findings, Phase, Recovery};
use verger_drift::score::Score;
use verger_drift::{HANDOFF, READER, Recent};
use verger_event::{Actor, Event, Timestamp};

use super::change::{Change, Finding};
use super::{GATE, Policy, SCORER};
use crate::asking::{Asked, Breaker, LastFailure};
use crate::gate_state::{GateState, Seen, StoredChange};

/// The prefix of an offered task's source; the id of its record follows.
const OFFERED: &str = "task ";
/// The most offered tasks in the state.
const MAX_OFFERED: usize = 16;

/// The part of drift's state that every hook call reads.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Watch {
    counted: Counted,
    /// The number of batches since the session began, or of calls if the client doesn't report
    /// batches.
    units: u32,
    /// The last score since the person's last prompt.
    #[serde(skip_serializing_if = "Option::is_none")]
    score: Option<Score>,
    #[serde(skip_serializing_if = "is_default")]
    recovery: Recovery,
    #[serde(skip_serializing_if = "Option::is_none")]
    found: Option<Finding>,
    #[serde(skip_serializing_if = "is_default")]
    denials: u32,
    #[serde(skip_serializing_if = "is_default")]
    holds_handoff: bool,
    #[serde(skip_serializing_if = "Recent::is_empty")]
    offered: Recent<String, MAX_OFFERED>,
    #[serde(skip_serializing_if = "is_default")]
    scorer: Breaker,
    #[serde(skip_serializing_if = "is_default")]
    reader: Breaker,
}

/// The unit of counting: batches if the client reports them, otherwise calls.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Counted {
    #[default]
    Calls,
    Batches,
}

pub(super) fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

/// A stored change of drift or of its programs.
#[derive(Debug, Clone, Deserialize)]
#[serde(untagged)]
pub enum StoredWatchChange {
    /// A change of the gate.
    Gate(Change),
    /// A call of the scorer or reader program.
    Asked(Asked),
}

impl GateState for Watch {
    const NAMES: &'static [&'static str] = &[GATE, SCORER, READER];
    type Change = StoredWatchChange;

    fn observe(&mut self, seen: &Seen<'_>) {
        if seen.is_persons_prompt {
            self.prompted();
        }
        self.take(&seen.record.draft.origin.actor, seen.event());
    }

    fn apply(&mut self, change: &StoredWatchChange, stored: &StoredChange<'_>) {
        match change {
            StoredWatchChange::Gate(change) => self.apply(change),
            StoredWatchChange::Asked(asked) => {
                self.asked(stored.gate, *asked, stored.at, stored.cause);
            }
        }
    }
}

impl Watch {
    /// The last score.
    pub fn score(&self) -> Option<Score> {
        self.score
    }

    /// The phase of the agent's recovery.
    pub fn phase(&self) -> &Phase {
        self.recovery.phase()
    }

    /// Whether the recovery got the finding. In mode `observe` it doesn't.
    pub fn is_known_to_recovery(&self) -> bool {
        let keys = self.found.as_ref().map(Finding::keys).unwrap_or_default();
        *self.recovery.phase() != Phase::Normal
            || self.recovery.pending().is_some()
            || self.recovery.has_told(&keys)
    }

    /// Whether paths must be restored to their content from the start of the task.
    pub fn waits_for_paths(&self) -> bool {
        self.found.as_ref().is_some_and(|finding| !finding.paths.is_empty())
    }

    /// The correction that no event has delivered yet, and its finding.
    pub fn pending(&self) -> Option<(&Correction, &Finding)> {
        self.recovery.pending().zip(self.found.as_ref())
    }

    /// The last finding since the person's last prompt.
    pub fn finding(&self) -> Option<&Finding> {
        self.found.as_ref()
    }

    /// Whether a handoff was written and not delivered yet.
    pub fn holds_handoff(&self) -> bool {
        self.holds_handoff
    }

    /// How often the action that broke a limit three times was denied.
    pub fn denials(&self) -> u32 {
        self.denials
    }

    /// The source of an offered task.
    pub fn source_of_offer(record: &str) -> String {
        format!("{OFFERED}{record}")
    }

    /// Whether the task of this record was already offered to the agent.
    pub fn was_offered(&self, record: &str) -> bool {
        self.offered.has(record)
    }

    /// Whether the scorer program may be called now.
    pub fn may_ask(&self, now: Timestamp) -> bool {
        self.scorer.may_ask(now)
    }

    /// Whether the reader program may be called now.
    pub fn may_ask_reader(&self, now: Timestamp) -> bool {
        self.reader.may_ask(now)
    }

    /// The programs that fail: the setting, the number of failures in a row, and the last failure.
    pub fn trouble(&self) -> impl Iterator<Item = (&'static str, u32, &LastFailure)> {
        self.programs().into_iter().filter_map(|(setting, breaker)| {
            breaker.trouble().map(|(failures, last)| (setting, failures, last))
        })
    }

    /// The programs that answered: the setting, and the time of the last answer.
    pub fn answers(&self) -> impl Iterator<Item = (&'static str, Timestamp)> {
        let answered = |(setting, breaker): (_, &Breaker)| Some((setting, breaker.answered()?));
        self.programs().into_iter().filter_map(answered)
    }

    fn programs(&self) -> [(&'static str, &Breaker); 2] {
        [("drift.reader", &self.reader), ("drift.scorer", &self.scorer)]
    }

    pub(crate) fn asked(&mut self, gate: &str, asked: Asked, at: Timestamp, why: &str) {
        let breaker = if gate == SCORER { &mut self.scorer } else { &mut self.reader };
        breaker.apply(asked, at, why);
    }

    /// Whether an event counts as one unit: the end of a batch, or a call if the client doesn't
    /// report batches.
    pub fn is_unit(&self, actor: &Actor, event: &Event) -> bool {
        matches!(actor, Actor::Main { .. })
            && match event {
                Event::ToolBatchEnded { .. } => true,
                Event::ToolSucceeded { .. }
                | Event::ToolFailed { .. }
                | Event::ToolEnded { .. } => self.counted == Counted::Calls,
                _ => false,
            }
    }

    /// Whether the session must be scored at this event, which must be a unit. It is scored every
    /// `policy.every` units, and at each unit while there is a finding.
    pub fn is_due(&self, policy: &Policy) -> bool {
        self.found.is_some() || self.units.wrapping_add(1).is_multiple_of(policy.every.max(1))
    }

    pub(crate) fn take(&mut self, actor: &Actor, event: &Event) {
        if self.is_unit(actor, event) {
            if let (Event::ToolBatchEnded { .. }, Counted::Calls) = (event, self.counted) {
                self.counted = Counted::Batches;
                self.units = 0;
            }
            self.units = self.units.wrapping_add(1);
        }
        match event {
            Event::ContextInjected { sources, .. } => self.injected(sources),
            Event::HandoffWritten { .. } => self.holds_handoff = true,
            _ => {}
        }
    }

    fn injected(&mut self, sources: &[String]) {
        for source in sources {
            if source == GATE {
                self.recovery.deliver();
            } else if source == HANDOFF {
                self.holds_handoff = false;
            } else if let Some(record) = source.strip_prefix(OFFERED) {
                self.offered.add(record.to_owned());
            }
        }
    }

    /// Handles a person's prompt: resets the score and the finding, because the person has seen the
    /// result.
    pub(crate) fn prompted(&mut self) {
        self.recovery.prompted();
        self.score = None;
        self.found = None;
        self.denials = 0;
    }

    pub(crate) fn apply(&mut self, change: &Change) {
        match change {
            Change::Scored { score, finding, is_told } => {
                self.score = *score;
                if *is_told {
                    let keys = finding.as_ref().map(Finding::keys).unwrap_or_default();
                    let is_forced = finding.as_ref().is_some_and(Finding::is_forced);
                    self.recovery.scored(Findings { score: *score, keys: &keys, is_forced });
                }
                self.found.clone_from(finding);
            }
            Change::Denied { .. } => self.denials = self.denials.saturating_add(1),
            Change::Released { .. } => self.recovery.release(),
            Change::Restored { .. } => {}
        }
        if !matches!(self.phase(), Phase::Forced { .. }) {
            self.denials = 0;
        }
    }
}
