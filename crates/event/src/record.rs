//! A record: an event with its envelope of origin, time, task and access.

use crate::{
    AgentName, Event, EventId, Outcome, ProjectId, PromptId, Scope, SessionId, SessionKey,
    SubagentId, TaskId, Timestamp,
};

/// One entry of the log.
#[derive(Debug, Clone, PartialEq)]
pub struct Record {
    /// Its number in the segment, from 1, given under the lock.
    pub seq: u64,
    /// The rest of the record.
    pub draft: Draft,
}

/// A record that has no number in the log yet.
#[derive(Debug, Clone, PartialEq)]
pub struct Draft {
    /// Its permanent id.
    pub id: EventId,
    /// The wall-clock time.
    pub at: Timestamp,
    /// The agent, session and project.
    pub origin: Origin,
    /// The task, and the result.
    pub standing: Standing,
    /// The readers.
    pub access: Access,
    /// The event.
    pub event: Event,
}

/// The few fields of a record that a fold gets for events that it doesn't read.
#[derive(Debug, Clone, PartialEq)]
pub struct Outline<'a> {
    /// Its number in the segment.
    pub seq: u64,
    /// The kind of its event.
    pub kind: &'a str,
    /// The main agent, or one of its subagents.
    pub actor: Actor,
    /// The agent's working directory.
    pub cwd: Option<&'a str>,
}

impl Draft {
    /// Every text of the envelope that came from outside, so that a writer can redact secrets in
    /// it. The event's own text is in its payload.
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
    /// Its version, if known.
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

/// The main agent or a subagent, which acted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Actor {
    /// The main agent.
    Main {
        /// The type it was started as, if it was started as one.
        agent_type: Option<String>,
    },
    /// A subagent. Gates ignore it.
    Subagent {
        /// The subagent's id.
        id: SubagentId,
        /// The subagent's type.
        agent_type: String,
    },
}

/// The agent's situation when the event happened.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Circumstance {
    /// Its working directory.
    pub cwd: Option<String>,
    /// The prompt it works on.
    pub prompt: Option<PromptId>,
    /// Its permission mode, in its own word.
    pub permission_mode: Option<String>,
    /// Its reasoning effort, in its own word.
    pub effort: Option<String>,
}

/// The standing of a record: its task, result and evidence.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Standing {
    /// The task.
    pub task: Option<TaskId>,
    /// The result, if known.
    pub outcome: Option<Outcome>,
    /// Records that show the result.
    pub evidence: Vec<EventId>,
    /// The importance from 0 to 1, if it was given.
    pub importance: Option<f64>,
}

/// The readers of a record.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Access {
    /// The scope.
    pub scope: Scope,
    /// Further readers. If empty, only the owner may read it.
    pub readers: Vec<String>,
}

impl Scope {
    /// The scope that the record of an event needs.
    pub fn of(event: &Event) -> Self {
        if event.is_durable() { Self::Project } else { Self::Session }
    }
}
