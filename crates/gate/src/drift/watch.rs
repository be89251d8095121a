//! The part of drift's state that every hook call reads and writes. So this part is small.

use serde::{Deserialize, Serialize};
use verger_drift::recovery::{Correction, Findings, Phase, Recovery};
use verger_drift::score::Score;
use verger_drift::{HANDOFF, READER, Recent};
use verger_event::{Actor, Event, Timestamp};

use super::change::{Change, Finding};
use super::{GATE, Policy, SCORER};
use crate::asking::{Asked, Breaker, LastFailure};
use crate::gate_state::{GateState, Seen, StoredChange};

/// The prefix of the source name of an offered task. The id of the task's record follows.
const OFFERED: &str = "task ";
/// The maximum number of offered tasks in the state.
const MAX_OFFERED: usize = 16;

/// The part of drift's state that every hook call reads.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Watch {
    counted: Counted,
    /// The number of units since the session began. A unit is a batch of tool calls, or a single
    /// call if the client doesn't report batches.
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

/// The unit in which work is counted: batches if the client reports them, otherwise tool calls.
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

/// A change of drift's state as the log stores it.
#[derive(Debug, Clone, Deserialize)]
#[serde(untagged)]
pub enum StoredWatchChange {
    /// A change of the drift gate.
    Gate(Change),
    /// A call of the scorer program or of the reader program.
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
    /// The last score since the person's last prompt.
    pub fn score(&self) -> Option<Score> {
        self.score
    }

    /// The agent's phase of recovery.
    pub fn phase(&self) -> &Phase {
        self.recovery.phase()
    }

    /// Whether recovery handles the last finding. In mode `observe`, it doesn't.
    pub fn is_known_to_recovery(&self) -> bool {
        let keys = self.found.as_ref().map(Finding::keys).unwrap_or_default();
        *self.recovery.phase() != Phase::Normal
            || self.recovery.pending().is_some()
            || self.recovery.has_told(&keys)
    }

    /// Whether the last finding has paths whose content must be restored.
    pub fn waits_for_paths(&self) -> bool {
        self.found.as_ref().is_some_and(|finding| !finding.paths.is_empty())
    }

    /// The correction that no event has delivered to the agent yet, and its finding.
    pub fn pending(&self) -> Option<(&Correction, &Finding)> {
        self.recovery.pending().zip(self.found.as_ref())
    }

    /// The last finding since the person's last prompt.
    pub fn finding(&self) -> Option<&Finding> {
        self.found.as_ref()
    }

    /// Whether a handoff was written that the agent didn't get yet.
    pub fn holds_handoff(&self) -> bool {
        self.holds_handoff
    }

    /// The number of denials of the action that broke a limit three times.
    pub fn denials(&self) -> u32 {
        self.denials
    }

    /// The source name of an offered task, made from the id of its record.
    pub fn source_of_offer(record: &str) -> String {
        format!("{OFFERED}{record}")
    }

    /// Whether the agent already got a message about the task with this record.
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

    /// The programs that fail, each with its setting, the number of failures in a row, and the last
    /// failure.
    pub fn trouble(&self) -> impl Iterator<Item = (&'static str, u32, &LastFailure)> {
        self.programs().into_iter().filter_map(|(setting, breaker)| {
            breaker.trouble().map(|(failures, last)| (setting, failures, last))
        })
    }

    /// The programs that answered, each with its setting and the time of its last answer.
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

    /// Whether an event counts as one unit: the end of a batch, or the end of a tool call if the
    /// client doesn't report batches.
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

    /// Whether the session must be scored at the current event, which must count as a unit. It is
    /// scored every `policy.every` units, and at each unit while there is a finding.
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

    /// Handles a person's prompt: resets the score and the finding, because the person may have
    /// reacted to them.
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
