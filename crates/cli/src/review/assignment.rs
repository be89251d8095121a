//! The facts that a reviewer needs about a task, from the session's records: the person's prompts,
//! the reason for the review, and the findings of earlier reviews. The texts of the reviewed agent
//! are left out.

use verger_engine::State;
use verger_event::{Event, EventId, Fold, Record, Timestamp};
use verger_gate::Excerpt;
use verger_gate::review::{Change, Decision, GATE, GatedCall, Outcome};
use verger_store::{SegmentName, Store};

use crate::invocation::command_error::CommandError;
use crate::sessions::event_picker::each_record;

/// The facts that a reviewer needs about the current task.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Assignment {
    /// The session's state after its last record.
    pub(crate) state: State,
    /// The person's prompts to the agent, in order.
    pub(crate) prompts: Vec<Prompt>,
    /// The gated call that waits for the review.
    pub(crate) call: Option<WaitingCall>,
    /// The findings of earlier reviews of the task, in order.
    pub(crate) findings: Vec<Found>,
}

/// A person's prompt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Prompt {
    pub(crate) at: Timestamp,
    pub(crate) text: Excerpt,
}

/// A gated call that must wait for a review.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct WaitingCall {
    pub(crate) call: GatedCall,
    /// The shell command, or the tool and its input. `None` if the record can't be read.
    pub(crate) input: Option<Excerpt>,
}

/// A decision that did not approve the work.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Found {
    pub(crate) at: Timestamp,
    pub(crate) outcome: Outcome,
    pub(crate) summary: String,
    pub(crate) message: Option<Excerpt>,
}

impl Assignment {
    /// Reads the facts about the current task of a session.
    pub(crate) fn read(store: &impl Store, segment: &SegmentName) -> Result<Self, CommandError> {
        let mut assignment = Self::default();
        each_record(store, segment, &mut |record| assignment.see(&record))?;
        let want = assignment.state.review.phase.want();
        if let Some(call) = want.and_then(|want| want.call.clone()) {
            let input = input_of(store, segment, call.on)?;
            assignment.call = Some(WaitingCall { call, input });
        }
        Ok(assignment)
    }

    fn see(&mut self, record: &Record) {
        let draft = &record.draft;
        let task = self.state.session.current_task();
        let is_prompt = self.state.session.is_persons_prompt(&draft.origin.actor, &draft.event);
        self.state.apply(record);
        if self.state.session.current_task() != task {
            self.prompts.clear();
            self.findings.clear();
        }
        match &draft.event {
            Event::PromptSubmitted { prompt, .. } if is_prompt => {
                self.prompts.push(Prompt { at: draft.at, text: Excerpt::of(prompt) });
            }
            event => {
                if let Some(Change::Decided { decision, .. }) = review_change(event) {
                    self.findings.extend(Found::of(&decision, draft.at));
                }
            }
        }
    }
}

impl Found {
    fn of(decision: &Decision, at: Timestamp) -> Option<Self> {
        let Decision { outcome, summary, message, .. } = decision;
        let message = message.as_deref().map(Excerpt::of);
        match outcome {
            Outcome::Complete => None,
            Outcome::Issues | Outcome::Unavailable => {
                Some(Self { at, outcome: *outcome, summary: summary.clone(), message })
            }
        }
    }
}

/// The change of the review gate in this record, if any.
pub(crate) fn review_change(event: &Event) -> Option<Change> {
    match event {
        Event::GateChanged { gate, change: Some(change), .. } if gate == GATE => {
            // A newer version of verger may have written an unknown change.
            serde_json::from_value(change.clone()).ok()
        }
        _ => None,
    }
}

fn input_of(
    store: &impl Store,
    segment: &SegmentName,
    call: EventId,
) -> Result<Option<Excerpt>, CommandError> {
    let mut input = None;
    each_record(store, segment, &mut |record| {
        if let Event::ToolRequested(requested) = &record.draft.event
            && record.draft.id == call
        {
            input = Some(Excerpt::of(&requested.identity()));
        }
    })?;
    Ok(input)
}
