//! One message of every kind of block in the form of each API.

use serde_json::{Value, json};

use super::Api;
use crate::reply::{Block, Content, Message, Reply, Usage};
use crate::request::{Kind, Request};

/// A message that thinks, says something and calls a tool.
fn message(blocks: impl IntoIterator<Item = Block>) -> Message {
    let usage = Usage { input_tokens: 5, output_tokens: 7, ..Usage::default() };
    match Reply::blocks(blocks).usage(usage).content {
        Content::Message(message) => message,
        content => panic!("no message: {content:?}"),
    }
}

fn all_blocks() -> Message {
    let call = Block::ToolUse { id: "call_1".into(), name: "Sh".into(), input: json!({ "a": 1 }) };
    message([Block::thinking("Hmm."), Block::text("Grüße"), call])
}

fn request(path: &str, body: Value) -> Request {
    Request { method: "POST".into(), path: path.into(), headers: vec![], body }
}

/// Every id that the encoder counts becomes its kind.
fn without_ids(mut value: Value) -> Value {
    match &mut value {
        Value::String(text) => {
            if let Some((kind, number)) = text.split_once('_')
                && number.len() == 24
            {
                *text = kind.to_owned();
            }
        }
        Value::Array(items) => items.iter_mut().for_each(|item| *item = without_ids(item.take())),
        Value::Object(fields) => {
            fields.values_mut().for_each(|field| *field = without_ids(field.take()));
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
    value
}

fn whole(path: &str, message: &Message, body: Value) -> Value {
    let api = Api::of_path(path).unwrap();
    without_ids(api.whole(message, &request(path, body)))
}

/// The data of each event of a stream; a name has to be that of the data's type.
fn stream(path: &str, message: &Message, body: Value) -> Vec<Value> {
    let api = Api::of_path(path).unwrap();
    let events = api.events(message, &request(path, body));
    let data = events.iter().map(|event| {
        let lines: Vec<&str> = event.strip_suffix("\n\n").unwrap().lines().collect();
        let (name, data) = match lines[..] {
            [data] => (None, data),
            [name, data] => (Some(name.strip_prefix("event: ").unwrap()), data),
            _ => panic!("no event: {event:?}"),
        };
        let data = data.strip_prefix("data: ").unwrap();
        let data = serde_json::from_str(data).unwrap_or_else(|_| json!(data));
        assert_eq!(name, data["type"].as_str());
        without_ids(data)
    });
    data.collect()
}

const RESPONSES: &str = "/v1/responses";
const CHAT: &str = "/v1/chat/completions";
const GEMINI: &str = "/v1beta/models/m:generateContent";
const GEMINI_STREAM: &str = "/v1beta/models/m:streamGenerateContent?alt=sse";

fn response_usage() -> Value {
    json!({
        "input_tokens": 5,
        "input_tokens_details": { "cached_tokens": 0 },
        "output_tokens": 7,
        "output_tokens_details": { "reasoning_tokens": 0 },
        "total_tokens": 12,
    })
}

fn response_output() -> Value {
    json!([
        {
            "type": "reasoning",
            "id": "rs",
            "summary": [{ "type": "summary_text", "text": "Hmm." }],
        },
        {
            "type": "message",
            "id": "msg",
            "status": "completed",
            "role": "assistant",
            "content": [{ "type": "output_text", "text": "Grüße", "annotations": [] }],
        },
        {
            "type": "function_call",
            "id": "fc",
            "status": "completed",
            "call_id": "call_1",
            "name": "Sh",
            "arguments": "{\"a\":1}",
        },
    ])
}

fn response(status: &str, output: &Value, usage: &Value) -> Value {
    json!({
        "id": "resp",
        "object": "response",
        "created_at": 0,
        "status": status,
        "model": "m",
        "output": output,
        "usage": usage,
    })
}

#[test]
fn a_response_has_an_item_for_each_block() {
    assert_eq!(
        whole(RESPONSES, &all_blocks(), json!({ "model": "m" })),
        response("completed", &response_output(), &response_usage())
    );
}

#[test]
fn the_events_of_a_response_begin_each_item_empty_and_end_it_whole() {
    let events = stream(RESPONSES, &all_blocks(), json!({ "model": "m" }));
    let names: Vec<&str> = events
        .iter()
        .map(|event| event["type"].as_str().unwrap().strip_prefix("response.").unwrap())
        .collect();
    assert_eq!(
        names,
        [
            "created",
            "output_item.added",
            "reasoning_summary_part.added",
            "reasoning_summary_text.delta",
            "reasoning_summary_text.delta",
            "reasoning_summary_text.done",
            "reasoning_summary_part.done",
            "output_item.done",
            "output_item.added",
            "content_part.added",
            "output_text.delta",
            "output_text.delta",
            "output_text.done",
            "content_part.done",
            "output_item.done",
            "output_item.added",
            "function_call_arguments.delta",
            "function_call_arguments.delta",
            "function_call_arguments.done",
            "output_item.done",
            "completed",
        ]
    );
    assert_eq!(
        events[0],
        json!({
            "type": "response.created",
            "response": response("in_progress", &json!([]), &Value::Null),
            "sequence_number": 0,
        })
    );
    assert_eq!(
        events[8],
        json!({
            "type": "response.output_item.added",
            "output_index": 1,
            "item": {
                "type": "message",
                "id": "msg",
                "status": "in_progress",
                "role": "assistant",
                "content": [],
            },
            "sequence_number": 8,
        })
    );
    assert_eq!(
        events[11],
        json!({
            "type": "response.output_text.delta",
            "item_id": "msg",
            "output_index": 1,
            "content_index": 0,
            "delta": "üße",
            "sequence_number": 11,
        })
    );
    assert_eq!(
        events[18],
        json!({
            "type": "response.function_call_arguments.done",
            "item_id": "fc",
            "output_index": 2,
            "arguments": "{\"a\":1}",
            "sequence_number": 18,
        })
    );
    let done: Value =
        [7, 14, 19].map(|index: usize| events[index]["item"].clone()).into_iter().collect();
    assert_eq!(done, response_output());
    assert_eq!(
        events[20],
        json!({
            "type": "response.completed",
            "response": response("completed", &response_output(), &response_usage()),
            "sequence_number": 20,
        })
    );
}

#[test]
fn a_response_that_was_cut_is_incomplete() {
    let mut message = message([Block::text("Half")]);
    message.stop_reason = "max_tokens".to_owned();
    let events = stream(RESPONSES, &message, json!({}));
    let last = events.last().unwrap();
    assert_eq!(last["type"], "response.incomplete");
    assert_eq!(last["response"]["incomplete_details"], json!({ "reason": "max_output_tokens" }));
}

#[test]
fn a_call_with_a_text_is_that_of_a_custom_tool() {
    let call = Block::tool_use("apply_patch", json!("*** Begin"));
    let whole = whole(RESPONSES, &message([call]), json!({}));
    assert_eq!(
        whole["output"],
        json!([{
            "type": "custom_tool_call",
            "id": "ctc",
            "status": "completed",
            "call_id": "toolu",
            "name": "apply_patch",
            "input": "*** Begin",
        }])
    );
}

#[test]
fn a_name_with_a_point_is_that_of_a_tool_in_a_namespace() {
    let calls = ["agents.spawn", "plain"].map(|name| Block::tool_use(name, json!({})));
    let whole = whole(RESPONSES, &message(calls), json!({}));
    let output = whole["output"].as_array().unwrap();
    let names = output.iter().map(|item| [&item["namespace"], &item["name"]]);
    assert_eq!(
        names.collect::<Vec<_>>(),
        [[&json!("agents"), &json!("spawn")], [&Value::Null, &json!("plain")]]
    );
}

fn chat_usage() -> Value {
    json!({
        "prompt_tokens": 5,
        "completion_tokens": 7,
        "total_tokens": 12,
        "prompt_tokens_details": { "cached_tokens": 0 },
    })
}

#[test]
fn a_chat_completion_has_one_message() {
    let function = json!({ "name": "Sh", "arguments": "{\"a\":1}" });
    assert_eq!(
        whole(CHAT, &all_blocks(), json!({ "model": "m" })),
        json!({
            "id": "chatcmpl",
            "object": "chat.completion",
            "created": 0,
            "model": "m",
            "choices": [{
                "index": 0,
                "message": {
                    "role": "assistant",
                    "content": "Grüße",
                    "reasoning_content": "Hmm.",
                    "tool_calls": [{ "id": "call_1", "type": "function", "function": function }],
                },
                "finish_reason": "tool_calls",
            }],
            "usage": chat_usage(),
        })
    );
}

#[test]
fn the_chunks_of_a_chat_completion_add_to_each_other() {
    let mut events = stream(CHAT, &all_blocks(), json!({ "model": "m" }));
    assert_eq!(events.pop(), Some(json!("[DONE]")));
    assert_eq!(
        events.pop(),
        Some(json!({
            "id": "chatcmpl",
            "object": "chat.completion.chunk",
            "created": 0,
            "model": "m",
            "choices": [],
            "usage": chat_usage(),
        }))
    );
    let deltas: Vec<&Value> = events.iter().map(|event| &event["choices"][0]["delta"]).collect();
    let start = json!({ "name": "Sh", "arguments": "" });
    let part =
        |text: &str| json!({ "tool_calls": [{ "index": 0, "function": { "arguments": text } }] });
    assert_eq!(
        deltas,
        [
            &json!({ "role": "assistant", "content": "" }),
            &json!({ "reasoning_content": "Hm" }),
            &json!({ "reasoning_content": "m." }),
            &json!({ "content": "Gr" }),
            &json!({ "content": "üße" }),
            &json!({ "tool_calls": [
                { "index": 0, "id": "call_1", "type": "function", "function": start },
            ] }),
            &part("{\"a"),
            &part("\":1}"),
            &json!({}),
        ]
    );
    let reasons = events.iter().map(|event| event["choices"][0]["finish_reason"].clone());
    let expected: Vec<Value> = [vec![Value::Null; 8], vec![json!("tool_calls")]].concat();
    assert_eq!(reasons.collect::<Vec<_>>(), expected);
}

fn candidate(parts: &Value) -> Value {
    json!({
        "candidates": [{ "content": { "role": "model", "parts": parts }, "index": 0 }],
        "modelVersion": "scripted",
        "responseId": "response",
    })
}

fn last_candidate(parts: &Value) -> Value {
    let mut whole = candidate(parts);
    whole["candidates"][0]["finishReason"] = json!("STOP");
    whole["usageMetadata"] = json!({
        "promptTokenCount": 5,
        "candidatesTokenCount": 7,
        "cachedContentTokenCount": 0,
        "totalTokenCount": 12,
    });
    whole
}

#[test]
fn a_candidate_has_a_part_for_each_block() {
    assert_eq!(
        whole(GEMINI, &all_blocks(), json!({})),
        last_candidate(&json!([
            { "text": "Hmm.", "thought": true },
            { "text": "Grüße" },
            { "functionCall": { "id": "call_1", "name": "Sh", "args": { "a": 1 } } },
        ]))
    );
}

#[test]
fn the_last_part_of_a_stream_of_candidates_ends_it() {
    assert_eq!(
        stream(GEMINI_STREAM, &all_blocks(), json!({})),
        [
            candidate(&json!([{ "text": "Hm", "thought": true }])),
            candidate(&json!([{ "text": "m.", "thought": true }])),
            candidate(&json!([{ "text": "Gr" }])),
            candidate(&json!([{ "text": "üße" }])),
            last_candidate(&json!([
                { "functionCall": { "id": "call_1", "name": "Sh", "args": { "a": 1 } } },
            ])),
        ]
    );
    let empty = stream(GEMINI_STREAM, &message([]), json!({}));
    assert_eq!(empty, [last_candidate(&json!([]))]);
}

#[test]
fn an_error_has_the_form_of_its_api() {
    let error = |path| Api::of_path(path).unwrap().error(429, "RATE", "Slow.");
    let inner = json!({ "type": "RATE", "message": "Slow." });
    assert_eq!(error("/v1/messages"), json!({ "type": "error", "error": inner }));
    let openai = json!({ "error": { "type": "RATE", "code": "RATE", "message": "Slow." } });
    assert_eq!([error(RESPONSES), error(CHAT)], [openai.clone(), openai]);
    let google = json!({ "error": { "code": 429, "status": "RATE", "message": "Slow." } });
    assert_eq!(error(GEMINI), google);
}

#[test]
fn a_request_streams_if_its_body_or_its_path_says_so() {
    let streams =
        |path: &str, body: Value| Api::of_path(path).map(|api| api.streams(&request(path, body)));
    for path in ["/v1/messages?beta=true", RESPONSES, CHAT] {
        assert_eq!(streams(path, json!({ "stream": true })), Some(true), "{path}");
        assert_eq!(streams(path, json!({})), Some(false), "{path}");
    }
    assert_eq!(streams(GEMINI, json!({})), Some(false));
    assert_eq!(streams(GEMINI_STREAM, json!({})), Some(true));
    assert_eq!(streams("/v1/models", json!({})), None);
}

#[test]
fn only_gemini_cli_gets_an_answer_without_a_script() {
    let schema = json!({
        "type": "OBJECT",
        "properties": { "complexity_score": { "type": "INTEGER" } },
        "required": ["complexity_score"],
    });
    let body = json!({
        "generationConfig": { "responseJsonSchema": schema },
        "text": { "format": { "type": "json_schema", "schema": schema } },
    });
    let unscripted = |path| Api::of_path(path).unwrap().unscripted(&request(path, body.clone()));
    assert_eq!(unscripted(GEMINI), Some("{\"complexity_score\":1}".to_owned()));
    assert_eq!([unscripted(RESPONSES), unscripted(CHAT)], [None, None]);
}

/// Each client's tools and headers, in the order of the kinds.
#[test]
fn each_client_marks_its_kinds_of_requests() {
    let kind = |path: &str, headers: &[(&str, &str)], body: Value| {
        let headers = headers.iter().map(|(name, value)| ((*name).into(), (*value).into()));
        Request { headers: headers.collect(), ..request(path, body) }.kind()
    };
    let codex = json!({ "tools": [{ "type": "function", "name": "exec_command" }] });
    let subagent = [("x-openai-subagent", "collab_spawn"), ("thread-id", "t")];
    let compaction = [("x-codex-turn-metadata", r#"{"request_kind":"compaction"}"#)];
    assert_eq!(
        [
            kind(RESPONSES, &[("thread-id", "t")], codex.clone()),
            kind(RESPONSES, &subagent, codex.clone()),
            kind(RESPONSES, &compaction, json!({ "tools": [] })),
            kind(RESPONSES, &[], json!({ "tools": [] })),
        ],
        [Kind::Main, Kind::Subagent, Kind::Compaction, Kind::SideCall]
    );
    let declared = |name| json!({ "tools": [{ "functionDeclarations": [{ "name": name }] }] });
    assert_eq!(
        [
            kind(GEMINI_STREAM, &[], declared("invoke_agent")),
            kind(GEMINI_STREAM, &[], declared("read_file")),
            kind(GEMINI, &[], json!({})),
        ],
        [Kind::Main, Kind::Subagent, Kind::SideCall]
    );
    let copilot = [("x-interaction-type", "conversation-subagent"), ("x-initiator", "agent")];
    for path in ["/v1/messages", CHAT, RESPONSES] {
        let kinds = [&copilot[..], &copilot[1..]].map(|headers| kind(path, headers, codex.clone()));
        assert_eq!(kinds, [Kind::Subagent, Kind::Main], "{path}");
    }
    let upgrade = request(RESPONSES, Value::Null);
    let headers = vec![("Upgrade".to_owned(), "websocket".to_owned())];
    let upgrade = Request { method: "GET".into(), headers, ..upgrade };
    assert_eq!(upgrade.kind(), Kind::Probe);
}

#[test]
fn the_conversation_of_each_api_can_be_searched() {
    let bodies = [
        ("/v1/messages", json!({ "messages": [{ "role": "user", "content": "token: A1" }] })),
        (
            RESPONSES,
            json!({ "input": [{ "type": "function_call_output", "output": "token: A1" }] }),
        ),
        (CHAT, json!({ "messages": [{ "role": "tool", "content": "token: A1" }] })),
        (
            GEMINI_STREAM,
            json!({ "contents": [{ "role": "user", "parts": [{ "text": "token: A1" }] }] }),
        ),
    ];
    for (path, body) in bodies {
        let request = request(path, body);
        assert_eq!(request.word_after("token: "), Some("A1"), "{path}");
        assert!(request.summary().contains("token: A1"), "{path}");
    }
    let system =
        json!({ "instructions": "one", "systemInstruction": { "parts": [{ "text": "two" }] } });
    let request = request(RESPONSES, system);
    assert!(request.mentions("one") && request.mentions("two"));
}
