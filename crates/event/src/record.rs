//! A record: an event with its envelope of origin, time, task and access.

use crate::{
    AgentName, Event, EventId, Outcome, ProjectId, PromptId, Scope, SessionId, SessionKey,
    SubagentId, TaskId, Timestamp,
};

/// One entry of the log.
#[derive(Debug, Clone, PartialEq)]
pub struct Record {
    /// The record's number in the segment, starting with 1. It is assigned while the segment is
    /// locked.
    pub seq: u64,
    /// The rest of the record.
    pub draft: Draft,
}

/// A record without a number. The store assigns the number.
#[derive(Debug, Clone, PartialEq)]
pub struct Draft {
    /// The permanent id.
    pub id: EventId,
    /// The wall-clock time.
    pub at: Timestamp,
    /// The agent, session and project.
    pub origin: Origin,
    /// The task and the outcome.
    pub standing: Standing,
    /// The readers.
    pub access: Access,
    /// The event.
    pub event: Event,
}

/// The fields of a record that a fold gets for events that it doesn't read.
#[derive(Debug, Clone, PartialEq)]
pub struct Outline<'a> {
    /// The record's number in the segment.
    pub seq: u64,
    /// The kind of the record's event.
    pub kind: &'a str,
    /// The main agent, or one of its subagents.
    pub actor: Actor,
    /// The agent's working directory.
    pub cwd: Option<&'a str>,
}

impl Draft {
    /// All texts of the envelope that came from outside of verger, so that a writer can redact
    /// secrets in them. The event's texts are in its payload instead.
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
    /// The agent's program.
    pub agent: AgentName,
    /// The agent's version, if known.
    pub agent_version: Option<String>,
    /// The session's id.
    pub session: SessionId,
    /// The main agent, or one of its subagents.
    pub actor: Actor,
    /// The user who owns the session.
    pub user: Option<String>,
    /// The agent's role.
    pub role: Option<String>,
    /// The project.
    pub project: Option<ProjectId>,
    /// The agent's circumstances.
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
    /// The main agent.
    Main {
        /// The agent type, if the agent was started with one.
        agent_type: Option<String>,
    },
    /// A subagent.
    Subagent {
        /// The subagent's id.
        id: SubagentId,
        /// The subagent's type.
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
    /// The permission mode, as the agent names it.
    pub permission_mode: Option<String>,
    /// The reasoning effort, as the agent names it.
    pub effort: Option<String>,
}

/// The task, outcome and evidence of a record.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Standing {
    /// The task.
    pub task: Option<TaskId>,
    /// The outcome, if known.
    pub outcome: Option<Outcome>,
    /// Records that prove the outcome.
    pub evidence: Vec<EventId>,
    /// The importance from 0 to 1, if known.
    pub importance: Option<f64>,
}

/// The readers of a record.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Access {
    /// The scope.
    pub scope: Scope,
    /// Further readers. If empty, only the owner may read the record.
    pub readers: Vec<String>,
}

impl Scope {
    /// The scope for the record of an event.
    pub fn of(event: &Event) -> Self {
        if event.is_durable() { Self::Project } else { Self::Session }
    }
}
