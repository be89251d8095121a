//! Tests payloads that no agent should send. The hook doesn't answer, and records the event or
//! the failure.

use std::time::Duration;

use serde_json::{Value, json};
use verger_event::Event;
use verger_testkit::{captured, changed};

use crate::scene::{SESSION, Scene, key};
use crate::stage::HOOK;

/// Calls the hook for `PreToolUse` with `stdin`, and compares the new records.
#[track_caller]
fn check(stdin: impl Into<Vec<u8>>, news: &[&str]) {
    let scene = Scene::new();
    scene.call("PreToolUse", stdin);
    assert_eq!(scene.news(), news);
}

/// The payload of a new call, with this text as its input.
fn with_input(input: &str) -> String {
    let payload = changed(
        "PreToolUse-Bash",
        &[
            ("tool_name", json!("mcp__any__tool")),
            ("tool_use_id", json!("toolu_new")),
            ("tool_input", json!("$INPUT")),
        ],
    );
    payload.replace("\"$INPUT\"", input)
}

/// The input of the one new call in the log.
#[track_caller]
fn requested(scene: &Scene) -> Value {
    assert_eq!(scene.news(), ["tool.requested"]);
    match &scene.log().records(&key(SESSION))[4].draft.event {
        Event::ToolRequested(call) => call.rest.clone(),
        event => panic!("{event:?}"),
    }
}

/// Like [`check`], for payloads that can't be decoded.
#[track_caller]
fn check_refused(stdin: impl Into<Vec<u8>>) {
    let scene = Scene::new();
    scene.call("PreToolUse", stdin);
    let news = scene.news();
    let without_place: Vec<_> =
        news.iter().filter_map(|text| Some(text.split_once(" at line ")?.0)).collect();
    let refused = "warning: hook PreToolUse: \
        read the payload of PreToolUse: it doesn't match the event's format";
    assert_eq!(without_place, [refused], "{news:?}");
}

#[test]
fn an_empty_payload_is_refused() {
    check_refused("");
    check_refused(" \n");
}

#[test]
fn a_truncated_payload_is_refused() {
    let whole = with_input("{}");
    check_refused(&whole[..whole.len() / 2]);
    check_refused(&whole[..whole.len() - 1]);
}

#[test]
fn payloads_that_are_no_object_are_rejected() {
    check_refused("null");
    check_refused("[]");
    check_refused("\"text\"");
    check_refused("12 ");
    check_refused("} {");
}

#[test]
fn a_field_of_the_wrong_type_is_refused() {
    check_refused(changed("PreToolUse-Bash", &[("session_id", json!(7))]));
    check_refused(changed("PreToolUse-Bash", &[("tool_name", json!({}))]));
    check_refused(changed("PreToolUse-Bash", &[("session_id", json!(null))]));
}

#[test]
fn a_payload_of_another_event_is_refused() {
    check(
        captured("Stop-first").to_string(),
        &[
            "tool.requested",
            "warning: hook PreToolUse: read the payload of PreToolUse: it names another event",
        ],
    );
}

#[test]
fn a_field_that_is_there_twice_is_refused() {
    let twice = with_input("{}").replacen('{', "{\"session_id\":\"other\",", 1);
    check_refused(twice);
}

#[test]
fn a_key_that_is_there_twice_in_a_tools_input_is_refused() {
    check_refused(with_input(r#"{"a":1,"a":2}"#));
    check_refused(with_input(r#"{"b":[{"a":1,"\u0061":2}]}"#));
}

#[test]
fn nesting_beyond_all_reason_is_refused() {
    const DEPTH: usize = 100_000;
    check_refused(with_input(&format!("{}{}", "[".repeat(DEPTH), "]".repeat(DEPTH))));
    check_refused(with_input(&"{\"a\":".repeat(DEPTH)));
    check_refused("[".repeat(DEPTH));
}

#[test]
fn payloads_that_are_not_utf_8_are_rejected() {
    let mut bytes = with_input("\"text\"").into_bytes();
    let place = bytes.windows(4).position(|window| window == b"text").unwrap();
    bytes[place] = 0xff;
    check(
        bytes,
        &[
            "payload.unread",
            &format!(
                "warning: hook PreToolUse: read the payload of PreToolUse: invalid UTF-8 at byte \
                 {place}"
            ),
        ],
    );
}

#[test]
fn a_lone_surrogate_is_replaced_and_the_event_recorded() {
    let scene = Scene::new();
    scene.call("PreToolUse", with_input(r#""\ud800 and \udc00""#));
    assert_eq!(requested(&scene), json!("\u{fffd} and \u{fffd}"));
}

#[test]
fn a_nul_and_other_control_characters_are_text() {
    let scene = Scene::new();
    scene.call("PreToolUse", with_input(r#""\u0000\u001b[31m\u2028""#));
    assert_eq!(requested(&scene), json!("\0\u{1b}[31m\u{2028}"));
}

#[test]
fn a_byte_order_mark_is_passed_over() {
    check(format!("\u{feff}{}", with_input("{}")), &["tool.requested"]);
}

#[test]
fn two_documents_are_refused() {
    check_refused(format!("{}{}", with_input("{}"), captured("Stop-first")));
}

#[test]
fn a_session_id_that_is_a_path_stays_a_name() {
    for session in ["../../../../etc/passwd", "/etc/passwd", "..", "a/b", "", "x\0y", "UPPER"] {
        let scene = Scene::new();
        scene.call("PreToolUse", changed("PreToolUse-Bash", &[("session_id", json!(session))]));
        assert_eq!(scene.news(), ["tool.requested"], "{session:?}");
        assert_eq!(scene.log().records(&key(session)).len(), 1, "{session:?}");
    }
}

#[test]
fn an_id_longer_than_any_real_one_is_refused() {
    check_refused(changed("PreToolUse-Bash", &[("session_id", json!("x".repeat(100_000)))]));
}

#[test]
fn a_large_payload_is_recorded_whole() {
    let scene = Scene::new();
    let text = "line\n".repeat(1_000_000);
    let limit = Duration::from_secs(5);
    let stdin = with_input(&json!({ "command": text }).to_string());
    scene.call_within(limit, &["claude", "PreToolUse"], stdin);
    assert_eq!(requested(&scene), json!({ "command": text }));
}

#[test]
fn a_payload_beyond_all_bounds_is_refused_within_little_memory() {
    let scene = Scene::new();
    let mut command = scene.environment.command("sh");
    // `ulimit -v` limits the address space, which is at least as large as the memory in use.
    command.args(["-c", "ulimit -v 49152; exec \"$0\" claude PreToolUse", HOOK]);
    let huge = format!("{{\"tool_input\":\"{}\"}}", "x".repeat(100_000_000));
    scene.run_within(Duration::from_secs(5), command, huge);
    let refused = "warning: hook PreToolUse: read the payload: the payload is larger than 16 MiB";
    assert_eq!(scene.news(), [refused]);
}
