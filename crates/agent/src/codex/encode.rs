//! Encodes an answer in the form that Codex honours.

use serde_json::{Map, Value, json};
use verger_event::{Answer, Verdict};

use super::CODEX;
use crate::context_text::within_limit;
use crate::spec::Part;

/// The output for a call of `event_name`: one line of JSON. Only keys that the event's schema has
/// are sent, because the program rejects the whole answer for any other key.
pub(super) fn encode(event_name: &str, answer: &Answer) -> Option<String> {
    let event = CODEX.event(event_name)?;
    let mut reply = Map::new();
    let mut specific = Map::new();
    let carries = |part| event.proof(part).is_some();
    match (&answer.verdict, event.name) {
        (Verdict::Deny { reason }, "PreToolUse") => {
            specific.insert("permissionDecision".to_owned(), "deny".into());
            specific.insert("permissionDecisionReason".to_owned(), reason.as_str().into());
        }
        (Verdict::Deny { reason }, "PermissionRequest") => {
            let decision = json!({ "behavior": "deny", "message": reason });
            specific.insert("decision".to_owned(), decision);
        }
        (Verdict::Allow { .. }, "PermissionRequest") => {
            specific.insert("decision".to_owned(), json!({ "behavior": "allow" }));
        }
        (Verdict::Deny { reason }, _) if carries(Part::Deny) => {
            reply.insert("decision".to_owned(), "block".into());
            reply.insert("reason".to_owned(), reason.as_str().into());
        }
        _ => {}
    }
    if let Some(context) = event.carried(Part::Context, answer.context.as_deref())
        && reply.is_empty()
    {
        let context = within_limit(context, CODEX.context_limit_chars);
        specific.insert("additionalContext".to_owned(), context.into());
    }
    if !specific.is_empty() {
        specific.insert("hookEventName".to_owned(), event.name.into());
        reply.insert("hookSpecificOutput".to_owned(), Value::Object(specific));
    }
    if let Some(notice) = event.carried(Part::Notice, answer.notice.as_deref()) {
        reply.insert("systemMessage".to_owned(), notice.into());
    }
    (!reply.is_empty()).then(|| Value::Object(reply).to_string())
}
