//! The texts that agents gave to subagents: the prompt of each one's start and later messages.
//!
//! A client that starts a subagent in the background answers the call, and ends the batch of calls,
//! before the subagent reports its start. The answer names the subagent. Without an answer, the
//! subagent gets the first waiting prompt for its type.

use std::collections::BTreeSet;

use verger_event::{Actor, BatchedCall, Event, EventId, Record, SubagentId, ToolUseId};

/// A text that an agent gave to a subagent.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Told {
    /// The record of the call with the text.
    pub(crate) event: EventId,
    pub(crate) text: String,
}

/// All texts that agents gave to subagents in a session, in order.
#[derive(Debug, Default)]
pub(crate) struct SubagentTexts {
    sent: Vec<Sent>,
    /// The ids of the subagents that started. A message may name its recipient by another name,
    /// which the starter chose and no hook reports. [`SubagentTexts::to`] returns such a message
    /// for every subagent.
    started: BTreeSet<SubagentId>,
}

#[derive(Debug)]
struct Sent {
    seq: u64,
    call: Option<ToolUseId>,
    kind: Kind,
    told: Told,
}

#[derive(Debug, PartialEq)]
enum Kind {
    /// The prompt for a subagent of this type that has not started.
    Waiting { agent_type: String },
    /// The prompt that this subagent started with.
    Prompt(SubagentId),
    /// A message to this subagent.
    Message(SubagentId),
}

impl SubagentTexts {
    /// Processes the next record.
    pub(crate) fn see(&mut self, record: &Record) {
        match (&record.draft.event, &record.draft.origin.actor) {
            (Event::ToolRequested(call), actor) => {
                let prompt = call.delegation().filter(|_| matches!(actor, Actor::Main { .. }));
                let prompt = prompt.map(|started| {
                    (Kind::Waiting { agent_type: started.agent_type.to_owned() }, started.prompt)
                });
                let message = call
                    .subagent_message()
                    .map(|message| (Kind::Message(SubagentId::new(message.to)), message.text));
                self.sent.extend(prompt.or(message).map(|(kind, text)| Sent {
                    seq: record.seq,
                    call: call.id.clone(),
                    kind,
                    told: Told { event: record.draft.id, text: text.to_owned() },
                }));
            }
            (Event::SubagentStarted, Actor::Subagent { id, agent_type }) => {
                self.started.insert(id.clone());
                let has_prompt = self.sent.iter().any(|sent| sent.kind == Kind::Prompt(id.clone()));
                let waiting = Kind::Waiting { agent_type: agent_type.clone() };
                let first = self.sent.iter_mut().find(|sent| sent.kind == waiting);
                if let Some(sent) = first.filter(|_| !has_prompt) {
                    sent.kind = Kind::Prompt(id.clone());
                }
            }
            (Event::ToolSucceeded { call, output, .. }, _) => {
                let sent =
                    self.sent.iter_mut().find(|sent| call.id.is_some() && sent.call == call.id);
                if let (Some(sent), Some(id)) = (sent, &output.subagent) {
                    sent.kind = Kind::Prompt(id.clone());
                }
            }
            (Event::ToolFailed { call, .. }, _) => self.drop_unsent(call.id.as_ref()),
            (Event::ToolBatchEnded { calls }, Actor::Main { .. }) => {
                // Calls whose end is in no other record never ran.
                for call in calls.iter().filter_map(BatchedCall::call) {
                    self.drop_unsent(call.id.as_ref());
                }
                self.sent.retain(|sent| !matches!(sent.kind, Kind::Waiting { .. }));
            }
            _ => {}
        }
    }

    /// Removes the text of a call that had no effect. A prompt stays if its subagent started.
    fn drop_unsent(&mut self, call: Option<&ToolUseId>) {
        let had_effect = |sent: &Sent| matches!(sent.kind, Kind::Prompt(_));
        self.sent.retain(|sent| call.is_none() || sent.call.as_ref() != call || had_effect(sent));
    }

    /// The texts for this subagent up to the record with this number, in order.
    pub(crate) fn to(&self, subagent: &SubagentId, until: u64) -> Vec<Told> {
        let is_for = |sent: &&Sent| match &sent.kind {
            Kind::Waiting { .. } => false,
            Kind::Prompt(id) => id == subagent && sent.seq <= until,
            Kind::Message(to) => {
                (to == subagent || !self.started.contains(to)) && sent.seq <= until
            }
        };
        let told = |sent: &Sent| match &sent.kind {
            Kind::Message(to) if to != subagent => {
                Told { event: sent.told.event, text: format!("(to {to}) {}", sent.told.text) }
            }
            _ => sent.told.clone(),
        };
        self.sent.iter().filter(is_for).map(told).collect()
    }
}

#[cfg(test)]
mod tests {
    use verger_event::{
        Access, DelegateCall, Draft, Interruption, MessageCall, Origin, Scope, SessionId, Standing,
        Timestamp, ToolCall, ToolOutput, ToolUse,
    };

    use super::*;

    const TYPE: &str = "verger:reviewer";

    fn requested(call: &str, prompt: &str) -> Event {
        Event::ToolRequested(delegate(call, prompt))
    }

    fn delegate(call: &str, prompt: &str) -> ToolCall {
        let action = ToolUse::Delegate(DelegateCall {
            agent_type: Some(TYPE.into()),
            prompt: Some(prompt.into()),
            description: None,
        });
        ToolCall::new("Start", action).with_id(call)
    }

    fn message(call: &str, to: &str, text: &str) -> ToolCall {
        let action = MessageCall { to: Some(to.into()), text: Some(text.into()) };
        ToolCall::new("Tell", ToolUse::Message(action)).with_id(call)
    }

    fn answered(call: &str, subagent: &str) -> Event {
        let subagent = Some(SubagentId::new(subagent));
        let output = ToolOutput { subagent, ..ToolOutput::default() };
        Event::ToolSucceeded { call: delegate(call, ""), output, duration_ms: None }
    }

    fn started(id: &str) -> (Actor, Event) {
        let id = SubagentId::new(id);
        (Actor::Subagent { id, agent_type: TYPE.into() }, Event::SubagentStarted)
    }

    fn batch(calls: &[&str]) -> Event {
        let calls = calls.iter().map(|id| BatchedCall::Recorded(ToolUseId::new(*id)));
        Event::ToolBatchEnded { calls: calls.collect() }
    }

    fn refused(call: ToolCall) -> Event {
        let output = ToolOutput::default();
        Event::ToolBatchEnded { calls: vec![BatchedCall::Reported { call, output }] }
    }

    fn main(event: Event) -> (Actor, Event) {
        (Actor::Main { agent_type: None }, event)
    }

    #[track_caller]
    fn check(events: Vec<(Actor, Event)>, expected: [(&str, &[&str]); 2]) {
        let mut texts = SubagentTexts::default();
        for (seq, (actor, event)) in (1..).zip(events) {
            let origin = Origin {
                agent: "claude".parse().unwrap(),
                agent_version: None,
                session: SessionId::new("s"),
                actor,
                user: None,
                role: None,
                project: None,
                circumstance: verger_event::Circumstance::default(),
            };
            let at = Timestamp::from_millis(1);
            let id = EventId::new(at, seq.into());
            let (standing, access) =
                (Standing::default(), Access { scope: Scope::Session, readers: vec![] });
            let draft = Draft { id, at, origin, standing, access, event };
            texts.see(&Record { seq, draft });
        }
        let found = expected.map(|(id, _)| {
            let told = texts.to(&SubagentId::new(id), u64::MAX).into_iter();
            told.map(|told| told.text).collect::<Vec<_>>()
        });
        assert_eq!(found, expected.map(|(_, texts)| texts.to_vec()));
    }

    #[test]
    fn a_prompt_belongs_to_the_subagent_that_its_call_started_in_whatever_order_they_report() {
        let expected: [(&str, &[&str]); 2] = [("a1", &["one"]), ("a2", &["two"])];
        // The start comes first for a foreground subagent, and last for one in the background.
        let foreground = vec![
            main(requested("t1", "one")),
            started("a1"),
            main(answered("t1", "a1")),
            main(requested("t2", "two")),
            started("a2"),
            main(answered("t2", "a2")),
            main(batch(&["t1", "t2"])),
        ];
        check(foreground, expected);
        let background = vec![
            main(requested("t1", "one")),
            main(answered("t1", "a1")),
            main(requested("t2", "two")),
            main(answered("t2", "a2")),
            main(batch(&["t1", "t2"])),
            started("a2"),
            started("a1"),
        ];
        check(background, expected);
        let together = vec![
            main(requested("t1", "one")),
            main(requested("t2", "two")),
            started("a2"),
            started("a1"),
            main(answered("t2", "a2")),
            main(answered("t1", "a1")),
            main(batch(&["t1", "t2"])),
        ];
        check(together, expected);
    }

    #[test]
    fn a_call_without_effect_told_nobody_anything() {
        let failed = Event::ToolFailed {
            call: message("t3", "a1", "failed"),
            output: ToolOutput::default(),
            interruption: Interruption::None,
            duration_ms: None,
        };
        let events = vec![
            started("a2"),
            main(requested("t1", "denied")),
            main(refused(delegate("t1", "denied"))),
            main(requested("t2", "one")),
            started("a1"),
            main(Event::ToolRequested(message("t3", "a1", "failed"))),
            main(failed),
            main(Event::ToolRequested(message("t4", "a1", "denied"))),
            main(refused(message("t4", "a1", "denied"))),
            main(Event::ToolRequested(message("t5", "a1", "It is fine, I am sure."))),
            main(batch(&["t5"])),
            main(Event::ToolRequested(message("t6", "a2", "to somebody else"))),
        ];
        let expected: [(&str, &[&str]); 2] =
            [("a1", &["one", "It is fine, I am sure."]), ("a2", &["to somebody else"])];
        check(events, expected);
    }

    #[test]
    fn a_message_to_a_name_is_shown_for_every_subagent() {
        let events = vec![
            started("a1"),
            started("a2"),
            main(Event::ToolRequested(message("t1", "critic", "Approve it."))),
        ];
        let text: &[&str] = &["(to critic) Approve it."];
        check(events, [("a1", text), ("a2", text)]);
    }

    #[test]
    fn a_second_start_keeps_the_prompt_of_the_first() {
        let events = vec![
            main(requested("t1", "one")),
            started("a1"),
            main(Event::ToolRequested(message("t2", "a1", "go on"))),
            main(requested("t3", "two")),
            started("a1"),
            started("a2"),
        ];
        check(events, [("a1", &["one", "go on"]), ("a2", &["two"])]);
    }
}
