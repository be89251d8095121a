//! Builds the texts that agents and people get about drift and handoffs.

use verger_drift::recovery::Correction;
use verger_drift::{Handoff, Level};
use verger_event::HandoffTrigger;

use super::change::{Finding, FindingKind};
use crate::template::fill;

/// The maximum number of characters of a handoff.
pub const MAX_HANDOFF_CHARS: usize = 4_000;

/// The text of a correction for the agent.
pub fn correction(correction: &Correction, finding: &Finding) -> String {
    let template = match (finding.kind, correction.level) {
        (FindingKind::Limit, Level::Nudge | Level::Correct) => {
            include_str!("../../templates/drift/limit/correct.md")
        }
        (FindingKind::Limit, Level::Intervene) => {
            include_str!("../../templates/drift/limit/intervene.md")
        }
        (FindingKind::Limit, Level::Halt) => include_str!("../../templates/drift/limit/halt.md"),
        (FindingKind::Circle, _) => include_str!("../../templates/drift/circle.md"),
        (FindingKind::Judged, Level::Nudge) => {
            include_str!("../../templates/drift/judged/nudge.md")
        }
        (FindingKind::Judged, Level::Correct) => {
            include_str!("../../templates/drift/judged/correct.md")
        }
        (FindingKind::Judged, Level::Intervene) => {
            include_str!("../../templates/drift/judged/intervene.md")
        }
        (FindingKind::Judged, Level::Halt) => include_str!("../../templates/drift/judged/halt.md"),
    };
    filled(template, finding)
}

/// The message to the agent about the denial of an action that broke a limit three times.
pub fn deny(finding: &Finding) -> String {
    filled(include_str!("../../templates/drift/limit/deny.md"), finding)
}

/// The person's notice that an action was denied because of this finding.
pub fn notice_denied(finding: &Finding) -> String {
    filled(include_str!("../../templates/drift/limit/notice-denied.md"), finding)
}

/// The person's notice that an action may run because it was denied as often as allowed.
pub fn notice_released(finding: &Finding) -> String {
    filled(include_str!("../../templates/drift/limit/notice-released.md"), finding)
}

fn filled(template: &str, finding: &Finding) -> String {
    let values = [
        ("goal", &*finding.goal),
        ("reasons", &*listed(&finding.reasons)),
        ("back", &*finding.back),
    ];
    fill(template, &values)
}

/// The text of a handoff with at most `max_chars` characters. The longest list is cut first.
/// `before` is the event after which the agent needs the handoff, such as a compaction.
pub fn handoff(handoff: &Handoff, before: HandoffTrigger, max_chars: usize) -> String {
    let mut handoff = handoff.clone();
    loop {
        let text = handoff_text(&handoff, before.as_str());
        let lists =
            [&mut handoff.progress, &mut handoff.decisions, &mut handoff.files, &mut handoff.state];
        let longest =
            lists.into_iter().max_by_key(|list| list.iter().map(String::len).sum::<usize>());
        match longest {
            Some(longest) if text.chars().count() > max_chars && !longest.is_empty() => {
                longest.remove(0);
            }
            _ => return text.chars().take(max_chars).collect(),
        }
    }
}

fn handoff_text(handoff: &Handoff, before: &str) -> String {
    let Handoff { goal, constraints, progress, decisions, files, state, next } = handoff;
    let values = [
        ("before", before),
        ("goal", goal),
        ("constraints", &listed(constraints)),
        ("progress", &listed(progress)),
        ("decisions", &listed(decisions)),
        ("files", &listed(files)),
        ("state", &listed(state)),
        ("next", next),
    ];
    fill(include_str!("../../templates/drift/handoff.md"), &values)
}

fn listed(items: &[String]) -> String {
    if items.is_empty() {
        return "- nothing".to_owned();
    }
    let items: Vec<_> = items.iter().map(|item| format!("- {item}")).collect();
    items.join("\n")
}
