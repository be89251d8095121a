//! What agents and people are told of the course.

use verger_drift::recovery::Correction;
use verger_drift::{Handoff, Level};

use super::change::Finding;
use crate::template::fill;

/// What the agent is told of what was found.
pub fn correction(correction: &Correction, finding: &Finding) -> String {
    let template = match correction.level {
        Level::Nudge => include_str!("../../templates/course/nudge.md"),
        Level::Correct => include_str!("../../templates/course/correct.md"),
        Level::Intervene => include_str!("../../templates/course/intervene.md"),
        Level::Halt => include_str!("../../templates/course/halt.md"),
    };
    filled(template, finding)
}

/// Why a change of an agent that did not go back does not run.
pub fn deny(finding: &Finding) -> String {
    filled(include_str!("../../templates/course/deny.md"), finding)
}

/// What the person alone is told of that.
pub fn notice_denied(finding: &Finding) -> String {
    filled(include_str!("../../templates/course/notice-denied.md"), finding)
}

/// What the person alone is told when it runs all the same.
pub fn notice_passed(finding: &Finding) -> String {
    filled(include_str!("../../templates/course/notice-passed.md"), finding)
}

fn filled(template: &str, finding: &Finding) -> String {
    let values = [
        ("goal", &*finding.goal),
        ("reasons", &*listed(&finding.reasons)),
        ("back", &*finding.back),
    ];
    fill(template, &values)
}

/// The text of a handoff of at most `max_chars`; what is the longest is cut first. `before` is what cuts
/// the agent's memory.
pub fn handoff(handoff: &Handoff, before: &str, max_chars: usize) -> String {
    let mut handoff = handoff.clone();
    loop {
        let text = handoff_text(&handoff, before);
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
    fill(include_str!("../../templates/course/handoff.md"), &values)
}

fn listed(items: &[String]) -> String {
    if items.is_empty() {
        return "- nothing".to_owned();
    }
    let items: Vec<_> = items.iter().map(|item| format!("- {item}")).collect();
    items.join("\n")
}
