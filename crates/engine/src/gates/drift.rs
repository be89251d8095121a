//! The drift gate: decides when a session is scored, what is recorded, and what the agent is
//! told.
//!
//! Most events only increment a counter. The [`Track`] is folded separately from the session's
//! state. It is read only when the session is scored, at prompts and stops, and before and after
//! the agent's conversation is compacted.

pub(crate) mod program;

use std::borrow::Cow;

use verger_agent::{AgentSpec, Observed, Part};
use verger_config::Settings;
use verger_drift::recovery::Phase;
use verger_drift::{HANDOFF, Noted, TaskRecord, Track};
use verger_event::{
    Actor, EndReason, Event, Fold as _, Grounds, HandoffTrigger, Record, StartSource, StopRequest,
    TaskEnding, Timestamp, ToolCall, Verdict,
};
use verger_gate::asking::{Asked, asked};
use verger_gate::drift::{
    self, Due, GATE, Input, MAX_GOAL, Mode, Policy, SCORER, Say, Step, Watch, events, message, step,
};
use verger_gate::verification::claim;

use crate::State;
use crate::decision::{Decision, with_settings};
use crate::facts::{Fact, FactSet, Facts};
use crate::gate::{Before, Context, EventView, Gate, Setup};

/// Maximum number of bytes of a call in a message.
const MAX_CALL_BYTES: usize = 200;

/// The drift gate with its settings.
pub(crate) struct DriftGate<'a> {
    policy: Policy,
    settings: &'a Settings,
    spec: &'static AgentSpec,
}

impl<'a> Gate<'a> for DriftGate<'a> {
    type State = Watch;
    type Trigger = ();

    fn new(setup: Setup<'a>) -> Self {
        let Setup { settings, spec, .. } = setup;
        Self { policy: drift_policy(settings), settings, spec }
    }

    fn trigger(&self, _event: &EventView<'_>) -> Option<()> {
        (self.policy.mode != Mode::Off).then_some(())
    }

    fn facts(&self, (): &(), before: &Before<'_>) -> Option<FactSet> {
        let Before { state, observed, now } = *before;
        let watch = &state.drift;
        let is_unit = watch.is_unit(&observed.actor, &observed.event);
        let has_scorer = self.settings.drift.scorer.value.is_some();
        let has_reader = self.settings.drift.reader.value.is_some();
        let wants_score = has_scorer && is_unit && watch.is_due(&self.policy) && watch.may_ask(now);
        let wants_reading = has_reader
            && state.session.is_persons_prompt(&observed.actor, &observed.event)
            && watch.may_ask_reader(now);
        let facts = FactSet::default()
            .and_if(self.asks_for_track(before), Fact::Track)
            .and_if(wants_score, Fact::Score)
            .and_if(wants_reading, Fact::Reading)
            .and_if(is_unit && watch.waits_for_paths(), Fact::ChangedPaths);
        (facts != FactSet::default() || watch.pending().is_some()).then_some(facts)
    }

    /// The reader program's answer is recorded before its prompt, because the fold applies both
    /// together.
    fn found(&self, facts: &Facts, _before: &State, _now: Timestamp) -> Vec<Event> {
        facts.reading.as_ref().map(program::recorded).into_iter().collect()
    }

    fn decide(&self, (): &(), context: &Context<'_>, decision: &mut Decision) {
        match &context.facts.track {
            Some(track) => self.look(track, context, decision),
            None => self.deliver(&context.state.drift, context, decision),
        }
    }
}

impl DriftGate<'_> {
    /// Whether the gate needs the [`Track`] for this event.
    fn asks_for_track(&self, before: &Before<'_>) -> bool {
        let Observed { actor, event, .. } = before.observed;
        let watch = &before.state.drift;
        match event {
            Event::SessionEnded { .. } => true,
            _ if !matches!(actor, Actor::Main { .. }) => false,
            Event::PromptSubmitted { .. }
            | Event::StopRequested(_)
            | Event::CompactionStarted { .. } => true,
            Event::SessionStarted { source, .. } => {
                watch.holds_handoff() && gives_back(source).is_some()
            }
            Event::ToolRequested(call) => {
                matches!(watch.phase(), Phase::Forced { .. }) && call.may_change_files()
            }
            event => watch.is_unit(actor, event) && watch.is_due(&self.policy),
        }
    }

    fn look(&self, before: &Track, context: &Context<'_>, decision: &mut Decision) {
        let draft = context.draft;
        // The track is copied only for events that change it.
        let (mut track, noted) = if Track::reads(draft.event.kind()) {
            let mut track = before.clone();
            let noted = track.take(&Record { seq: 0, draft: draft.clone() });
            (Cow::Owned(track), noted)
        } else {
            (Cow::Borrowed(before), Noted::Nothing)
        };
        match &draft.event {
            // A prompt that the client generated, not the person.
            Event::PromptSubmitted { .. } if noted == Noted::Nothing => {}
            Event::PromptSubmitted { .. } => {
                decision.events.extend(recorded(
                    track.records_of_left(TaskEnding::LeftForOther, claimed(context.before)),
                ));
            }
            Event::StopRequested(request) => self.stopped(&track, request, context, decision),
            Event::CompactionStarted { .. } => {
                decision.events.extend(handoff(&track, context, HandoffTrigger::Compaction));
            }
            Event::SessionEnded { reason } => ended(&track, reason, context, decision),
            Event::SessionStarted { source, .. } => self.give_back(before, source, decision),
            Event::ToolRequested(call) => self.wanted(before, call, context, decision),
            _ => {
                let changed = context.facts.changed_paths.as_deref();
                let restored = changed.map(|changed| track.restored_paths(changed));
                let restored = restored.unwrap_or_default();
                if context.before.drift.finding().is_some() {
                    track.to_mut().settle(&restored);
                }
                let due = judged(due(&track), context, decision);
                let after = self.step(Input::Worked { due, restored }, context, decision).1;
                self.deliver(&after, context, decision);
            }
        }
    }

    fn step(&self, input: Input, context: &Context<'_>, decision: &mut Decision) -> (Say, Watch) {
        let watch = &context.state.drift;
        let Step { changes, say } = step(watch, input, &self.policy);
        let (events, after) = events(watch, &changes);
        decision.events.extend(events);
        (say, after)
    }

    /// Records the end of a task: as complete if the agent says that it is finished and no gate
    /// refuses the stop, as unverified if its claims have no passed verification.
    fn stopped(
        &self,
        track: &Track,
        request: &StopRequest,
        context: &Context<'_>,
        decision: &mut Decision,
    ) {
        let waits = context.before.session.waits_for_subagents(request, context.clock.now());
        if decision.denies() || waits {
            return;
        }
        self.step(Input::Ended(due(track)), context, decision);
        let is_finished = request.last_message.as_deref().is_some_and(claims);
        let ending = ending_of_claim(decision.is_unverified);
        let record = is_finished.then(|| track.record_current(ending)).flatten();
        decision.events.extend(recorded(record.into_iter().collect()));
    }

    /// Gives the agent the pending correction, if the answer to this event can contain it.
    fn deliver(&self, watch: &Watch, context: &Context<'_>, decision: &mut Decision) {
        let draft = context.draft;
        let is_main = matches!(draft.origin.actor, Actor::Main { .. });
        let is_step = matches!(
            draft.event,
            Event::ToolRequested(_)
                | Event::ToolSucceeded { .. }
                | Event::ToolFailed { .. }
                | Event::ToolEnded { .. }
                | Event::ToolBatchEnded { .. }
        );
        let carries = is_main && is_step && self.spec.carries(draft.event.kind(), Part::Context);
        let (Some((correction, finding)), true) = (watch.pending(), carries) else { return };
        if self.policy.mode != Mode::Correct {
            return;
        }
        let text = message::correction(correction, finding);
        let mut grounds = Grounds::of_rule(finding.kind.rule()).fact("asked for", &*finding.goal);
        if let Some(score) = watch.score() {
            grounds = grounds.fact("score", score.get().to_string());
        }
        for reason in &finding.reasons {
            grounds = grounds.fact("found", &**reason);
        }
        let grounds = with_settings(grounds, self.settings, &["drift.mode", "drift.every"]);
        decision.inject(GATE, text, grounds);
    }

    /// Denies a call that repeats an action which broke a limit three times.
    fn wanted(
        &self,
        track: &Track,
        call: &ToolCall,
        context: &Context<'_>,
        decision: &mut Decision,
    ) {
        let watch = &context.state.drift;
        let (Phase::Forced { finding: forced }, Some(finding)) = (watch.phase(), watch.finding())
        else {
            return;
        };
        let cwd = context.draft.origin.circumstance.cwd.as_deref();
        if decision.denies() || !track.would_break(forced, call, cwd) {
            return;
        }
        let (say, _) = self.step(Input::Repeats { what: named(call) }, context, decision);
        let rule =
            "the agent repeated an action that the person forbade, after doing it three times";
        let grounds =
            Grounds::of_rule(rule).fact("asked for", &*finding.goal).fact("call", named(call));
        let keys = ["drift.mode", "gates.max_blocks"];
        let grounds = with_settings(grounds, self.settings, &keys);
        match say {
            Say::Nothing => {}
            Say::Deny => {
                decision.opinion(GATE, Verdict::Deny { reason: message::deny(finding) }, grounds);
                decision.notices.push(message::notice_denied(finding));
            }
            Say::Release => {
                decision.opinion(GATE, Verdict::NoOpinion, grounds);
                decision.notices.push(message::notice_released(finding));
            }
        }
    }

    fn give_back(&self, track: &Track, source: &StartSource, decision: &mut Decision) {
        let (Some(text), Some(rule)) = (track.handoff_written(), gives_back(source)) else {
            return;
        };
        let grounds = with_settings(Grounds::of_rule(rule), self.settings, &["drift.mode"]);
        decision.inject(HANDOFF, text.to_owned(), grounds);
    }
}

/// The reason why a session with this start gets its handoff back. `None` if it doesn't get it.
fn gives_back(source: &StartSource) -> Option<&'static str> {
    match source {
        StartSource::Compact => Some("the conversation was replaced by a summary"),
        StartSource::Resume => Some("the session was resumed"),
        StartSource::Startup | StartSource::Clear | StartSource::Fork | StartSource::Other(_) => {
            None
        }
    }
}

fn due(track: &Track) -> Due {
    Due { assessment: track.assess(), goal: track.goal().summary(MAX_GOAL) }
}

/// The assessment, replaced by the scorer program's answer if there is one. The answer is
/// recorded.
fn judged(Due { assessment, goal }: Due, context: &Context<'_>, decision: &mut Decision) -> Due {
    let assessment = match &context.facts.score {
        None => assessment,
        Some(Ok(given)) => {
            decision.events.push(asked(SCORER, Asked::Answered, &given.reason));
            given.applied_to(assessment)
        }
        Some(Err(failure)) => {
            decision.events.push(asked(SCORER, Asked::Failed, &failure.to_string()));
            assessment
        }
    };
    Due { assessment, goal }
}

/// Whether a message of an agent says that the work is finished.
pub(crate) fn claims(words: &str) -> bool {
    claim(words).is_some()
}

/// The ending of a task that the agent says is finished.
fn ending_of_claim(is_unverified: bool) -> TaskEnding {
    if is_unverified { TaskEnding::Unverified } else { TaskEnding::Complete }
}

/// Returns a function from the agent's last message to the task's ending. The ending is `None` if
/// the message doesn't say that the work is finished.
pub(crate) fn claimed(state: &State) -> impl Fn(&str) -> Option<TaskEnding> {
    let ending = ending_of_claim(state.verification.phase.is_unverified());
    move |words| claims(words).then_some(ending)
}

fn recorded(records: Vec<TaskRecord>) -> impl Iterator<Item = Event> {
    records.into_iter().map(|record| record.event())
}

fn ended(track: &Track, reason: &EndReason, context: &Context<'_>, decision: &mut Decision) {
    if track.is_under_way() {
        decision.events.extend(handoff(track, context, HandoffTrigger::SessionEnd));
    }
    let ending = match reason {
        EndReason::Clear => TaskEnding::Cleared,
        EndReason::Logout | EndReason::PromptInputExit | EndReason::Other(_) => {
            TaskEnding::SessionEnded
        }
    };
    decision.events.extend(recorded(track.records_of_all(ending, claimed(context.before))));
}

fn handoff(track: &Track, context: &Context<'_>, trigger: HandoffTrigger) -> Option<Event> {
    let todos = &context.state.learning.todos;
    let subjects = todos.open_ids().filter_map(|id| todos.subject(id)).map(str::to_owned);
    let mut handoff = track.handoff(&subjects.collect::<Vec<_>>())?;
    let watch = &context.state.drift;
    if let (Phase::Drifted { .. } | Phase::Forced { .. }, Some(finding)) =
        (watch.phase(), watch.finding())
    {
        let found = finding.reasons.iter().map(|reason| format!("drift: {reason}"));
        handoff.state.splice(0..0, found);
        handoff.next.clone_from(&finding.back);
    }
    let text = drift::handoff(&handoff, trigger, drift::MAX_HANDOFF_CHARS);
    Some(Event::HandoffWritten { trigger, text })
}

/// A short text about the call, for people.
fn named(call: &ToolCall) -> String {
    let what = call.edited_file().or(call.shell_line()).unwrap_or_default();
    let what = &what[..what.floor_char_boundary(MAX_CALL_BYTES)];
    format!("{} {what}", call.tool).trim_end().to_owned()
}

/// The gate's policy from the settings.
pub(crate) fn drift_policy(settings: &Settings) -> Policy {
    let number = |setting: u64| u32::try_from(setting).unwrap_or(u32::MAX);
    Policy {
        mode: settings.drift.mode.value,
        every: number(settings.drift.every.value),
        max_denials: number(settings.gates.max_blocks.value),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_a_word_from_the_user_the_gate_is_as_it_says_itself() {
        assert_eq!(drift_policy(&Settings::default()), Policy::default());
    }
}
