//! A test session with the review gate, which records events and decides about inputs.

use std::ops::{Deref, DerefMut};

use verger_event::{Actor, Event, EventId, SubagentId, Timestamp};

use super::super::*;
use super::built::{close, decision, policy, ran, run, token, work};
use crate::Content;
use crate::played::{Played, main_agent, stop_beside, subagent};

pub(crate) struct Play {
    played: Played,
    pub(crate) policy: Policy,
    pub(crate) content: Content,
    /// The changes of the gate that the last inputs caused.
    pub(crate) changes: Vec<Change>,
    /// The id of the last request to stop.
    pub(crate) last_stop: EventId,
}

impl Deref for Play {
    type Target = Played;

    fn deref(&self) -> &Played {
        &self.played
    }
}

impl DerefMut for Play {
    fn deref_mut(&mut self) -> &mut Played {
        &mut self.played
    }
}

impl Play {
    pub(crate) fn new(policy: Policy) -> Self {
        let last_stop = EventId::new(Timestamp::from_millis(0), 0);
        let (played, content) = (Played::default(), work("start"));
        Self { played, policy, content, changes: vec![], last_stop }
    }

    pub(crate) fn attempts(&self) -> Attempts {
        let mut attempts = Attempts::default();
        self.log.iter().for_each(|record| attempts.apply(record));
        attempts
    }

    /// Decides about an input and records the resulting events. The gate's state is the fold of the
    /// earlier records.
    fn step(&mut self, actor: &Actor, input: &Input<'_>) -> Say {
        let before = self.state.review.clone();
        let step = step(&before, input, &self.policy, self.now());
        for event in events(&before, &step, self.now()) {
            self.record(actor.clone(), &event);
        }
        assert_eq!(self.state.review, step.applied_to(&before, self.now()));
        self.changes.extend(step.changes);
        step.say
    }

    pub(crate) fn prompt(&mut self, text: &str) -> Say {
        let is_persons = self.played.prompt(text);
        if is_persons { self.step(&main_agent(), &Input::Prompt { text }) } else { Say::Nothing }
    }

    /// Sends the reason of the last refusal as the next prompt, as some clients do.
    pub(crate) fn echo(&mut self) {
        if let Some(reason) = self.last_reason().map(str::to_owned) {
            self.prompt(&reason);
        }
    }

    pub(crate) fn edit(&mut self, content: Content, path: &str) {
        self.edit_file(path);
        self.content = content;
    }

    pub(crate) fn gated(&mut self, ticket: u128) -> Say {
        let (call, content) = (close(ticket), self.content.clone());
        let say = self.step(&main_agent(), &Input::GatedTool { call: &call, content: &content });
        if let Say::DenyTool(_) = say {
            self.deny(main_agent(), call.on, "not reviewed");
        }
        say
    }

    pub(crate) fn stop(&mut self) -> Say {
        self.stop_beside(&[])
    }

    pub(crate) fn stop_beside(&mut self, subagents: &[&str]) -> Say {
        let request = stop_beside(subagents);
        let id = self.record(main_agent(), &Event::StopRequested(request.clone()));
        self.last_stop = id;
        let content = self.content.clone();
        let facts = StopFacts {
            content: &content,
            waits: self.state.session.waits_for_subagents(&request, self.now()),
            may_refuse: self.state.stops.may_refuse(),
            template: "default",
        };
        let say = self.step(&main_agent(), &Input::Stop(facts));
        if let Say::RefuseStop(_) = say {
            self.deny(main_agent(), id, "review first");
        }
        say
    }

    pub(crate) fn start_subagent(&mut self, name: &str) {
        self.record(subagent(name), &Event::SubagentStarted);
    }

    /// Starts a reviewer whose token is the reviewer's name.
    pub(crate) fn start_reviewer(&mut self, name: &str) -> Say {
        self.start_subagent(name);
        let reviewer = ReviewerId::Subagent(SubagentId::new(name));
        let (proof, content) = (Proof::Token(token(name)), self.content.clone());
        let input = Input::ReviewerStarted { reviewer, proof, content: &content };
        self.step(&subagent(name), &input)
    }

    pub(crate) fn see(&mut self, by: Option<&str>, token_of: &str, outcome: Outcome) -> Say {
        let said = Ok((token(token_of), decision(outcome)));
        let call = DecideCall { by: by.map(SubagentId::new), said };
        let actor = by.map_or_else(main_agent, subagent);
        self.step(&actor, &Input::DecideSeen(call))
    }

    /// Handles a reviewer's decision that the hook rejects for the reason `why`.
    pub(crate) fn see_refused(&mut self, by: &str, why: Refusal) {
        let call = DecideCall { by: Some(SubagentId::new(by)), said: Err(why) };
        self.step(&subagent(by), &Input::DecideSeen(call));
    }

    pub(crate) fn decide(&mut self, token_of: &str, outcome: Outcome) -> Say {
        let (decision, content) = (decision(outcome), self.content.clone());
        let given = Given { decision: &decision, content: &content, changed_paths: &[] };
        self.step(&main_agent(), &Input::Decide { token: Some(token(token_of)), given })
    }

    /// Plays a whole review: the reviewer starts, decides and ends.
    pub(crate) fn review(&mut self, name: &str, outcome: Outcome) {
        self.start_reviewer(name);
        assert_eq!(self.see(Some(name), name, outcome), Say::AllowDecision);
        assert_eq!(self.decide(name, outcome), Say::Taken);
        assert_eq!(self.stop_reviewer(name), Say::Nothing);
    }

    pub(crate) fn stop_reviewer(&mut self, name: &str) -> Say {
        let stop = stop_beside(&[]);
        self.record(subagent(name), &Event::SubagentStopRequested { stop, transcript: None });
        let id = SubagentId::new(name);
        self.step(&subagent(name), &Input::ReviewerStop { reviewer: &id })
    }

    pub(crate) fn start_run(&mut self, job: &str) {
        let (reviewer, content) = (ReviewerId::Command(job.to_owned()), self.content.clone());
        let input = Input::ReviewerStarted { reviewer, proof: run(), content: &content };
        self.step(&main_agent(), &input);
    }

    pub(crate) fn end_run(&mut self, job: &str, outcome: Outcome) -> Say {
        let (decision, content) = (decision(outcome), self.content.clone());
        let given = Given { decision: &decision, content: &content, changed_paths: &[] };
        self.step(&main_agent(), &Input::RunEnded { job, ran: &ran(), given })
    }

    pub(crate) fn skip(&mut self) -> Say {
        self.step(&main_agent(), &Input::Skip { reason: None })
    }
}

impl Default for Play {
    fn default() -> Self {
        Self::new(policy())
    }
}
