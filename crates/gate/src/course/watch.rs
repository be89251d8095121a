//! What every hook call knows of the course. It is small: it is read and written on all of them.

use serde::{Deserialize, Serialize};
use verger_drift::recovery::{Correction, FindingKey, Phase, Recovery};
use verger_drift::score::Score;
use verger_drift::{HANDOFF, Recent};
use verger_event::{Actor, Event, Timestamp};

use super::change::{Change, Finding};
use super::{GATE, Policy, SCORER};
use crate::asking::{Asked, Breaker, LastFailure};

/// How the source of a task that was offered begins; its record's id follows.
const OFFERED: &str = "task ";
/// So many tasks that were offered are remembered.
const MAX_OFFERED: usize = 16;

/// The course of a session, in short.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Watch {
    counted: Counted,
    /// So many since the course was scored.
    since: u32,
    /// The last score.
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

/// What is counted: an agent that tells of batches is scored by them, others by their calls.
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

impl Watch {
    /// The last score.
    pub fn score(&self) -> Option<Score> {
        self.score
    }

    /// Where the agent stands on its way back.
    pub fn phase(&self) -> &Phase {
        self.recovery.phase()
    }

    /// Whether something was done since the course was scored.
    pub fn has_news(&self) -> bool {
        self.since > 0
    }

    /// What waits to be said, and what it is about.
    pub fn pending(&self) -> Option<(&Correction, &Finding)> {
        self.recovery.pending().zip(self.found.as_ref())
    }

    /// What the agent was told last.
    pub fn finding(&self) -> Option<&Finding> {
        self.found.as_ref()
    }

    /// Whether a handoff waits to be given back.
    pub fn holds_handoff(&self) -> bool {
        self.holds_handoff
    }

    /// How often changes were denied since the agent was told the last time.
    pub fn denials(&self) -> u32 {
        self.denials
    }

    /// What is offered is named so.
    pub fn source_of_offer(record: &str) -> String {
        format!("{OFFERED}{record}")
    }

    /// Whether the agent was offered a task already.
    pub fn was_offered(&self, record: &str) -> bool {
        self.offered.has(record)
    }

    /// Whether the program that scores may be asked.
    pub fn may_ask(&self, now: Timestamp) -> bool {
        self.scorer.may_ask(now)
    }

    /// Whether the program that reads prompts may be asked.
    pub fn may_ask_reader(&self, now: Timestamp) -> bool {
        self.reader.may_ask(now)
    }

    /// What keeps failing of the programs that are asked: the setting, how often in a row, and the last time.
    pub fn trouble(&self) -> impl Iterator<Item = (&'static str, u32, &LastFailure)> {
        self.programs().into_iter().filter_map(|(setting, breaker)| {
            breaker.trouble().map(|(failures, last)| (setting, failures, last))
        })
    }

    /// The programs that answered, by their settings, and when they did the last time.
    pub fn answers(&self) -> impl Iterator<Item = (&'static str, Timestamp)> {
        let answered = |(setting, breaker): (_, &Breaker)| Some((setting, breaker.answered()?));
        self.programs().into_iter().filter_map(answered)
    }

    fn programs(&self) -> [(&'static str, &Breaker); 2] {
        [("drift.reader", &self.reader), ("drift.scorer", &self.scorer)]
    }

    pub(crate) fn asked(&mut self, gate: &str, asked: Asked, (at, why): (Timestamp, &str)) {
        let breaker = if gate == SCORER { &mut self.scorer } else { &mut self.reader };
        breaker.apply(asked, at, why);
    }

    /// Whether an event ends a batch, or is a call where batches are not told.
    pub fn is_unit(&self, actor: &Actor, event: &Event) -> bool {
        matches!(actor, Actor::Main { .. })
            && match event {
                Event::ToolBatchEnded { .. } => true,
                Event::ToolSucceeded { .. } | Event::ToolFailed { .. } => {
                    self.counted == Counted::Calls
                }
                _ => false,
            }
    }

    /// Whether the course is to be scored with this event, which is a unit.
    pub fn is_due(&self, policy: &Policy) -> bool {
        self.since.saturating_add(1) >= policy.every
    }

    pub(crate) fn take(&mut self, actor: &Actor, event: &Event) {
        if self.is_unit(actor, event) {
            if let (Event::ToolBatchEnded { .. }, Counted::Calls) = (event, self.counted) {
                self.counted = Counted::Batches;
                self.since = 0;
            }
            self.since = self.since.saturating_add(1);
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

    /// A person says something: what was found before is theirs to judge.
    pub(crate) fn prompted(&mut self) {
        self.recovery.prompted();
        self.found = None;
        self.denials = 0;
    }

    pub(crate) fn apply(&mut self, change: &Change) {
        match change {
            Change::Scored { score, finding, is_told } => {
                self.since = 0;
                self.score = Some(*score);
                if *is_told {
                    self.recovery.scored(*score, &keys(finding.as_ref()));
                    self.found.clone_from(finding);
                }
            }
            Change::Stepped { alignment, finding } => {
                self.recovery.stepped(*alignment, &keys(finding.as_ref()));
                if finding.is_some() {
                    self.found.clone_from(finding);
                }
            }
            Change::Denied { .. } => self.denials = self.denials.saturating_add(1),
            Change::LetGo { .. } => self.recovery.let_go(),
        }
        if !matches!(self.phase(), Phase::Forced { .. }) {
            self.denials = 0;
        }
    }
}

fn keys(finding: Option<&Finding>) -> Vec<FindingKey> {
    finding.map(Finding::keys).unwrap_or_default()
}
