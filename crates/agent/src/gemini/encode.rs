//! Encodes an answer in the form that Gemini CLI honours.

use serde_json::{Map, Value, json};
use verger_event::{Answer, Verdict};

use super::GEMINI;
use crate::context_text::within_limit;
use crate::spec::Part;

/// The output for a call of `event_name`: one line of JSON. Parts that the event can't carry are
/// left out, as the agent's table says.
pub(super) fn encode(event_name: &str, answer: &Answer) -> Option<String> {
    let event = GEMINI.event(event_name)?;
    let mut reply = Map::new();
    if let Verdict::Deny { reason } = &answer.verdict
        && event.proof(Part::Deny).is_some()
    {
        reply.insert("decision".to_owned(), "deny".into());
        reply.insert("reason".to_owned(), reason.as_str().into());
    }
    if let Some(context) = event.carried(Part::Context, answer.context.as_deref())
        && reply.is_empty()
    {
        let context = within_limit(context, GEMINI.context_limit_chars);
        let specific = json!({ "hookEventName": event.name, "additionalContext": context });
        reply.insert("hookSpecificOutput".to_owned(), specific);
    }
    if let Some(notice) = event.carried(Part::Notice, answer.notice.as_deref()) {
        reply.insert("systemMessage".to_owned(), notice.into());
    }
    (!reply.is_empty()).then(|| Value::Object(reply).to_string())
}
