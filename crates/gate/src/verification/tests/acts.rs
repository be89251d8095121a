//! Generates random events of a session, in any order.

use proptest::prelude::*;
use verger_event::Event;

use super::super::*;
use super::play::{Play, content};
use crate::played::{stop_beside, subagent};
use crate::{Content, State};

#[derive(Debug, Clone)]
pub(super) enum Act {
    Prompt,
    Echo,
    Notification,
    Wait(u64),
    Edit(u8),
    Undo,
    Lose,
    Wanted(Depth),
    OpenTasks(usize),
    Fail(u8),
    Succeed(u8),
    Start(Depth),
    /// The verification that was started ends. If none was started, a verification of the current
    /// content ends.
    End(Status),
    LoseRun,
    Stop {
        says: Says,
        beside_subagent: bool,
    },
    StartSubagent,
    StopSubagent,
    Skip,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Says {
    Done,
    Marker,
    Nothing,
}

impl Says {
    fn words(self) -> &'static str {
        match self {
            Self::Done => "The parser is fixed.",
            Self::Marker => "[[VERIFY:done]]",
            Self::Nothing => "Shall I fix it?",
        }
    }
}

fn any_says() -> impl Strategy<Value = Says> {
    prop::sample::select(vec![Says::Done, Says::Done, Says::Marker, Says::Nothing])
}

/// Generates acts of an agent and other events, without verifications.
pub(super) fn idle_act() -> impl Strategy<Value = Act> {
    let stop =
        |beside_subagent| any_says().prop_map(move |says| Act::Stop { says, beside_subagent });
    prop_oneof![
        3 => prop::sample::select(vec![1, 60, 299, 300, 599, 601]).prop_map(Act::Wait),
        3 => (0..3_u8).prop_map(Act::Edit),
        1 => (0..3_usize).prop_map(Act::OpenTasks),
        1 => prop::sample::select(Depth::ALL.to_vec()).prop_map(Act::Wanted),
        1 => (0..3_u8).prop_map(Act::Fail),
        1 => (0..3_u8).prop_map(Act::Succeed),
        9 => stop(false),
        2 => stop(true),
        1 => Just(Act::StartSubagent),
        1 => Just(Act::StopSubagent),
        1 => Just(Act::Notification),
        1 => Just(Act::Echo),
    ]
}

pub(super) fn any_act() -> impl Strategy<Value = Act> {
    let statuses = vec![Status::Green, Status::Green, Status::Red, Status::Incomplete];
    prop_oneof![
        9 => idle_act(),
        2 => Just(Act::Prompt),
        1 => Just(Act::Undo),
        1 => Just(Act::Lose),
        2 => prop::sample::select(Depth::ALL.to_vec()).prop_map(Act::Start),
        4 => prop::sample::select(statuses).prop_map(Act::End),
        1 => Just(Act::LoseRun),
        1 => Just(Act::Skip),
    ]
}

pub(super) fn any_policy() -> impl Strategy<Value = Policy> {
    let modes = vec![Mode::Claims, Mode::Claims, Mode::Always, Mode::Off];
    let required = prop::sample::subsequence(Requirement::ALL.to_vec(), 0..=6);
    (prop::sample::select(modes), required).prop_map(|(mode, required)| Policy {
        mode,
        required,
        ..Policy::default()
    })
}

pub(super) fn any_play() -> impl Strategy<Value = (Policy, Vec<Act>)> {
    (any_policy(), prop::collection::vec(any_act(), 0..60))
}

/// Performs one act. Returns the gate's message.
pub(super) fn perform(play: &mut Play, act: &Act) -> Say {
    play.changes.clear();
    match act {
        Act::Prompt => drop(play.prompt("go on")),
        Act::Echo => {
            if let Some(reason) = play.last_reason().map(str::to_owned) {
                play.prompt(&reason);
            }
        }
        Act::Notification => play.notification(),
        Act::Wait(seconds) => play.wait(*seconds),
        Act::Edit(number) => play.edit(&format!("c{number}")),
        Act::Undo => play.content = Content::nothing(),
        Act::Lose => play.content = Content::unknown(),
        Act::Wanted(depth) => play.depth = *depth,
        Act::OpenTasks(count) => play.open_tasks = *count,
        Act::Fail(number) => play.fail(&format!("cargo test {number}")),
        Act::Succeed(number) => play.succeed(&format!("cargo test {number}")),
        Act::Start(depth) => {
            let found = play.found(*depth, Status::Green);
            let (run, content) = (found.run, found.content);
            return play.step(&Input::Started { run: &run, depth: *depth, content: &content });
        }
        Act::End(status) => {
            let found = play.found(play.depth, *status);
            let found = match &play.gate().started {
                Some(Started { run, depth, content, .. }) => {
                    Verified { run: run.clone(), depth: *depth, content: content.clone(), ..found }
                }
                None => found,
            };
            return play.step(&Input::Ended(&found));
        }
        Act::LoseRun => {
            let run = play.gate().started.as_ref().map(|started| started.run.clone());
            return play.step(&Input::Lost { run: &run.unwrap_or_default() });
        }
        Act::Stop { says, beside_subagent: false } => return play.stop(says.words()),
        Act::Stop { says, beside_subagent: true } => {
            return play.stop_with(says.words(), &stop_beside(&["s0"]));
        }
        Act::StartSubagent => drop(play.record(subagent("s0"), &Event::SubagentStarted)),
        Act::StopSubagent => {
            let stop = stop_beside(&[]);
            play.record(subagent("s0"), &Event::SubagentStopRequested { stop, transcript: None });
        }
        Act::Skip => return play.skip(),
    }
    Say::Nothing
}

/// Plays the acts. After each act, calls `check` with the state before it, the act and the message.
pub(super) fn watch(
    (policy, acts): (Policy, Vec<Act>),
    mut check: impl FnMut(&State, &Act, &Say, &Play),
) -> Play {
    let mut play = Play::new(policy);
    play.content = content("c0");
    for act in &acts {
        let before = play.state.clone();
        let say = perform(&mut play, act);
        check(&before, act, &say, &play);
    }
    play
}

pub(super) fn waits(before: &State, act: &Act, play: &Play) -> bool {
    let request = stop_beside(&["s0"]);
    matches!(act, Act::Stop { beside_subagent: true, .. })
        && before.session.waits_for_subagents(&request, play.now())
}
