//! The state of a session's review gate, as text for people and as JSON for programs.

use serde_json::{Value, json};
use verger_event::{SessionId, Timestamp};
use verger_gate::review::{
    After, Findings, Outcome, Phase, ReleasedBy, Review, ReviewerId, Reviewing, Stage, Want,
};

use crate::invocation::ancestry::Reader;
use crate::render::output::count;
use crate::render::time::age;

/// The command that opens the gate. `None` if the gate is open, or if the reader is not a person.
pub(crate) fn release(review: &Review, session: &SessionId, reader: Reader) -> Option<String> {
    match (reader, review.phase.open_want()) {
        (Reader::Person, Some(_)) => {
            Some(format!("verger release review --session {}", session.word()))
        }
        (Reader::Person, None) | (Reader::Agent, _) => None,
    }
}

/// The state of the gate in one line. `None` if the gate was never used for the task.
pub(crate) fn standing(review: &Review, now: Timestamp) -> Option<String> {
    let mut text = match &review.phase {
        Phase::Idle { after: After::Nothing | After::Approved(_) } => String::new(),
        Phase::Idle { after: After::Released { by: ReleasedBy::Person, at, .. } } => {
            format!("released by a person {}", age(*at, now))
        }
        Phase::Idle { after: After::Released { by, at, .. } } => {
            format!("released {}, not reviewed: {}", age(*at, now), by.meaning())
        }
        Phase::Pending { want } => wanted(want),
        Phase::Blocked { want } => format!("{}, {}", wanted(want), refused(review)),
        Phase::Approved { approval, .. } => {
            format!("approved by {} {}", approval.reviewer, age(approval.at, now))
        }
    };
    for (reviewer, reviewing) in looking(review) {
        let separator = if text.is_empty() { "" } else { "; " };
        let began = age(reviewing.since, now);
        text = format!("{text}{separator}review by {reviewer} began {began}");
    }
    Some(text).filter(|text| !text.is_empty())
}

fn wanted(want: &Want) -> String {
    let text = format!("wanted by {}", want.trigger);
    match &want.findings {
        Some(Findings { outcome, summary, .. }) => {
            let found = match outcome {
                Outcome::Complete | Outcome::Issues => "found issues",
                Outcome::Unavailable => "could not be made",
            };
            format!("{text}; the last review {found}: {summary}")
        }
        None => text,
    }
}

fn refused(review: &Review) -> String {
    let number = review.blocks.last().map_or(0, |block| block.number);
    format!("{} refused", count(number, "stop"))
}

/// The reviewers without a decision yet.
fn looking(review: &Review) -> impl Iterator<Item = (&ReviewerId, &Reviewing)> {
    review.reviewers.iter().filter(|(_, reviewing)| reviewing.stage != Stage::Decided)
}

/// The whole state of the gate, for programs.
pub(crate) fn review_json(review: &Review, release: Option<&str>) -> Value {
    let want = review.phase.want();
    let reviewers = looking(review).map(|(reviewer, reviewing)| {
        json!({
            "reviewer": reviewer,
            "since_ms": reviewing.since,
            "content": reviewing.content,
        })
    });
    json!({
        "state": review.phase.name(),
        "wanted_by": want.map(|want| &want.trigger),
        "since_ms": want.map(|want| want.since),
        "call": want.and_then(|want| want.call.as_ref()),
        "findings": want.and_then(|want| want.findings.as_ref()),
        "stops_refused": review.blocks.last().map_or(0, |block| block.number),
        "approval": review.phase.approval(),
        "reviewers": reviewers.collect::<Vec<_>>(),
        "release": release,
    })
}
