//! The messages to agents and people about work that should be delegated.

use super::policy::{Mode, Policy, Tiers};
use super::role::Role;
use super::step::Say;
use crate::template::fill;

/// The values that a message about delegation contains.
#[derive(Debug, Clone, Copy)]
pub struct Advice<'a> {
    /// The role of the agent that gets the message.
    pub role: Role,
    /// The settings of the delegation gate.
    pub policy: &'a Policy,
}

/// The message to the agent; `None` if there is no message.
pub fn reason(say: Say, advice: Advice<'_>) -> Option<String> {
    let (template, number) = match say {
        Say::Nothing => return None,
        Say::Remind { number } => (include_str!("../../templates/delegation/remind.md"), number),
        Say::TooMany { number } => (include_str!("../../templates/delegation/too-many.md"), number),
        Say::Sources => (include_str!("../../templates/delegation/sources.md"), 0),
    };
    Some(filled(template, number, advice))
}

/// The person's notice that a call was denied. The agent doesn't see this notice.
pub fn notice_denied(advice: Advice<'_>) -> String {
    filled(include_str!("../../templates/delegation/notice-denied.md"), 0, advice)
}

fn filled(template: &str, number: u64, Advice { role, policy }: Advice<'_>) -> String {
    let (begin, limit) = match policy.mode {
        Mode::Enforce => ("this did not run: ", format!("; use {} is denied", policy.deny_at)),
        Mode::Warn | Mode::Off => ("", String::new()),
    };
    let helpers = match (role.in_tiers(policy.tiers), policy.tiers) {
        (Role::Conductor, Tiers::Three) => "a section leader, or to a subagent that you start",
        _ => "a subagent that you start",
    };
    let values = [
        ("begin", begin),
        ("role", &role.in_tiers(policy.tiers).to_string()),
        ("number", &number.to_string()),
        ("window", &span(policy.window_millis / 1000)),
        ("limit", &limit),
        ("helpers", helpers),
    ];
    fill(template, &values)
}

/// Formats a number of seconds as text. Uses minutes if the number is a whole number of minutes.
fn span(seconds: u64) -> String {
    let (number, noun) =
        if seconds.is_multiple_of(60) { (seconds / 60, "minute") } else { (seconds, "second") };
    format!("{number} {noun}{}", if number == 1 { "" } else { "s" })
}
