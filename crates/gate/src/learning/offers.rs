//! Collects material for a reflection: notes, findings of reviewers, and final reports of
//! subagents.

use std::collections::VecDeque;

use serde::{Deserialize, Serialize};
use verger_event::{Actor, Event, Record, ReviewDecision, tamed};

use super::ticket::beginning;

/// The maximum number of offers that are kept. The limit keeps the state small, because every hook
/// call reads and writes the state. The log has all offers.
const REMEMBERED: usize = 16;
const MAX_TEXT_BYTES: usize = 320;
const MAX_NAME_BYTES: usize = 48;

/// A text that may become a learning.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Offer {
    /// The kind of the text.
    pub kind: OfferKind,
    /// The name of the agent that wrote the text, if it is known.
    pub by: Option<String>,
    /// The text, on one line.
    pub text: String,
}

/// The kind of an offer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OfferKind {
    /// A note that the agent recorded with `verger observe`.
    Note,
    /// A reviewer's finding.
    Finding,
    /// A subagent's last message.
    Report,
}

/// The offers since the gate's last request ended, the newest last.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Offers {
    kept: VecDeque<Offer>,
    /// The number of older offers that were dropped because of the maximum number.
    pub left_out: u64,
}

impl Offer {
    /// The offer that a record contains, with its whole text. `None` if the record contains none.
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

    /// The offer with its text cut to the stored length.
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
            // Agents record notes on purpose, so other kinds of offers are dropped before notes.
            let goes = self.kept.iter().position(|kept| kept.kind != OfferKind::Note).unwrap_or(0);
            self.kept.remove(goes);
            self.left_out = self.left_out.saturating_add(1);
        }
        self.kept.push_back(offer);
    }

    /// The kept offers, the oldest first.
    pub fn iter(&self) -> impl Iterator<Item = &Offer> {
        self.kept.iter()
    }
}
