//! The messages about a review that verger runs.

use serde_json::json;
use verger_config::Settings;
use verger_engine::ReviewEnd;
use verger_gate::review::{Outcome, Phase, Refusal, Review, ReviewerId, Say};

use super::begin::Started;
use crate::invocation::command_error::CommandError;
use crate::render::output::{Output, Ui};
use crate::sessions::gated::{GatedSession, Stepped};

pub(super) fn beginning(started: Started, settings: &Settings) -> String {
    let seconds = settings.review.reviewer_timeout_seconds.value;
    match started {
        Started::Now => format!("the review began and may take {seconds} s"),
        Started::Before => "a review of the work is running already".to_owned(),
    }
}

pub(super) fn approved_already(ui: &mut Ui, session: &GatedSession) -> Result<(), CommandError> {
    let id = &session.key.session;
    match ui.output() {
        Output::Json => ui.json(&json!({ "session": id, "state": "approved" }))?,
        Output::Text => ui.line("approved already: the work did not change since")?,
    }
    Ok(())
}

pub(super) fn still_running(
    ui: &mut Ui,
    session: &GatedSession,
    job: &str,
) -> Result<(), CommandError> {
    let id = &session.key.session;
    match ui.output() {
        Output::Json => ui.json(&json!({ "session": id, "state": "running", "job": job }))?,
        Output::Text => ui.line(format!(
            "still running; run the same command again: verger review run --session {}",
            id.word()
        ))?,
    }
    Ok(())
}

/// Reports the result of a review. If several commands waited, all report the decision that the
/// first one recorded.
pub(super) fn ended(
    ui: &mut Ui,
    session: &GatedSession,
    job: &str,
    end: &ReviewEnd,
    stepped: &Stepped,
) -> Result<(), CommandError> {
    let reviewer = ReviewerId::Command(job.to_owned());
    let refusal = match &stepped.say {
        Say::RefuseDecision(why) => Some(why.clone()),
        _ if is_void(&stepped.after, &reviewer, end) => {
            Some(Refusal::ContentChanged { paths: vec![] })
        }
        _ => None,
    };
    match ui.output() {
        Output::Json => ui.json(&json!({
            "session": session.key.session,
            "state": "ended",
            "job": job,
            "decision": end.decision,
            "ran": end.ran,
            "taken": refusal.is_none(),
            "refusal": refusal,
            "gate": stepped.after.phase.name(),
        }))?,
        Output::Text => {
            let lines = lines(session, end, refusal.as_ref(), &stepped.after);
            lines.iter().try_for_each(|line| ui.line(line))?;
        }
    }
    match (end.decision.outcome, refusal) {
        (Outcome::Complete, None) => Ok(()),
        _ => Err(CommandError::Found),
    }
}

/// Whether the reviewer approved, but the work does not count as approved by this reviewer.
fn is_void(after: &Review, reviewer: &ReviewerId, end: &ReviewEnd) -> bool {
    let approval = after.phase.approval();
    end.decision.outcome == Outcome::Complete
        && approval.is_none_or(|approval| approval.reviewer != *reviewer)
}

fn lines(
    session: &GatedSession,
    end: &ReviewEnd,
    refusal: Option<&Refusal>,
    after: &Review,
) -> Vec<String> {
    let decision = &end.decision;
    let again = format!("verger review run --session {}", session.key.session.word());
    let mut lines = vec![format!("{}: {}", decision.outcome, decision.summary)];
    lines.extend(decision.message.iter().flat_map(|message| message.lines()).map(str::to_owned));
    lines.extend(decision.opinions.iter().map(|opinions| format!("opinions: {opinions}")));
    lines.push(match (refusal, decision.outcome, &after.phase) {
        (Some(why), _, _) => {
            format!("the decision was rejected: {why}; run the review again: {again}")
        }
        (None, Outcome::Complete, _) => {
            "the work is approved as long as it stays as it is".to_owned()
        }
        (None, Outcome::Issues, _) => {
            format!("make these changes, then run the review again: {again}")
        }
        (None, Outcome::Unavailable, Phase::Idle { .. }) => {
            "the work was not reviewed; the gate is open and the person is informed".to_owned()
        }
        (None, Outcome::Unavailable, _) => format!("the work was not reviewed; try again: {again}"),
    });
    lines
}
