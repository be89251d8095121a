//! Encodes a scripted message for `OpenAI`'s Chat Completions API.

use serde_json::{Map, Value, json};

use super::{halves, plain_event};
use crate::reply::{Block, Message, Usage, next_id};

/// The whole message, for a request without streaming.
pub(super) fn whole(message: &Message, model: &Value) -> Value {
    let mut texts = Map::new();
    for block in &message.blocks {
        let (key, text) = match block {
            Block::Text(text) => ("content", text),
            Block::Thinking(text) => ("reasoning_content", text),
            Block::ToolUse { .. } => continue,
        };
        let so_far = texts.get(key).and_then(Value::as_str).unwrap_or_default();
        texts.insert(key.to_owned(), json!(format!("{so_far}{text}")));
    }
    let mut whole = Map::from_iter([
        ("role".to_owned(), json!("assistant")),
        ("content".to_owned(), Value::Null),
    ]);
    whole.append(&mut texts);
    let calls: Vec<Value> = calls(message).map(|(id, name, input)| call(id, name, input)).collect();
    if !calls.is_empty() {
        whole.insert("tool_calls".to_owned(), json!(calls));
    }
    let choice = json!({ "index": 0, "message": whole, "finish_reason": finish_reason(message) });
    let mut object = envelope("chat.completion", &next_id("chatcmpl"), model);
    object["choices"] = json!([choice]);
    object["usage"] = usage(message.usage);
    object
}

/// The events of a stream.
pub(super) fn events(message: &Message, model: &Value) -> Vec<String> {
    let id = next_id("chatcmpl");
    let chunk = |delta: Value, finish_reason: Value| {
        let mut chunk = envelope("chat.completion.chunk", &id, model);
        let choice = json!({ "index": 0, "delta": delta, "finish_reason": finish_reason });
        chunk["choices"] = json!([choice]);
        chunk
    };
    let mut deltas = vec![json!({ "role": "assistant", "content": "" })];
    for block in &message.blocks {
        match block {
            Block::Text(text) => {
                deltas.extend(halves(text).map(|text| json!({ "content": text })));
            }
            Block::Thinking(text) => {
                deltas.extend(halves(text).map(|text| json!({ "reasoning_content": text })));
            }
            Block::ToolUse { .. } => {}
        }
    }
    for (index, (id, name, input)) in calls(message).enumerate() {
        let mut start = call(id, name, &json!(""));
        start["index"] = json!(index);
        deltas.push(json!({ "tool_calls": [start] }));
        deltas.extend(halves(&arguments(input)).map(|part| {
            let function = json!({ "arguments": part });
            json!({ "tool_calls": [{ "index": index, "function": function }] })
        }));
    }
    let mut chunks: Vec<Value> =
        deltas.into_iter().map(|delta| chunk(delta, Value::Null)).collect();
    chunks.push(chunk(json!({}), json!(finish_reason(message))));
    let mut last = envelope("chat.completion.chunk", &id, model);
    last["choices"] = json!([]);
    last["usage"] = usage(message.usage);
    chunks.push(last);
    let mut events: Vec<String> = chunks.iter().map(plain_event).collect();
    events.push("data: [DONE]\n\n".to_owned());
    events
}

fn envelope(object: &str, id: &str, model: &Value) -> Value {
    json!({ "id": id, "object": object, "created": 0, "model": model })
}

fn calls(message: &Message) -> impl Iterator<Item = (&str, &str, &Value)> {
    message.blocks.iter().filter_map(|block| match block {
        Block::ToolUse { id, name, input } => Some((&**id, &**name, input)),
        Block::Text(_) | Block::Thinking(_) => None,
    })
}

fn call(id: &str, name: &str, input: &Value) -> Value {
    let function = json!({ "name": name, "arguments": arguments(input) });
    json!({ "id": id, "type": "function", "function": function })
}

/// The input as the text that the API has for it.
fn arguments(input: &Value) -> String {
    input.as_str().map_or_else(|| input.to_string(), str::to_owned)
}

fn finish_reason(message: &Message) -> &str {
    match message.stop_reason.as_str() {
        "end_turn" => "stop",
        "tool_use" => "tool_calls",
        "max_tokens" => "length",
        other => other,
    }
}

fn usage(usage: Usage) -> Value {
    json!({
        "prompt_tokens": usage.input_tokens,
        "completion_tokens": usage.output_tokens,
        "total_tokens": usage.input_tokens + usage.output_tokens,
        "prompt_tokens_details": { "cached_tokens": usage.cache_read_input_tokens },
    })
}
