//! What agents and people are told of a habit.

use super::look::Found;
use super::policy::Outcome;
use crate::template::fill;

/// What the agent is told.
pub fn told(found: &Found, outcome: Outcome) -> String {
    let template = match outcome {
        Outcome::Advised => include_str!("../../templates/habits/advised.md"),
        Outcome::Rewritten => include_str!("../../templates/habits/rewritten.md"),
        Outcome::Denied => include_str!("../../templates/habits/denied.md"),
        Outcome::NotRewritten => include_str!("../../templates/habits/not-rewritten.md"),
    };
    filled(template, found)
}

/// What the person alone is told of a call that is denied.
pub fn denied_notice(found: &Found) -> String {
    filled(include_str!("../../templates/habits/notice-denied.md"), found)
}

fn filled(template: &str, found: &Found) -> String {
    let name = found.habit.to_string();
    let values = [
        ("why", found.why.as_str()),
        ("rule", &name),
        ("instead", &found.instead),
        ("what", &found.what),
    ];
    fill(template, &values)
}
