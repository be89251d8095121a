//! The scripted upstream, tested with a client that uses plain sockets.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use verger_testkit::{Block, Kind, Reply, Request, Rule, Script, Upstream, Usage};

use crate::failure_of;

/// Sends a request and returns the whole response.
fn send(upstream: &Upstream, head: &str, body: &str) -> String {
    let mut stream = TcpStream::connect(("127.0.0.1", upstream.port())).unwrap();
    let length = body.len();
    let text = format!("{head}\r\nconnection: close\r\ncontent-length: {length}\r\n\r\n{body}");
    stream.write_all(text.as_bytes()).unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    answer
}

fn post(upstream: &Upstream, body: &Value) -> String {
    send(upstream, "POST /v1/messages?beta=true HTTP/1.1", &body.to_string())
}

/// A turn of the main conversation whose last message says `text`.
fn turn(text: &str) -> Value {
    let messages = json!([{ "role": "user", "content": text }]);
    json!({ "model": "m", "tools": [{ "name": "Bash" }], "messages": messages })
}

fn streamed(mut body: Value) -> Value {
    body["stream"] = json!(true);
    body
}

fn json_body(answer: &str) -> Value {
    serde_json::from_str(answer.split_once("\r\n\r\n").unwrap().1).unwrap()
}

fn stream_events(answer: &str) -> Vec<Value> {
    let body = answer.split_once("\r\n\r\n").unwrap().1;
    let data = body.lines().filter_map(|line| line.strip_prefix("data: "));
    data.map(|data| serde_json::from_str(data).unwrap()).collect()
}

fn all_blocks() -> Reply {
    let call = Block::ToolUse { id: "toolu_1".into(), name: "Bash".into(), input: json!({"a": 1}) };
    Reply::blocks([Block::thinking("Hmm."), Block::text("Grüße"), call]).usage(Usage {
        input_tokens: 5,
        output_tokens: 7,
        ..Usage::default()
    })
}

#[test]
fn a_message_is_one_object_when_no_stream_is_asked_for() {
    let upstream = Upstream::start(Script::new().step(all_blocks()));
    let mut message = json_body(&post(&upstream, &turn("go")));
    assert!(message["id"].take().as_str().unwrap().starts_with("msg_"));
    let expected = json!({
        "id": null,
        "type": "message",
        "role": "assistant",
        "model": "m",
        "content": [
            { "type": "thinking", "thinking": "Hmm.", "signature": "c2lnbmF0dXJl" },
            { "type": "text", "text": "Grüße" },
            { "type": "tool_use", "id": "toolu_1", "name": "Bash", "input": { "a": 1 } },
        ],
        "stop_reason": "tool_use",
        "stop_sequence": null,
        "usage": {
            "input_tokens": 5,
            "output_tokens": 7,
            "cache_creation_input_tokens": 0,
            "cache_read_input_tokens": 0,
        },
    });
    assert_eq!(message, expected);
    upstream.finish();
}

#[test]
fn a_stream_begins_each_block_empty_and_adds_to_it() {
    let upstream = Upstream::start(Script::new().step(all_blocks().stop_reason("max_tokens")));
    let answer = post(&upstream, &streamed(turn("go")));
    assert!(answer.contains("\r\ncontent-type: text/event-stream\r\n"), "{answer}");
    let shown = stream_events(&answer)
        .iter_mut()
        .map(|event| {
            let mut rest = event.take();
            let fields = rest.as_object_mut().unwrap();
            let name = fields.remove("type").unwrap();
            fields.remove("message");
            format!("{} {rest}", name.as_str().unwrap())
        })
        .collect::<Vec<_>>();
    assert_eq!(
        shown,
        [
            "message_start {}",
            r#"content_block_start {"content_block":{"signature":"","thinking":"","type":"thinking"},"index":0}"#,
            r#"content_block_delta {"delta":{"thinking":"Hm","type":"thinking_delta"},"index":0}"#,
            r#"content_block_delta {"delta":{"thinking":"m.","type":"thinking_delta"},"index":0}"#,
            r#"content_block_delta {"delta":{"signature":"c2lnbmF0dXJl","type":"signature_delta"},"index":0}"#,
            r#"content_block_stop {"index":0}"#,
            r#"content_block_start {"content_block":{"text":"","type":"text"},"index":1}"#,
            r#"content_block_delta {"delta":{"text":"Gr","type":"text_delta"},"index":1}"#,
            r#"content_block_delta {"delta":{"text":"üße","type":"text_delta"},"index":1}"#,
            r#"content_block_stop {"index":1}"#,
            r#"content_block_start {"content_block":{"id":"toolu_1","input":{},"name":"Bash","type":"tool_use"},"index":2}"#,
            r#"content_block_delta {"delta":{"partial_json":"{\"a","type":"input_json_delta"},"index":2}"#,
            r#"content_block_delta {"delta":{"partial_json":"\":1}","type":"input_json_delta"},"index":2}"#,
            r#"content_block_stop {"index":2}"#,
            r#"message_delta {"delta":{"stop_reason":"max_tokens","stop_sequence":null},"usage":{"output_tokens":7}}"#,
            "message_stop {}",
        ]
    );
    upstream.finish();
}

#[test]
fn an_error_has_its_status_body_and_headers() {
    let error = Reply::error(529, "overloaded_error", "Busy").header("retry-after", "1");
    let upstream = Upstream::start(Script::new().step(error));
    assert_eq!(
        post(&upstream, &turn("go")),
        "HTTP/1.1 529 -\r\ncontent-type: application/json\r\nretry-after: 1\r\n\
         content-length: 69\r\n\r\n\
         {\"error\":{\"message\":\"Busy\",\"type\":\"overloaded_error\"},\"type\":\"error\"}"
    );
    upstream.finish();
}

#[test]
fn a_connection_can_be_dropped_before_or_within_an_answer() {
    let script = Script::new().step(Reply::dropped()).step(Reply::text("never whole").cut_after(2));
    let upstream = Upstream::start(script);
    assert_eq!(post(&upstream, &turn("go")), "");
    let events = stream_events(&post(&upstream, &streamed(turn("go"))));
    let names: Vec<_> = events.iter().map(|event| event["type"].as_str().unwrap()).collect();
    assert_eq!(names, ["message_start", "content_block_start"]);
    upstream.finish();
}

#[test]
fn an_answer_takes_as_long_as_its_script_says() {
    const STEP: Duration = Duration::from_millis(10);
    let upstream =
        Upstream::start(Script::new().step(Reply::text("Hi").delay(STEP * 3).pace(STEP)));
    let start = Instant::now();
    let events = stream_events(&post(&upstream, &streamed(turn("go")))).len();
    assert_eq!(events, 7);
    assert!(start.elapsed() >= STEP * 9, "three before and one between each two events");
    upstream.finish();
}

#[test]
fn finishing_does_not_wait_for_a_delayed_answer() {
    let upstream = Upstream::start(Script::new().step(Reply::text("Hi").delay(Duration::MAX)));
    let mut stream = TcpStream::connect(("127.0.0.1", upstream.port())).unwrap();
    let body = turn("go").to_string();
    let length = body.len();
    write!(stream, "POST /v1/messages HTTP/1.1\r\ncontent-length: {length}\r\n\r\n{body}").unwrap();
    upstream.wait_for(|requests| requests.len() == 1);
    upstream.finish();
}

#[test]
fn several_requests_can_use_one_connection() {
    let script = Script::new().step(Reply::error(500, "api_error", "x")).step(Reply::dropped());
    let upstream = Upstream::start(script);
    let mut stream = TcpStream::connect(("127.0.0.1", upstream.port())).unwrap();
    let body = turn("go").to_string();
    let length = body.len();
    let request = format!("POST /v1/messages HTTP/1.1\r\ncontent-length: {length}\r\n\r\n{body}");
    stream.write_all(format!("{request}{request}").as_bytes()).unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    assert_eq!(answer.lines().next(), Some("HTTP/1.1 500 -"));
    assert_eq!(upstream.finish().len(), 2);
}

#[test]
fn the_probe_is_answered_without_a_script() {
    let upstream = Upstream::start(Script::new());
    let answer = send(&upstream, "HEAD / HTTP/1.1\r\nhost: x", "");
    assert_eq!(answer.lines().next(), Some("HTTP/1.1 200 -"));
    let headers = [("host", "x"), ("connection", "close"), ("content-length", "0")];
    let headers = headers.map(|(name, value)| (name.to_owned(), value.to_owned())).to_vec();
    let (method, path, body) = ("HEAD".into(), "/".into(), Value::Null);
    assert_eq!(upstream.finish(), [Request { method, path, headers, body }]);
}

#[test]
fn rules_have_steps_of_their_own() {
    let script = Script::new()
        .step(Reply::text("main"))
        .rule(Rule::compaction().step(Reply::text("summary")))
        .rule(Rule::subagent().step(Reply::text("subagent")))
        .rule(Rule::side_call().otherwise(Reply::text("title")));
    let upstream = Upstream::start(script);
    let text = |answer: String| json_body(&answer)["content"][0]["text"].clone();
    let head = "POST /v1/messages HTTP/1.1\r\nX-Claude-Code-Agent-Id: a1";
    let answers = [
        text(post(&upstream, &json!({ "messages": [] }))),
        text(send(&upstream, head, &turn("go").to_string())),
        text(post(&upstream, &turn("... CRITICAL: Respond with TEXT ONLY ..."))),
        text(post(&upstream, &turn("go"))),
        text(post(&upstream, &json!({ "messages": [] }))),
    ];
    assert_eq!(answers, ["title", "subagent", "summary", "main", "title"]);
    let kinds: Vec<Kind> = upstream.finish().iter().map(Request::kind).collect();
    let expected = [Kind::SideCall, Kind::Subagent, Kind::Compaction, Kind::Main, Kind::SideCall];
    assert_eq!(kinds, expected);
}

#[test]
fn a_step_can_carry_a_value_from_its_request() {
    let script = Script::new()
        .step_with(|request| Reply::text(request.word_after("token: ").unwrap()))
        .step_with(|request| Reply::text(request.text_between("<t>", "</t>").unwrap()))
        .step_with(|request| Reply::text(request.string_at("/messages/0/role").unwrap()));
    let upstream = Upstream::start(script);
    let said = "token: OLD then token: T-1 and <t>two words</t>";
    let text = |answer: String| json_body(&answer)["content"][0]["text"].clone();
    let answers: [Value; 3] = std::array::from_fn(|_| text(post(&upstream, &turn(said))));
    assert_eq!(answers, ["T-1", "two words", "user"]);
    upstream.finish();
}

#[test]
fn an_unscripted_request_is_refused_and_fails_the_test() {
    let upstream = Upstream::start(Script::new().step(Reply::text("once")));
    assert!(post(&upstream, &turn("go")).starts_with("HTTP/1.1 200"));
    assert!(post(&upstream, &turn("again")).starts_with("HTTP/1.1 403"));
    let failure = failure_of(|| upstream.finish());
    assert_eq!(
        failure,
        "the upstream was not used as scripted:\n\
         - unscripted: Main POST /v1/messages?beta=true \"again\"\n\
         requests:\n\
         - Main POST /v1/messages?beta=true \"go\"\n\
         - Main POST /v1/messages?beta=true \"again\""
    );
}

#[test]
fn a_request_of_another_kind_does_not_use_up_the_main_conversation() {
    let upstream = Upstream::start(Script::new().step(Reply::text("main")));
    assert!(post(&upstream, &json!({ "messages": [] })).starts_with("HTTP/1.1 403"));
    assert!(send(&upstream, "GET /other HTTP/1.1", "").starts_with("HTTP/1.1 403"));
    let failure = failure_of(|| upstream.finish());
    let problems: Vec<&str> = failure.lines().take(4).collect();
    assert_eq!(
        problems,
        [
            "the upstream was not used as scripted:",
            "- unscripted: SideCall POST /v1/messages?beta=true ",
            "- unscripted: Other GET /other ",
            "- the main conversation: 1 of 1 steps were never asked for",
        ]
    );
}

#[test]
fn a_step_that_panics_fails_the_test() {
    let upstream = Upstream::start(
        Script::new().step_with(|request| Reply::text(request.word_after("absent").unwrap())),
    );
    assert!(post(&upstream, &turn("go")).starts_with("HTTP/1.1 403"));
    let failure = failure_of(|| upstream.finish());
    assert_eq!(
        failure.lines().nth(1),
        Some("- the step panicked for: Main POST /v1/messages?beta=true \"go\"")
    );
}

#[test]
fn input_that_is_not_http_fails_the_test() {
    let upstream = Upstream::start(Script::new());
    assert_eq!(send(&upstream, "\u{1}", ""), "");
    let failure = failure_of(|| upstream.finish());
    assert_eq!(failure.lines().nth(1), Some("- not a request: invalid token"));
}

#[test]
fn an_upstream_has_to_be_finished() {
    let upstream = Upstream::start(Script::new());
    assert_eq!(failure_of(|| drop(upstream)), "an upstream was dropped without `finish`");
}
