//! The messages to agents and people about a habit.

use super::look::Found;
use super::policy::Outcome;
use crate::template::fill;

/// The message to the agent about a habit and the reaction to it.
pub fn told(found: &Found, outcome: Outcome) -> String {
    let template = match outcome {
        Outcome::Advised => include_str!("../../templates/habits/advised.md"),
        Outcome::Rewritten => include_str!("../../templates/habits/rewritten.md"),
        Outcome::Denied => include_str!("../../templates/habits/denied.md"),
        Outcome::NotRewritten => include_str!("../../templates/habits/not-rewritten.md"),
    };
    filled(template, found)
}

/// The person's notice that a call was denied because of a habit. The agent doesn't see this
/// notice.
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
