//! The notes and findings offered for a session's reflection, with their whole text. The gate's
//! state only has the beginnings of the texts.

use std::collections::VecDeque;

use serde_json::{Value, json};
use verger_event::{Event, EventId, Record};
use verger_gate::learning::{self, Change, Offer, OfferKind};
use verger_store::{SegmentName, Store};

use crate::invocation::command_error::CommandError;
use crate::sessions::event_picker::each_record;

/// The maximum number of offers. Older ones are dropped.
const MAX_OFFERS: usize = 50;
/// The limits of a learning's summary and detail.
const MAX_SUMMARY_CHARS: usize = 200;
const MAX_TEXT_CHARS: usize = 2000;

/// The offers since the last answer to the learning gate, newest last.
#[derive(Debug, Default)]
pub(crate) struct Offers(VecDeque<(EventId, Offer)>);

impl Offers {
    pub(crate) fn read(store: &impl Store, segment: &SegmentName) -> Result<Self, CommandError> {
        let mut offered = Self::default();
        each_record(store, segment, &mut |record| offered.apply(&record))?;
        Ok(offered)
    }

    fn apply(&mut self, record: &Record) {
        if is_answer(&record.draft.event) {
            self.0.clear();
        }
        let Some(offer) = Offer::of(record).filter(|offer| !offer.text.trim().is_empty()) else {
            return;
        };
        if self.0.len() == MAX_OFFERS {
            self.0.pop_front();
        }
        self.0.push_back((record.draft.id, offer));
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    /// The records with the offers.
    pub(crate) fn events(&self) -> impl Iterator<Item = EventId> {
        self.0.iter().map(|(id, _)| *id)
    }

    /// Each offer in a line: its kind, its author and its text.
    pub(crate) fn lines(&self) -> impl Iterator<Item = String> {
        self.0.iter().map(|(_, offer)| {
            let by = offer.by.as_deref().map(|by| format!(" by {by}")).unwrap_or_default();
            let text = offer.text.split_whitespace().collect::<Vec<_>>().join(" ");
            format!("{}{by}: {}", word(offer.kind), beginning(&text, MAX_TEXT_CHARS))
        })
    }

    /// Each offer as a candidate that the agent has to complete.
    pub(crate) fn to_json(&self) -> Value {
        let offers = self.0.iter().map(|(id, offer)| {
            let text = offer.text.trim();
            let first_line = text.lines().next().unwrap_or_default();
            json!({
                "event": id.to_string(),
                "kind": word(offer.kind),
                "by": offer.by,
                "candidate": {
                    "summary": beginning(first_line, MAX_SUMMARY_CHARS),
                    "detail": beginning(text, MAX_TEXT_CHARS),
                },
            })
        });
        offers.collect()
    }
}

fn is_answer(event: &Event) -> bool {
    let Event::GateChanged { gate, change: Some(change), .. } = event else { return false };
    gate == learning::GATE
        && serde_json::from_value(change.clone()).is_ok_and(|change: Change| change.is_answer())
}

fn word(kind: OfferKind) -> &'static str {
    match kind {
        OfferKind::Note => "note",
        OfferKind::Finding => "finding",
        OfferKind::Report => "report",
    }
}

fn beginning(text: &str, max_chars: usize) -> &str {
    text.char_indices().nth(max_chars).map_or(text, |(end, _)| &text[..end])
}
