//! A session played through its records, as a hook would write them.

use serde_json::json;
use verger_event::stored::{event_from, payload_json};
use verger_event::{
    Access, Actor, BackgroundTask, Circumstance, Continuation, Draft, Event, EventId, Fold, Origin,
    PromptOrigin, Record, SessionId, Standing, StopRequest, SubagentId, Timestamp, ToolCall,
    Verdict,
};

use super::super::*;
use super::built::{close, decision, policy, ran, run, token, work};
use crate::{Content, State};

pub(crate) struct Play {
    pub(crate) state: State,
    pub(crate) policy: Policy,
    pub(crate) content: Content,
    /// What the inputs led to.
    pub(crate) changes: Vec<Change>,
    pub(crate) attempts: Attempts,
    /// The last request to stop.
    pub(crate) last_stop: EventId,
    last_reason: Option<String>,
    millis: u64,
    records: u64,
}

fn main() -> Actor {
    Actor::Main { agent_type: None }
}

fn subagent(name: &str) -> Actor {
    Actor::Subagent { id: SubagentId::new(name), agent_type: "general".to_owned() }
}

impl Play {
    pub(crate) fn new(policy: Policy) -> Self {
        let (state, content) = (State::default(), work("start"));
        let last_stop = EventId::new(Timestamp::from_millis(0), 0);
        let (changes, last_reason, millis, records) = (vec![], None, 1_000_000, 0);
        let attempts = Attempts::default();
        Self { state, policy, content, changes, attempts, last_stop, last_reason, millis, records }
    }

    pub(crate) fn now(&self) -> Timestamp {
        Timestamp::from_millis(self.millis)
    }

    pub(crate) fn wait(&mut self, seconds: u64) {
        self.millis += seconds * 1000;
    }

    /// One more record; its event goes through the stored form.
    pub(crate) fn record(&mut self, actor: Actor, event: &Event) -> EventId {
        self.records += 1;
        let id = EventId::new(self.now(), self.records.into());
        let event = event_from(event.kind(), &payload_json(event).unwrap());
        let origin = Origin {
            agent: "tester".parse().unwrap(),
            agent_version: None,
            session: SessionId::new("s"),
            actor,
            user: None,
            role: None,
            project: None,
            circumstance: Circumstance::default(),
        };
        let task = self.state.session.task_for(id, &origin.actor, &event);
        let standing = Standing { task, ..Standing::default() };
        let draft =
            Draft { id, at: self.now(), origin, standing, access: Access::default(), event };
        let record = Record { seq: self.records, draft };
        self.state.apply(&record);
        self.attempts.apply(&record);
        id
    }

    /// Decides and records what follows. What was recorded gives the state that was decided on.
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

    fn deny(&mut self, actor: Actor, on: EventId, reason: &str) {
        self.last_reason = Some(reason.to_owned());
        let verdict = Verdict::Deny { reason: reason.to_owned() };
        self.record(actor, &Event::VerdictGiven { verdict, on, by: vec![], notice: None });
    }

    pub(crate) fn prompt(&mut self, text: &str) -> Say {
        let event =
            Event::PromptSubmitted { origin: PromptOrigin::Person, prompt: text.to_owned() };
        let is_persons = self.state.session.is_persons_prompt(&main(), &event);
        self.record(main(), &event);
        if is_persons { self.step(&main(), &Input::Prompt { text }) } else { Say::Nothing }
    }

    /// The agent reports our own words as the next prompt.
    pub(crate) fn echo(&mut self) {
        if let Some(reason) = self.last_reason.clone() {
            self.prompt(&reason);
        }
    }

    pub(crate) fn notification(&mut self) {
        let origin = PromptOrigin::TaskNotification { task: None, tool_use: None, status: None };
        self.record(main(), &Event::PromptSubmitted { origin, prompt: "done".to_owned() });
    }

    pub(crate) fn edit(&mut self, content: Content, path: &str) {
        let input = json!({ "file_path": path });
        let call = ToolCall { id: None, tool: "Edit".to_owned(), input };
        self.record(main(), &Event::ToolRequested(call));
        self.content = content;
    }

    pub(crate) fn gated(&mut self, ticket: u128) -> Say {
        let (call, content) = (close(ticket), self.content.clone());
        let say = self.step(&main(), &Input::GatedTool { call: &call, content: &content });
        if let Say::DenyTool(_) = say {
            self.deny(main(), call.on, "not reviewed");
        }
        say
    }

    pub(crate) fn stop(&mut self) -> Say {
        self.stop_beside(&[])
    }

    pub(crate) fn stop_beside(&mut self, subagents: &[&str]) -> Say {
        let behind = |name: &&str| BackgroundTask::Subagent {
            id: SubagentId::new(*name),
            agent_type: None,
            status: "running".to_owned(),
            description: None,
        };
        let background = subagents.iter().map(behind).collect();
        let request = StopRequest {
            continuation: Continuation::First,
            last_message: None,
            background,
            crons: vec![],
        };
        let id = self.record(main(), &Event::StopRequested(request.clone()));
        self.last_stop = id;
        let content = self.content.clone();
        let facts = StopFacts {
            content: &content,
            waits: self.state.session.waits_for_subagents(&request, self.now()),
            may_refuse: self.state.stops.may_refuse(),
            template: "default",
        };
        let say = self.step(&main(), &Input::Stop(facts));
        if let Say::RefuseStop(_) = say {
            self.deny(main(), id, "review first");
        }
        say
    }

    pub(crate) fn start_subagent(&mut self, name: &str) {
        self.record(subagent(name), &Event::SubagentStarted);
    }

    /// A reviewer, whose token is its name.
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
        let actor = by.map_or_else(main, subagent);
        self.step(&actor, &Input::DecideSeen(call))
    }

    /// A reviewer is seen to decide in a way that cannot be taken.
    pub(crate) fn see_refused(&mut self, by: &str, why: Refusal) {
        let call = DecideCall { by: Some(SubagentId::new(by)), said: Err(why) };
        self.step(&subagent(by), &Input::DecideSeen(call));
    }

    pub(crate) fn decide(&mut self, token_of: &str, outcome: Outcome) -> Say {
        let (decision, content) = (decision(outcome), self.content.clone());
        let given = Given { decision: &decision, content: &content, changed_paths: &[] };
        self.step(&main(), &Input::Decide { token: Some(token(token_of)), given })
    }

    /// A reviewer comes, decides and goes.
    pub(crate) fn review(&mut self, name: &str, outcome: Outcome) {
        self.start_reviewer(name);
        assert_eq!(self.see(Some(name), name, outcome), Say::AllowDecision);
        assert_eq!(self.decide(name, outcome), Say::Taken);
        assert_eq!(self.stop_reviewer(name), Say::Nothing);
    }

    pub(crate) fn stop_reviewer(&mut self, name: &str) -> Say {
        let stop = StopRequest {
            continuation: Continuation::First,
            last_message: None,
            background: vec![],
            crons: vec![],
        };
        self.record(subagent(name), &Event::SubagentStopRequested { stop, transcript: None });
        let id = SubagentId::new(name);
        self.step(&subagent(name), &Input::ReviewerStop { reviewer: &id })
    }

    pub(crate) fn start_run(&mut self, job: &str) {
        let (reviewer, content) = (ReviewerId::Command(job.to_owned()), self.content.clone());
        let input = Input::ReviewerStarted { reviewer, proof: run(), content: &content };
        self.step(&main(), &input);
    }

    pub(crate) fn end_run(&mut self, job: &str, outcome: Outcome) -> Say {
        let (decision, content) = (decision(outcome), self.content.clone());
        let given = Given { decision: &decision, content: &content, changed_paths: &[] };
        self.step(&main(), &Input::RunEnded { job, ran: &ran(), given })
    }

    pub(crate) fn skip(&mut self) -> Say {
        self.step(&main(), &Input::Skip { reason: None })
    }
}

impl Default for Play {
    fn default() -> Self {
        Self::new(policy())
    }
}
