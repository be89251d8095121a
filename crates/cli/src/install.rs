//! Registers verger with an agent, and removes the registration.
//!
//! Planning is pure: [`registration`] determines the entries that the agent's files should have,
//! [`setup`] and [`removal`] plan the changes. [`transaction`] makes all changes or none, and
//! [`receipt`] records them. [`found`] and [`inspect`] read the current state.

pub(crate) mod diff;
pub(crate) mod found;
pub(crate) mod guarding;
pub(crate) mod hook_build;
pub(crate) mod hook_program;
pub(crate) mod hook_trust;
pub(crate) mod inspect;
pub(crate) mod json_text;
pub(crate) mod own_files;
pub(crate) mod parts;
pub(crate) mod places;
pub(crate) mod plugin_files;
pub(crate) mod program_version;
pub(crate) mod receipt;
pub(crate) mod registration;
pub(crate) mod removal;
pub(crate) mod rules_text;
pub(crate) mod setup;
pub(crate) mod transaction;
pub(crate) mod trusted_hooks;

use clap::Args;
use clap::builder::PossibleValuesParser;
use verger_agent::{AGENTS, AgentSpec};
use verger_gate::authority::{AUTHORITY, Audience};

use crate::doctor::surroundings::on_path;
use crate::invocation::command_error::CommandError;
use crate::invocation::context::Context;
use receipt::Receipt;

/// Agents that a command is for.
#[derive(Debug, Args)]
pub(crate) struct AgentChoice {
    /// Only for this agent. Can be given several times.
    #[arg(long = "agent", value_name = "NAME", value_parser = agent_names())]
    names: Vec<String>,
}

fn agent_names() -> PossibleValuesParser {
    AGENTS.iter().map(|agent| agent.name).collect::<Vec<_>>().into()
}

impl AgentChoice {
    /// The agents that the command line names, if it names any.
    pub(crate) fn named(&self) -> Option<Vec<&'static AgentSpec>> {
        let is_named = |agent: &&AgentSpec| self.names.iter().any(|name| name == agent.name);
        (!self.names.is_empty()).then(|| AGENTS.iter().filter(is_named).collect())
    }
}

/// The agents on this machine. Each has a program on the `PATH`, a directory, or files that verger
/// changed.
pub(crate) fn agents_here(context: &Context) -> Result<Vec<&'static AgentSpec>, CommandError> {
    let receipt = Receipt::read(&context.own_places()?);
    let is_here = |agent: &&'static AgentSpec| {
        context.places(agent).is_ok_and(|places| places.directory.is_dir())
            || on_path(agent.install.program, &context.environment).is_some()
            || receipt.paths(agent).next().is_some()
    };
    Ok(AGENTS.iter().filter(is_here).collect())
}

/// The agents on this machine, or all agents if none is found.
pub(crate) fn agents_here_or_all(
    context: &Context,
) -> Result<Vec<&'static AgentSpec>, CommandError> {
    let here = agents_here(context)?;
    Ok(if here.is_empty() { AGENTS.iter().collect() } else { here })
}

/// The names of the agents, for people.
pub(crate) fn products(agents: &[&AgentSpec]) -> String {
    let names: Vec<_> = agents.iter().map(|agent| agent.install.product).collect();
    match names.split_last() {
        Some((last, [])) => (*last).to_owned(),
        Some((last, others)) => format!("{} and {last}", others.join(", ")),
        None => String::new(),
    }
}

/// The commands that an agent may run without asking.
pub(crate) fn agent_commands() -> Vec<&'static str> {
    let is_agents =
        |line: &&crate::Authority| line.audience == Audience::Agent && line.flag.is_none();
    AUTHORITY.iter().filter(is_agents).map(|line| line.command).collect()
}

/// Whether `verger init` writes this permission. A permission for another command of verger belongs
/// to the user.
pub(crate) fn is_our_permission(agent: &AgentSpec, permission: &str) -> bool {
    let is_it =
        |command: &str| agent.install.permission(command).is_some_and(|known| known == permission);
    agent_commands().into_iter().any(is_it)
}
