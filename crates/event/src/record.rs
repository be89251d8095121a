//! An event with its envelope: who, where, when, for which task, and who may read it.

use crate::{
    AgentName, Event, EventId, Outcome, ProjectId, PromptId, Scope, SessionId, SessionKey,
    SubagentId, TaskId, Timestamp,
};

/// One entry of the log.
#[derive(Debug, Clone, PartialEq)]
pub struct Record {
    /// Its place in its segment, from 1, given under the lock.
    pub seq: u64,
    /// Everything else.
    pub draft: Draft,
}

/// A record that has no place in the log yet.
#[derive(Debug, Clone, PartialEq)]
pub struct Draft {
    /// Its id, for ever.
    pub id: EventId,
    /// When, by the wall clock.
    pub at: Timestamp,
    /// Who and where.
    pub origin: Origin,
    /// For which task, with what result.
    pub standing: Standing,
    /// Who may read it.
    pub access: Access,
    /// What happened.
    pub event: Event,
}

/// What little is told of a record that is passed over.
#[derive(Debug, Clone, PartialEq)]
pub struct Outline<'a> {
    /// Its place in its segment.
    pub seq: u64,
    /// The kind of its event.
    pub kind: &'a str,
    /// The main agent, or one of its subagents.
    pub actor: Actor,
    /// The agent's working directory.
    pub cwd: Option<&'a str>,
}

impl Draft {
    /// Every text of the envelope that came from outside, so that a writer can take secrets out
    /// of it. The event's own text is in its payload.
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

/// Who and where.
#[derive(Debug, Clone, PartialEq)]
pub struct Origin {
    /// Which program.
    pub agent: AgentName,
    /// Its version, where it is known.
    pub agent_version: Option<String>,
    /// Which of its sessions.
    pub session: SessionId,
    /// The main agent, or one of its subagents.
    pub actor: Actor,
    /// Whose session it is.
    pub user: Option<String>,
    /// In which role the agent works.
    pub role: Option<String>,
    /// In which project.
    pub project: Option<ProjectId>,
    /// Under which circumstances.
    pub circumstance: Circumstance,
}

impl Origin {
    /// The session, as the log names it.
    pub fn session_key(&self) -> SessionKey {
        SessionKey { agent: self.agent.clone(), session: self.session.clone() }
    }
}

/// Who acted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Actor {
    /// The main agent.
    Main {
        /// The type it was started as, if it was started as one.
        agent_type: Option<String>,
    },
    /// A subagent. Gates do not speak to it.
    Subagent {
        /// Which.
        id: SubagentId,
        /// Of which type.
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

/// For which task, with what result, shown by what.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Standing {
    /// The task.
    pub task: Option<TaskId>,
    /// How it went, where that is known.
    pub outcome: Option<Outcome>,
    /// Records that show it.
    pub evidence: Vec<EventId>,
    /// How much it matters, from 0 to 1, where somebody said so.
    pub importance: Option<f64>,
}

/// Who may read a record.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Access {
    /// How far it reaches.
    pub scope: Scope,
    /// Who else may read it; empty means its owner alone.
    pub readers: Vec<String>,
}

impl Scope {
    /// As far as the record of an event must reach.
    pub fn of(event: &Event) -> Self {
        if event.is_durable() { Self::Project } else { Self::Session }
    }
}
