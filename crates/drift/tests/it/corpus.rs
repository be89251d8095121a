//! The labelled examples themselves: each is of the form that is described beside them.

use std::collections::{BTreeMap, BTreeSet};

use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use verger_drift::PromptAction;
use verger_testkit::{Session, SessionTurn};

const TRACES: [&str; 2] =
    [include_str!("../corpus/traces-tune.jsonl"), include_str!("../corpus/traces-heldout.jsonl")];
const TURNS: [&str; 2] =
    [include_str!("../corpus/turns-tune.jsonl"), include_str!("../corpus/turns-heldout.jsonl")];

/// The kinds of traces in which the agent leaves its course.
const DRIFTING: [&str; 6] =
    ["circles", "elsewhere", "gold-plating", "stale-goal", "violation", "wandering"];

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Trace {
    id: String,
    lang: String,
    kind: String,
    events: Vec<TraceEvent>,
    drift: Option<Drift>,
}

#[derive(Deserialize)]
#[serde(untagged, deny_unknown_fields)]
#[expect(dead_code, reason = "only the form is looked at")]
enum TraceEvent {
    Prompt {
        prompt: String,
    },
    Call {
        tool: String,
        input: BTreeMap<String, Value>,
        #[serde(default)]
        failed: bool,
        #[serde(default)]
        output: String,
    },
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Drift {
    from: usize,
    why: String,
}

fn read<T: DeserializeOwned>(lines: &str) -> Vec<T> {
    lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn traces_say_where_the_agent_leaves_its_course_if_it_does() {
    let mut ids = BTreeSet::new();
    for trace in TRACES.into_iter().flat_map(read::<Trace>) {
        let id = &trace.id;
        assert!(ids.insert(id.clone()), "{id} twice");
        assert!(["en", "ja"].contains(&trace.lang.as_str()), "{id}");
        assert!(matches!(trace.events[0], TraceEvent::Prompt { .. }), "{id}");
        assert_eq!(trace.drift.is_some(), DRIFTING.contains(&trace.kind.as_str()), "{id}");
        if let Some(Drift { from, why }) = trace.drift {
            assert!(
                matches!(trace.events[from], TraceEvent::Call { .. }) && !why.is_empty(),
                "{id}"
            );
        }
    }
    assert_eq!(TRACES.map(|lines| lines.lines().count()), [850, 332]);
}

#[test]
fn sessions_begin_with_a_new_task() {
    let mut ids = BTreeSet::new();
    for session in TURNS.into_iter().flat_map(read::<Session>) {
        let id = &session.id;
        assert!(ids.insert(id.clone()), "{id} twice");
        assert!(["en", "ja", "mixed"].contains(&session.lang.as_str()), "{id}");
        let first = &session.turns[0];
        assert!(matches!(first, SessionTurn::Turn { action: PromptAction::NewTask, .. }), "{id}");
    }
    assert_eq!(TURNS.map(|lines| lines.lines().count()), [280, 106]);
}
