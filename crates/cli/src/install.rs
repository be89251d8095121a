//! Registering verger with an agent and taking it out again.
//!
//! Deciding is pure: [`registration`] says what the agent's files should hold, [`setup`] and
//! [`removal`] what would change. [`transaction`] changes it, all or nothing, and [`receipt`]
//! remembers it. [`found`] and [`inspect`] say what is there now.

pub(crate) mod diff;
pub(crate) mod found;
pub(crate) mod guarding;
pub(crate) mod inspect;
pub(crate) mod places;
pub(crate) mod plugin_files;
pub(crate) mod receipt;
pub(crate) mod registration;
pub(crate) mod removal;
pub(crate) mod setup;
pub(crate) mod transaction;

use verger_agent::{AGENTS, AgentSpec, CLAUDE};

use verger_gate::authority::{AUTHORITY, Audience};

/// The agent that verger is registered with.
pub(crate) fn agent() -> &'static AgentSpec {
    AGENTS.first().unwrap_or(&CLAUDE)
}

/// The commands that an agent may run without asking.
pub(crate) fn agent_commands() -> Vec<&'static str> {
    let is_agents =
        |line: &&crate::Authority| line.audience == Audience::Agent && line.flag.is_none();
    AUTHORITY.iter().filter(is_agents).map(|line| line.command).collect()
}

/// Whether a permission is one that `verger init` writes. One for another command of verger is the
/// user's own.
pub(crate) fn is_our_permission(agent: &AgentSpec, permission: &str) -> bool {
    agent_commands().into_iter().any(|command| (agent.install.permission)(command) == permission)
}
