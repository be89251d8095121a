//! Encodes a scripted message for Google's `generateContent` API.

use serde_json::{Value, json};

use super::{halves, plain_event};
use crate::reply::{Block, Message, next_id};

/// The whole message, for a request without streaming.
pub(super) fn whole(message: &Message) -> Value {
    let parts: Vec<Value> = message.blocks.iter().map(|block| part(block, None)).collect();
    last(&next_id("response"), &parts, message)
}

/// The events of a stream: each part of the message, and with the last the end.
pub(super) fn events(message: &Message) -> Vec<String> {
    let id = next_id("response");
    let mut parts: Vec<Value> = Vec::new();
    for block in &message.blocks {
        match block {
            Block::Text(text) | Block::Thinking(text) => {
                parts.extend(halves(text).map(|half| part(block, Some(half))));
            }
            Block::ToolUse { .. } => parts.push(part(block, None)),
        }
    }
    let (end, begin) = match parts.split_last() {
        Some((end, begin)) => (vec![end.clone()], begin),
        None => (vec![], &[][..]),
    };
    let mut events: Vec<Value> = begin.iter().map(|part| object(&id, &json!([part]))).collect();
    events.push(last(&id, &end, message));
    events.iter().map(plain_event).collect()
}

pub(super) fn error(status: u16, kind: &str, message: &str) -> Value {
    json!({ "error": { "code": status, "message": message, "status": kind } })
}

fn object(id: &str, parts: &Value) -> Value {
    let content = json!({ "role": "model", "parts": parts });
    json!({
        "candidates": [{ "content": content, "index": 0 }],
        "modelVersion": "scripted",
        "responseId": id,
    })
}

fn last(id: &str, parts: &[Value], message: &Message) -> Value {
    let mut object = object(id, &json!(parts));
    object["candidates"][0]["finishReason"] = json!(finish_reason(message));
    let usage = message.usage;
    object["usageMetadata"] = json!({
        "promptTokenCount": usage.input_tokens,
        "candidatesTokenCount": usage.output_tokens,
        "cachedContentTokenCount": usage.cache_read_input_tokens,
        "totalTokenCount": usage.input_tokens + usage.output_tokens,
    });
    object
}

/// A block, or this piece of its text.
fn part(block: &Block, piece: Option<&str>) -> Value {
    match block {
        Block::Text(text) => json!({ "text": piece.unwrap_or(text) }),
        Block::Thinking(text) => json!({ "text": piece.unwrap_or(text), "thought": true }),
        Block::ToolUse { id, name, input } => {
            json!({ "functionCall": { "id": id, "name": name, "args": input } })
        }
    }
}

fn finish_reason(message: &Message) -> &str {
    match message.stop_reason.as_str() {
        // A call of a tool is an ordinary end here.
        "end_turn" | "tool_use" => "STOP",
        "max_tokens" => "MAX_TOKENS",
        other => other,
    }
}
