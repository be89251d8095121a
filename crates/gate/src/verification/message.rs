//! Builds the verification gate's messages to the agent and to the person.
//!
//! The texts are the files in `templates/verification`. A message to an agent names its next step,
//! but never the command that opens the gate. Only messages to the person name that command.

use verger_event::tamed;

use super::Depth;
use super::change::ReleasedBy;
use super::claim::MARKER;
use super::hold::{Hold, HoldReason};
use super::phase::Trigger;
use crate::template::fill;

macro_rules! templates {
    ($($name:ident = $file:literal;)*) => {
        $(const $name: &str = include_str!(concat!("../../templates/verification/", $file));)*
    };
}

templates! {
    AGAIN = "again.md";
    BLOCK = "block.md";
    FOUND = "found.md";
    MARKER_TOLD = "marker.md";
    NOTICE_HELD = "notice-held.md";
    NOTICE_PASSED = "notice-passed.md";
    NOTICE_UNTRUSTED = "notice-untrusted.md";
    STEP_AGAIN = "step-again.md";
    STEP_RUN = "step-run.md";
    STEP_STOP = "step-stop.md";
    STEP_STOP_UNMET = "step-stop-unmet.md";
    STEP_TRUST = "step-trust.md";
    STEP_WAIT = "step-wait.md";
}

/// The command that verifies the agent's work.
pub fn verify_command(session_id: &str, depth: Depth) -> String {
    format!("verger verify --session {session_id} --depth {depth}")
}

/// The message to the main agent about a refused stop. From the second refusal in a row on, the
/// text is one line.
pub fn refuse_stop(hold: &Hold, session_id: &str) -> String {
    if hold.number > 1 {
        return refuse_again(hold, session_id);
    }
    let steps = steps(hold, session_id);
    let numbered: Vec<_> =
        (1..).zip(steps).map(|(number, step)| format!("{number}. {step}")).collect();
    fill(
        BLOCK,
        &[
            ("why", &hold.reason.words()),
            ("trigger", &told_agent(&hold.ask.trigger)),
            ("found", &found(hold)),
            ("steps", &numbered.join("\n")),
            ("marker", MARKER),
        ],
    )
}

fn refuse_again(hold: &Hold, session_id: &str) -> String {
    let command = verify_command(session_id, hold.ask.depth);
    let next = match (&hold.reason, hold.steps.first()) {
        (HoldReason::Unmet, Some(step)) => {
            let (first, rest) = step.split_at(step.chars().next().map_or(0, char::len_utf8));
            format!("{}{}", first.to_lowercase(), rest.trim_end_matches('.'))
        }
        (HoldReason::Red, _) => format!("fix it and run `{command}`"),
        _ => format!("run `{command}`"),
    };
    let why = match hold.issues.first() {
        Some(issue) => format!("{}: {}", hold.reason.words(), tamed(issue)),
        None => hold.reason.words(),
    };
    fill(AGAIN, &[("why", &why), ("next", &next)])
}

/// The instruction for a new session: the agent ends its last message with the marker when the work
/// is done.
pub fn tell_marker() -> String {
    fill(MARKER_TOLD, &[("marker", MARKER)])
}

fn told_agent(trigger: &Trigger) -> String {
    match trigger {
        Trigger::Marker => format!("you wrote {MARKER}"),
        Trigger::Claim { words } => format!("you said {words:?}"),
        Trigger::Failure { .. } | Trigger::FailedBefore { .. } => trigger.to_string(),
        Trigger::Always => "every change is verified here".to_owned(),
    }
}

fn found(hold: &Hold) -> String {
    if hold.issues.is_empty() {
        return String::new();
    }
    let mut lines: Vec<_> = hold.issues.iter().map(|issue| format!("- {issue}")).collect();
    if hold.more_issues > 0 {
        lines.push(format!("- and {} more", hold.more_issues));
    }
    fill(FOUND, &[("issues", &lines.join("\n"))]) + "\n"
}

fn steps(hold: &Hold, session_id: &str) -> Vec<String> {
    let command = verify_command(session_id, hold.ask.depth);
    let with_command = |template| fill(template, &[("command", &command)]);
    let (run, stop) = match hold.reason {
        HoldReason::Unverified | HoldReason::ChangedSince | HoldReason::TooShallow(_) => {
            (Some(STEP_RUN), STEP_STOP)
        }
        HoldReason::Started(_) => (Some(STEP_WAIT), STEP_STOP),
        HoldReason::Red | HoldReason::Incomplete => (Some(STEP_AGAIN), STEP_STOP),
        HoldReason::Unmet => (None, STEP_STOP_UNMET),
    };
    let last = run.into_iter().chain([stop]).map(with_command);
    let trust =
        hold.untrusted.as_deref().map(|directory| fill(STEP_TRUST, &[("directory", directory)]));
    trust.into_iter().chain(hold.steps.iter().cloned()).chain(last).collect()
}

/// The person's notice that a stop was refused.
pub fn notice_held(hold: &Hold, max_blocks: u32, session_id: &str) -> String {
    if let Some(directory) = &hold.untrusted {
        let trigger = hold.ask.trigger.to_string();
        let values =
            [("why", &*hold.reason.words()), ("trigger", &trigger), ("directory", directory)];
        return fill(NOTICE_UNTRUSTED, &values);
    }
    fill(
        NOTICE_HELD,
        &[
            ("why", &hold.reason.words()),
            ("trigger", &hold.ask.trigger.to_string()),
            ("number", &hold.number.to_string()),
            ("max", &max_blocks.to_string()),
            ("session_id", session_id),
        ],
    )
}

/// The person's notice that the agent stopped without a verification of its work.
pub fn notice_passed(hold: &Hold, by: ReleasedBy, session_id: &str) -> String {
    let because = match by {
        ReleasedBy::Breaker => "the gate released it after several refusals without progress",
        ReleasedBy::Limit => "too many stops in a row had been refused",
        ReleasedBy::Untrusted => {
            "the project is not trusted, so it could not run the checks (`verger trust`)"
        }
        ReleasedBy::Person => "a person released the gate",
    };
    let why = format!("{because}; {}", hold.reason.words());
    fill(NOTICE_PASSED, &[("why", &why), ("session_id", session_id)])
}

/// The person's notice that the agent stopped while the content of its work was unknown.
pub fn notice_unknown(session_id: &str) -> String {
    let why = "verger could not compare the work with its start";
    fill(NOTICE_PASSED, &[("why", why), ("session_id", session_id)])
}
