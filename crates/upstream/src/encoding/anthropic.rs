//! Encodes a scripted message for Anthropic's Messages API.

use serde_json::{Value, json};

use super::{halves, named_event};
use crate::reply::{Block, Message, Usage, next_id};

/// The whole message, for a request without streaming.
pub(super) fn whole(message: &Message, model: &Value) -> Value {
    let mut object = envelope(model, message.usage);
    object["content"] = message.blocks.iter().map(block).collect();
    object["stop_reason"] = json!(message.stop_reason);
    object
}

/// The events of a stream.
pub(super) fn events(message: &Message, model: &Value) -> Vec<String> {
    // A message begins with one output token counted; the total comes with its end.
    let start = envelope(model, Usage { output_tokens: 1, ..message.usage });
    let mut events = vec![json!({ "type": "message_start", "message": start })];
    for (index, block) in message.blocks.iter().enumerate() {
        let (start, deltas) = parts(block);
        events
            .push(json!({ "type": "content_block_start", "index": index, "content_block": start }));
        events.extend(
            deltas.into_iter().map(
                |delta| json!({ "type": "content_block_delta", "index": index, "delta": delta }),
            ),
        );
        events.push(json!({ "type": "content_block_stop", "index": index }));
    }
    events.push(json!({
        "type": "message_delta",
        "delta": { "stop_reason": message.stop_reason, "stop_sequence": null },
        "usage": { "output_tokens": message.usage.output_tokens },
    }));
    events.push(json!({ "type": "message_stop" }));
    events.iter().map(named_event).collect()
}

pub(super) fn error(kind: &str, message: &str) -> Value {
    json!({ "type": "error", "error": { "type": kind, "message": message } })
}

fn envelope(model: &Value, usage: Usage) -> Value {
    json!({
        "id": next_id("msg"),
        "type": "message",
        "role": "assistant",
        "model": model,
        "content": [],
        "stop_reason": null,
        "stop_sequence": null,
        "usage": {
            "input_tokens": usage.input_tokens,
            "output_tokens": usage.output_tokens,
            "cache_creation_input_tokens": usage.cache_creation_input_tokens,
            "cache_read_input_tokens": usage.cache_read_input_tokens,
        },
    })
}

/// A dummy signature. Clients keep it and send it back; this server doesn't check it.
const SIGNATURE: &str = "c2lnbmF0dXJl";

fn block(block: &Block) -> Value {
    match block {
        Block::Text(text) => json!({ "type": "text", "text": text }),
        Block::Thinking(text) => {
            json!({ "type": "thinking", "thinking": text, "signature": SIGNATURE })
        }
        Block::ToolUse { id, name, input } => {
            json!({ "type": "tool_use", "id": id, "name": name, "input": input })
        }
    }
}

/// The empty start of a block and the deltas that follow. Text and input come in two deltas, so
/// that a client that takes the first for the whole fails its test.
fn parts(block: &Block) -> (Value, Vec<Value>) {
    match block {
        Block::Text(text) => {
            let delta = |text: &str| json!({ "type": "text_delta", "text": text });
            (json!({ "type": "text", "text": "" }), halves(text).map(delta).collect())
        }
        Block::Thinking(text) => {
            let delta = |text: &str| json!({ "type": "thinking_delta", "thinking": text });
            let mut deltas: Vec<Value> = halves(text).map(delta).collect();
            deltas.push(json!({ "type": "signature_delta", "signature": SIGNATURE }));
            (json!({ "type": "thinking", "thinking": "", "signature": "" }), deltas)
        }
        Block::ToolUse { id, name, input } => {
            let delta = |part: &str| json!({ "type": "input_json_delta", "partial_json": part });
            let start = json!({ "type": "tool_use", "id": id, "name": name, "input": {} });
            (start, halves(&input.to_string()).map(delta).collect())
        }
    }
}
