//! The guard of verger's own commands. A command for agents is allowed if it is the only command
//! on the line. A command for people is denied.

use std::path::Path;

use crate::Home;
use verger_event::{Grounds, Verdict};
use verger_gate::{OwnCommand, Stateless, deny_own_command};

use crate::Environment;
use crate::decision::Decision;
use crate::facts::work_directory;
use crate::gate::{Context, EventView, Gate, Setup};
use crate::trust::trusted_worktree;

const GUARD: &str = "authority";

pub(crate) struct OwnCommands<'a> {
    home: &'a Home,
    environment: &'a Environment,
}

impl<'a> Gate<'a> for OwnCommands<'a> {
    type State = Stateless;
    type Trigger = OwnCommand;

    fn new(setup: Setup<'a>) -> Self {
        Self { home: setup.home, environment: setup.environment }
    }

    fn trigger(&self, event: &EventView<'_>) -> Option<OwnCommand> {
        match event.own_command {
            // The review gate decides about `verger decide`.
            OwnCommand::None | OwnCommand::Decide(_) => None,
            command => Some(command.clone()),
        }
    }

    fn decide(&self, trigger: &OwnCommand, context: &Context<'_>, decision: &mut Decision) {
        match trigger {
            OwnCommand::Agents { command } => allow(command, decision),
            OwnCommand::AgentsTrusted { command, sessions } => {
                if is_own(sessions, context) && is_trusted(context, self.home, self.environment) {
                    allow(command, decision);
                }
            }
            OwnCommand::NotAgents { command, audience } => {
                let reason = deny_own_command(command, *audience);
                let grounds =
                    Grounds::of_rule("agents may not run this command").fact("command", command);
                decision.opinion(GUARD, Verdict::Deny { reason }, grounds);
            }
            OwnCommand::None | OwnCommand::Decide(_) => {}
        }
    }
}

fn allow(command: &str, decision: &mut Decision) {
    let reason = format!("`verger {command}` is for agents");
    let grounds = Grounds::of_rule("agents may run this command, and nothing else is on the line");
    decision.opinion(GUARD, Verdict::Allow { reason }, grounds);
}

/// Whether all named sessions are this session. Another session may work in an untrusted project.
fn is_own(sessions: &[String], context: &Context<'_>) -> bool {
    let own = context.draft.origin.session.as_str();
    sessions.iter().all(|named| !named.is_empty() && own.starts_with(named.as_str()))
}

/// Whether the person trusts the directory of the session's work. The checks run in this
/// directory.
fn is_trusted(context: &Context<'_>, home: &Home, environment: &Environment) -> bool {
    let session = &context.state.session;
    let directory = work_directory(&context.state.work, session.cwd.as_deref());
    let user_home = environment.get("HOME");
    trusted_worktree(home, &directory, user_home.as_ref().map(Path::new))
}
