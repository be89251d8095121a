//! A step of a session's verification gate that a command takes. The step is decided under the
//! session's lock and written to the log.

use verger_engine::verification_policy;
use verger_event::Event;
use verger_gate::verification::{self, Input, Verification, Verified};
use verger_store::{SegmentName, Store};

use crate::invocation::command_error::CommandError;
use crate::invocation::context::Context;
use crate::sessions::event_picker::each_record;
use crate::sessions::gated::GatedSession;

impl GatedSession {
    /// Takes a step of the verification gate. The end of a run is recorded only once.
    pub(crate) fn step_verification(
        &self,
        context: &Context,
        store: &impl Store,
        input: &Input<'_>,
    ) -> Result<(), CommandError> {
        self.record(context, store, &[], |state| {
            let gate = &state.verification;
            let is_known = matches!(input, Input::Ended(verified) if knows(gate, &verified.run));
            if is_known {
                return (vec![], ());
            }
            let now = context.clock.now();
            let policy = verification_policy(&self.loaded.settings);
            let step = verification::step(gate, input, &policy, now);
            (verification::events(gate, &step, now), ())
        })
    }
}

fn knows(gate: &Verification, run: &str) -> bool {
    gate.outcomes.contains(run) || gate.last.as_ref().is_some_and(|last| last.verified.run == run)
}

/// The whole result of a run, from the log.
pub(crate) fn recorded(
    store: &impl Store,
    segment: &SegmentName,
    run: &str,
) -> Result<Option<Verified>, CommandError> {
    let mut found = None;
    each_record(store, segment, &mut |record| {
        if let Event::VerificationRecorded { verified, .. } = &record.draft.event
            && verified["run"] == run
        {
            found = serde_json::from_value(verified.clone()).ok();
        }
    })?;
    Ok(found)
}
