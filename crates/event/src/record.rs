//! A record: an event with its envelope of origin, time, task and access.

use crate::{
    AgentName, Event, EventId, Outcome, ProjectId, PromptId, Scope, SessionId, SessionKey,
    SubagentId, TaskId, Timestamp,
};

/// One record of the log.
#[derive(Debug, Clone, PartialEq)]
pub struct Record {
    /// The record's number in the segment, starting with 1. It is assigned while the segment is
    /// locked.
    pub seq: u64,
    /// The content of the record without its number.
    pub draft: Draft,
}

/// A record without a number. The store assigns the number.
#[derive(Debug, Clone, PartialEq)]
pub struct Draft {
    /// The permanent id of the record.
    pub id: EventId,
    /// The wall-clock time of the event.
    pub at: Timestamp,
    /// The agent, session and project of the record.
    pub origin: Origin,
    /// The task, outcome and evidence of the record.
    pub standing: Standing,
    /// The people who may read the record.
    pub access: Access,
    /// The event that happened.
    pub event: Event,
}

/// A part of a record that a fold gets instead of the record for events that it doesn't read.
#[derive(Debug, Clone, PartialEq)]
pub struct Outline<'a> {
    /// The record's number in the segment.
    pub seq: u64,
    /// The kind of the record's event.
    pub kind: &'a str,
    /// The actor of the event: the main agent, or one of its subagents.
    pub actor: Actor,
    /// The agent's working directory.
    pub cwd: Option<&'a str>,
}

impl Draft {
    /// The texts of the envelope that came from outside of verger. A writer redacts the secrets in
    /// them. The event's own texts are not included, because they are in the payload.
    pub fn envelope_texts(&mut self) -> impl Iterator<Item = &mut String> {
        let Origin {
            agent: _,
            agent_version,
            session,
            actor,
            user,
            role,
            project: _,
            circumstance,
        } = &mut self.origin;
        let Circumstance { cwd, prompt, permission_mode, effort } = circumstance;
        let (subagent, agent_type) = match actor {
            Actor::Main { agent_type } => (None, agent_type.as_mut()),
            Actor::Subagent { id, agent_type } => (Some(id.text_mut()), Some(agent_type)),
        };
        [agent_version, user, role, cwd, permission_mode, effort]
            .into_iter()
            .filter_map(Option::as_mut)
            .chain([session.text_mut()])
            .chain(prompt.as_mut().map(PromptId::text_mut))
            .chain(subagent)
            .chain(agent_type)
            .chain(&mut self.access.readers)
    }
}

/// The origin of a record: agent, session, user and project.
#[derive(Debug, Clone, PartialEq)]
pub struct Origin {
    /// The name of the agent's program.
    pub agent: AgentName,
    /// The agent's version, if known.
    pub agent_version: Option<String>,
    /// The agent's id for the session.
    pub session: SessionId,
    /// The actor of the event: the main agent, or one of its subagents.
    pub actor: Actor,
    /// The user who owns the session.
    pub user: Option<String>,
    /// The role of the agent, if one is configured.
    pub role: Option<String>,
    /// The id of the project.
    pub project: Option<ProjectId>,
    /// The agent's circumstances when the event happened.
    pub circumstance: Circumstance,
}

impl Origin {
    /// The key of the session in the log.
    pub fn session_key(&self) -> SessionKey {
        SessionKey { agent: self.agent.clone(), session: self.session.clone() }
    }
}

/// The actor of an event: the main agent or a subagent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Actor {
    /// The main agent of the session.
    Main {
        /// The agent type, if the agent was started with one.
        agent_type: Option<String>,
    },
    /// A subagent that the main agent started.
    Subagent {
        /// The id of the subagent.
        id: SubagentId,
        /// The type of the subagent.
        agent_type: String,
    },
}

/// The agent's circumstances when the event happened.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Circumstance {
    /// The agent's working directory.
    pub cwd: Option<String>,
    /// The prompt that the agent works on.
    pub prompt: Option<PromptId>,
    /// The agent's permission mode, as the agent names it.
    pub permission_mode: Option<String>,
    /// The model's reasoning effort, as the agent names it.
    pub effort: Option<String>,
}

/// The task, outcome, evidence and importance of a record.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Standing {
    /// The task to which the record belongs.
    pub task: Option<TaskId>,
    /// The outcome of the event, if known.
    pub outcome: Option<Outcome>,
    /// The ids of records that prove the outcome.
    pub evidence: Vec<EventId>,
    /// The importance of the record from 0 to 1, if known.
    pub importance: Option<f64>,
}

/// The people who may read a record.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Access {
    /// The scope in which the record may be read.
    pub scope: Scope,
    /// The names of further readers. If there are none, only the owner may read the record.
    pub readers: Vec<String>,
}

impl Scope {
    /// The scope of the record for this event.
    pub fn of(event: &Event) -> Self {
        if event.is_durable() { Self::Project } else { Self::Session }
    }
}
