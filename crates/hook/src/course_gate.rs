//! The course at the hook: when it is looked at, what the log keeps of it, and what the agent is told.
//!
//! Most events change nothing of it but a count. The course itself is folded beside the session and read
//! where it is scored, at prompts and stops, and before and after an agent's memory is cut.

use std::borrow::Cow;

use verger_agent::{AgentSpec, Observed, Part};
use verger_config::{DriftMode, Settings};
use verger_drift::recovery::Phase;
use verger_drift::{Ending, HANDOFF, Noted, TaskRecord, Track};
use verger_event::{
    Actor, EndReason, Event, Fold as _, Grounds, Record, StartSource, StopRequest, Timestamp,
    ToolCall, Verdict,
};
use verger_gate::State;
use verger_gate::asking::{Asked, asked};
use verger_gate::course::{
    self, Due, Finding, GATE, Input, MAX_GOAL, Mode, Policy, SCORER, Say, Step, Watch, events,
    message, step,
};
use verger_gate::verification::claim;

use crate::gates::Told;
use crate::spoken::{Injected, Spoken, with_settings};

/// So much of a call is told.
const MAX_CALL_BYTES: usize = 200;

/// How the gate is set in this session.
pub(crate) struct CourseGate<'a> {
    pub(crate) policy: Policy,
    pub(crate) settings: &'a Settings,
    pub(crate) spec: &'static AgentSpec,
}

impl CourseGate<'_> {
    /// Whether the course has to be read for this event. `state` is that before it.
    pub(crate) fn asks_for_track(&self, state: &State, observed: &Observed) -> bool {
        let Observed { actor, event, .. } = observed;
        if self.policy.mode == Mode::Off {
            return false;
        }
        let watch = &state.course;
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
            event => {
                let waits = matches!(watch.phase(), Phase::Waiting { .. });
                watch.is_unit(actor, event) && (waits || watch.is_due(&self.policy))
            }
        }
    }

    /// Whether somebody is asked for a score: one is due, and a program is there to be asked.
    pub(crate) fn asks_for_score(
        &self,
        state: &State,
        observed: &Observed,
        now: Timestamp,
    ) -> bool {
        let watch = &state.course;
        self.policy.mode != Mode::Off
            && self.settings.drift.scorer.value.is_some()
            && watch.is_unit(&observed.actor, &observed.event)
            && watch.is_due(&self.policy)
            && watch.may_ask(now)
    }

    /// Whether somebody is asked to read a prompt: a person says it, and a program is there to be asked.
    pub(crate) fn asks_for_reading(
        &self,
        state: &State,
        observed: &Observed,
        now: Timestamp,
    ) -> bool {
        self.policy.mode != Mode::Off
            && self.settings.drift.reader.value.is_some()
            && state.session.is_persons_prompt(&observed.actor, &observed.event)
            && state.course.may_ask_reader(now)
    }

    pub(crate) fn speak(&self, told: &Told<'_>, spoken: &mut Spoken) {
        if let Some(track) = &told.facts.track {
            self.look(track, told, spoken);
        }
        let has_looked = told.facts.track.is_some();
        if !has_looked {
            self.deliver(&told.state.course, told, spoken);
        }
    }

    fn look(&self, before: &Track, told: &Told<'_>, spoken: &mut Spoken) {
        let draft = told.draft;
        // What the course does not read leaves it as it is, and needs no copy of it.
        let (track, noted) = if Track::reads(draft.event.kind()) {
            let mut track = before.clone();
            let noted = track.take(&Record { seq: 0, draft: draft.clone() });
            (Cow::Owned(track), noted)
        } else {
            (Cow::Borrowed(before), Noted::Nothing)
        };
        match &draft.event {
            Event::PromptSubmitted { .. } => self.prompted(before, &track, &noted, told, spoken),
            Event::StopRequested(request) => self.stopped(&track, request, told, spoken),
            Event::CompactionStarted { .. } => {
                spoken.events.extend(handoff(&track, told, "the conversation was compacted"));
            }
            Event::SessionEnded { reason } => ended(&track, reason, told, spoken),
            Event::SessionStarted { source, .. } => self.give_back(before, source, spoken),
            Event::ToolRequested(call) => self.wanted(before, call, told, spoken),
            _ => {
                let bearing = match noted {
                    Noted::Stepped { bearing, .. } => bearing,
                    _ => before.bearing(),
                };
                let is_due = told.before.course.is_due(&self.policy);
                let now = due(&track);
                let found = (!is_due).then(|| Finding::of(&now.assessment, &now.goal)).flatten();
                let due = is_due.then(|| judged(now, told, spoken));
                let after = self.step(Input::Did { bearing, due, found }, told, spoken).1;
                self.deliver(&after, told, spoken);
            }
        }
    }

    fn step(&self, input: Input, told: &Told<'_>, spoken: &mut Spoken) -> (Say, Watch) {
        let watch = &told.state.course;
        let Step { changes, say } = step(watch, input, &self.policy);
        let (events, after) = events(watch, &changes);
        spoken.events.extend(events);
        (say, after)
    }

    /// Kept apart, like the others that few calls run: every batch that is scored runs what is around them.
    #[inline(never)]
    fn prompted(
        &self,
        before: &Track,
        track: &Track,
        noted: &Noted,
        told: &Told<'_>,
        spoken: &mut Spoken,
    ) {
        // Some prompts are nobody's.
        let Noted::Prompted { .. } = noted else { return };
        if told.before.course.has_news() {
            self.step(Input::Ended(due(before)), told, spoken);
        }
        spoken.events.extend(recorded(track.records_of_left(Ending::LeftForOther, claims)));
    }

    /// What nothing holds back has ended, and is recorded if the agent says that it is finished. Where it asks
    /// for more, that is for the person to say.
    #[inline(never)]
    fn stopped(&self, track: &Track, request: &StopRequest, told: &Told<'_>, spoken: &mut Spoken) {
        let waits = told.before.session.waits_for_subagents(request, told.clock.now());
        if spoken.denies() || waits {
            return;
        }
        if told.before.course.has_news() {
            self.step(Input::Ended(due(track)), told, spoken);
        }
        let words = request.last_message.as_deref().unwrap_or_default();
        let is_finished = track.closing_words(words).is_some_and(claims);
        let record = is_finished.then(|| track.record_current(Ending::Complete)).flatten();
        spoken.events.extend(recorded(record.into_iter().collect()));
    }

    /// Says what waits to be said, if the answer can carry it.
    fn deliver(&self, watch: &Watch, told: &Told<'_>, spoken: &mut Spoken) {
        let draft = told.draft;
        let is_main = matches!(draft.origin.actor, Actor::Main { .. });
        let is_step = matches!(
            draft.event,
            Event::ToolRequested(_)
                | Event::ToolSucceeded { .. }
                | Event::ToolFailed { .. }
                | Event::ToolBatchEnded { .. }
        );
        let carries = is_main && is_step && self.spec.carries(draft.event.kind(), Part::Context);
        let (Some((correction, finding)), true) = (watch.pending(), carries) else { return };
        if self.policy.mode != Mode::Correct {
            return;
        }
        let text = message::correction(correction, finding);
        let mut grounds =
            Grounds::of_rule(finding.matter.told_by()).fact("asked for", &*finding.goal);
        if let Some(score) = watch.score() {
            grounds = grounds.fact("score", score.get().to_string());
        }
        for reason in &finding.reasons {
            grounds = grounds.fact("found", &**reason);
        }
        let grounds = with_settings(grounds, self.settings, &["drift.mode", "drift.every"]);
        let (kept, sources) = (text.clone(), vec![GATE.to_owned()]);
        spoken.injected.push(Injected { text, kept, sources, grounds, ..Injected::default() });
    }

    /// An agent that did not go back is kept from going further.
    #[inline(never)]
    fn wanted(&self, track: &Track, call: &ToolCall, told: &Told<'_>, spoken: &mut Spoken) {
        if spoken.denies() {
            return;
        }
        let cwd = told.draft.origin.circumstance.cwd.as_deref();
        let bearing = track.bearing_of(call, cwd);
        let (say, _) = self.step(Input::Wants { bearing, what: named(call) }, told, spoken);
        let Some(finding) = told.state.course.finding() else { return };
        let grounds = Grounds::of_rule(finding.matter.denied_by())
            .fact("asked for", &*finding.goal)
            .fact("call", named(call));
        let keys = ["drift.mode", "gates.max_blocks"];
        let grounds = with_settings(grounds, self.settings, &keys);
        match say {
            Say::Nothing => {}
            Say::Deny => {
                spoken.opinion(GATE, Verdict::Deny { reason: message::deny(finding) }, grounds);
                spoken.notices.push(message::notice_denied(finding));
            }
            Say::LetGo => {
                spoken.opinion(GATE, Verdict::NoOpinion, grounds);
                spoken.notices.push(message::notice_passed(finding));
            }
        }
    }

    #[inline(never)]
    fn give_back(&self, track: &Track, source: &StartSource, spoken: &mut Spoken) {
        let (Some(text), Some(rule)) = (track.handoff_written(), gives_back(source)) else {
            return;
        };
        let (text, kept) = (text.to_owned(), text.to_owned());
        let grounds = with_settings(Grounds::of_rule(rule), self.settings, &["drift.mode"]);
        let sources = vec![HANDOFF.to_owned()];
        spoken.injected.push(Injected { text, kept, sources, grounds, ..Injected::default() });
    }
}

/// Why a session that starts so is given back what it knew.
fn gives_back(source: &StartSource) -> Option<&'static str> {
    match source {
        StartSource::Compact => Some("the conversation was replaced by a summary"),
        StartSource::Resume => Some("the session goes on"),
        StartSource::Startup | StartSource::Clear | StartSource::Other(_) => None,
    }
}

fn due(track: &Track) -> Due {
    Due { assessment: track.assess(), goal: track.goal().told(MAX_GOAL) }
}

/// With the score of a program that was asked, which the log keeps.
fn judged(Due { assessment, goal }: Due, told: &Told<'_>, spoken: &mut Spoken) -> Due {
    let assessment = match &told.facts.score {
        None => assessment,
        Some(Ok(given)) => {
            spoken.events.push(asked(SCORER, Asked::Answered, &given.reason));
            given.applied_to(assessment)
        }
        Some(Err(failure)) => {
            spoken.events.push(asked(SCORER, Asked::Failed, &failure.to_string()));
            assessment
        }
    };
    Due { assessment, goal }
}

/// Whether words of an agent say that the work is finished.
pub(crate) fn claims(words: &str) -> bool {
    claim(words).is_some()
}

fn recorded(records: Vec<TaskRecord>) -> impl Iterator<Item = Event> {
    records.into_iter().map(|record| record.event())
}

fn ended(track: &Track, reason: &EndReason, told: &Told<'_>, spoken: &mut Spoken) {
    if track.is_under_way() {
        spoken.events.extend(handoff(track, told, "the session ended"));
    }
    let ending = match reason {
        EndReason::Clear => Ending::Cleared,
        EndReason::Logout | EndReason::PromptInputExit | EndReason::Other(_) => {
            Ending::SessionEnded
        }
    };
    spoken.events.extend(recorded(track.records_of_all(ending, claims)));
}

fn handoff(track: &Track, told: &Told<'_>, before: &str) -> Option<Event> {
    let todos = &told.state.learning.todos;
    let subjects = todos.open_ids().filter_map(|id| todos.subject(id)).map(str::to_owned);
    let mut handoff = track.handoff(&subjects.collect::<Vec<_>>())?;
    let watch = &told.state.course;
    if let (Phase::Waiting { .. } | Phase::Forced { .. }, Some(finding)) =
        (watch.phase(), watch.finding())
    {
        let found = finding.reasons.iter().map(|reason| format!("off course: {reason}"));
        handoff.state.splice(0..0, found);
        handoff.next.clone_from(&finding.back);
    }
    let text = course::handoff(&handoff, before, course::MAX_HANDOFF_CHARS);
    Some(Event::HandoffWritten { trigger: before.to_owned(), text })
}

/// The call, for people.
fn named(call: &ToolCall) -> String {
    let what = call.edited_file().or(call.shell_line()).unwrap_or_default();
    let what = &what[..what.floor_char_boundary(MAX_CALL_BYTES)];
    format!("{} {what}", call.tool).trim_end().to_owned()
}

/// The settings of the gate, in the gate's own words.
pub(crate) fn course_policy(settings: &Settings) -> Policy {
    let number = |setting: u64| u32::try_from(setting).unwrap_or(u32::MAX);
    Policy {
        mode: match settings.drift.mode.value {
            DriftMode::Off => Mode::Off,
            DriftMode::Observe => Mode::Observe,
            DriftMode::Correct => Mode::Correct,
        },
        every: number(settings.drift.every.value),
        max_denials: number(settings.gates.max_blocks.value),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_a_word_from_the_user_the_gate_is_as_it_says_itself() {
        assert_eq!(course_policy(&Settings::default()), Policy::default());
    }
}
