//! Encodes an answer in the form that Copilot CLI honours.

use serde_json::{Map, Value};
use verger_event::{Answer, Verdict};

use super::COPILOT;
use crate::context_text::within_limit;
use crate::spec::Part;

/// The output for a call of `event_name`: one line of JSON with keys at the top level. The program
/// ignores the nested form that other programs use.
pub(super) fn encode(event_name: &str, answer: &Answer) -> Option<String> {
    let event = COPILOT.event(event_name)?;
    let mut reply = Map::new();
    let opinion = match &answer.verdict {
        Verdict::NoOpinion => None,
        Verdict::Allow { reason } => Some((Part::Allow, "allow", reason)),
        Verdict::Ask { reason } => Some((Part::Ask, "ask", reason)),
        Verdict::Deny { reason } => Some((Part::Deny, "deny", reason)),
    };
    if let Some((_, word, reason)) = opinion.filter(|(part, ..)| event.proof(*part).is_some()) {
        let [decision, because] = match event.name {
            "preToolUse" => ["permissionDecision", "permissionDecisionReason"],
            "permissionRequest" => ["behavior", "message"],
            _ => ["decision", "reason"],
        };
        let word = if decision == "decision" { "block" } else { word };
        reply.insert(decision.to_owned(), word.into());
        if !(event.name == "permissionRequest" && word == "allow") {
            reply.insert(because.to_owned(), reason.as_str().into());
        }
    }
    // A blocked prompt never reaches the model, and its context with it.
    let is_blocked = reply.contains_key("decision");
    if let Some(context) = event.carried(Part::Context, answer.context.as_deref())
        && !is_blocked
    {
        let context = within_limit(context, COPILOT.context_limit_chars);
        reply.insert("additionalContext".to_owned(), context.into());
    }
    (!reply.is_empty()).then(|| Value::Object(reply).to_string())
}
