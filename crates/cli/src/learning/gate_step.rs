//! A step of a session's learning gate that a command takes. The step is decided under the
//! session's lock and written to the log.

use verger_engine::learning_policy;
use verger_event::{Draft, Event};
use verger_gate::learning::{self, Input, Learning, Say};
use verger_memory::stats::{StatsLine, lines_of};

use crate::invocation::command_error::CommandError;
use crate::invocation::context::Context;
use crate::sessions::gated::GatedSession;
use verger_store::Store;

/// A completed step.
pub(crate) struct LearningStep {
    /// The gate before the step.
    pub(crate) before: Learning,
    /// The gate after the step.
    pub(crate) after: Learning,
    pub(crate) say: Say,
    /// The records that were made.
    drafts: Vec<Draft>,
}

impl LearningStep {
    /// The lines of the statistics for this step.
    pub(crate) fn stats(&self) -> Vec<StatsLine> {
        let tickets = self.before.ticket_ids();
        self.drafts.iter().flat_map(|draft| lines_of(draft, &tickets)).collect()
    }
}

impl GatedSession {
    /// Takes a step of the learning gate. The events in `beside` are recorded before the step.
    pub(crate) fn step_learning(
        &self,
        context: &Context,
        store: &impl Store,
        beside: Vec<Event>,
        input: &Input<'_>,
    ) -> Result<LearningStep, CommandError> {
        let decided = self.record_drafts(context, store, &[], |state| {
            let before = state.learning.clone();
            let now = context.clock.now();
            let policy = learning_policy(&self.loaded.settings);
            let step = learning::step(&before, input, &policy, now);
            let mut events = beside;
            events.extend(learning::events(&before, &step, now));
            let after = step.applied_to(&before, now);
            (events, (before, after, step.say))
        })?;
        let ((before, after, say), drafts) = decided;
        Ok(LearningStep { before, after, say, drafts })
    }
}
