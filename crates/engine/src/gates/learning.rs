//! The learning gate: asks for a reflection on finished work before the agent stops.

pub(crate) mod policy;
pub(crate) mod ticket_order;
pub(crate) mod tickets;

use std::borrow::Cow;

use serde_json::{Value, json};
use verger_agent::{AgentSpec, ClosedTicket, closed_tickets};
use verger_config::Settings;
use verger_event::{
    Actor, BatchedCall, Event, Fate, Grounds, StartSource, TaskState, TicketSystem, Timestamp,
    ToolCall, ToolUseId, Verdict,
};
use verger_gate::Start;
use verger_gate::learning::message::{self, Asked, Place};
use verger_gate::learning::{
    self, Ask, CallEnd, Changed, Close, EndedCall, Extent, Failing, GATE, Hold, Input, Learning,
    Mode, Phase, Policy, ReleasedBy, Say, SkipIs, Small, StopFacts, TicketName, Want, closes, step,
};
use verger_memory::EXAMPLE;
use verger_shell::Script;

use crate::decision::{Decision, with_settings};
use crate::facts::{ChangedWork, Fact, FactSet};
use crate::gate::{Before, Context, EventView, Gate, Setup};
use crate::gates::no_tools::{only_observes, pass_observed};
use policy::learning_policy;
use tickets::FoundTickets;

/// The part of an event that the gate handles.
#[derive(Debug)]
pub(crate) enum Trigger {
    /// A session starts or continues, or a prompt was submitted.
    Begin,
    /// The tickets that a requested call closes.
    Close(Vec<Close>),
    /// Ended calls that may have closed tickets.
    Ended(Vec<Ended>),
    TodoCreated,
    TodoCompleted,
    Stop,
    End,
}

/// An ended call.
#[derive(Debug)]
pub(crate) struct Ended {
    id: Option<ToolUseId>,
    closes: Vec<Close>,
    end: CallEnd,
}

/// The learning gate with its settings.
pub(crate) struct LearningGate<'a> {
    policy: Policy,
    settings: &'a Settings,
    spec: &'static AgentSpec,
}

impl<'a> Gate<'a> for LearningGate<'a> {
    type State = Learning;
    type Trigger = Trigger;

    fn new(setup: Setup<'a>) -> Self {
        let Setup { settings, spec, .. } = setup;
        Self { policy: learning_policy(settings), settings, spec }
    }

    fn trigger(&self, event: &EventView<'_>) -> Option<Trigger> {
        let is_main = matches!(event.observed.actor, Actor::Main { .. });
        let uses_todos = self.policy.uses(TicketSystem::Tasks);
        match event.event() {
            Event::ToolRequested(call) => {
                let closes = self.closes(call, event.script);
                (!closes.is_empty()).then_some(Trigger::Close(closes))
            }
            Event::SessionStarted { .. } | Event::PromptSubmitted { .. } if is_main => {
                Some(Trigger::Begin)
            }
            Event::StopRequested(_) if is_main => Some(Trigger::Stop),
            Event::SessionEnded { .. } => Some(Trigger::End),
            Event::ToolSucceeded { call, .. } => self.ended([call], CallEnd::Succeeded),
            Event::ToolFailed { call, .. } => self.ended([call], CallEnd::Failed),
            // A call of the batch that has no event of its own never ran.
            Event::ToolBatchEnded { calls } => {
                self.ended(calls.iter().filter_map(BatchedCall::call), CallEnd::Refused)
            }
            Event::TodoCreated { .. } if uses_todos => Some(Trigger::TodoCreated),
            Event::TodoCompleted { .. } if uses_todos => Some(Trigger::TodoCompleted),
            _ => None,
        }
    }

    fn facts(&self, trigger: &Trigger, before: &Before<'_>) -> Option<FactSet> {
        let state = before.state;
        let wants_changes = match (trigger, &before.observed.event) {
            (Trigger::Stop, Event::StopRequested(request)) => {
                state.learning.asks_for_changes(&self.policy)
                    && !state.session.waits_for_subagents(request, before.now)
            }
            _ => false,
        };
        let facts = FactSet::default()
            .and_if(wants_changes, Fact::Changes)
            .and_if(self.asks_for_tickets(trigger, before), Fact::Tickets);
        Some(facts)
    }

    /// The session's changes are counted from the tree before its first change.
    fn facts_at_first_change(&self, before: &Before<'_>) -> FactSet {
        let state = before.state;
        let has_tickets = state.learning.system.is_some();
        let wants_baseline = self.policy.mode == Mode::On
            && *state.learning.baseline.start() == Start::NotTaken
            && (has_tickets && self.policy.small != Small::Counts
                || self.policy.uses(TicketSystem::Session));
        if wants_baseline {
            FactSet::of([Fact::StartTree, Fact::Baseline])
        } else {
            FactSet::default()
        }
    }

    fn decide(&self, trigger: &Trigger, context: &Context<'_>, decision: &mut Decision) {
        let mut learning = Cow::Borrowed(&context.state.learning);
        let mut step = |input: &Input<'_>, decision: &mut Decision| {
            self.step(&mut learning, input, context.clock.now(), decision)
        };
        match (trigger, &context.draft.event) {
            (Trigger::Begin, event) => {
                if let Some(FoundTickets { system, ticket, .. }) = &context.facts.tickets {
                    step(&Input::Found { system: *system, ticket: ticket.as_ref() }, decision);
                }
                let actor = &context.draft.origin.actor;
                if context.before.session.is_persons_prompt(actor, event) {
                    step(&Input::Prompted, decision);
                }
                if matches!(event, Event::SessionStarted { .. }) {
                    self.tell_owed(&context.state.learning, context, decision);
                }
            }
            // A denied call doesn't run, so it closes no ticket.
            (Trigger::Close(closes), _) if !decision.denies() => {
                step(&Input::CloseSeen { closes }, decision);
            }
            (Trigger::Ended(calls), _) => {
                for Ended { id, closes, end } in calls {
                    let call = EndedCall { id: id.as_ref(), closes, end: *end };
                    step(&Input::CallEnded(call), decision);
                }
            }
            (Trigger::TodoCreated, Event::TodoCreated { id, subject, .. }) => {
                step(&Input::TodoCreated { id, subject }, decision);
            }
            (Trigger::TodoCompleted, Event::TodoCompleted { id, .. }) => {
                step(&Input::TodoCompleted { id }, decision);
            }
            (Trigger::Stop, Event::StopRequested(request)) => {
                let changed = context.facts.changed.as_ref();
                let extent = changed.map_or(Extent::UNKNOWN, ChangedWork::extent);
                let facts = StopFacts {
                    extent,
                    waits: context.state.session.waits_for_subagents(request, context.clock.now()),
                    may_refuse: context.state.stops.may_refuse(),
                };
                let input = Input::Stop(facts);
                if only_observes(self.spec, &context.state.session)
                    && self.would_refuse(&context.state.learning, &input, context.clock.now())
                {
                    pass_observed(GATE, self.spec, decision);
                    return;
                }
                let say = step(&input, decision);
                self.speak_of_stop(&say, extent.changed, context, decision);
            }
            (Trigger::End, _) => {
                step(&Input::SessionEnded, decision);
                dismiss(context, decision);
            }
            _ => {}
        }
    }
}

impl LearningGate<'_> {
    fn would_refuse(&self, learning: &Learning, stop: &Input<'_>, now: Timestamp) -> bool {
        matches!(step(learning, stop, &self.policy, now).say, Say::RefuseStop(_))
    }

    /// The side that may skip a reflection: the agent, or only a person.
    pub(crate) fn skip(&self) -> SkipIs {
        self.policy.skip
    }

    fn ended<'c>(
        &self,
        calls: impl IntoIterator<Item = &'c ToolCall>,
        end: CallEnd,
    ) -> Option<Trigger> {
        let ended = |call: &ToolCall| {
            let script = call.shell_line().map(verger_shell::read);
            let closes = self.closes(call, script.as_ref());
            let id = call.id.clone();
            (!closes.is_empty()).then_some(Ended { id, closes, end })
        };
        let ended: Vec<_> = calls.into_iter().filter_map(ended).collect();
        (!ended.is_empty()).then_some(Trigger::Ended(ended))
    }

    fn closes(&self, call: &ToolCall, script: Option<&Script>) -> Vec<Close> {
        match (self.policy.mode, script) {
            (Mode::On, Some(script)) => closes(script, &self.policy.systems, call.id.as_ref()),
            (Mode::On, None) => self.closes_of_server(call),
            (Mode::Off, _) => vec![],
        }
    }

    /// The tickets that a call of a ticket system's MCP tool closes.
    fn closes_of_server(&self, call: &ToolCall) -> Vec<Close> {
        let closed = closed_tickets(call).into_iter();
        let closed = closed.filter(|closed| self.policy.uses(closed.system));
        let close = |ClosedTicket { system, id }| Close {
            ticket: id
                .map_or_else(|| TicketName::unknown(system), |id| TicketName::new(system, &id)),
            call: call.id.clone(),
            failing: Failing::MeansOpen,
            stage: learning::Stage::Requested,
        };
        closed.map(close).collect()
    }

    /// Tickets are looked up when a session starts. If the start was not recorded, they are
    /// looked up at the first prompt.
    fn asks_for_tickets(&self, trigger: &Trigger, before: &Before<'_>) -> bool {
        let is_of_use = self.policy.mode == Mode::On || self.settings.recall.enabled.value;
        let session = &before.state.session;
        let is_moment = match &before.observed.event {
            Event::SessionStarted { source, .. } => *source != StartSource::Compact,
            Event::PromptSubmitted { .. } => session.events == 0 && session.task == TaskState::None,
            _ => false,
        };
        matches!(trigger, Trigger::Begin) && is_of_use && is_moment
    }

    fn step(
        &self,
        learning: &mut Cow<'_, Learning>,
        input: &Input<'_>,
        now: Timestamp,
        decision: &mut Decision,
    ) -> Say {
        let step = step(learning, input, &self.policy, now);
        if !step.changes.is_empty() {
            decision.events.extend(learning::events(learning, &step, now));
            *learning = Cow::Owned(step.applied_to(learning, now));
        }
        step.say
    }

    fn speak_of_stop(
        &self,
        say: &Say,
        changed: Changed,
        context: &Context<'_>,
        decision: &mut Decision,
    ) {
        let session = &context.draft.origin.session.word();
        match say {
            Say::RefuseStop(hold) => {
                // If another gate refuses the stop too, the text is shorter, because both texts
                // must fit into one message.
                let (place, offers) = if decision.denies() {
                    (Place::AfterOthers, vec![])
                } else {
                    (Place::First, context.state.learning.offers.iter().collect())
                };
                let reason =
                    self.asked(session, |asked| message::refuse_stop(hold, place, &offers, asked));
                let grounds = self.grounds(hold, changed);
                decision.opinion(GATE, Verdict::Deny { reason }, grounds);
                let max = self.policy.blocks.max_blocks;
                decision.notices.push(message::notice_held(hold, max, session));
            }
            Say::PassUnreflected { by, want } => pass(*by, want, session, decision),
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

    /// Renders a text that asks the agent for a reflection.
    fn asked(&self, session_id: &str, say: impl FnOnce(&Asked<'_>) -> String) -> String {
        say(&Asked { session_id, skip: self.policy.skip, example: &example() })
    }

    fn tell_owed(&self, learning: &Learning, context: &Context<'_>, decision: &mut Decision) {
        let Some(want) = learning.phase.open_want().filter(|_| self.policy.mode == Mode::On) else {
            return;
        };
        let session = context.draft.origin.session.word();
        let text = self.asked(&session, |asked| message::owed(want, asked));
        let grounds = Grounds::of_rule("a reflection is missing in this session")
            .fact("wanted for", want.words());
        decision.inject("learning gate", text, grounds);
    }
}

/// The candidates of a valid reflection, on one line.
fn example() -> String {
    let whole = serde_json::from_str(EXAMPLE).unwrap_or(Value::Null);
    let candidates = whole.get("candidates").cloned().unwrap_or_default();
    json!({ "candidates": candidates }).to_string()
}

fn pass(by: ReleasedBy, want: &Want, session: &str, decision: &mut Decision) {
    decision.notices.push(message::notice_passed(want, by, session));
    let grounds = Grounds::of_rule(format!("released by {}", by.as_str()));
    decision.opinion(GATE, Verdict::NoOpinion, grounds);
}

/// Records the given learnings that the session did not use as dismissed. If the reflection was
/// skipped, nothing is known about them and nothing is recorded.
fn dismiss(context: &Context<'_>, decision: &mut Decision) {
    let learning = &context.state.learning;
    if matches!(learning.phase, Phase::Skipped { .. }) {
        return;
    }
    let is_used = |id: &str| context.facts.used.iter().any(|used| used == id);
    let unused = learning.shown.unused().filter(|id| !is_used(id)).map(|unused| {
        Event::LearningSeen { learning: unused.to_owned(), fate: Fate::Dismissed, how: None }
    });
    decision.events.extend(unused);
}

#[cfg(test)]
mod tests {
    use verger_gate::learning::SkipIs;
    use verger_memory::{
        Category, Criterion, LearningId, Origin, Provenance, Reflection, Scope, judge,
    };

    use super::*;

    #[test]
    fn the_example_reflection_is_valid() {
        let offers = Reflection::read(&example()).unwrap().offers;
        let provenance = Provenance::default();
        let origin =
            Origin { provenance: &provenance, prompts: &[], now: Timestamp::from_millis(0) };
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
