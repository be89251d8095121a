//! Generates random events of a session, in any order.

use proptest::prelude::*;
use verger_event::SubagentId;

use super::super::*;
use super::built::{moved_out, no_work, policy, work};
use super::play::Play;
use crate::{Content, State};

pub(super) const SUBAGENTS: [&str; 2] = ["s0", "s1"];
pub(super) const REVIEWERS: [&str; 3] = ["r0", "r1", "r2"];

#[derive(Debug, Clone)]
pub(super) enum Act {
    Prompt(&'static str),
    Echo,
    Notification,
    Wait(u64),
    Edit(u8),
    Gated(u128),
    Stop {
        beside: Option<usize>,
    },
    StartSubagent(usize),
    StopSubagent(usize),
    StartReviewer(usize),
    StopReviewer(usize),
    See {
        by: Option<usize>,
        token_of: usize,
        outcome: Outcome,
    },
    Decide {
        token_of: usize,
        outcome: Outcome,
    },
    /// A reviewer starts and decides.
    Review {
        by: usize,
        outcome: Outcome,
    },
    /// A reviewer starts, and the main agent makes a decision with the reviewer's token.
    Forge {
        token_of: usize,
        outcome: Outcome,
    },
    StartRun,
    EndRun(Outcome),
    Skip,
}

/// Generates acts of an agent and other events.
pub(super) fn agents_act() -> impl Strategy<Value = Act> {
    prop_oneof![
        3 => prop::sample::select(vec![1, 60, 299, 300, 599, 601]).prop_map(Act::Wait),
        4 => (0..5_u8).prop_map(Act::Edit),
        4 => (5..7_u128).prop_map(Act::Gated),
        9 => Just(Act::Stop { beside: None }),
        2 => (0..2_usize).prop_map(|beside| Act::Stop { beside: Some(beside) }),
        1 => Just(Act::Notification),
        1 => Just(Act::Echo),
        2 => (0..2_usize).prop_map(Act::StartSubagent),
        1 => (0..2_usize).prop_map(Act::StopSubagent),
        2 => (0..3_usize).prop_map(Act::StartReviewer),
        1 => (0..3_usize).prop_map(Act::StopReviewer),
        2 => (0..3_usize, outcome())
            .prop_map(|(token_of, outcome)| Act::See { by: None, token_of, outcome }),
        2 => (0..3_usize, outcome())
            .prop_map(|(token_of, outcome)| Act::Decide { token_of, outcome }),
        2 => (0..3_usize, outcome())
            .prop_map(|(token_of, outcome)| Act::Forge { token_of, outcome }),
    ]
}

pub(super) fn outcome() -> impl Strategy<Value = Outcome> {
    prop::sample::select(Outcome::ALL.to_vec())
}

pub(super) fn any_act() -> impl Strategy<Value = Act> {
    prop_oneof![
        8 => agents_act(),
        2 => prop::sample::select(vec!["#review", "#review again", "go on"]).prop_map(Act::Prompt),
        3 => (0..3_usize, 0..3_usize, outcome())
            .prop_map(|(by, token_of, outcome)| Act::See { by: Some(by), token_of, outcome }),
        3 => (0..3_usize, outcome())
            .prop_map(|(who, outcome)| Act::See { by: Some(who), token_of: who, outcome }),
        3 => (0..3_usize, outcome()).prop_map(|(by, outcome)| Act::Review { by, outcome }),
        1 => Just(Act::StartRun),
        1 => outcome().prop_map(Act::EndRun),
        1 => Just(Act::Skip),
    ]
}

pub(super) fn any_policy() -> impl Strategy<Value = Policy> {
    let modes = prop::sample::select(vec![Mode::Prompt, Mode::Always, Mode::Never]);
    let scopes = prop::sample::select(vec![Scope::Session, Scope::Prompt, Scope::Tool]);
    let when = prop::sample::select(vec![OnUnavailable::Release, OnUnavailable::Block]);
    let ttl = prop::sample::select(vec![None, Some(200_000)]);
    (modes, scopes, when, ttl).prop_map(|(mode, scope, on_unavailable, approval_ttl_millis)| {
        Policy { mode, scope, approval_ttl_millis, on_unavailable, ..policy() }
    })
}

pub(super) fn any_play() -> impl Strategy<Value = (Policy, Vec<Act>)> {
    (any_policy(), prop::collection::vec(any_act(), 0..60))
}

pub(super) fn content(number: u8) -> Content {
    match number {
        0 => no_work(),
        1 => moved_out(),
        2 => Content::unknown(),
        number => work(&format!("work {number}")),
    }
}

pub(super) fn perform(play: &mut Play, act: &Act) -> Say {
    play.changes.clear();
    match act {
        Act::Prompt(text) => return play.prompt(text),
        Act::Echo => play.echo(),
        Act::Notification => play.notification(),
        Act::Wait(seconds) => play.wait(*seconds),
        Act::Edit(number) => play.edit(content(*number), "a.rs"),
        Act::Gated(ticket) => return play.gated(*ticket),
        Act::Stop { beside: None } => return play.stop(),
        Act::Stop { beside: Some(subagent) } => return play.stop_beside(&[SUBAGENTS[*subagent]]),
        Act::StartSubagent(subagent) => play.start_subagent(SUBAGENTS[*subagent]),
        Act::StopSubagent(subagent) => return play.stop_reviewer(SUBAGENTS[*subagent]),
        Act::StartReviewer(reviewer) => return play.start_reviewer(REVIEWERS[*reviewer]),
        Act::StopReviewer(reviewer) => return play.stop_reviewer(REVIEWERS[*reviewer]),
        Act::See { by, token_of, outcome } => {
            return play.see(by.map(|by| REVIEWERS[by]), REVIEWERS[*token_of], *outcome);
        }
        Act::Decide { token_of, outcome } => return play.decide(REVIEWERS[*token_of], *outcome),
        Act::Review { by, outcome } => {
            let name = REVIEWERS[*by];
            play.start_reviewer(name);
            play.see(Some(name), name, *outcome);
            return play.decide(name, *outcome);
        }
        Act::Forge { token_of, outcome } => {
            let name = REVIEWERS[*token_of];
            play.start_reviewer(name);
            play.see(None, name, *outcome);
            return play.decide(name, *outcome);
        }
        Act::StartRun => play.start_run("job"),
        Act::EndRun(outcome) => return play.end_run("job", *outcome),
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
    for act in &acts {
        let before = play.state.clone();
        let say = perform(&mut play, act);
        check(&before, act, &say, &play);
    }
    play
}

pub(super) fn waits(before: &State, act: &Act, play: &Play) -> bool {
    let Act::Stop { beside: Some(subagent) } = act else { return false };
    let started = before.session.subagents.get(&SubagentId::new(SUBAGENTS[*subagent]));
    started.is_some_and(|at| play.now().millis_since(*at) <= 10 * 60 * 1000)
}
