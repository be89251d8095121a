//! Tests repeated reports of the same event.

use std::thread;
use std::time::Duration;

use serde_json::json;
use verger_testkit::{captured, changed};

use crate::scene::{SESSION, Scene, key};

/// For each event with an id: its name, a fixture, and the kind of its record.
const WITH_ID: [(&str, &str, &str); 6] = [
    ("UserPromptSubmit", "UserPromptSubmit", "prompt.submitted"),
    ("UserPromptExpansion", "UserPromptExpansion", "prompt.expanded"),
    ("PreToolUse", "PreToolUse-Bash", "tool.requested"),
    ("PostToolUse", "PostToolUse-Bash", "tool.succeeded"),
    ("PostToolUseFailure", "PostToolUseFailure-Bash", "tool.failed"),
    ("PostToolBatch", "PostToolBatch", "tool_batch.ended"),
];

/// The payload of a new event, in the scene's session.
fn payload(name: &str) -> String {
    let mut changes = vec![("session_id", json!(SESSION)), ("prompt_id", json!("prompt-1"))];
    let mut calls = captured(name)["tool_calls"].clone();
    if calls.is_array() {
        calls[0]["tool_use_id"] = json!("toolu_new");
        changes.push(("tool_calls", calls));
    } else if captured(name)["tool_use_id"].is_string() {
        changes.push(("tool_use_id", json!("toolu_new")));
    }
    changed(name, &changes)
}

#[test]
fn every_event_with_an_id_is_recorded_once() {
    let scene = Scene::new();
    for (event, name, _) in WITH_ID {
        for _ in 0..3 {
            scene.call(event, payload(name));
        }
    }
    assert_eq!(of_agent(scene.news()), WITH_ID.map(|(_, _, kind)| kind));
}

/// The kinds without those of the drift gate.
fn of_agent(mut news: Vec<String>) -> Vec<String> {
    news.retain(|kind| kind != "gate.changed");
    news
}

#[test]
fn reports_at_the_same_time_are_recorded_once() {
    let scene = Scene::new();
    for (event, name, _) in WITH_ID {
        let payload = payload(name);
        thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    scene.call_within(Duration::from_secs(5), &["claude", event], &*payload)
                });
            }
        });
    }
    assert_eq!(of_agent(scene.news()), WITH_ID.map(|(_, _, kind)| kind));
}

#[test]
fn the_same_id_in_another_session_is_another_occurrence() {
    let scene = Scene::new();
    let other = changed("PreToolUse-Bash", &[("session_id", json!("another"))]);
    scene.call("PreToolUse", payload("PreToolUse-Bash"));
    scene.call("PreToolUse", &*other);
    assert_eq!(scene.log().records(&key("another")).len(), 1);
    assert_eq!(scene.news(), ["tool.requested"; 2]);
}

#[test]
fn a_stop_is_recorded_each_time() {
    let scene = Scene::new();
    for _ in 0..2 {
        scene.call("Stop", changed("Stop-first", &[("session_id", json!(SESSION))]));
    }
    assert_eq!(scene.news(), ["stop.requested"; 2]);
}
