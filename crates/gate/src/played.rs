//! A session played through its records, as a hook would write them: what the tests of all gates
//! share.

use serde_json::json;
use verger_event::stored::{event_from, payload_json};
use verger_event::{
    Access, Actor, BackgroundTask, Circumstance, Continuation, Draft, Event, EventId, Fold, Origin,
    PromptOrigin, Record, SessionId, Standing, StopRequest, SubagentId, Timestamp, ToolCall,
    Verdict,
};

use crate::State;

pub(crate) struct Played {
    pub(crate) state: State,
    pub(crate) log: Vec<Record>,
    last_reason: Option<String>,
    millis: u64,
}

pub(crate) fn main_agent() -> Actor {
    Actor::Main { agent_type: None }
}

pub(crate) fn subagent(name: &str) -> Actor {
    Actor::Subagent { id: SubagentId::new(name), agent_type: "general".to_owned() }
}

/// A wish to stop while these subagents run in the background.
pub(crate) fn stop_beside(subagents: &[&str]) -> StopRequest {
    let behind = |name: &&str| BackgroundTask::Subagent {
        id: SubagentId::new(*name),
        agent_type: None,
        status: "running".to_owned(),
        description: None,
    };
    StopRequest {
        continuation: Continuation::First,
        last_message: None,
        background: subagents.iter().map(behind).collect(),
        crons: vec![],
    }
}

impl Default for Played {
    fn default() -> Self {
        Self { state: State::default(), log: vec![], last_reason: None, millis: 1_000_000 }
    }
}

impl Played {
    pub(crate) fn now(&self) -> Timestamp {
        Timestamp::from_millis(self.millis)
    }

    pub(crate) fn wait(&mut self, seconds: u64) {
        self.millis += seconds * 1000;
    }

    /// One more record; its event goes through the stored form.
    pub(crate) fn record(&mut self, actor: Actor, event: &Event) -> EventId {
        let seq = self.log.len() as u64 + 1;
        let id = EventId::new(self.now(), seq.into());
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
        let record = Record { seq, draft };
        self.state.apply(&record);
        self.log.push(record);
        id
    }

    pub(crate) fn deny(&mut self, actor: Actor, on: EventId, reason: &str) {
        self.last_reason = Some(reason.to_owned());
        let verdict = Verdict::Deny { reason: reason.to_owned() };
        self.record(actor, &Event::VerdictGiven { verdict, on, by: vec![], notice: None });
    }

    /// What the agent was last told when it was refused something.
    pub(crate) fn last_reason(&self) -> Option<&str> {
        self.last_reason.as_deref()
    }

    /// Whether a person can have written it.
    pub(crate) fn prompt(&mut self, text: &str) -> bool {
        let prompt = text.to_owned();
        let event = Event::PromptSubmitted { origin: PromptOrigin::Person, prompt };
        let is_persons = self.state.session.is_persons_prompt(&main_agent(), &event);
        self.record(main_agent(), &event);
        is_persons
    }

    pub(crate) fn notification(&mut self) {
        let origin = PromptOrigin::TaskNotification { task: None, tool_use: None, status: None };
        self.record(main_agent(), &Event::PromptSubmitted { origin, prompt: "done".to_owned() });
    }

    pub(crate) fn edit_file(&mut self, path: &str) {
        let input = json!({ "file_path": path });
        let call = ToolCall { id: None, tool: "Edit".to_owned(), input };
        self.record(main_agent(), &Event::ToolRequested(call));
    }
}
