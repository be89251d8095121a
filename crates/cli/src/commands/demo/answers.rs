//! The answers that verger gave to the agent, shortened for the person who watches the demo.

use serde_json::Value;

use super::look::Seen;

/// Every answer that is not empty, each shortened to one line.
pub(super) fn answers(said: &[String]) -> Vec<Seen> {
    said.iter()
        .filter(|said| !said.is_empty())
        .flat_map(|said| {
            let answer: Value = serde_json::from_str(said).unwrap_or_default();
            let specific = &answer["hookSpecificOutput"];
            [
                ("the agent is refused", answer["reason"].as_str()),
                (
                    match specific["permissionDecision"].as_str() {
                        Some("allow") => "the call is allowed",
                        _ => "the call is denied",
                    },
                    specific["permissionDecisionReason"].as_str(),
                ),
                (
                    match specific["hookEventName"].as_str() {
                        Some("SubagentStart") => "the subagent is told",
                        _ => "the agent is given",
                    },
                    specific["additionalContext"].as_str(),
                ),
                ("you are told", answer["systemMessage"].as_str()),
            ]
            .into_iter()
            .filter_map(|(what, text)| Some(format!("{what}: {}", beginning(text?))))
            .map(|text| Seen::promise(text, true))
            .collect::<Vec<_>>()
        })
        .collect()
}

/// The line to show: the first learning, the first task, or the first line. Text before a learning
/// or a task is for the agent.
fn beginning(text: &str) -> &str {
    let text = text.strip_prefix("verger: ").unwrap_or(text);
    let learning = text.lines().find(|line| line.starts_with("[learn-"));
    let task = || text.strip_prefix("<verger-tasks>")?.split("\n\n").nth(1)?.lines().next();
    learning.or_else(task).or_else(|| text.lines().next()).unwrap_or_default()
}
