//! A test session for the tests of all gates. It builds the records that hooks would write, and
//! folds them into a state.

use std::fmt::Debug;

use serde::Serialize;
use serde::de::DeserializeOwned;
use verger_event::stored::{event_from, payload_json};
use verger_event::{
    Access, Actor, BackgroundStatus, BackgroundTask, Circumstance, Continuation, Draft, Event,
    EventId, Fold, Origin, PromptOrigin, Record, SessionId, Standing, StopRequest, SubagentId,
    Timestamp, ToolCall, Verdict,
};

use crate::State;
use crate::blocks::Mark;

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

/// A request to stop while the subagents with these names run in the background.
pub(crate) fn stop_beside(subagents: &[&str]) -> StopRequest {
    let behind = |name: &&str| BackgroundTask::Subagent {
        id: SubagentId::new(*name),
        agent_type: None,
        status: BackgroundStatus::Running,
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

    /// Adds a record with this event, after serializing and parsing the event.
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

    /// The reason that the agent got for its last refusal.
    pub(crate) fn last_reason(&self) -> Option<&str> {
        self.last_reason.as_deref()
    }

    /// Records a prompt. Returns whether it counts as a person's prompt.
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
        self.record(main_agent(), &Event::ToolRequested(ToolCall::edit(path, "", "")));
    }
}

/// Counts the refused stops of an agent that makes no progress.
#[derive(Default)]
pub(crate) struct Refusals {
    last: Option<(Mark, Timestamp, u32)>,
}

impl Refusals {
    /// Resets the count of refused stops.
    pub(crate) fn forget(&mut self) {
        self.last = None;
    }

    /// Checks that no more than three stops with the same mark are refused, and that `number` is
    /// the count of these refusals.
    pub(crate) fn check(&mut self, mark: Mark, now: Timestamp, number: u32) {
        let count = match &self.last {
            Some((known, at, count)) if *known == mark && now.millis_since(*at) < 300_000 => {
                count + 1
            }
            _ => 1,
        };
        assert!(count <= 3, "refused number {count}");
        assert_eq!(number, count);
        self.last = Some((mark, now, count));
    }
}

/// Counts the stops that all gates together refuse in a row.
#[derive(Default)]
pub(crate) struct RefusedInARow(u32);

impl RefusedInARow {
    /// Checks that all gates together refuse at most seven stops in a row.
    pub(crate) fn refused(&mut self) {
        self.0 += 1;
        assert!(self.0 <= 7);
    }

    pub(crate) fn interrupted(&mut self) {
        self.0 = 0;
    }
}

/// Checks that the state of a long session is small and survives serialization.
pub(crate) fn check_small(state: &State) {
    let bytes = serde_json::to_vec(state).unwrap();
    assert!(bytes.len() < 48 * 1024, "{} bytes", bytes.len());
    assert_eq!(serde_json::from_slice::<State>(&bytes).unwrap(), *state);
}

/// Checks that `values` serialize to the lines of `golden`, so that stored records stay readable.
#[track_caller]
pub(crate) fn check_stored<T: Serialize + DeserializeOwned + PartialEq + Debug>(
    golden: &str,
    values: &[T],
) {
    let lines: Vec<_> = values.iter().map(|one| serde_json::to_string(one).unwrap()).collect();
    assert_eq!(golden.lines().collect::<Vec<_>>(), lines);
    let read: Vec<T> = lines.iter().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(read, values);
}
