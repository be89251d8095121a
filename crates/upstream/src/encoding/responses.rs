//! Encodes a scripted message for `OpenAI`'s Responses API.

use serde_json::{Value, json};

use super::{halves, named_event};
use crate::reply::{Block, Message, Usage, next_id};

/// The whole response, for a request without streaming.
pub(super) fn whole(message: &Message, request: &Value) -> Value {
    let output = message.blocks.iter().map(|block| Item::new(block).whole).collect();
    ended(&envelope(request), output, message)
}

/// The events of a stream.
pub(super) fn events(message: &Message, request: &Value) -> Vec<String> {
    let response = envelope(request);
    let mut events = vec![json!({ "type": "response.created", "response": response })];
    let mut output = Vec::new();
    for (index, block) in message.blocks.iter().enumerate() {
        let item = Item::new(block);
        events.extend(item.events(index));
        output.push(item.whole);
    }
    let response = ended(&response, output, message);
    let status = response["status"].as_str().unwrap_or_default();
    events.push(json!({ "type": format!("response.{status}"), "response": response }));
    for (number, event) in events.iter_mut().enumerate() {
        event["sequence_number"] = json!(number);
    }
    events.iter().map(named_event).collect()
}

fn envelope(request: &Value) -> Value {
    json!({
        "id": next_id("resp"),
        "object": "response",
        "created_at": 0,
        "status": "in_progress",
        "model": request["model"],
        "output": [],
        "usage": null,
    })
}

fn ended(response: &Value, output: Vec<Value>, message: &Message) -> Value {
    let mut response = response.clone();
    response["output"] = Value::Array(output);
    response["usage"] = usage(message.usage);
    match message.stop_reason.as_str() {
        "end_turn" | "tool_use" => response["status"] = json!("completed"),
        reason => {
            let reason = if reason == "max_tokens" { "max_output_tokens" } else { reason };
            response["status"] = json!("incomplete");
            response["incomplete_details"] = json!({ "reason": reason });
        }
    }
    response
}

fn usage(usage: Usage) -> Value {
    json!({
        "input_tokens": usage.input_tokens,
        "input_tokens_details": { "cached_tokens": usage.cache_read_input_tokens },
        "output_tokens": usage.output_tokens,
        "output_tokens_details": { "reasoning_tokens": 0 },
        "total_tokens": usage.input_tokens + usage.output_tokens,
    })
}

/// An item of a response's output.
struct Item<'a> {
    block: &'a Block,
    id: String,
    whole: Value,
}

impl<'a> Item<'a> {
    fn new(block: &'a Block) -> Self {
        let (id, whole) = match block {
            Block::Text(text) => {
                let id = next_id("msg");
                let whole = json!({
                    "type": "message",
                    "id": id,
                    "status": "completed",
                    "role": "assistant",
                    "content": [text_part(text)],
                });
                (id, whole)
            }
            Block::Thinking(text) => {
                let id = next_id("rs");
                let summary = json!([{ "type": "summary_text", "text": text }]);
                (id.clone(), json!({ "type": "reasoning", "id": id, "summary": summary }))
            }
            // A tool that takes any text is another kind of tool here.
            Block::ToolUse { id: call, name, input: Value::String(input) } => {
                let id = next_id("ctc");
                let whole = json!({
                    "type": "custom_tool_call",
                    "id": id,
                    "status": "completed",
                    "call_id": call,
                    "name": name,
                    "input": input,
                });
                (id, whole)
            }
            Block::ToolUse { id: call, name, input } => {
                let id = next_id("fc");
                let (namespace, name) = match name.split_once('.') {
                    Some((namespace, name)) => (Some(namespace), name),
                    None => (None, name.as_str()),
                };
                let mut whole = json!({
                    "type": "function_call",
                    "id": id,
                    "status": "completed",
                    "call_id": call,
                    "name": name,
                    "arguments": input.to_string(),
                });
                if let Some(namespace) = namespace {
                    whole["namespace"] = json!(namespace);
                }
                (id, whole)
            }
        };
        Self { block, id, whole }
    }

    fn events(&self, index: usize) -> Vec<Value> {
        let mut added = self.whole.clone();
        if added["status"].is_string() {
            added["status"] = json!("in_progress");
        }
        let (begin, delta_name, done) = match self.block {
            Block::Text(text) => {
                added["content"] = json!([]);
                let done = vec![
                    json!({ "type": "response.output_text.done", "text": text }),
                    json!({ "type": "response.content_part.done", "part": text_part(text) }),
                ];
                let begin = json!({ "type": "response.content_part.added", "part": text_part("") });
                (vec![begin], "output_text", done)
            }
            Block::Thinking(text) => {
                added["summary"] = json!([]);
                let part = |text: &str| json!({ "type": "summary_text", "text": text });
                let event = |name: &str, text: &str| json!({ "type": name, "part": part(text) });
                let done = vec![
                    json!({ "type": "response.reasoning_summary_text.done", "text": text }),
                    event("response.reasoning_summary_part.done", text),
                ];
                let begin = event("response.reasoning_summary_part.added", "");
                (vec![begin], "reasoning_summary_text", done)
            }
            Block::ToolUse { input: Value::String(text), .. } => {
                added["input"] = json!("");
                let done = json!({ "type": "response.custom_tool_call_input.done", "input": text });
                (vec![], "custom_tool_call_input", vec![done])
            }
            Block::ToolUse { input, .. } => {
                added["arguments"] = json!("");
                let name = "response.function_call_arguments.done";
                let done = json!({ "type": name, "arguments": input.to_string() });
                (vec![], "function_call_arguments", vec![done])
            }
        };
        let deltas = self.deltas(&format!("response.{delta_name}.delta"));
        let inner = begin.into_iter().chain(deltas).chain(done).map(|mut event| {
            event["item_id"] = json!(self.id);
            event["output_index"] = json!(index);
            match self.block {
                Block::Text(_) => event["content_index"] = json!(0),
                Block::Thinking(_) => event["summary_index"] = json!(0),
                Block::ToolUse { .. } => {}
            }
            event
        });
        let item = |name: &str, item: &Value| json!({ "type": format!("response.output_item.{name}"), "output_index": index, "item": item });
        let (first, last) = (item("added", &added), item("done", &self.whole));
        [first].into_iter().chain(inner).chain([last]).collect()
    }

    fn deltas(&self, name: &str) -> Vec<Value> {
        let text = match self.block {
            Block::Text(text)
            | Block::Thinking(text)
            | Block::ToolUse { input: Value::String(text), .. } => text.clone(),
            Block::ToolUse { input, .. } => input.to_string(),
        };
        halves(&text).map(|half| json!({ "type": name, "delta": half })).collect()
    }
}

fn text_part(text: &str) -> Value {
    json!({ "type": "output_text", "text": text, "annotations": [] })
}
