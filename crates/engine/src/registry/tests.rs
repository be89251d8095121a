//! Tests of the registry with the toy gate, which consists of one file and one line.

use serde_json::json;
use verger_agent::CLAUDE;
use verger_event::{Answer, Event, Fold as _, Record, SessionId, SessionKey, Verdict};
use verger_store::{Entry, MemoryStore, ReadLog as _};

use crate::gates::toy::Toy;
use crate::{Clock, Engine, Environment, Input, Registered, State};

struct TestHome {
    root: tempfile::TempDir,
    store: MemoryStore,
}

impl TestHome {
    fn new() -> Self {
        Self { root: tempfile::tempdir().unwrap(), store: MemoryStore::new(|_| None) }
    }

    /// Handles a request of Claude Code to run a command line.
    fn request(&self, id: &str, line: &str) -> Answer {
        let root = self.root.path().as_os_str().to_owned();
        let environment: Environment = [("HOME".into(), root)].into_iter().collect();
        let payload = json!({
            "session_id": "s",
            "hook_event_name": "PreToolUse",
            "cwd": self.root.path(),
            "tool_name": "Bash",
            "tool_input": { "command": line },
            "tool_use_id": id,
        });
        let observed = (CLAUDE.decode)("PreToolUse", payload.to_string().as_bytes());
        let clock = Clock::of_process(&environment);
        let engine = Engine {
            spec: &CLAUDE,
            registered: Registered::BySettings,
            guard_mode: None,
            environment: &environment,
            clock: &clock,
            open_store: &|_, _| Ok(self.store.clone()),
        };
        let observed = observed.unwrap().unwrap();
        let input = Input { event_name: "PreToolUse", observed, malformed: None };
        engine.handle(input).unwrap()
    }

    fn records(&self) -> Vec<Record> {
        let key = SessionKey { agent: "claude".parse().unwrap(), session: SessionId::new("s") };
        let mut records = vec![];
        let mut take = |entry| {
            if let Entry::Record(record) = entry {
                records.push(*record);
            }
        };
        self.store.read(&key, &mut take).unwrap();
        records
    }
}

#[test]
fn a_gate_of_one_file_and_one_line_decides_changes_and_is_replayed() {
    let home = TestHome::new();
    let verdicts = ["a", "b", "c"].map(|id| home.request(id, "feed-toy --bone").verdict);
    let denied = Verdict::Deny { reason: "the toy is full".to_owned() };
    assert_eq!(verdicts, [Verdict::NoOpinion, Verdict::NoOpinion, denied]);
    assert_eq!(home.request("d", "ls").verdict, Verdict::NoOpinion);

    // The toy gate's opinion is recorded with the grounds that `verger why` shows.
    let records = home.records();
    let opinions = records.iter().find_map(|record| match &record.draft.event {
        Event::VerdictGiven { by, .. } => Some(by),
        _ => None,
    });
    let [opinion] = opinions.unwrap().as_slice() else { panic!("one opinion: {opinions:?}") };
    let shown = (opinion.by.as_str(), opinion.grounds.rule(), opinion.grounds.facts().first());
    let fact = shown.2.map(|fact| (fact.name.as_str(), fact.value.as_str()));
    assert_eq!((shown.0, shown.1, fact), ("toy", Some("the toy is full"), Some(("meals", "2"))));

    // Replaying the stored records gives the same state as the snapshot.
    let mut replayed = State::default();
    for record in &records {
        replayed.apply(record);
    }
    assert_eq!(replayed.toy, Toy { meals: 2, prompts: 0 });
    let key = SessionKey { agent: "claude".parse().unwrap(), session: SessionId::new("s") };
    assert_eq!(home.store.folded::<State>(&key.file_stem()).unwrap(), replayed);
}

#[test]
fn changes_that_cannot_be_read_are_counted() {
    let home = TestHome::new();
    home.request("a", "feed-toy");
    let mut record = home.records().pop().unwrap();
    let mut state = State::default();
    for (gate, change) in [
        ("toy", json!({ "is": "fed", "portions": 1 })),
        ("toy", json!({ "is": "walked" })),
        ("toy", json!(7)),
        ("of a newer version", json!({ "is": "fed", "portions": 1 })),
    ] {
        let gate = gate.into();
        let [from, to, cause] = ["", "", ""].map(str::to_owned);
        record.draft.event = Event::GateChanged { gate, from, to, cause, change: Some(change) };
        state.apply(&record);
    }
    assert_eq!((state.toy.meals, state.unread_changes), (1, 3));
}
