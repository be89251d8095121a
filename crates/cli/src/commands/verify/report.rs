//! The messages about a verification.

use std::io;

use serde_json::{Value, json};
use verger_gate::verification::{
    Check, CheckStatus, Comparison, FailingTests, Status, Verified, matters,
};

use super::begin::{Run, Started};
use crate::invocation::command_error::CommandError;
use crate::render::output::{Output, Tone, Ui};
use crate::verify::order::RunOrder;
use crate::verify::result::RunResult;
use crate::verify::target::{Plan, Target};

/// The maximum number of issues in text output. JSON output has all issues.
const MAX_SHOWN: usize = 12;

pub(super) fn beginning(run: &Run, target: &Target) -> String {
    let depth = run.order.depth;
    match run.started {
        Started::Now => {
            let seconds = target.settings().verification.timeout_seconds.value;
            format!("{depth} verification begins; each command may take {seconds} s")
        }
        Started::Before => format!("{depth} verification is already running"),
        Started::BeforeTheWorkChanged => format!(
            "{depth} verification is already running, and the work changed since it began; --force \
             starts a new one"
        ),
    }
}

/// Reports the result of a run.
pub(super) fn ended(ui: &mut Ui, target: &Target, result: &RunResult) -> Result<(), CommandError> {
    let RunResult { verified, is_recorded } = result;
    match ui.output() {
        Output::Json => {
            let mut told = told(target, "ended");
            told["recorded"] = json!(is_recorded);
            told["verified"] = json!(verified);
            ui.json(&told)?;
        }
        Output::Text => print(ui, target, verified)?,
    }
    outcome(verified.status)
}

/// Reports work for which no check has to run again.
pub(super) fn known(ui: &mut Ui, target: &Target, verified: &Verified) -> Result<(), CommandError> {
    match ui.output() {
        Output::Json => {
            let mut told = told(target, "known");
            told["verified"] = json!(verified);
            ui.json(&told)?;
        }
        Output::Text => {
            print(ui, target, verified)?;
            ui.note("no command was run: the work did not change since it was verified")?;
        }
    }
    outcome(verified.status)
}

pub(super) fn still_running(
    ui: &mut Ui,
    target: &Target,
    plan: &Plan,
    order: &RunOrder,
    at: Option<&str>,
) -> Result<(), CommandError> {
    match ui.output() {
        Output::Json => {
            let mut told = told(target, "running");
            (told["run"], told["at"]) = (json!(order.run), json!(at));
            ui.json(&told)?;
        }
        Output::Text => {
            let at = at.map(|at| format!(" ({at})")).unwrap_or_default();
            let again = target.command(plan.depth);
            ui.line(format!("still running{at}; run the same command again: {again}"))?;
        }
    }
    Err(CommandError::Incomplete)
}

pub(super) fn lost(
    ui: &mut Ui,
    target: &Target,
    plan: &Plan,
    order: &RunOrder,
    why: &str,
) -> Result<(), CommandError> {
    match ui.output() {
        Output::Json => {
            let mut told = told(target, "lost");
            (told["run"], told["why"]) = (json!(order.run), json!(why));
            ui.json(&told)?;
        }
        Output::Text => {
            ui.line(format!("incomplete: the verification was lost: {why}"))?;
            ui.note(format!("run the verification again: {}", target.command(plan.depth)))?;
        }
    }
    Err(CommandError::Incomplete)
}

fn told(target: &Target, state: &str) -> Value {
    json!({ "session": target.session().map(|session| &session.key.session), "state": state })
}

fn outcome(status: Status) -> Result<(), CommandError> {
    match status {
        Status::Green => Ok(()),
        Status::Red => Err(CommandError::Found),
        Status::Incomplete => Err(CommandError::Incomplete),
    }
}

fn print(ui: &mut Ui, target: &Target, verified: &Verified) -> Result<(), CommandError> {
    let (word, tone) = match verified.status {
        Status::Green => ("green", Tone::Good),
        Status::Red => ("red", Tone::Bad),
        Status::Incomplete => ("incomplete", Tone::Warn),
    };
    let of = match target.session() {
        Some(session) => format!(" of session {}", session.key.session),
        None => String::new(),
    };
    let rest = format!(": {} verification{of}, {}", verified.depth, verified.summary());
    ui.wrapped_line(&[(tone, word)], &rest)?;
    let required = target.policy().required;
    for check in &verified.checks {
        match (&check.status, matters(check, &required)) {
            (CheckStatus::Passed, _) => print_check(ui, check, Tone::Good, "")?,
            (CheckStatus::Skipped { .. }, _) => print_check(ui, check, Tone::Plain, "")?,
            (CheckStatus::CouldNotRun { .. }, true) => print_check(ui, check, Tone::Warn, "")?,
            (_, true) => print_check(ui, check, Tone::Bad, "")?,
            (_, false) => print_check(ui, check, Tone::Plain, " (not required)")?,
        }
    }
    if let Some(compared) = &verified.no_regressions {
        print_comparison(ui, compared)?;
    }
    print_issues(ui, verified)?;
    for (number, step) in (1..).zip(&verified.next_steps) {
        ui.line(format!("next {number}: {step}"))?;
    }
    Ok(())
}

fn print_check(ui: &mut Ui, check: &Check, tone: Tone, end: &str) -> io::Result<()> {
    print_status(ui, &check.status, tone, &format!("{}{end}", check_text(check)))
}

/// Prints a check's status and text as a line. In quiet mode, checks that pass or are not required
/// are left out.
fn print_status(ui: &mut Ui, status: &CheckStatus, tone: Tone, text: &str) -> io::Result<()> {
    let is_wrong = matches!(tone, Tone::Warn | Tone::Bad);
    if !is_wrong && !ui.has_notes() {
        return Ok(());
    }
    let status = format!("{:<13}", status.as_str());
    ui.wrapped_line(&[(Tone::Plain, "  "), (tone, &status), (Tone::Plain, " ")], text)
}

/// Prints the comparison with the last green verification, like a check.
fn print_comparison(ui: &mut Ui, compared: &Comparison) -> io::Result<()> {
    let tone = match compared.status {
        CheckStatus::Passed => Tone::Good,
        CheckStatus::Failed => Tone::Bad,
        CheckStatus::CouldNotRun { .. } | CheckStatus::TimedOut { .. } => Tone::Warn,
        CheckStatus::Skipped { .. } | CheckStatus::NotInDepth { .. } => Tone::Plain,
    };
    print_status(ui, &compared.status, tone, &format!("no regressions: {}", compared.summary))
}

fn check_text(check: &Check) -> String {
    let Check { name, status, summary, command, took_millis, .. } = check;
    let what = match (status, summary.as_str()) {
        (CheckStatus::CouldNotRun { why } | CheckStatus::Skipped { why }, _) => format!(": {why}"),
        (_, "") => String::new(),
        (_, summary) => format!(": {summary}"),
    };
    let took = match (command, took_millis / 1000) {
        (Some(_), seconds @ 2..) => format!(", {seconds} s"),
        (None, _) | (_, 0..2) => String::new(),
    };
    format!("{name}{what}{took}")
}

fn print_issues(ui: &mut Ui, verified: &Verified) -> Result<(), CommandError> {
    for path in &verified.tree_changed {
        ui.line(format!("  changed while the checks ran: {path}"))?;
    }
    for issue in verified.issues.iter().take(MAX_SHOWN) {
        ui.line(format!("  {}", issue.line()))?;
    }
    let hidden = verified.issues.len().saturating_sub(MAX_SHOWN) as u64;
    if let more @ 1.. = hidden.saturating_add(verified.more_issues) {
        ui.line(format!("  and {more} more"))?;
    }
    if let FailingTests::Unknown { why } = &verified.failing_tests {
        ui.note(format!("  which tests failed is not known: {why}"))?;
    }
    Ok(())
}
