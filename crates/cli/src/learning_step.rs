//! A step of a session's learning gate, made by a command: decided under the session's lock and
//! kept in the log.

use serde_json::Value;
use verger_event::Event;
use verger_gate::learning::{self, Input, Learning, Reflection, Say};
use verger_hook::learning_policy;
use verger_store_local::LocalStore;

use crate::command_error::CommandError;
use crate::context::Context;
use crate::gated_session::GatedSession;

/// A step that was taken.
pub(crate) struct LearningStep {
    /// The gate before it.
    pub(crate) before: Learning,
    pub(crate) say: Say,
}

/// A reflection, judged.
pub(crate) struct Judged {
    /// The ids of the learnings that are kept.
    pub(crate) learnings: Vec<String>,
    /// The same, whole, in their stored form.
    pub(crate) kept: Vec<Value>,
    /// The candidates that are not kept, each with its reason.
    pub(crate) rejections: Vec<Value>,
    /// The tickets that it looks back on.
    pub(crate) tickets: Vec<String>,
    /// Why the gate stays closed if nothing is kept.
    pub(crate) why_not: String,
}

impl GatedSession {
    /// Takes a step of the learning gate; `beside` is kept with it, before it.
    pub(crate) fn step_learning(
        &self,
        context: &Context,
        store: &LocalStore,
        beside: Vec<Event>,
        input: &Input<'_>,
    ) -> Result<LearningStep, CommandError> {
        self.record(context, store, &[], |state| {
            let before = state.learning.clone();
            let now = context.clock.now();
            let policy = learning_policy(&self.loaded.settings);
            let step = learning::step(&before, input, &policy, now);
            let mut events = beside;
            events.extend(learning::events(&before, &step, now));
            (events, LearningStep { before, say: step.say })
        })
    }

    /// Keeps a reflection. The gate opens when something of it is kept; otherwise it stays as it is,
    /// and its next refusal says why.
    #[expect(dead_code, reason = "the command that reflects is being made")]
    pub(crate) fn reflect(
        &self,
        context: &Context,
        store: &LocalStore,
        judged: Judged,
    ) -> Result<LearningStep, CommandError> {
        let Judged { learnings, kept, rejections, tickets, why_not } = judged;
        let rejected = rejections.len() as u64;
        let reflection = match learnings.len() {
            0 => Reflection::Refused { why: &why_not },
            count => Reflection::Taken { kept: count as u64, rejected },
        };
        let input = Input::Reflection(reflection);
        let event = Event::ReflectionRecorded { learnings, rejected, kept, rejections, tickets };
        self.step_learning(context, store, vec![event], &input)
    }
}
