//! Chooses the reviewer from the settings.

use verger_agent::AgentSpec;
use verger_config::Settings;
use verger_gate::review::message::Reviewer;

use crate::Registered;

/// The reviewer for a session of this agent: a program, a subagent or none.
pub fn reviewer(
    settings: &Settings,
    spec: &AgentSpec,
    registered: Registered,
) -> Reviewer<'static> {
    match (&settings.review.reviewer.value, spec.reviewer, registered) {
        (Some(_), _, _) => Reviewer::Command,
        (None, Some(agent_type), Registered::ByPlugin) => Reviewer::Subagent { agent_type },
        (None, _, _) => Reviewer::Missing,
    }
}
