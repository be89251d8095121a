//! What verger said to the agent, in a line or two for the person who watches.

use serde_json::Value;

use super::look::Seen;

/// Every answer that is not silence. What is long is cut where its first sentence ends.
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
                ("the subagent is told", specific["additionalContext"].as_str()),
                ("you are told", answer["systemMessage"].as_str()),
            ]
            .into_iter()
            .filter_map(|(what, text)| Some(format!("{what}: {}", beginning(text?))))
            .map(|text| Seen::promise(text, true))
            .collect::<Vec<_>>()
        })
        .collect()
}

fn beginning(text: &str) -> &str {
    let text = text.strip_prefix("verger: ").unwrap_or(text);
    text.split_once('\n').map_or(text, |(first, _)| first)
}
