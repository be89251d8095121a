//! What others left for the agent that reflects: notes, what reviewers found, how subagents ended.

use std::collections::VecDeque;

use serde::{Deserialize, Serialize};
use verger_event::{Actor, Event, Record, ReviewDecision, tamed};

use super::ticket::beginning;

/// How much is remembered: the state is read and written on every hook call, and the log has it all.
const REMEMBERED: usize = 16;
const MAX_TEXT_BYTES: usize = 320;
const MAX_NAME_BYTES: usize = 48;

/// Something that may be worth a learning.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Offer {
    /// What it is.
    pub kind: OfferKind,
    /// Who left it, where that is known.
    pub by: Option<String>,
    /// What it says, on one line.
    pub text: String,
}

/// What an offer is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OfferKind {
    /// A note in passing.
    Note,
    /// What a reviewer found wrong.
    Finding,
    /// What a subagent said last.
    Report,
}

/// What was left since the gate last had an answer, the newest last.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Offers {
    kept: VecDeque<Offer>,
    /// How many of the oldest there was no room for.
    pub left_out: u64,
}

impl Offer {
    /// What a record offers, whole.
    pub fn of(record: &Record) -> Option<Self> {
        let draft = &record.draft;
        let agent_type = match &draft.origin.actor {
            Actor::Subagent { agent_type, .. } => Some(agent_type.clone()),
            Actor::Main { .. } => None,
        };
        let (kind, by, text) = match &draft.event {
            Event::ObservationRecorded { text, author } => {
                (OfferKind::Note, author.clone().or(agent_type), text.clone())
            }
            Event::ReviewDecided { decision: ReviewDecision::Issues, summary, message, .. } => {
                let text = match message {
                    Some(message) => format!("{summary}: {message}"),
                    None => summary.clone(),
                };
                (OfferKind::Finding, None, text)
            }
            Event::SubagentStopRequested { stop, .. } => {
                (OfferKind::Report, agent_type, stop.last_message.clone()?)
            }
            _ => return None,
        };
        Some(Self { kind, by, text })
    }

    /// As much of it as is remembered.
    fn shortened(&self) -> Self {
        let text = tamed(&self.text).split_whitespace().collect::<Vec<_>>().join(" ");
        Self {
            kind: self.kind,
            by: self.by.as_deref().map(|by| beginning(&tamed(by), MAX_NAME_BYTES)),
            text: beginning(&text, MAX_TEXT_BYTES),
        }
    }
}

impl Offers {
    pub(super) fn apply(&mut self, record: &Record) {
        if let Some(offer) = Offer::of(record) {
            self.add(offer.shortened());
        }
    }

    fn add(&mut self, offer: Offer) {
        if offer.text.is_empty() || self.kept.contains(&offer) {
            return;
        }
        if self.kept.len() == REMEMBERED {
            // Notes were left on purpose: what nobody meant as one goes first.
            let goes = self.kept.iter().position(|kept| kept.kind != OfferKind::Note).unwrap_or(0);
            self.kept.remove(goes);
            self.left_out = self.left_out.saturating_add(1);
        }
        self.kept.push_back(offer);
    }

    /// Those that are remembered, the oldest first.
    pub fn iter(&self) -> impl Iterator<Item = &Offer> {
        self.kept.iter()
    }
}
