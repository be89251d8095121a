//! The learning gate at the hook: what of an event concerns it, what it has to know first, and what
//! it says.

use std::borrow::Cow;

use serde_json::{Value, json};
use verger_agent::Observed;
use verger_config::Settings;
use verger_event::{
    Actor, Event, Fate, Grounds, StartSource, TaskState, TicketSystem, Timestamp, ToolCall,
    ToolUseId, Verdict,
};
use verger_gate::learning::message::{self, Asked, Place};
use verger_gate::learning::{
    self, Ask, CallEnd, Changed, Close, EndedCall, Extent, GATE, Hold, Input, Learning, Mode,
    Phase, Policy, ReleasedBy, Say, Small, StopFacts, Want, closes, step,
};
use verger_gate::{Start, State};
use verger_memory::EXAMPLE;
use verger_shell::Script;

use crate::facts::ChangedWork;
use crate::gates::Told;
use crate::spoken::{Injected, Spoken, with_settings};
use crate::ticket_facts::FoundTickets;

/// What of an event concerns the gate.
#[derive(Debug)]
pub(crate) enum Matter {
    Nothing,
    /// A session begins or goes on, or a prompt came.
    Begin,
    /// A call that closes tickets.
    Close(Vec<Close>),
    /// Calls that may have closed tickets.
    Ended(Vec<Ended>),
    TodoCreated,
    TodoCompleted,
    Stop,
    End,
}

/// A call that ended.
#[derive(Debug)]
pub(crate) struct Ended {
    id: Option<ToolUseId>,
    closes: Vec<Close>,
    end: CallEnd,
}

/// How the gate is set in this session.
#[derive(Debug)]
pub(crate) struct LearningGate<'a> {
    pub(crate) policy: Policy,
    pub(crate) settings: &'a Settings,
}

impl LearningGate<'_> {
    /// What of an event that is no request for a tool concerns the gate.
    pub(crate) fn matter(&self, actor: &Actor, event: &Event) -> Matter {
        let is_main = matches!(actor, Actor::Main { .. });
        let uses_todos = self.policy.uses(TicketSystem::Tasks);
        match event {
            Event::SessionStarted { .. } | Event::PromptSubmitted { .. } if is_main => {
                Matter::Begin
            }
            Event::StopRequested(_) if is_main => Matter::Stop,
            Event::SessionEnded { .. } => Matter::End,
            Event::ToolSucceeded { call, .. } => self.ended([call], CallEnd::Succeeded),
            Event::ToolFailed { call, .. } => self.ended([call], CallEnd::Failed),
            // What of a message's calls was not heard of by now never ran.
            Event::ToolBatchEnded { calls } => {
                self.ended(calls.iter().map(|batched| &batched.call), CallEnd::Refused)
            }
            Event::TodoCreated { .. } if uses_todos => Matter::TodoCreated,
            Event::TodoCompleted { .. } if uses_todos => Matter::TodoCompleted,
            _ => Matter::Nothing,
        }
    }

    fn ended<'c>(&self, calls: impl IntoIterator<Item = &'c ToolCall>, end: CallEnd) -> Matter {
        let ended = |call: &ToolCall| {
            let closes = self.closes(call, &verger_shell::read(call.shell_line()?));
            let id = call.id.clone();
            (!closes.is_empty()).then_some(Ended { id, closes, end })
        };
        let ended: Vec<_> = calls.into_iter().filter_map(ended).collect();
        if ended.is_empty() { Matter::Nothing } else { Matter::Ended(ended) }
    }

    fn closes(&self, call: &ToolCall, script: &Script) -> Vec<Close> {
        match self.policy.mode {
            Mode::On => closes(script, &self.policy.systems, call.id.as_ref()),
            Mode::Off => vec![],
        }
    }

    /// What a call that was read concerns.
    pub(crate) fn call_matter(&self, call: &ToolCall, script: Option<&Script>) -> Matter {
        let closes = script.map(|script| self.closes(call, script)).unwrap_or_default();
        if closes.is_empty() { Matter::Nothing } else { Matter::Close(closes) }
    }

    /// Whether what a session's changes are counted from has to be noted: they may matter later.
    pub(crate) fn asks_for_baseline(&self, state: &State) -> bool {
        let has_tickets = state.learning.system.is_some();
        self.policy.mode == Mode::On
            && *state.learning.baseline.start() == Start::NotTaken
            && (has_tickets && self.policy.small != Small::Counts
                || self.policy.uses(TicketSystem::Session))
    }

    /// Whether it has to be looked for tickets: when a session starts, and at its first prompt where
    /// its start was not seen.
    pub(crate) fn asks_for_tickets(
        &self,
        matter: &Matter,
        state: &State,
        observed: &Observed,
    ) -> bool {
        let is_of_use = self.policy.mode == Mode::On || self.settings.recall.enabled.value;
        let is_moment = match &observed.event {
            Event::SessionStarted { source, .. } => *source != StartSource::Compact,
            Event::PromptSubmitted { .. } => {
                state.session.events == 0 && state.session.task == TaskState::None
            }
            _ => false,
        };
        matches!(matter, Matter::Begin) && is_of_use && is_moment
    }

    /// Whether it has to be known how much changed. `state` is that before the event.
    pub(crate) fn asks_for_changes(
        &self,
        matter: &Matter,
        (state, event): (&State, &Event),
        now: Timestamp,
    ) -> bool {
        match (matter, event) {
            (Matter::Stop, Event::StopRequested(request)) => {
                state.learning.asks_for_changes(&self.policy)
                    && !state.session.waits_for_subagents(request, now)
            }
            _ => false,
        }
    }

    /// Steps the gate.
    pub(crate) fn speak(&self, matter: &Matter, told: &Told<'_>, spoken: &mut Spoken) {
        let mut learning = Cow::Borrowed(&told.state.learning);
        let mut step = |input: &Input<'_>, spoken: &mut Spoken| {
            self.step(&mut learning, input, told.clock.now(), spoken)
        };
        match (matter, &told.draft.event) {
            (Matter::Begin, event) => {
                if let Some(FoundTickets { system, ticket, .. }) = &told.facts.tickets {
                    step(&Input::Found { system: *system, ticket: ticket.as_ref() }, spoken);
                }
                let actor = &told.draft.origin.actor;
                if told.before.session.is_persons_prompt(actor, event) {
                    step(&Input::Prompted, spoken);
                }
                if matches!(event, Event::SessionStarted { .. }) {
                    self.tell_owed(&told.state.learning, told, spoken);
                }
            }
            // What is held back closes nothing.
            (Matter::Close(closes), _) if !spoken.denies() => {
                step(&Input::CloseSeen { closes }, spoken);
            }
            (Matter::Ended(calls), _) => {
                for Ended { id, closes, end } in calls {
                    let call = EndedCall { id: id.as_ref(), closes, end: *end };
                    step(&Input::CallEnded(call), spoken);
                }
            }
            (Matter::TodoCreated, Event::TodoCreated { id, subject, .. }) => {
                step(&Input::TodoCreated { id, subject }, spoken);
            }
            (Matter::TodoCompleted, Event::TodoCompleted { id, .. }) => {
                step(&Input::TodoCompleted { id }, spoken);
            }
            (Matter::Stop, Event::StopRequested(request)) => {
                let changed = told.facts.changed.as_ref();
                let extent = changed.map_or(Extent::UNKNOWN, ChangedWork::extent);
                let facts = StopFacts {
                    extent,
                    waits: told.state.session.waits_for_subagents(request, told.clock.now()),
                    may_refuse: told.state.stops.may_refuse(),
                };
                let say = step(&Input::Stop(facts), spoken);
                self.speak_of_stop(&say, extent.changed, told, spoken);
            }
            (Matter::End, _) => {
                step(&Input::SessionEnded, spoken);
                dismiss(told, spoken);
            }
            _ => {}
        }
    }

    fn step(
        &self,
        learning: &mut Cow<'_, Learning>,
        input: &Input<'_>,
        now: Timestamp,
        spoken: &mut Spoken,
    ) -> Say {
        let step = step(learning, input, &self.policy, now);
        if !step.changes.is_empty() {
            spoken.events.extend(learning::events(learning, &step, now));
            *learning = Cow::Owned(step.applied_to(learning, now));
        }
        step.say
    }

    fn speak_of_stop(&self, say: &Say, changed: Changed, told: &Told<'_>, spoken: &mut Spoken) {
        let session = &told.draft.origin.session.word();
        match say {
            Say::RefuseStop(hold) => {
                // Two gates' words must still fit one message.
                let (place, offers) = if spoken.denies() {
                    (Place::AfterOthers, vec![])
                } else {
                    (Place::First, told.state.learning.offers.iter().collect())
                };
                let reason =
                    self.asked(session, |asked| message::refuse_stop(hold, place, &offers, asked));
                let grounds = self.grounds(hold, changed);
                spoken.opinion(GATE, Verdict::Deny { reason }, grounds);
                let max = self.policy.blocks.max_blocks;
                spoken.notices.push(message::notice_held(hold, max, session));
            }
            Say::PassUnreflected { by, want } => pass(*by, want, session, spoken),
            _ => {}
        }
    }

    fn grounds(&self, hold: &Hold, changed: Changed) -> Grounds {
        let Hold { want, number, ask } = hold;
        let max = self.policy.blocks.max_blocks;
        let mut grounds =
            Grounds::of_rule(want.words()).fact("refusal", format!("{number} of {max}"));
        if changed != Changed::Unknown {
            grounds = grounds.fact("changed", changed.to_string());
        }
        let mut keys = vec!["learning.mode", "gates.max_blocks", "gates.cooldown_seconds"];
        if want.changed.is_some() {
            keys.extend(["tickets.session", "learning.auto_skip_lines"]);
        }
        if let Ask::ReflectOrSkip { .. } = ask {
            keys.extend(["learning.auto_skip_lines", "learning.auto_skip_decider"]);
        }
        with_settings(grounds, self.settings, &keys)
    }

    /// Says something that asks for a reflection.
    fn asked(&self, session_id: &str, say: impl FnOnce(&Asked<'_>) -> String) -> String {
        say(&Asked { session_id, skip: self.policy.skip, example: &example() })
    }

    fn tell_owed(&self, learning: &Learning, told: &Told<'_>, spoken: &mut Spoken) {
        let Some(want) = learning.phase.open_want().filter(|_| self.policy.mode == Mode::On) else {
            return;
        };
        let session = told.draft.origin.session.word();
        let text = self.asked(&session, |asked| message::owed(want, asked));
        let grounds = Grounds::of_rule("a reflection is owed in this session")
            .fact("wanted for", want.words());
        let (kept, sources) = (text.clone(), vec!["learning gate".to_owned()]);
        spoken.injected.push(Injected { text, kept, sources, grounds, ..Injected::default() });
    }
}

/// The candidates of a reflection that passes, on one line.
fn example() -> String {
    let whole = serde_json::from_str(EXAMPLE).unwrap_or(Value::Null);
    let candidates = whole.get("candidates").cloned().unwrap_or_default();
    json!({ "candidates": candidates }).to_string()
}

fn pass(by: ReleasedBy, want: &Want, session: &str, spoken: &mut Spoken) {
    spoken.notices.push(message::notice_passed(want, by, session));
    let grounds = Grounds::of_rule(format!("released by {}", by.as_str()));
    spoken.opinion(GATE, Verdict::NoOpinion, grounds);
}

/// Learnings that the session was given and did not use. Whoever had nothing to reflect on is not
/// asked whether they were of use.
fn dismiss(told: &Told<'_>, spoken: &mut Spoken) {
    let learning = &told.state.learning;
    if matches!(learning.phase, Phase::Skipped { .. }) {
        return;
    }
    let is_used = |id: &str| told.facts.used.iter().any(|used| used == id);
    let unused = learning.shown.unused().filter(|id| !is_used(id)).map(|unused| {
        Event::LearningSeen { learning: unused.to_owned(), fate: Fate::Dismissed, how: None }
    });
    spoken.events.extend(unused);
}

#[cfg(test)]
mod tests {
    use verger_gate::learning::SkipIs;
    use verger_memory::{
        Category, Criterion, LearningId, Origin, Provenance, Reflection, Scope, judge,
    };

    use super::*;

    #[test]
    fn what_an_agent_is_shown_passes_as_it_stands() {
        let offers = Reflection::read(&example()).unwrap().offers;
        let provenance = Provenance::default();
        let origin = Origin { provenance: &provenance, now: Timestamp::from_millis(0) };
        let mut next_id = || "learn-1".parse::<LearningId>().unwrap();
        let judgement = judge(offers, &[], origin, &mut next_id);
        assert_eq!((judgement.learnings.len(), judgement.rejected.len()), (1, 0));
    }

    #[test]
    fn every_word_that_a_reflection_takes_is_told() {
        let mut learning = Learning::default();
        let due = learning::Change::Due { changed: Changed::Lines(9) };
        learning.apply(&due, Timestamp::from_millis(0));
        let want = learning.phase.open_want().cloned().unwrap();
        let hold = Hold { want, number: 1, ask: Ask::Reflect };
        let asked = Asked { session_id: "s", skip: SkipIs::Agents, example: "" };
        let told = message::refuse_stop(&hold, Place::First, &[], &asked);
        let words = (Category::ALL.iter().map(ToString::to_string))
            .chain(Criterion::ALL.iter().map(ToString::to_string))
            .chain(Scope::ALL.iter().map(ToString::to_string));
        let missing: Vec<_> = words.filter(|word| !told.contains(word.as_str())).collect();
        assert_eq!(missing, Vec::<String>::new());
    }
}
