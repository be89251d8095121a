//! Generates random events of a session, in any order.

use proptest::prelude::*;
use verger_event::{Event, TicketSystem, ToolUseId};

use super::super::*;
use super::built::policy;
use super::play::Play;
use crate::State;
use crate::played::{main_agent, stop_beside, subagent};

#[derive(Debug, Clone)]
pub(super) enum Act {
    Prompt,
    Echo,
    Notification,
    Wait(u64),
    Edit,
    StartTree,
    Changed(Changed),
    Find(u8),
    Close {
        ticket: u8,
        by_subagent: bool,
    },
    /// The last tool call that closes a ticket ends.
    EndCall(CallEnd),
    CreateTodo(u8),
    CompleteTodo(u8),
    Stop {
        beside_subagent: bool,
    },
    StartSubagent,
    StopSubagent,
    Note,
    ReflectBadly(u8),
    Reflect,
    Skip(SkippedBy),
    EndSession,
}

/// Generates acts of an agent and other events, without reflections and skips.
pub(super) fn idle_act() -> impl Strategy<Value = Act> {
    let changed = vec![
        Changed::Nothing,
        Changed::Lines(2),
        Changed::Lines(50),
        Changed::Files(1),
        Changed::Unknown,
    ];
    prop_oneof![
        3 => prop::sample::select(vec![1, 60, 299, 300, 599, 601]).prop_map(Act::Wait),
        2 => Just(Act::Edit),
        1 => Just(Act::StartTree),
        2 => prop::sample::select(changed).prop_map(Act::Changed),
        1 => (0..3_u8).prop_map(Act::Find),
        1 => (0..3_u8).prop_map(Act::CreateTodo),
        1 => (0..3_u8).prop_map(Act::CompleteTodo),
        9 => Just(Act::Stop { beside_subagent: false }),
        2 => Just(Act::Stop { beside_subagent: true }),
        1 => Just(Act::StartSubagent),
        1 => Just(Act::StopSubagent),
        1 => Just(Act::Note),
        1 => Just(Act::Notification),
        1 => Just(Act::Echo),
        3 => (0..3_u8).prop_map(Act::ReflectBadly),
    ]
}

pub(super) fn any_act() -> impl Strategy<Value = Act> {
    let ends = vec![CallEnd::Succeeded, CallEnd::Failed, CallEnd::Refused];
    let by = vec![SkippedBy::Agent, SkippedBy::Person];
    prop_oneof![
        9 => idle_act(),
        4 => (0..3_u8, any::<bool>())
            .prop_map(|(ticket, by_subagent)| Act::Close { ticket, by_subagent }),
        2 => prop::sample::select(ends).prop_map(Act::EndCall),
        2 => Just(Act::Prompt),
        1 => Just(Act::Reflect),
        1 => prop::sample::select(by).prop_map(Act::Skip),
        1 => Just(Act::EndSession),
    ]
}

pub(super) fn any_policy() -> impl Strategy<Value = Policy> {
    let small = prop::sample::select(vec![Small::Passes, Small::IsAskedOnce, Small::Counts]);
    let skip = prop::sample::select(vec![SkipIs::Agents, SkipIs::Persons]);
    let systems = prop::sample::subsequence(TicketSystem::ALL.to_vec(), 0..=4);
    (small, skip, systems).prop_map(|(small, skip, systems)| Policy {
        small,
        skip,
        systems,
        ..policy()
    })
}

pub(super) fn any_play() -> impl Strategy<Value = (Policy, Vec<Act>)> {
    (any_policy(), prop::collection::vec(any_act(), 0..60))
}

/// Performs one act. `last_call` is the last tool call that closes a ticket.
pub(super) fn perform(play: &mut Play, act: &Act, last_call: &mut Option<ToolUseId>) -> Say {
    play.changes.clear();
    match act {
        Act::Prompt => play.person_speaks(),
        Act::Echo => {
            if let Some(reason) = play.last_reason().map(str::to_owned) {
                play.prompt(&reason);
            }
        }
        Act::Notification => play.notification(),
        Act::Wait(seconds) => play.wait(*seconds),
        Act::Edit => play.edit_file("a.rs"),
        Act::StartTree => play.take_start_tree("tree"),
        Act::Changed(changed) => play.changed = *changed,
        Act::Find(ticket) => play.find(&format!("bd-{ticket}")),
        Act::Close { ticket, by_subagent } => {
            let id = format!("bd-{ticket}");
            *last_call =
                Some(if *by_subagent { play.close_by_subagent(&id) } else { play.close(&id) });
        }
        Act::EndCall(end) => {
            if let Some(call) = last_call.take() {
                play.end_call(&call, *end);
            }
        }
        Act::CreateTodo(number) => play.create_todo(&number.to_string()),
        Act::CompleteTodo(number) => play.complete_todo(&number.to_string()),
        Act::Stop { beside_subagent: false } => return play.stop(),
        Act::Stop { beside_subagent: true } => return play.stop_with(&stop_beside(&["s0"])),
        Act::StartSubagent => drop(play.record(subagent("s0"), &Event::SubagentStarted)),
        Act::StopSubagent => {
            let stop = stop_beside(&[]);
            play.record(subagent("s0"), &Event::SubagentStopRequested { stop, transcript: None });
        }
        Act::Note => {
            let event = Event::ObservationRecorded { text: "a note".to_owned(), author: None };
            play.record(main_agent(), &event);
        }
        Act::ReflectBadly(number) => return play.reflect_badly(&format!("problem {number}")),
        Act::Reflect => return play.reflect(),
        Act::Skip(by) => return play.skip(*by),
        Act::EndSession => return play.step(&Input::SessionEnded),
    }
    Say::Nothing
}

/// Plays the acts. After each act, calls `check` with the state before it, the act and the message.
pub(super) fn watch(
    (policy, acts): (Policy, Vec<Act>),
    mut check: impl FnMut(&State, &Act, &Say, &Play),
) -> Play {
    let mut play = Play::new(policy);
    let mut last_call = None;
    for act in &acts {
        let before = play.state.clone();
        let say = perform(&mut play, act, &mut last_call);
        check(&before, act, &say, &play);
    }
    play
}

pub(super) fn waits(before: &State, act: &Act, play: &Play) -> bool {
    let request = stop_beside(&["s0"]);
    matches!(act, Act::Stop { beside_subagent: true })
        && before.session.waits_for_subagents(&request, play.now())
}
