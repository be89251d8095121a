//! The score behind a correction, a denial or a finding of drift.

use serde_json::{Value, json};
use verger_chronicle::{Followed, Moment, MomentKind, Scored, Telling, Timeline};
use verger_event::{Event, EventId, Record, SessionId};
use verger_gate::drift::GATE;
use verger_store::{SegmentName, Store};

use crate::drift::text::{finding_rows, score_text, scored_json};
use crate::invocation::command_error::CommandError;
use crate::render::short_ids::short_session;
use crate::render::table::Table;
use crate::sessions::event_picker::each_record;

/// A score and its consequences.
pub(crate) struct DriftStory {
    id: EventId,
    session: SessionId,
    scored: Scored,
    followed: Option<Followed>,
}

/// Whether a record belongs to drift: a finding, a correction or a verdict.
pub(crate) fn is_of_drift(record: &Record) -> bool {
    match &record.draft.event {
        Event::GateChanged { gate, .. } => gate == GATE,
        Event::ContextInjected { sources, .. } => sources.iter().any(|source| source == GATE),
        Event::VerdictGiven { by, .. } => by.iter().any(|opinion| opinion.by == GATE),
        _ => false,
    }
}

impl DriftStory {
    /// The score in this record, or the score that led to this record. `None` if the score asks for
    /// no correction.
    pub(crate) fn behind(
        store: &impl Store,
        segment: &SegmentName,
        record: &Record,
    ) -> Result<Option<Self>, CommandError> {
        let mut timeline = Timeline::default();
        // The length of the timeline when the record was read.
        let mut until = None;
        each_record(store, segment, &mut |read| {
            timeline.take(&read);
            if read.draft.id == record.draft.id {
                until = Some(timeline.moments().len());
            }
        })?;
        let moments = timeline.moments().iter().take(until.unwrap_or_default());
        // A score that is not reported to the agent has no effect.
        let is_behind = |moment: &Moment, scored: &Scored| {
            let leads = matches!(
                scored.telling,
                Telling::Told | Telling::ToldBefore | Telling::Waits | Telling::Missed
            );
            moment.id == record.draft.id || leads
        };
        let told = moments.rev().find_map(|moment| match &moment.what {
            MomentKind::Scored { scored, followed } if is_behind(moment, scored) => {
                let session = record.draft.origin.session.clone();
                let (scored, followed) = ((**scored).clone(), *followed);
                Some(Self { id: moment.id, session, scored, followed })
            }
            _ => None,
        });
        Ok(told.filter(|told| told.scored.level.is_some()))
    }

    pub(crate) fn rows(&self, table: &mut Table) {
        table.row("finding", score_text(&self.scored));
        if let Some(goal) = &self.scored.goal {
            table.row("  goal", goal);
        }
        finding_rows(table, &self.scored, self.followed);
        table.row(
            "  see",
            format!("verger drift --session {}", short_session(self.session.as_str())),
        );
    }

    pub(crate) fn to_json(&self) -> Value {
        json!({ "id": self.id, "scored": scored_json(&self.scored, self.followed) })
    }
}
