//! Tests of a session's state, event by event.

use super::*;
use crate::{
    Access, BackgroundKind, BackgroundStatus, BatchedCall, Circumstance, Continuation, Draft,
    EndReason, Interruption, Origin, PromptId, SessionId, Standing, StartSource, ToolCall,
    ToolOutput, ToolUseId, VergerPart, WarningArea,
};

fn id(n: u64) -> EventId {
    EventId::new(Timestamp::from_millis(1_000 + n), n.into())
}

/// The record with this number. Its id and time are computed from the number.
fn record(seq: u64, actor: Actor, event: Event) -> Record {
    Record {
        seq,
        draft: Draft {
            id: id(seq),
            at: Timestamp::from_millis(1_000 + seq),
            origin: Origin {
                agent: "tester".parse().unwrap(),
                agent_version: None,
                session: SessionId::new("s"),
                actor,
                user: None,
                role: None,
                project: None,
                circumstance: Circumstance::default(),
            },
            standing: Standing::default(),
            access: Access::default(),
            event,
        },
    }
}

fn main() -> Actor {
    Actor::Main { agent_type: None }
}

fn subagent(name: &str) -> Actor {
    Actor::Subagent { id: SubagentId::new(name), agent_type: "general".to_owned() }
}

fn prompt() -> (Actor, Event) {
    let origin = PromptOrigin::Person;
    (main(), Event::PromptSubmitted { origin, prompt: "do it".to_owned() })
}

fn notification() -> (Actor, Event) {
    let origin = PromptOrigin::TaskNotification { task: None, tool_use: None, status: None };
    (main(), Event::PromptSubmitted { origin, prompt: "it is done".to_owned() })
}

fn request(background: Vec<BackgroundTask>) -> StopRequest {
    let continuation = Continuation::First;
    StopRequest { continuation, last_message: None, background, crons: vec![] }
}

fn stop() -> (Actor, Event) {
    (main(), Event::StopRequested(request(vec![])))
}

fn stop_beside(name: &str) -> (Actor, Event) {
    let id = SubagentId::new(name);
    let behind = BackgroundTask::Subagent {
        id,
        agent_type: None,
        status: BackgroundStatus::Running,
        description: None,
    };
    (main(), Event::StopRequested(request(vec![behind])))
}

fn stop_beside_a_command() -> (Actor, Event) {
    let behind = BackgroundTask::Other {
        id: "b1".to_owned(),
        kind: BackgroundKind::Shell,
        status: BackgroundStatus::Running,
        description: None,
    };
    (main(), Event::StopRequested(request(vec![behind])))
}

fn started(name: &str) -> (Actor, Event) {
    (subagent(name), Event::SubagentStarted)
}

fn stopped(name: &str) -> (Actor, Event) {
    let stop = request(vec![]);
    (subagent(name), Event::SubagentStopRequested { stop, transcript: None })
}

fn verdict(verdict: Verdict) -> (Actor, Event) {
    (main(), Event::VerdictGiven { verdict, on: id(1), by: vec![], notice: None })
}

fn deny() -> (Actor, Event) {
    verdict(Verdict::Deny { reason: "review first".to_owned() })
}

fn call(n: u64) -> (Actor, Event) {
    (main(), Event::ToolRequested(ToolCall::shell("").with_id(format!("toolu_{n}"))))
}

#[test]
fn a_batch_names_by_their_ids_alone_the_calls_that_have_a_record_of_their_end() {
    let call = |n: u64| ToolCall::shell("").with_id(format!("toolu_{n}"));
    let output = || ToolOutput::text("told");
    let succeeded = Event::ToolSucceeded { call: call(1), output: output(), duration_ms: None };
    let failed = Event::ToolFailed {
        call: call(2),
        output: output(),
        interruption: Interruption::None,
        duration_ms: None,
    };
    let ended = Event::ToolEnded { call: call(6), output: output(), duration_ms: None };
    let refused = Event::ToolRequested(call(3));
    let session = fold([succeeded, failed, ended, refused].map(|event| (main(), event)));
    let reported = |call| BatchedCall::Reported { call, output: output() };
    let nameless = ToolCall { id: None, ..call(5) };
    let calls = [call(1), call(2), call(6), call(3), call(4), nameless.clone()].map(reported);
    let expected = vec![
        BatchedCall::Recorded(ToolUseId::new("toolu_1")),
        BatchedCall::Recorded(ToolUseId::new("toolu_2")),
        BatchedCall::Recorded(ToolUseId::new("toolu_6")),
        reported(call(3)),
        reported(call(4)),
        reported(nameless),
    ];
    let batch = Event::ToolBatchEnded { calls: calls.into() };
    let recorded = session.without_recorded_calls(batch.clone());
    assert_eq!(recorded, Event::ToolBatchEnded { calls: expected });
    assert_eq!(recorded.occurrence(None), batch.occurrence(None));
    assert_eq!(session.without_recorded_calls(Event::SubagentStarted), Event::SubagentStarted);
}

fn fold(events: impl IntoIterator<Item = (Actor, Event)>) -> Session {
    let mut session = Session::default();
    for (seq, (actor, event)) in (1..).zip(events) {
        session.apply(&record(seq, actor, event));
    }
    session
}

#[track_caller]
fn check_task(events: Vec<(Actor, Event)>, expected: TaskState) {
    assert_eq!(fold(events).task, expected);
}

/// The open task that the record with this number started.
fn open(seq: u64) -> TaskState {
    TaskState::Open(TaskId(id(seq)))
}

fn done(seq: u64) -> TaskState {
    TaskState::Done(TaskId(id(seq)))
}

#[test]
fn a_task_begins_with_a_persons_prompt_after_the_one_before_was_done() {
    check_task(vec![], TaskState::None);
    check_task(vec![call(1), stop()], TaskState::None);
    check_task(vec![prompt()], open(1));
    check_task(vec![prompt(), prompt()], open(1));
    check_task(vec![prompt(), call(1), stop()], done(1));
    check_task(vec![prompt(), stop(), prompt()], open(3));
    check_task(vec![prompt(), stop(), prompt(), stop()], done(3));
}

#[test]
fn the_agents_own_notice_begins_no_task() {
    check_task(vec![notification()], TaskState::None);
    check_task(vec![prompt(), stop(), notification()], done(1));
    check_task(vec![prompt(), notification()], open(1));
}

#[test]
fn a_stop_that_waits_for_a_subagent_ends_no_task() {
    check_task(vec![prompt(), started("a"), stop_beside("a")], open(1));
    check_task(vec![prompt(), started("a"), stop_beside("a"), stopped("a"), stop()], done(1));
    check_task(vec![prompt(), started("a"), stopped("a"), stop_beside("a")], done(1));
    check_task(vec![prompt(), stop_beside("never seen to start")], done(1));
    check_task(vec![prompt(), stop_beside_a_command()], done(1));
}

#[test]
fn a_refused_stop_opens_the_task_again() {
    check_task(vec![prompt(), stop(), deny()], open(1));
    check_task(vec![prompt(), stop(), deny(), stop()], done(1));
    check_task(vec![prompt(), deny()], open(1));
    check_task(vec![deny()], TaskState::None);
    for other in [Verdict::NoOpinion, Verdict::Allow { reason: "fine".to_owned() }] {
        check_task(vec![prompt(), stop(), verdict(other)], done(1));
    }
}

#[test]
fn events_of_subagents_neither_start_nor_end_a_task() {
    let by = |(_, event): (Actor, Event)| (subagent("a"), event);
    check_task(vec![by(prompt())], TaskState::None);
    check_task(vec![prompt(), by(stop())], open(1));
    check_task(vec![prompt(), stop(), by(deny())], done(1));
    check_task(vec![prompt(), stopped("a")], open(1));
}

#[test]
fn a_record_belongs_to_the_task_in_hand_and_a_prompt_to_the_one_it_begins() {
    let (_, asks) = prompt();
    let (_, calls) = call(1);
    let cases = [
        (fold([]), Some(id(9)), None),
        (fold([prompt()]), Some(id(1)), Some(id(1))),
        (fold([prompt(), stop()]), Some(id(9)), Some(id(1))),
    ];
    for (session, of_prompt, of_call) in cases {
        assert_eq!(session.task_for(id(9), &main(), &asks), of_prompt.map(TaskId));
        assert_eq!(session.task_for(id(9), &main(), &calls), of_call.map(TaskId));
        let of_subagent = session.task_for(id(9), &subagent("a"), &asks);
        assert_eq!(of_subagent, of_call.map(TaskId), "a subagent's prompt begins no task");
    }
}

#[test]
fn a_session_runs_until_it_says_that_it_ended_and_again_when_it_is_resumed() {
    let end = |reason| (main(), Event::SessionEnded { reason });
    let start = || {
        let source = StartSource::Resume;
        (main(), Event::SessionStarted { source, model: None, transcript: None, client: None })
    };
    let ended = |reason: &str| Life::Ended { reason: reason.to_owned() };
    assert_eq!(fold([]).life, Life::Unseen);
    assert_eq!(fold([call(1)]).life, Life::Running);
    assert_eq!(fold([start(), end(EndReason::Clear)]).life, ended("clear"));
    assert_eq!(fold([end(EndReason::Logout)]).life, ended("logout"));
    assert_eq!(fold([end(EndReason::PromptInputExit)]).life, ended("prompt_input_exit"));
    assert_eq!(fold([end(EndReason::Other("other".to_owned()))]).life, ended("other"));
    assert_eq!(fold([end(EndReason::Clear), start()]).life, Life::Running);
}

#[test]
fn vergers_records_after_the_end_do_not_reopen_a_session() {
    let end = || (main(), Event::SessionEnded { reason: EndReason::Clear });
    let ended = Life::Ended { reason: "clear".to_owned() };
    let warned = || {
        let (area, message) = (VergerPart::Store.into(), "late".to_owned());
        (main(), Event::Warned { area, message })
    };
    assert_eq!(fold([end(), verdict(Verdict::NoOpinion), warned()]).life, ended);
    assert_eq!(fold([end(), warned(), call(1)]).life, Life::Running, "the agent goes on");
    assert_eq!(fold([warned()]).life, Life::Running, "its end was not seen");
}

#[test]
fn known_values_of_a_session_stay_until_they_change() {
    let mut first = record(1, main(), call(1).1);
    first.draft.origin.user = Some("dev".to_owned());
    first.draft.origin.project = Some(ProjectId::new("p1"));
    first.draft.origin.agent_version = Some("1.0".to_owned());
    first.draft.origin.circumstance.cwd = Some("/a".to_owned());
    let mut third = record(3, main(), call(3).1);
    third.draft.origin.circumstance.cwd = Some("/b".to_owned());
    let mut session = Session::default();
    for record in [first, record(2, main(), call(2).1), third] {
        session.apply(&record);
    }
    let expected = Session {
        life: Life::Running,
        events: 3,
        first_at: Some(Timestamp::from_millis(1_001)),
        last_at: Some(Timestamp::from_millis(1_003)),
        user: Some("dev".to_owned()),
        project: Some(ProjectId::new("p1")),
        agent_version: Some("1.0".to_owned()),
        cwd: Some("/b".to_owned()),
        has_requested_tools: true,
        recent: [1, 2, 3].map(|n| call(n).1.occurrence(None).unwrap()).into(),
        ..Session::default()
    };
    assert_eq!(session, expected);
}

#[test]
fn a_duplicate_is_recognised_as_long_as_it_can_reasonably_come() {
    let window = u64::try_from(REMEMBERED_OCCURRENCES).unwrap();
    let session = fold((1..=window + 10).map(call));
    let has_seen = |n| session.has_seen(call(n).1.occurrence(None).unwrap());
    assert_eq!([1, 10, 11, window + 10].map(has_seen), [false, false, true, true]);
    assert!(!has_seen(window + 11));
}

#[test]
fn a_prompt_is_known_by_its_id_and_kind() {
    let (actor, event) = prompt();
    let mut first = record(1, actor, event);
    first.draft.origin.circumstance.prompt = Some(PromptId::new("p1"));
    let mut session = Session::default();
    session.apply(&first);
    let occurrence = |event: &Event, prompt: &str| event.occurrence(Some(&PromptId::new(prompt)));
    assert!(session.has_seen(occurrence(&first.draft.event, "p1").unwrap()));
    assert!(!session.has_seen(occurrence(&first.draft.event, "p2").unwrap()));
    assert_eq!(occurrence(&stop().1, "p1"), None, "stops repeat");
}

#[test]
fn subagents_are_remembered_while_they_run_and_never_too_many() {
    let session = fold([started("a"), started("b"), stopped("a"), stopped("unknown")]);
    let running = [(SubagentId::new("b"), Timestamp::from_millis(1_002))];
    assert_eq!(session.subagents, running.into());
    let many = fold((0..1_000).map(|n| started(&format!("a{n}"))));
    assert_eq!(many.subagents.len(), REMEMBERED_SUBAGENTS);
}

#[test]
fn warnings_are_counted_and_the_last_one_kept() {
    let warned = |part: VergerPart, message: &str| {
        let (area, message) = (part.into(), message.to_owned());
        (subagent("a"), Event::Warned { area, message })
    };
    let session =
        fold([warned(VergerPart::Config, "one"), call(1), warned(VergerPart::Store, "two")]);
    let last = Warning {
        at: Timestamp::from_millis(1_003),
        area: "store".to_owned(),
        message: "two".to_owned(),
    };
    assert_eq!(session.warnings, Warnings { count: 2, last: Some(last) });
}

#[test]
fn fifty_thousand_events_leave_a_small_state() {
    let session = fold((0..50_000).map(|n| match n % 7 {
        0 => prompt(),
        1 => started(&format!("a4fe21c09d{n:08}")),
        2 => stop_beside("a"),
        3 => deny(),
        4 => (main(), Event::Warned { area: VergerPart::Store.into(), message: "x".repeat(200) }),
        _ => call(1_000_000_000_000 + n),
    }));
    assert_eq!(session.events, 50_000);
    let bytes = serde_json::to_vec(&session).unwrap();
    assert!(bytes.len() < 8 * 1024, "{} bytes", bytes.len());
    assert_eq!(serde_json::from_slice::<Session>(&bytes).unwrap(), session);
}

#[test]
fn hostile_texts_leave_a_small_state_too() {
    let long = "\u{e9}".repeat(100_000);
    let mut events: Vec<_> = (0..100).map(|n| started(&format!("{n}{long}"))).collect();
    events.extend((0..100).map(|n| started(&format!("{n:0>64}"))));
    events.push((
        main(),
        Event::Warned { area: WarningArea::Hook(long.clone()), message: long.clone() },
    ));
    events.push((main(), Event::SessionEnded { reason: EndReason::Other(long) }));
    let state = fold(events);
    assert_eq!(state.subagents.len(), 64);
    let bytes = serde_json::to_vec(&state).unwrap().len();
    assert!(bytes < 16 * 1024, "{bytes} bytes");
}
