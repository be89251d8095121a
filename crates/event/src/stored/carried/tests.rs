use proptest::prelude::*;
use serde_json::{Value, json};

use super::*;
use crate::stored::payload_json;
use crate::{
    Access, Actor, EventId, PromptOrigin, Record, Scope, Standing, Timestamp, ToolCall, Verdict,
};

fn draft() -> Draft {
    Draft {
        id: EventId::new(Timestamp::from_millis(7), 7),
        at: Timestamp::from_millis(7),
        origin: Origin {
            agent: "claude".parse().unwrap(),
            agent_version: None,
            session: SessionId::new("s1"),
            actor: Actor::Main { agent_type: None },
            user: Some("dev".into()),
            role: None,
            project: Some(ProjectId::new("p")),
            circumstance: Circumstance { cwd: Some("/p".into()), ..Circumstance::default() },
        },
        standing: Standing::default(),
        access: Access { scope: Scope::Session, readers: vec!["lead".into()] },
        event: Event::SubagentStarted,
    }
}

fn key() -> SessionKey {
    draft().origin.session_key()
}

fn encode(carried: &mut Carried, draft: &Draft, seq: u64) -> Vec<u8> {
    let body = Body::Inline(payload_json(&draft.event).unwrap().into());
    let mut line = carried.encode(draft, seq, None, &body).unwrap();
    line.pop();
    line
}

/// The carried fields that a line has.
fn carried_fields(line: &[u8]) -> Value {
    let mut line: Value = serde_json::from_slice(line).unwrap();
    for other in ["v", "seq", "kind", "id", "at_ms", "payload", "crc"] {
        line.as_object_mut().unwrap().remove(other);
    }
    line
}

fn record(carried: &mut Carried, line: &[u8]) -> Record {
    match carried.decode(line).unwrap() {
        Decoded::Line(line) => line.into_record(None),
        Decoded::Foreign { version, .. } => panic!("version {version}"),
    }
}

#[test]
fn a_line_has_what_changed_since_the_line_before_it() {
    let mut carried = Carried::default();
    let mut draft = draft();
    let mut fields = |draft: &Draft, seq| carried_fields(&encode(&mut carried, draft, seq));
    let whole = json!({
        "agent": "claude", "session": "s1", "user": "dev", "project": "p", "cwd": "/p", "readers": ["lead"],
    });
    assert_eq!(fields(&draft, 1), whole);
    assert_eq!(fields(&draft, 2), json!({}));
    draft.origin.circumstance.cwd = Some("/p/src".into());
    draft.origin.role = Some("tester".into());
    assert_eq!(fields(&draft, 3), json!({ "cwd": "/p/src", "role": "tester" }));
    draft.origin.circumstance.cwd = None;
    draft.access.readers.clear();
    assert_eq!(fields(&draft, 4), json!({ "cwd": null, "readers": [] }));
    assert_eq!(fields(&draft, 5), json!({}));
    draft.origin.session = SessionId::new("s2");
    let whole = json!({
        "agent": "claude", "session": "s2", "user": "dev", "project": "p", "role": "tester",
    });
    assert_eq!(fields(&draft, 6), whole);
}

#[test]
fn a_prompt_always_names_itself() {
    let mut carried = Carried::default();
    let mut draft = draft();
    draft.origin.circumstance.prompt = Some(PromptId::new("p1"));
    encode(&mut carried, &draft, 1);
    assert_eq!(carried_fields(&encode(&mut carried, &draft, 2)), json!({}));
    draft.event =
        Event::PromptSubmitted { origin: PromptOrigin::Person, prompt: "Do it".to_owned() };
    assert_eq!(carried_fields(&encode(&mut carried, &draft, 3)), json!({ "prompt": "p1" }));
}

#[test]
fn every_64th_line_is_whole_and_so_is_the_one_after_a_line_that_was_lost() {
    let is_whole = |carried: &mut Carried, seq| {
        carried_fields(&encode(carried, &draft(), seq)).get("session").is_some()
    };
    let mut carried = Carried::default();
    let whole: Vec<_> = (1..200).filter(|seq| is_whole(&mut carried, *seq)).collect();
    assert_eq!(whole, [1, 65, 129, 193]);
    let foreign = crate::stored::seal(br#"{"v":1,"seq":200}"#.to_vec());
    for lost in [&b"{}"[..], foreign.strip_suffix(b"\n").unwrap()] {
        drop(carried.decode(lost));
        assert_eq!([201, 202].map(|seq| is_whole(&mut carried, seq)), [true, false]);
        drop(carried.glance(lost, Interest { kinds: Some(&[]), gates: None }));
        assert_eq!([203, 204].map(|seq| is_whole(&mut carried, seq)), [true, false]);
    }
    carried.lose_line();
    assert!(is_whole(&mut carried, 205));
}

#[test]
fn a_damaged_line_takes_nothing_else_with_it() {
    let (mut writer, mut reader) = (Carried::default(), Carried::default());
    let lines = [1, 2, 3].map(|seq| encode(&mut writer, &draft(), seq));
    record(&mut reader, &lines[0]);
    assert_eq!(reader.decode(&lines[1][1..]).err(), Some(Damage::Checksum));
    assert_eq!(record(&mut reader, &lines[2]), Record { seq: 3, draft: draft() });
}

#[test]
fn where_the_first_line_is_lost_the_session_is_told_by_the_name_of_the_segment() {
    let mut writer = Carried::default();
    encode(&mut writer, &draft(), 1);
    let line = encode(&mut writer, &draft(), 2);
    assert_eq!(Carried::default().decode(&line).err(), Some(Damage::Form));
    assert_eq!(crate::stored::decode(&line).err(), Some(Damage::Form));
    let mut reader = Carried::in_segment_of(key());
    let read = record(&mut reader, &line);
    let known = (read.draft.origin.session_key(), read.draft.origin.user);
    assert_eq!(known, (key(), None));
    let whole = encode(&mut writer, &draft(), 65);
    assert_eq!(record(&mut reader, &whole), Record { seq: 65, draft: draft() });
}

prop_compose! {
    fn any_draft()(
        texts in prop::collection::vec(prop::option::of("[ab]"), 7),
        readers in prop::collection::vec("[ab]", 0..2),
        task in prop::option::of(0u128..2),
        kind in 0..3,
    ) -> Draft {
        let mut draft = draft();
        let mut texts = texts.into_iter();
        let mut text = || texts.next().flatten();
        let origin = &mut draft.origin;
        (origin.agent_version, origin.user, origin.role) = (text(), text(), text());
        origin.project = text().map(ProjectId::new);
        origin.circumstance = Circumstance {
            cwd: text(),
            prompt: text().map(PromptId::new),
            permission_mode: text(),
            effort: None,
        };
        draft.standing.task = task.map(|n| TaskId(EventId::new(Timestamp::from_millis(1), n)));
        draft.access.readers = readers;
        draft.event = match kind {
            0 => Event::SubagentStarted,
            1 => Event::ToolRequested(ToolCall::shell("a")),
            _ => Event::VerdictGiven {
                verdict: Verdict::NoOpinion, on: draft.id, by: vec![], notice: None,
            },
        };
        draft
    }
}

proptest! {
    #[test]
    fn a_segment_is_read_back_as_it_was_written(
        drafts in prop::collection::vec(any_draft(), 1..70),
    ) {
        let (mut writer, mut reader, mut skipping) =
            (Carried::default(), Carried::default(), Carried::default());
        for (seq, draft) in (1..).zip(drafts) {
            let line = encode(&mut writer, &draft, seq);
            let interest = Interest { kinds: Some(&["verdict.given"]), gates: None };
            let read = match skipping.glance(&line, interest).unwrap() {
                Glance::Outline(outline) => outline.cwd.map(str::to_owned),
                Glance::Whole(Decoded::Line(line)) => {
                    line.into_record(None).draft.origin.circumstance.cwd
                }
                Glance::Whole(Decoded::Foreign { .. }) => None,
            };
            prop_assert_eq!(&read, &draft.origin.circumstance.cwd);
            prop_assert_eq!(record(&mut reader, &line), Record { seq, draft });
            prop_assert_eq!(&reader, &writer);
            prop_assert_eq!(&skipping, &writer);
        }
    }
}
