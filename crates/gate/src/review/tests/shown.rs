//! Formats a step of the review gate with all its parts in one line.

use verger_event::Timestamp;

use super::super::*;
use super::built::{NOW, close};
use crate::blocks::Block;

/// The result of a step in every state, one line for each state: the changes, the message, and the
/// next state if it differs.
pub(super) fn table(states: &[(&'static str, Review)], step: impl Fn(&Review) -> Step) -> String {
    let lines = states.iter().map(|(name, review)| (*name, row(review, &step(review))));
    named(&lines.collect::<Vec<_>>())
}

pub(super) fn row(review: &Review, step: &Step) -> String {
    let next = step.applied_to(review, NOW);
    let mut parts: Vec<_> = step.changes.iter().map(change).collect();
    parts.push(format!("[{}]", say(&step.say, &next)));
    if next.phase != review.phase {
        parts.push(format!("-> {}", phase(&next.phase)));
    }
    parts.extend(reviewers(review, &next));
    parts.join(" ")
}

/// Formats lines with their names in a first column.
pub(super) fn named(lines: &[(&str, String)]) -> String {
    let lines = lines.iter().map(|(name, line)| format!("{name:<22} {line}"));
    lines.collect::<Vec<_>>().join("\n")
}

fn seconds(at: Timestamp) -> String {
    format!("@{}", at.as_millis() / 1000)
}

pub(super) fn call(call: &GatedCall) -> String {
    let ticket = (0..10).find(|ticket| close(*ticket) == *call);
    ticket.map_or_else(|| format!("{call:?}"), |ticket| format!("#{ticket}"))
}

fn call_use(usage: &CallUse) -> String {
    match usage {
        CallUse::None => "for no call".to_owned(),
        CallUse::Fresh(digest) => {
            let ticket = (0..10).find(|ticket| close(*ticket).digest == *digest);
            ticket.map_or_else(|| format!("{digest:?}"), |ticket| format!("for #{ticket}"))
        }
        CallUse::Used => "used".to_owned(),
    }
}

fn approval(approval: &Approval) -> String {
    let Approval { content, at, reviewer, prompts_since, call } = approval;
    let prompts = match prompts_since {
        0 => String::new(),
        n => format!(", prompts {n}"),
    };
    format!("{content} {} by {reviewer}, {}{prompts}", seconds(*at), call_use(call))
}

fn findings(findings: &Findings) -> String {
    let Findings { outcome, summary, message, at } = findings;
    let message = message.as_ref().map(|message| format!(": {message}")).unwrap_or_default();
    format!("{outcome} {} {summary:?}{message}", seconds(*at))
}

fn want(want: &Want) -> String {
    let Want { trigger, since, call: denied, findings: found, lapsed } = want;
    let mut parts = vec![format!("{} {}", trigger_word(trigger), seconds(*since))];
    parts.extend(denied.as_ref().map(call));
    parts.extend(found.as_ref().map(findings));
    parts.extend(lapsed.as_ref().map(|lapsed| format!("lapsed {}", approval(lapsed))));
    parts.join(", ")
}

fn trigger_word(trigger: &Trigger) -> &str {
    match trigger {
        Trigger::Prompt { word } => word,
        Trigger::Always => "always",
        Trigger::Tool => "tool",
        Trigger::Reviewer => "unasked",
    }
}

pub(super) fn phase(phase: &Phase) -> String {
    match phase {
        Phase::Idle { after: After::Nothing } => "idle".to_owned(),
        Phase::Idle { after: After::Approved(earlier) } => {
            format!("idle(approved {})", approval(earlier))
        }
        Phase::Idle { after: After::Released { by, at, findings: found } } => {
            let found = found.as_ref().map(|found| format!(", {}", findings(found)));
            format!("idle({} {}{})", by.as_str(), seconds(*at), found.unwrap_or_default())
        }
        Phase::Pending { want: wanted } => format!("pending({})", want(wanted)),
        Phase::Blocked { want: wanted } => format!("blocked({})", want(wanted)),
        Phase::Approved { want: wanted, approval: given } => {
            format!("approved({}; {})", want(wanted), approval(given))
        }
    }
}

/// The reviewers that differ between two states.
fn reviewers(before: &Review, after: &Review) -> Vec<String> {
    let changed = after.reviewers.iter().filter(|(id, now)| before.reviewers.get(id) != Some(now));
    let gone = before.reviewers.iter().filter(|(id, _)| after.reviewers.get(id).is_none());
    let changed = changed.map(|(id, reviewing)| {
        let Reviewing { content, since, proof, stage, holds } = reviewing;
        let proof = match proof {
            Proof::Token(_) => "token",
            Proof::Run(_) => "run",
        };
        let stage = match stage {
            Stage::Looking => "looking",
            Stage::Attested { .. } => "attested",
            Stage::Decided => "decided",
        };
        format!("{{{id}: {content} {} {proof} {stage} held {holds}}}", seconds(*since))
    });
    changed.chain(gone.map(|(id, _)| format!("{{{id}: gone}}"))).collect()
}

fn block(block: &Block) -> String {
    let Block { number, at, mark } = block;
    assert_eq!(*at, NOW);
    let found = mark.findings.as_ref().map(|found| format!(" {found:?}")).unwrap_or_default();
    format!("{number} on {}{found}", mark.content)
}

fn decision(decision: &Decision) -> String {
    let Decision { outcome, summary, message, opinions } = decision;
    assert_eq!(*opinions, None);
    format!("{outcome} {summary:?} {message:?}")
}

fn change(change: &Change) -> String {
    match change {
        Change::Wanted { trigger } => format!("wanted({})", trigger_word(trigger)),
        Change::Denied { call: denied } => format!("denied({})", call(denied)),
        Change::Held { block: held, template } => format!("held({}, {template})", block(held)),
        Change::ReviewerStarted { reviewer, content, .. } => {
            format!("reviewer_started({reviewer} {content})")
        }
        Change::Attested { reviewer, outcome, digest } => {
            assert_eq!(*digest, super::built::decision(*outcome).digest());
            format!("attested({reviewer} {outcome})")
        }
        Change::ReviewerHeld { reviewer } => format!("reviewer_held({reviewer})"),
        Change::ReviewerEnded { reviewer } => format!("reviewer_ended({reviewer})"),
        Change::RunEnded { reviewer, ran } => {
            assert_eq!(*ran, super::built::ran());
            format!("run_ended({reviewer})")
        }
        Change::Decided { reviewer, decision: taken, content } => {
            format!("decided({reviewer} {content} {})", decision(taken))
        }
        Change::Refused { why } => format!("refused({why:?})"),
        Change::ApprovalUsed => "approval_used".to_owned(),
        Change::Restored => "restored".to_owned(),
        Change::PassedUncompared => "passed_uncompared".to_owned(),
        Change::Satisfied => "satisfied".to_owned(),
        Change::Released { by, reason } => {
            let reason = reason.as_ref().map(|reason| format!(": {reason}")).unwrap_or_default();
            format!("released({}{reason})", by.as_str())
        }
    }
}

/// Formats a hold without the wanted review, which must be the same as in the next state.
fn hold(held: &Hold, next: &Review) -> String {
    assert_eq!(Some(&held.want), next.phase.open_want(), "the agent is told what is wanted");
    match held.number {
        0 => format!("{:?}", held.reason),
        number => format!("{:?} {number}", held.reason),
    }
}

fn say(say: &Say, next: &Review) -> String {
    match say {
        Say::Nothing => "-".to_owned(),
        Say::RefuseStop(held) => format!("refuse stop: {}", hold(held, next)),
        Say::DenyTool(held) => format!("deny tool: {}", hold(held, next)),
        Say::PassUnapproved { by, findings: found } => {
            let found = found.as_ref().map(|found| format!(", {}", findings(found)));
            format!("pass unapproved: {}{}", by.as_str(), found.unwrap_or_default())
        }
        Say::BriefReviewer => "brief reviewer".to_owned(),
        Say::AllowDecision => "allow decision".to_owned(),
        Say::RefuseDecision(why) => format!("refuse decision: {why}"),
        Say::AskForDecision => "ask for decision".to_owned(),
        Say::Taken => "taken".to_owned(),
        Say::NothingToOpen => "nothing to open".to_owned(),
        Say::PassApproved(approval) => format!("pass approved: {}", approval.reviewer),
        Say::PassUnknown => "pass unknown".to_owned(),
    }
}
