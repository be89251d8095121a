//! Short constructors for test values. Every step happens at second 1000.

use verger_event::{ContentHash, EventId, SubagentId, Timestamp};

use super::super::*;
use crate::blocks::{Block, Mark};
use crate::{Content, Difference};

pub(crate) const NOW: Timestamp = at(1000);

pub(crate) const fn at(seconds: u64) -> Timestamp {
    Timestamp::from_millis(seconds * 1000)
}

pub(crate) fn policy() -> Policy {
    let triggers = vec!["#review".to_owned(), "#roz".to_owned()];
    Policy { triggers, ..Policy::default() }
}

pub(crate) fn hash(name: &str) -> ContentHash {
    ContentHash::new(name)
}

/// Content with one changed file.
pub(crate) fn work(name: &str) -> Content {
    Content { hash: hash(name), difference: Difference::Files(1) }
}

pub(crate) fn no_work() -> Content {
    Content { hash: hash("0"), difference: Difference::None }
}

pub(crate) fn moved_out() -> Content {
    Content { hash: hash("0"), difference: Difference::MovedOut }
}

/// A gated call that closes the ticket with this number.
pub(crate) fn close(ticket: u128) -> GatedCall {
    let call = verger_event::ToolCall::shell(format!("gh issue close {ticket}"));
    GatedCall {
        on: EventId::new(at(0), ticket),
        digest: CallDigest::of(&call),
        tool: "Bash".to_owned(),
        pattern: "Bash:gh issue close*".to_owned(),
    }
}

pub(crate) fn decision(outcome: Outcome) -> Decision {
    let (summary, message) = match outcome {
        Outcome::Complete => ("well done", None),
        Outcome::Issues => ("a bug", Some("fix it".to_owned())),
        Outcome::Unavailable => ("no quota", None),
    };
    Decision { outcome, summary: summary.to_owned(), message, opinions: None }
}

pub(crate) fn subagent(name: &str) -> ReviewerId {
    ReviewerId::Subagent(SubagentId::new(name))
}

pub(crate) fn token(name: &str) -> TokenHash {
    TokenHash::of(&format!("vrt_{name}"))
}

pub(crate) fn run() -> Proof {
    let (program, arguments) = ("critic".to_owned(), vec![]);
    Proof::Run(ReviewerProgram { program, path: None, sha256: None, arguments })
}

pub(crate) fn ran() -> Ran {
    Ran { ending: "exited with 0".to_owned(), took_millis: None }
}

pub(crate) fn prompt_trigger() -> Trigger {
    Trigger::Prompt { word: "#review".to_owned() }
}

pub(crate) fn want(trigger: Trigger) -> Want {
    Want::new(trigger, at(100))
}

pub(crate) fn wanted_by_tool() -> Want {
    Want { call: Some(close(5)), ..want(Trigger::Tool) }
}

pub(crate) fn found(outcome: Outcome) -> Want {
    let findings = Some(Findings::new(&decision(outcome), at(800)));
    Want { findings, ..want(prompt_trigger()) }
}

pub(crate) fn approval(call: CallUse) -> Approval {
    let reviewer = subagent("r1");
    Approval { content: hash("a"), at: at(900), reviewer, prompts_since: 0, call }
}

pub(crate) fn fresh() -> CallUse {
    CallUse::Fresh(close(5).digest)
}

fn in_phase(phase: Phase) -> Review {
    Review { phase, ..Review::default() }
}

fn idle(after: After) -> Review {
    in_phase(Phase::Idle { after })
}

pub(crate) fn released(by: ReleasedBy, findings: Option<Findings>) -> Review {
    idle(After::Released { by, at: at(900), findings })
}

pub(crate) fn pending(want: Want) -> Review {
    in_phase(Phase::Pending { want })
}

/// A state in the phase `Blocked`: at second 950, the gate refused the stop with this number for
/// this content.
pub(crate) fn blocked(want: Want, number: u32, content: &str) -> Review {
    let findings = want.findings.as_ref().map(|findings| findings.summary.clone());
    let mark = Mark { content: hash(content), findings };
    let mut review = in_phase(Phase::Blocked { want });
    review.blocks.refused(Block { number, at: at(950), mark });
    review
}

pub(crate) fn approved(trigger: Trigger, call: CallUse) -> Review {
    let want = Want { call: Some(close(5)), ..want(trigger) };
    in_phase(Phase::Approved { want, approval: approval(call) })
}

/// A list of named states that covers every phase and every optional field.
pub(crate) fn states() -> Vec<(&'static str, Review)> {
    let unavailable = found(Outcome::Unavailable).findings;
    let lapsed = Want { lapsed: Some(approval(fresh())), ..want(prompt_trigger()) };
    let earlier = Approval { prompts_since: 1, ..approval(CallUse::None) };
    vec![
        ("idle", Review::default()),
        ("idle, approved before", idle(After::Approved(earlier))),
        ("idle, breaker", released(ReleasedBy::Breaker, None)),
        ("idle, limit", released(ReleasedBy::Limit, None)),
        ("idle, unavailable", released(ReleasedBy::Unavailable, unavailable)),
        ("idle, person", released(ReleasedBy::Person, None)),
        ("pending", pending(want(prompt_trigger()))),
        ("pending, always", pending(want(Trigger::Always))),
        ("pending, tool", pending(wanted_by_tool())),
        ("pending, issues", pending(found(Outcome::Issues))),
        ("blocked", blocked(want(prompt_trigger()), 1, "a")),
        ("blocked, last time", blocked(want(prompt_trigger()), 3, "a")),
        ("blocked, issues", blocked(found(Outcome::Issues), 2, "a")),
        ("blocked, lapsed", blocked(lapsed, 1, "b")),
        ("approved", approved(prompt_trigger(), fresh())),
        ("approved, used", approved(prompt_trigger(), CallUse::Used)),
        ("approved, always", approved(Trigger::Always, CallUse::None)),
        ("approved, unasked", approved(Trigger::Reviewer, CallUse::None)),
    ]
}
