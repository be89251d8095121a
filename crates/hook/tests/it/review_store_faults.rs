//! Tests the review gate with a log that is locked, damaged or newer than the program: no
//! decision is lost, and no fault counts as an approval.

use std::fs::{self, File};
use std::thread;

use insta::assert_snapshot;
use serde_json::json;
use verger_engine::State;
use verger_event::{Access, Draft, Event, EventId, Standing, Timestamp};
use verger_store::{Options, Sessions, Turn};
use verger_store_local::LocalStore;
use verger_testkit::{Conversation, HookAnswer, Speaker};

use crate::gate_stage::{CLOSE, conversation, lines, news, wanted, without_store};
use crate::log::Log;
use crate::scene::{SESSION, key, session_file};

#[test]
fn a_store_that_cannot_be_used_lets_the_agent_go_and_forgets_nothing() {
    let conversation = wanted();
    assert_eq!(conversation.stop().word(), "block");
    without_store(&conversation, || {
        let answer = conversation.stop();
        assert_eq!(answer.word(), "silence");
        assert!(answer.notice.unwrap().contains("no gate ran"));
        assert_eq!(conversation.bash(Speaker::Main, CLOSE), HookAnswer::default());
    });
    let blocked = conversation.stop();
    assert!(blocked.notice.unwrap().contains("refusal 2 of 3"));
}

#[test]
fn while_another_holds_the_lock_the_gate_decides_and_counts() {
    let conversation = wanted();
    let lock = File::open(session_file(&conversation.environment, "lock")).unwrap();
    lock.lock().unwrap();
    assert_eq!(conversation.bash(Speaker::Main, CLOSE).word(), "deny");
    let words: Vec<_> = (0..4).map(|_| conversation.stop().word().to_owned()).collect();
    assert_eq!(words, ["block", "block", "block", "silence"]);
    assert_eq!(conversation.prompt("#review the next thing"), HookAnswer::default());
    assert_eq!(conversation.stop().word(), "block");
    lock.unlock().unwrap();
    let blocked = conversation.stop();
    assert!(blocked.notice.unwrap().contains("refusal 2 of 3"));
    assert_snapshot!(lines(&conversation), @r##"
    1 main session.started - - - Startup
    2 main prompt.submitted P1 T1 - "#review fix the parser"
    3 main gate.changed P1 T1 - review idle -> pending: review wanted by a prompt with #review
    4 main start_tree.taken P1 T1 - a tree
    5 main tool.requested P1 T1 - C1 Write {"content":"fn parse() {}\n","file_path":"$ENV/home/project/parser.rs"}
    6 main tool.requested P1 T1 - C2 Bash {"command":"gh issue close 5","description":"x"}
    7 main gate.changed P1 T1 - review pending -> pending: gated call denied: Bash:gh issue close*
    8 main verdict.given P1 T1 - deny by review
    9 main stop.requested P1 T1 - "Task complete."
    10 main gate.changed P1 T1 - verification idle -> claimed: the agent wanted to stop without a green verification: this work was not verified yet
    11 main gate.changed P1 T1 - review pending -> blocked: stop refused, number 1
    12 main verdict.given P1 T1 - deny by review
    13 main stop.requested P1 T1 - "Task complete."
    14 main gate.changed P1 T1 - review blocked -> blocked: stop refused, number 2
    15 main verdict.given P1 T1 - deny by review
    16 main stop.requested P1 T1 - "Task complete."
    17 main gate.changed P1 T1 - review blocked -> blocked: stop refused, number 3
    18 main verdict.given P1 T1 - deny by review
    19 main stop.requested P1 T1 - "Task complete."
    20 main gate.changed P1 T1 - review blocked -> idle: released by breaker
    21 main gate.released P1 T1 - {"gate":"review","by":"breaker","reason":"the agent made no progress while its stops were refused"}
    22 main verdict.given P1 T1 - no opinion by review
    23 main prompt.submitted P2 T2 - "#review the next thing"
    24 main gate.changed P2 T2 - review idle -> pending: review wanted by a prompt with #review
    25 main stop.requested P2 T2 - "Task complete."
    26 main gate.changed P2 T2 - review pending -> blocked: stop refused, number 1
    27 main verdict.given P2 T2 - deny by review
    28 main stop.requested P2 T2 - "Task complete."
    29 main gate.changed P2 T2 - review blocked -> blocked: stop refused, number 2
    30 main verdict.given P2 T2 - deny by review
    "##);
}

#[test]
fn prompts_at_the_same_time_are_all_kept() {
    let conversation = conversation();
    thread::scope(|scope| {
        for number in 0..21 {
            let conversation = &conversation;
            scope.spawn(move || {
                let changes = [
                    ("prompt", json!(format!("#review number {number}"))),
                    ("prompt_id", json!(format!("p-{number}"))),
                ];
                let answer = conversation.call("UserPromptSubmit", &changes);
                assert_eq!(answer, HookAnswer::default());
            });
        }
    });
    let records = Log::of(&conversation.environment).records(&key(SESSION));
    let mut prompts: Vec<_> = records
        .iter()
        .filter_map(|record| match &record.draft.event {
            Event::PromptSubmitted { prompt, .. } => Some(prompt.clone()),
            _ => None,
        })
        .collect();
    prompts.sort();
    let mut expected: Vec<_> = (0..21).map(|number| format!("#review number {number}")).collect();
    expected.sort();
    assert_eq!(prompts, expected);
    let wanted = news(&conversation);
    assert_eq!(wanted.len(), 1, "{wanted:#?}");
    assert_eq!(conversation.stop().word(), "block");
}

#[test]
fn calls_at_the_same_time_are_decided_one_after_the_other() {
    let conversation = conversation();
    conversation.configure("[review]\ngated_tools = [\"Bash:gh issue close*\"]\n");
    assert_eq!(conversation.prompt("#review fix it"), HookAnswer::default());
    thread::scope(|scope| {
        let denied: Vec<_> = (0..6)
            .map(|number| {
                let conversation = &conversation;
                scope.spawn(move || {
                    let changes = [
                        ("tool_use_id", json!(format!("t-{number}"))),
                        ("tool_input", json!({ "command": CLOSE })),
                    ];
                    conversation.call("PreToolUse-Bash", &changes).word().to_owned()
                })
            })
            .collect();
        let denied: Vec<_> = denied.into_iter().map(|call| call.join().unwrap()).collect();
        assert_eq!(denied, ["deny"; 6]);
    });
    let trees = news(&conversation).into_iter().filter(|line| line.contains("start_tree"));
    assert_eq!(trees.collect::<Vec<_>>(), ["main start_tree.taken a tree"]);
    let words = thread::scope(|scope| {
        let stops = [(); 2].map(|()| scope.spawn(|| conversation.stop().word().to_owned()));
        stops.map(|stop| stop.join().unwrap())
    });
    assert_eq!(words, ["block", "block"]);
    let blocked = conversation.stop();
    assert!(blocked.notice.unwrap().contains("refusal 3 of 3"));
    assert_eq!(conversation.stop().word(), "silence");
}

/// Writes a change of the review gate, as a later version may write it.
#[track_caller]
fn write_change(conversation: &Conversation, change: serde_json::Value) {
    let data = conversation.environment.verger_home().join("data");
    let store = LocalStore::open(&data, Options::default()).unwrap();
    let last = Log::of(&conversation.environment).records(&key(SESSION)).pop().unwrap();
    let at = Timestamp::from_millis(last.draft.at.as_millis() + 1);
    let draft = Draft {
        id: EventId::new(at, 7),
        at,
        origin: last.draft.origin,
        standing: Standing::default(),
        access: Access::default(),
        event: Event::GateChanged {
            gate: "review".into(),
            from: "blocked".to_owned(),
            to: "approved".to_owned(),
            cause: "something new".to_owned(),
            change: Some(change),
        },
    };
    store.open::<State>(&key(SESSION)).unwrap().commit(vec![draft]).unwrap();
}

#[test]
fn a_change_by_a_later_version_is_no_approval() {
    let conversation = wanted();
    assert_eq!(conversation.stop().word(), "block");
    write_change(&conversation, json!({ "is": "approved_by_committee", "votes": 3 }));
    write_change(&conversation, json!("approved"));
    write_change(&conversation, json!({ "is": "decided", "decision": { "outcome": "splendid" } }));
    write_change(&conversation, json!({ "is": "released", "by": "moon" }));
    assert_eq!(conversation.bash(Speaker::Main, CLOSE).word(), "deny");
    let blocked = conversation.stop();
    assert!(blocked.notice.unwrap().contains("refusal 2 of 3"));
    // A known change with an unknown field is still applied.
    write_change(&conversation, json!({ "is": "released", "by": "person", "mood": "good" }));
    assert_eq!(conversation.stop(), HookAnswer::default());
}

#[test]
fn a_snapshot_that_is_broken_or_lies_is_not_needed() {
    let conversation = wanted();
    assert_eq!(conversation.stop().word(), "block");
    // Snapshots are written only every few calls.
    for number in 0..20 {
        conversation.run(&format!("echo {number}"));
    }
    let path = format!("data/sessions/claude-{SESSION}.json");
    let snapshot = conversation.environment.verger_home().join(path);
    for text in ["", "{}", "not JSON", "{\"version\":999999,\"state\":{}}"] {
        assert!(snapshot.exists());
        fs::write(&snapshot, text).unwrap();
        assert_eq!(conversation.bash(Speaker::Main, CLOSE).word(), "deny", "{text}");
    }
    fs::write(&snapshot, "").unwrap();
    let blocked = conversation.stop();
    assert!(blocked.notice.unwrap().contains("refusal 2 of 3"));
}

#[test]
fn a_torn_line_at_the_end_of_the_log_changes_nothing() {
    let conversation = wanted();
    assert_eq!(conversation.stop().word(), "block");
    let segment = session_file(&conversation.environment, "jsonl");
    let whole = fs::read(&segment).unwrap();
    fs::write(&segment, [&whole[..], b"{\"v\":1,\"kind\":\"gate.chan"].concat()).unwrap();
    let blocked = conversation.stop();
    assert!(blocked.notice.unwrap().contains("refusal 2 of 3"));
}
