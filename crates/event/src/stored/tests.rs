//! Tests of the stored form: lines are decoded to the same records, damage is detected, and records
//! of unknown kinds are kept.

use std::collections::BTreeMap;

use proptest::prelude::*;
use serde_json::{Value, json};

use super::*;
use crate::event::DURABLE_KINDS;
use crate::{
    Actor, BackendKind, BackgroundKind, BackgroundStatus, BackgroundTask, BatchedCall, ContentHash,
    Continuation, Correction, DelegateCall, EndReason, Event, Fate, FileOutcome, Grounds,
    GuardMode, HandoffTrigger, Interruption, MessageCall, Opinion, OtherCall, Outcome, ProjectId,
    PromptId, PromptOrigin, Reference, Releaser, ReviewDecision, Scope, SeenBy, Sent, SessionId,
    StartSource, StartTree, StopRequest, SubagentId, TaskEnding, TaskId, TaskStatus, TicketChange,
    TicketSystem, Timestamp, ToolCall, ToolOutcome, ToolOutput, ToolUse, ToolUseId, Triage,
    UndoPointAge, Verdict, VergerPart, VerificationDepth, VerificationStatus,
};

fn id(n: u128) -> EventId {
    EventId::new(Timestamp::from_millis(1_794_767_961_556), n)
}

fn draft(event: Event) -> Draft {
    Draft {
        id: id(2),
        at: Timestamp::from_millis(1_794_767_961_556),
        origin: Origin {
            agent: "claude".parse().unwrap(),
            agent_version: Some("2.1.197".into()),
            session: SessionId::new("f0357e9b"),
            actor: Actor::Main { agent_type: None },
            user: Some("dev@example.org".into()),
            role: None,
            project: Some(ProjectId::new("9d3c")),
            circumstance: Circumstance {
                cwd: Some("/home/dev/project".into()),
                prompt: Some(PromptId::new("p1")),
                permission_mode: Some("default".into()),
                effort: Some("high".into()),
            },
        },
        standing: Standing {
            task: Some(TaskId(id(1))),
            outcome: Some(Outcome::Succeeded),
            evidence: vec![id(1)],
            importance: None,
        },
        access: Access { scope: Scope::Session, readers: vec![] },
        event,
    }
}

fn line_of(draft: &Draft, seq: u64, prev: Option<&LineHash>) -> Vec<u8> {
    let payload = payload_json(&draft.event).unwrap();
    encode(draft, seq, prev, &Body::Inline(payload.into())).unwrap()
}

#[track_caller]
fn read(line: &[u8]) -> Record {
    match decode(line.strip_suffix(b"\n").unwrap()).unwrap() {
        Decoded::Line(line) => line.into_record(None),
        Decoded::Foreign { version, .. } => panic!("version {version}"),
    }
}

fn call() -> ToolCall {
    ToolCall::shell("ls").with_id("toolu_1")
}

/// A tool output with every field set.
fn output() -> ToolOutput {
    ToolOutput {
        text: "text".to_owned(),
        errors: "text".to_owned(),
        exit_code: Some(3),
        file: Some(FileOutcome { created: true, first_line: Some(7) }),
        subagent: None,
        rest: json!({ "interrupted": false }),
    }
}

fn stop() -> StopRequest {
    StopRequest {
        continuation: Continuation::AfterRefusal,
        last_message: Some("Done".into()),
        background: vec![
            BackgroundTask::Subagent {
                id: SubagentId::new("a1"),
                agent_type: Some("general-purpose".into()),
                status: BackgroundStatus::Running,
                description: None,
            },
            BackgroundTask::Other {
                id: "b1".into(),
                kind: BackgroundKind::Shell,
                status: BackgroundStatus::Running,
                description: Some("watch".into()),
            },
        ],
        crons: vec![json!({ "every": "1h" })],
    }
}

/// One event of every kind that agents report, in the order of `KINDS`.
fn one_of_each() -> Vec<Event> {
    let text = || "text".to_owned();
    let some = || Some("text".to_owned());
    vec![
        Event::SessionStarted {
            source: StartSource::Compact,
            model: some(),
            transcript: None,
            client: None,
        },
        Event::SessionEnded { reason: EndReason::PromptInputExit },
        Event::SetupRan { trigger: text().into() },
        Event::PromptSubmitted {
            origin: PromptOrigin::TaskNotification {
                task: some(),
                tool_use: Some(ToolUseId::new("toolu_1")),
                status: None,
            },
            prompt: "日本\n\"quoted\"".into(),
        },
        Event::PromptExpanded { command: text(), args: text(), source: None, prompt: text() },
        Event::ToolRequested(call()),
        Event::PermissionAsked { call: call(), suggestions: vec![json!({})] },
        Event::PermissionDenied(json!({ "why": 1 })),
        Event::tool_ended(call(), ToolOutcome::Succeeded(ToolOutput::text("hi")), Some(70)),
        Event::ToolFailed {
            call: call(),
            output: ToolOutput::text(text()),
            interruption: Interruption::ByPerson,
            duration_ms: None,
        },
        Event::ToolEnded { call: call(), output: output(), duration_ms: None },
        Event::ToolBatchEnded {
            calls: vec![
                BatchedCall::Reported { call: call(), output: ToolOutput::default() },
                BatchedCall::Recorded(ToolUseId::new("toolu_1")),
            ],
        },
        Event::StopRequested(stop()),
        Event::StopFailed { error: text(), details: some(), last_message: None },
        Event::SubagentStarted,
        Event::SubagentStopRequested { stop: stop(), transcript: some() },
        Event::CompactionForkEnded { fork: SubagentId::new("a2"), summary: None },
        Event::CompactionStarted { trigger: text().into(), instructions: None },
        Event::CompactionEnded { trigger: text().into(), summary: some() },
        Event::TodoCreated { id: text(), subject: text(), description: None },
        Event::TodoCompleted { id: text(), subject: text(), description: some() },
        Event::TeammateIdle(json!({})),
        Event::ElicitationAsked(json!(null)),
        Event::ElicitationAnswered(json!({ "a": [true] })),
        Event::Notified { kind: text(), message: text() },
        Event::ConfigChanged { source: text(), path: None },
        Event::InstructionsLoaded { path: text(), memory: some(), reason: None },
        Event::DirectoryChanged { from: text(), to: text() },
        Event::FileChanged { path: text(), change: text() },
        Event::MessageShown { message: text(), index: 3, text: text() },
        Event::WorktreeCreated(json!({})),
        Event::WorktreeRemoved(json!({})),
    ]
}

/// Events of the kinds that verger itself writes, in the form of the first release.
fn own_events() -> Vec<Event> {
    let text = || "text".to_owned();
    let some = || Some(text());
    vec![
        Event::VerdictGiven {
            verdict: Verdict::Deny { reason: text() },
            on: id(9),
            by: vec![Opinion {
                by: "review".into(),
                verdict: Verdict::Deny { reason: text() },
                grounds: Grounds::default(),
            }],
            notice: None,
        },
        Event::GateChanged {
            gate: "text".into(),
            from: text(),
            to: text(),
            cause: text(),
            change: None,
        },
        Event::GateReleased { gate: "text".into(), by: Releaser::Person, reason: text() },
        Event::ReviewDecided {
            decision: ReviewDecision::Issues,
            summary: text(),
            message: some(),
            content_hash: None,
            reviewer: None,
            opinions: None,
        },
        Event::ContextInjected {
            moment: text(),
            on: None,
            sources: vec![text()],
            text: text(),
            grounds: Grounds::default(),
            scores: BTreeMap::new(),
            corrections: vec![],
        },
        Event::TicketSeen {
            system: TicketSystem::Beads,
            ticket: text(),
            change: TicketChange::CloseFailed,
            title: None,
            description: None,
        },
        Event::BackendFound { backend: BackendKind::Markdown, location: text() },
        Event::ReflectionRecorded {
            learnings: vec![text()],
            rejected: 2,
            kept: vec![],
            rejections: vec![],
            tickets: vec![],
        },
        Event::ObservationRecorded { text: text(), author: None },
        Event::LearningSeen { learning: text(), fate: Fate::Dismissed, how: None },
        Event::Warned { area: VergerPart::Store.into(), message: text() },
    ]
}

/// Events with fields that the first release didn't have, and events of kinds that it didn't have.
fn grown() -> Vec<Event> {
    let text = || "text".to_owned();
    let opinion = |by: &'static str, verdict| Opinion {
        by: by.into(),
        verdict,
        grounds: Grounds::of_rule("wanted").fact("files changed", "2").setting(
            "review.mode",
            "\"prompt\"",
            "default",
        ),
    };
    vec![
        Event::VerdictGiven {
            verdict: Verdict::Deny { reason: text() },
            on: id(9),
            by: vec![
                opinion("review", Verdict::Deny { reason: text() }),
                opinion("guard", Verdict::NoOpinion),
            ],
            notice: Some(text()),
        },
        Event::ContextInjected {
            moment: text(),
            on: Some(id(9)),
            sources: vec![],
            text: text(),
            grounds: Grounds::of_rule("session start"),
            scores: BTreeMap::new(),
            corrections: vec![],
        },
        Event::GateChanged {
            gate: "text".into(),
            from: text(),
            to: text(),
            cause: text(),
            change: Some(json!({ "wanted": { "by": "prompt" } })),
        },
        Event::ReviewDecided {
            decision: ReviewDecision::Issues,
            summary: text(),
            message: None,
            content_hash: Some(ContentHash::new("text")),
            reviewer: Some(text()),
            opinions: Some(text()),
        },
        Event::StartTreeTaken(StartTree::Tree(json!({ "tree": "1234" }))),
        Event::StartTreeTaken(StartTree::Touched { reason: text() }),
        Event::TicketSeen {
            system: TicketSystem::Beads,
            ticket: text(),
            change: TicketChange::Found,
            title: Some(text()),
            description: Some(text()),
        },
        Event::ReflectionRecorded {
            learnings: vec![text()],
            rejected: 1,
            kept: vec![json!({ "id": "text" })],
            rejections: vec![json!({ "reason": "text" })],
            tickets: vec![text()],
        },
        Event::ObservationRecorded { text: text(), author: Some(text()) },
        Event::LearningSeen {
            learning: text(),
            fate: Fate::Referenced,
            how: Some(Reference::Implicit),
        },
        Event::LearningSeen { learning: text(), fate: Fate::Corrected, how: None },
        Event::LearningSeen { learning: text(), fate: Fate::Archived, how: None },
        Event::LearningSeen { learning: text(), fate: Fate::Restored, how: None },
        Event::LearningStored { learning: text(), backend: BackendKind::TotalRecall },
        Event::ContextInjected {
            moment: text(),
            on: Some(id(9)),
            sources: vec![text()],
            text: text(),
            grounds: Grounds::default(),
            scores: [(text(), 831)].into(),
            corrections: vec![],
        },
        Event::ContextInjected {
            moment: text(),
            on: None,
            sources: vec![],
            text: text(),
            grounds: Grounds::default(),
            scores: BTreeMap::new(),
            corrections: vec![
                Correction { learning: text(), by: Some(text()) },
                Correction { learning: text(), by: None },
            ],
        },
        Event::GuardJudged {
            on: id(9),
            triage: Triage::Risky,
            rule: text(),
            why: text(),
            mode: GuardMode::Enforce,
            sent: Sent::Ask,
        },
    ]
}

/// Events of the kinds that came with later gates and guards.
fn later_kinds() -> Vec<Event> {
    let text = || "text".to_owned();
    vec![
        Event::VerificationRecorded {
            status: VerificationStatus::Green,
            depth: VerificationDepth::Deep,
            content_hash: ContentHash::new("text"),
            summary: text(),
            verified: json!({ "run": "text" }),
        },
        Event::UndoPointTaken {
            on: id(1),
            point: id(2),
            kept_at: text(),
            root: text(),
            age: UndoPointAge::Earlier,
            left_out: vec![text()],
            more_left_out: 3,
        },
        Event::UndoPointFailed { on: id(1), why: text() },
        Event::UndoPointRestored { point: id(1), saved: id(2), written: 3, removed: 4, failed: 5 },
        Event::CallRewritten {
            on: id(9),
            by: "text".into(),
            rules: vec![text()],
            changes: vec![text()],
            input: json!({ "command": "ls" }),
            grounds: Grounds::default().fact("rule", "text"),
        },
        Event::TaskRecorded {
            number: 2,
            parent: Some(1),
            status: TaskStatus::Complete,
            trigger: TaskEnding::LeftForOther,
            query: text(),
            goal: text(),
            commit: Some(text()),
            task: json!({ "files": ["text"] }),
        },
        Event::HandoffWritten { trigger: HandoffTrigger::Compaction, text: text() },
        Event::StartTreePacked { id: text(), start: text(), begun: Some(text()) },
        Event::ReleasesSeen { until: Timestamp::from_millis(7), by: SeenBy::Person },
        Event::StartTreeTaken(StartTree::Unknown { reason: text() }),
    ]
}

/// Events with fields that were added after those of `grown`.
fn grown_later() -> Vec<Event> {
    let message = MessageCall { to: Some("a1".into()), text: Some("text".into()) };
    let delegate = DelegateCall { agent_type: Some("text".into()), ..DelegateCall::default() };
    let started = ToolOutput { subagent: Some(SubagentId::new("a1")), ..ToolOutput::default() };
    vec![
        Event::ToolRequested(ToolCall::new("text", ToolUse::Message(message))),
        Event::ToolSucceeded {
            call: ToolCall::new("text", ToolUse::Delegate(delegate)),
            output: started,
            duration_ms: None,
        },
    ]
}

fn all() -> Vec<Event> {
    [one_of_each(), own_events(), grown(), later_kinds(), grown_later()].concat()
}

#[test]
fn every_kind_is_read_back_as_it_was_written() {
    let events = all();
    let mut kinds = vec![];
    for kind in events.iter().map(kind_of) {
        if !kinds.contains(&kind) {
            kinds.push(kind);
        }
    }
    assert_eq!(kinds, KINDS);
    for event in events {
        let draft = draft(event);
        assert_eq!(read(&line_of(&draft, 7, None)), Record { seq: 7, draft });
    }
}

/// Checks the golden file. It is a segment that has a line of every kind, and a line for each later
/// addition to a kind.
#[test]
fn version_2_is_written_and_read_as_every_release_did() {
    let golden = include_str!("../../fixtures/v2.jsonl");
    let mut written = String::new();
    let mut prev = None;
    let (mut writer, mut reader) = (Carried::default(), Carried::default());
    for record in numbered() {
        let payload = payload_json(&record.draft.event).unwrap();
        let body = Body::Inline(payload.into());
        let line = writer.encode(&record.draft, record.seq, prev.as_ref(), &body).unwrap();
        prev = Some(LineHash::of(line.strip_suffix(b"\n").unwrap()));
        match reader.decode(line.strip_suffix(b"\n").unwrap()).unwrap() {
            Decoded::Line(line) => assert_eq!(line.into_record(None), record),
            Decoded::Foreign { version, .. } => panic!("version {version}"),
        }
        written.push_str(std::str::from_utf8(&line).unwrap());
    }
    // New lines are appended to the golden file. Existing lines never change.
    if let Some(new) = written.strip_prefix(golden).filter(|new| !new.is_empty()) {
        panic!("append to the golden file:\n{new}");
    }
    assert_eq!(written, golden);
}

#[test]
fn a_line_names_the_one_before_it_last_of_all() {
    let named = LineHash::of(b"a");
    // A payload may contain text that looks like the line's own `prev` field.
    let event = event_from(
        "handoff.written",
        &format!(r#"{{"trigger":"the session ended","text":",\"prev\":\"{}"}}"#, named.as_str()),
    );
    let follows = |prev: Option<&LineHash>| {
        let line = line_of(&draft(event.clone()), 7, prev);
        follows(line.strip_suffix(b"\n").unwrap(), &named)
    };
    assert_eq!([Some(&named), Some(&LineHash::of(b"b")), None].map(follows), [true, false, false]);
    assert!(!super::follows(b"{}", &named));
}

/// All events as records, in order. The agent's circumstances change at some of them.
fn numbered() -> impl Iterator<Item = Record> {
    (1u8..).zip(all()).map(|(n, event)| {
        let mut draft = Draft { id: id(99 + u128::from(n)), ..draft(event) };
        let circumstance = &mut draft.origin.circumstance;
        if (4..9).contains(&n) {
            circumstance.prompt = Some(PromptId::new("p2"));
        }
        if n == 12 {
            circumstance.cwd = None;
        }
        if n == 14 {
            draft.origin.actor =
                Actor::Subagent { id: SubagentId::new("a1"), agent_type: "reviewer".into() };
        }
        if draft.event.is_durable() {
            draft.access.scope = Scope::Project;
        }
        Record { seq: n.into(), draft }
    })
}

#[test]
fn a_record_of_an_unknown_kind_is_kept_and_written_again_unchanged() {
    let draft = draft(Event::Unknown {
        kind: "moon.landed".into(),
        payload: json!({ "by": ["eagle"], "when": null }),
    });
    let line = line_of(&draft, 3, None);
    let record = read(&line);
    assert_eq!(record.draft, draft);
    assert_eq!(line_of(&record.draft, 3, None), line);
}

#[test]
fn a_known_kind_with_an_unreadable_payload_is_kept_as_unknown() {
    let event = event_from("tool.requested", r#"{"call":7}"#);
    assert_eq!(
        event,
        Event::Unknown { kind: "tool.requested".into(), payload: json!({ "call": 7 }) }
    );
}

#[test]
fn a_line_of_an_unknown_version_is_intact_and_foreign() {
    let line = seal(br#"{"v":1,"seq":9,"what":"ever"}"#.to_vec());
    let line = line.strip_suffix(b"\n").unwrap();
    assert!(matches!(decode(line), Ok(Decoded::Foreign { version: 1, seq: Some(9) })));
}

#[test]
fn an_intact_line_that_is_no_record_is_told_apart_from_a_damaged_one() {
    for object in [r#"{"v":2,"id":7}"#, r#"{"w":2}"#, r#"{"v":"2"}"#] {
        let line = seal(object.as_bytes().to_vec());
        assert_eq!(decode(line.strip_suffix(b"\n").unwrap()).err(), Some(Damage::Form), "{object}");
    }
    assert_eq!(decode(b"").err(), Some(Damage::Checksum));
    assert_eq!(decode(br#"{"v":2}"#).err(), Some(Damage::Checksum));
}

const NOTHING: Interest<'_> = Interest { kinds: Some(&[]), gates: None };

/// The kind of a line that is read as an outline. `None` if it is read as a whole.
fn outlined(line: &[u8], interest: Interest<'_>) -> Option<String> {
    match Carried::default().glance(line, interest).unwrap() {
        Glance::Outline(outline) => Some(outline.kind.to_owned()),
        Glance::Whole(_) => None,
    }
}

#[test]
fn the_change_of_a_gate_is_read_to_its_name_where_nobody_looks_into_it() {
    let change = |gate: &'static str| Event::GateChanged {
        gate: gate.into(),
        from: "open".to_owned(),
        to: "open".to_owned(),
        cause: "score 9".to_owned(),
        change: Some(json!({ "gate": "reader" })),
    };
    let of_gates = |gates: Option<&[&str]>, draft: &Draft| {
        let line = line_of(draft, 7, None);
        let interest = Interest { kinds: Some(&["gate.changed", "tool.failed"]), gates };
        outlined(line.strip_suffix(b"\n").unwrap(), interest)
    };
    let changed = Some("gate.changed".to_owned());
    let (course, reader) = (draft(change("course")), draft(change("reader")));
    assert_eq!(of_gates(Some(&["reader"]), &course), changed);
    assert_eq!(of_gates(Some(&["reader"]), &reader), None);
    assert_eq!(of_gates(Some(&["course", "reader"]), &course), None);
    assert_eq!(of_gates(Some(&[]), &reader), changed);
    assert_eq!(of_gates(None, &course), None);
    // The gate's name is in the blob, so the reader gets the whole line.
    let blob = Body::Blob(BlobRef { sha256: "00ff".into(), bytes: 15 });
    let line = encode(&course, 7, None, &blob).unwrap();
    let interest = Interest { kinds: Some(&["gate.changed"]), gates: Some(&[]) };
    assert_eq!(outlined(line.strip_suffix(b"\n").unwrap(), interest), None);
}

#[test]
fn a_line_is_read_to_its_kind_where_nobody_looks_into_it() {
    let draft = draft(Event::ToolRequested(call()));
    let line = line_of(&draft, 7, None);
    let line = line.strip_suffix(b"\n").unwrap();
    let mut carried = Carried::default();
    let Origin { actor, circumstance, .. } = draft.origin;
    let read = carried.glance(line, Interest { kinds: Some(&["tool.failed"]), gates: None });
    let Ok(Glance::Outline(outline)) = read else { panic!("{read:?}") };
    let cwd = circumstance.cwd.as_deref();
    assert_eq!(outline, Outline { seq: 7, kind: "tool.requested", actor, cwd });
    let outlined = |kinds: Option<&[&str]>| outlined(line, Interest { kinds, gates: None });
    assert_eq!(outlined(Some(&["tool.failed", "tool.requested"])), None);
    assert_eq!(outlined(None), None);
    let glance =
        |line: &[u8]| Carried::default().glance(line, NOTHING).map(|read| format!("{read:?}"));
    for object in [r#"{"v":2,"kind":"a"}"#, "{}"] {
        let line = seal(object.as_bytes().to_vec());
        assert_eq!(glance(line.strip_suffix(b"\n").unwrap()), Err(Damage::Form), "{object}");
    }
    let foreign = seal(br#"{"v":1,"seq":9,"actor":{"is":"main"},"kind":"a"}"#.to_vec());
    let read = glance(foreign.strip_suffix(b"\n").unwrap());
    assert_eq!(read.unwrap(), "Whole(Foreign { version: 1, seq: Some(9) })");
    assert_eq!(glance(&line[1..]), Err(Damage::Checksum));
}

#[test]
fn a_payload_in_a_blob_is_read_from_the_blob() {
    let draft = draft(Event::ObservationRecorded { text: "long".into(), author: None });
    let blob = BlobRef { sha256: "00ff".into(), bytes: 15 };
    let line = encode(&draft, 1, None, &Body::Blob(blob.clone())).unwrap();
    let line = line.strip_suffix(b"\n").unwrap();
    let parsed = || match decode(line).unwrap() {
        Decoded::Line(line) => line,
        Decoded::Foreign { version, .. } => panic!("version {version}"),
    };
    assert_eq!(parsed().body(), Body::Blob(blob.clone()));
    assert_eq!(parsed().into_record(Some(r#"{"text":"long"}"#)), Record { seq: 1, draft });
    assert_eq!(
        parsed().into_record(None).draft.event,
        Event::Unknown {
            kind: "observation.recorded".into(),
            payload: json!({ "missing_blob": { "sha256": "00ff", "bytes": 15 } }),
        }
    );
}

#[test]
fn any_flipped_bit_and_any_cut_is_noticed() {
    let line = line_of(&draft(Event::ToolRequested(call())), 1, None);
    let line = line.strip_suffix(b"\n").unwrap();
    assert!(is_intact(line));
    for at in 0..line.len() {
        assert!(!is_intact(&line[..at]), "cut at {at}");
        for bit in 0..8 {
            let mut flipped = line.to_vec();
            flipped[at] ^= 1 << bit;
            assert_eq!(decode(&flipped).err(), Some(Damage::Checksum), "bit {bit} of byte {at}");
        }
    }
}

#[test]
fn every_text_of_the_envelope_can_be_changed_before_writing() {
    let mut draft = draft(Event::SubagentStarted);
    draft.origin.actor =
        Actor::Subagent { id: SubagentId::new("a"), agent_type: "reviewer".into() };
    draft.origin.role = Some("role".into());
    draft.access.readers = vec!["r".into()];
    draft.envelope_texts().for_each(|text| *text = "X".into());
    let line = String::from_utf8(line_of(&draft, 1, None)).unwrap();
    let line: Value = serde_json::from_str(&line).unwrap();
    let changed: Vec<_> = [
        "/agent_version",
        "/session",
        "/actor/id",
        "/actor/agent_type",
        "/user",
        "/role",
        "/readers/0",
        "/cwd",
        "/prompt",
        "/permission_mode",
        "/effort",
    ]
    .iter()
    .filter(|path| line.pointer(path) != Some(&json!("X")))
    .collect();
    assert_eq!(changed, Vec::<&&str>::new());
}

#[test]
fn every_kind_is_explained_to_people() {
    let page = include_str!("../../../../docs/events.md");
    let explained: Vec<_> = page
        .lines()
        .filter_map(|line| line.strip_prefix("| `")?.split_once('`').map(|(kind, _)| kind))
        .collect();
    assert_eq!(explained, KINDS);
}

#[test]
fn durable_kinds_are_the_ones_that_the_page_names() {
    let page = include_str!("../../../../docs/events.md");
    let named: Vec<_> = page
        .lines()
        .filter(|line| line.ends_with("| yes |"))
        .filter_map(|line| line.strip_prefix("| `")?.split_once('`').map(|(kind, _)| kind))
        .collect();
    let durable: Vec<_> =
        KINDS.iter().copied().filter(|kind| DURABLE_KINDS.contains(kind)).collect();
    assert_eq!(named, durable);
}

fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<String>().prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 32, 8, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::btree_map(any::<String>(), inner, 0..4)
                .prop_map(|map| Value::Object(map.into_iter().collect())),
        ]
    })
}

proptest! {
    #[test]
    fn any_record_is_read_back_as_it_was_written(
        input in any_json(),
        tool: String,
        session: String,
        cwd: Option<String>,
        user: Option<String>,
        readers in prop::collection::vec(any::<String>(), 0..3),
        seq: u64,
        millis in 0u64..1 << 47,
        importance in prop::option::of(0.0..1.0f64),
    ) {
        let mut draft = draft(Event::ToolRequested(ToolCall { rest: input, ..ToolCall::new(&tool, ToolUse::Other(OtherCall::default())) }));
        draft.at = Timestamp::from_millis(millis);
        draft.origin.session = SessionId::new(session);
        draft.origin.circumstance.cwd = cwd;
        draft.origin.user = user;
        draft.access.readers = readers;
        draft.standing.importance = importance.map(|x| (x * 1e6).round() / 1e6);
        let line = line_of(&draft, seq, None);
        prop_assert_eq!(line.iter().position(|&b| b == b'\n'), Some(line.len() - 1));
        prop_assert_eq!(read(&line), Record { seq, draft });
    }

    #[test]
    fn reading_arbitrary_bytes_never_panics(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        prop_assert!(decode(&bytes).is_err());
        let sealed = seal([&bytes[..], b"}"].concat());
        drop(decode(sealed.strip_suffix(b"\n").unwrap()));
    }
}

#[test]
fn an_actor_is_read_in_any_order_and_only_whole() {
    let main = |agent_type: Option<&str>| Actor::Main { agent_type: agent_type.map(str::to_owned) };
    let subagent = Actor::Subagent { id: SubagentId::new("a"), agent_type: "reviewer".into() };
    let cases = [
        (r#"{"is":"main"}"#, Some(main(None))),
        (r#"{"is":"main","agent_type":null}"#, Some(main(None))),
        (r#"{"agent_type":"planner","since":[1],"is":"main"}"#, Some(main(Some("planner")))),
        (r#"{"agent_type":"reviewer","id":"a","is":"subagent"}"#, Some(subagent)),
        (r#"{"is":"subagent","id":"a"}"#, None),
        (r#"{"is":"subagent","agent_type":"reviewer"}"#, None),
        (r#"{"is":"ghost"}"#, None),
        (r#"{"agent_type":"planner"}"#, None),
    ];
    for (text, expected) in cases {
        let read = serde_json::from_str::<v2::Actor>(text).ok().map(Actor::from);
        assert_eq!(read, expected, "{text}");
    }
}
