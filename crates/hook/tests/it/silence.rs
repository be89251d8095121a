//! Tests every event alone: the hook doesn't answer, and records the event.

use serde_json::json;
use verger_agent::by_name;
use verger_event::Event;
use verger_testkit::{TestEnvironment, captured_payloads};

use crate::log::Log;
use crate::scene::SESSION;
use crate::stage::HOOK;

const NO_RECORD: &str = "nothing of this session was recorded before this stop";

#[test]
fn nothing_is_said_to_any_event_and_every_event_is_recorded() {
    let environment = TestEnvironment::new();
    let spec = by_name("claude").unwrap();
    let mut payloads = captured_payloads();
    for event in spec.events {
        if !payloads.iter().any(|(captured, _)| captured == event.name) {
            let payload = json!({ "session_id": SESSION, "hook_event_name": event.name, "x": [1] });
            payloads.push((event.name.to_owned(), payload.to_string()));
        }
    }
    let mut kinds = Vec::new();
    for (event, payload) in &payloads {
        let output = environment.run(HOOK, ["claude", event], payload.as_bytes());
        // The answer warns about a stop that is the session's first record.
        let lacks_records = event == "Stop" && output.stdout.contains(NO_RECORD);
        assert!(output.success().to_string().is_empty() || lacks_records, "{event}");
        let known = spec.event(event).unwrap().kinds;
        if known.is_empty() {
            // verger passes over events that are not about the work.
            continue;
        }
        kinds.push(if payload.contains("\"agent_type\":\"\"") { known[1] } else { known[0] });
    }
    let recorded = Log::of(&environment).all();
    let events = recorded.iter().map(|record| &record.draft.event);
    // verger's own records, such as those of the guard and the drift gate, are left out.
    let of_agent = events.filter(|event| !event.is_of_verger());
    let mut recorded: Vec<_> = of_agent.map(Event::kind).collect();
    recorded.sort_unstable();
    kinds.sort_unstable();
    assert_eq!(recorded, kinds);
    let mut events: Vec<_> = payloads.iter().map(|(event, _)| event.as_str()).collect();
    events.dedup();
    assert_eq!(events.len(), 33);
}
