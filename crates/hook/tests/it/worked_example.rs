//! Tests that the payload and the record in the documentation of hook calls belong together.

use std::fs;

use serde_json::Value;
use verger_testkit::TestEnvironment;

use crate::stage::HOOK;

const PAGE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/how-a-hook-call-is-decided.md");

#[test]
fn the_payload_on_the_page_becomes_the_record_on_the_page() {
    let page = fs::read_to_string(PAGE).unwrap();
    let mut blocks = page.split("```json\n").skip(1).map(|rest| rest.split("```").next().unwrap());
    let (payload, record) = (blocks.next().unwrap(), blocks.next().unwrap());
    let mut environment = TestEnvironment::new();
    environment.set("VERGER_TEST_NOW_MS", "1794767961000");
    environment.set("VERGER_TEST_SEED", "1");
    environment.set("AI_AGENT", "claude-code_2-1-325_harness");
    let data = environment.verger_home().join("data");
    environment.write(data.join("redaction.key"), [0; 32]);
    let answer = environment.run(HOOK, ["claude", "PreToolUse"], payload).success();
    assert_eq!(answer.to_string(), "");
    let log = data.join("log/41/claude-f0357e9b-fb48-41a1-afb7-88e26c9c25cd.jsonl");
    let written: Value = serde_json::from_str(&environment.read(log)).unwrap();
    let shown: Value = serde_json::from_str(record).unwrap();
    assert_eq!(shown, written);
}
