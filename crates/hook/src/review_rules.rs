//! Who reviews, and which tools need an approval, by the settings.

use verger_agent::AgentSpec;
use verger_config::{Problem, Settings};
use verger_gate::ToolPattern;
use verger_gate::review::message::Reviewer;

use crate::Registered;

/// Who can review in a session of this agent.
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

/// The tools that need an approval. What is no pattern is told as a problem of the settings.
pub(crate) fn gated_patterns(settings: &Settings) -> Vec<ToolPattern> {
    let patterns = settings.review.gated_tools.value.iter();
    patterns.filter_map(|text| ToolPattern::parse(text).ok()).collect()
}

/// Entries of the settings that mean nothing to the gate.
pub(crate) fn problems(settings: &Settings) -> Vec<Problem> {
    let tools = &settings.review.gated_tools;
    let check = |(number, text): (usize, &String)| {
        let bad = ToolPattern::parse(text).err()?;
        Some(tools.bad_entry("review.gated_tools", number + 1, bad.to_string()))
    };
    tools.value.iter().enumerate().filter_map(check).collect()
}
