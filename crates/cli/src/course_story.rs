//! The score behind something that verger said of a session's course.

use serde_json::{Value, json};
use verger_chronicle::{Followed, Moment, Scored, Telling, Timeline, Told};
use verger_event::{Event, EventId, Record, SessionId};
use verger_gate::course::GATE;
use verger_store_local::{LocalStore, SegmentName};

use crate::command_error::CommandError;
use crate::course_text::{finding_rows, score_text, scored_json};
use crate::event_choice::each_record;
use crate::table::Table;

/// A score, and what came of it.
pub(crate) struct CourseStory {
    id: EventId,
    session: SessionId,
    scored: Scored,
    followed: Option<Followed>,
}

/// Whether a record is something that the gate of the course said or found.
pub(crate) fn is_of_course(record: &Record) -> bool {
    match &record.draft.event {
        Event::GateChanged { gate, .. } => gate == GATE,
        Event::ContextInjected { sources, .. } => sources.iter().any(|source| source == GATE),
        Event::VerdictGiven { by, .. } => by.iter().any(|opinion| opinion.by == GATE),
        _ => false,
    }
}

impl CourseStory {
    /// The score itself, or the one that led to this record. Nothing where it says that the agent was on
    /// course: there is no more to tell.
    pub(crate) fn behind(
        store: &LocalStore,
        segment: &SegmentName,
        record: &Record,
    ) -> Result<Option<Self>, CommandError> {
        let mut timeline = Timeline::default();
        // How many moments there were when the record was read.
        let mut until = None;
        each_record(store, segment, &mut |read| {
            timeline.take(&read);
            if read.draft.id == record.draft.id {
                until = Some(timeline.moments().len());
            }
        })?;
        let moments = timeline.moments().iter().take(until.unwrap_or_default());
        // What the agent is not told of leads to nothing.
        let is_behind = |moment: &Moment, scored: &Scored| {
            let leads = matches!(
                scored.telling,
                Telling::Said | Telling::SaidBefore | Telling::Waits | Telling::Missed
            );
            moment.id == record.draft.id || leads
        };
        let told = moments.rev().find_map(|moment| match &moment.what {
            Told::Scored { scored, followed } if is_behind(moment, scored) => {
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
        table.row("  see", format!("verger drift --session {}", self.session));
    }

    pub(crate) fn to_json(&self) -> Value {
        json!({ "id": self.id, "scored": scored_json(&self.scored, self.followed) })
    }
}
