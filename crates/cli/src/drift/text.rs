//! Drift as text for people and as JSON for programs.

use serde_json::{Value, json};
use verger_chronicle::{
    FindingKind, Followed, Moment, MomentKind, Position, Scored, TaskRow, Telling,
};
use verger_drift::{Level, PromptAction};
use verger_event::Timestamp;

use crate::render::output::Tone;
use crate::render::short_ids::ShortIds;
use crate::render::table::Table;
use crate::render::time::age;

/// The name of a level.
pub(crate) fn level_word(level: Level) -> &'static str {
    match level {
        Level::Nudge => "nudge",
        Level::Correct => "correct",
        Level::Intervene => "intervene",
        Level::Halt => "halt",
    }
}

/// A score with its steps, in a line.
pub(crate) fn score_text(scored: &Scored) -> String {
    let steps = match scored.upto.saturating_sub(scored.after) {
        0 => "no new steps".to_owned(),
        1 => format!("step {}", scored.upto),
        _ => format!("steps {} to {}", scored.after.saturating_add(1), scored.upto),
    };
    let told = telling_text(scored.telling).map(|told| format!("; {told}")).unwrap_or_default();
    match scored.score {
        Some(score) => format!("score {score}, {steps}{told}"),
        None => "no score: no limit and no failing check is left".to_owned(),
    }
}

/// Whether the agent got a message about a finding.
fn telling_text(telling: Telling) -> Option<&'static str> {
    Some(match telling {
        Telling::Nothing => return None,
        Telling::Observed => "recorded only, the agent was not told",
        Telling::TurnEnded => "scored when the turn ended, so the agent was not told",
        Telling::Waits => "the agent is told with its next tool call",
        Telling::Missed => "the agent was not told in time",
        Telling::ToldBefore => "the agent was told before",
        Telling::Told => "the agent was told",
    })
}

/// Whether nothing needs a person's attention.
pub(crate) fn has_no_drift(position: Position) -> bool {
    let is_over = matches!(position.followed, Some(Followed::PersonSpoke | Followed::Restored));
    position.telling == Telling::Nothing || is_over
}

const NOT_MEASURED: &str = "no score: your prompts set no limit, and no check keeps failing";

/// The tone of the agent's drift: bad if the agent did something forbidden.
pub(crate) fn position_tone(position: Option<Position>) -> Tone {
    match position {
        Some(position @ Position { score: Some(_), kind: Some(_), .. })
            if !has_no_drift(position) =>
        {
            Tone::Bad
        }
        Some(Position { score: Some(_), kind: None, .. }) => Tone::Good,
        Some(_) | None => Tone::Plain,
    }
}

/// The agent's drift in a line.
pub(crate) fn position_text(position: Option<Position>) -> String {
    let Some(Position { score: Some(score), kind, telling, followed }) = position else {
        return NOT_MEASURED.to_owned();
    };
    let word = match kind {
        None => "limits kept",
        Some(FindingKind::Limit) => "a limit was broken",
        Some(FindingKind::Circle) => "going in circles",
        Some(FindingKind::Judged) => "drift, as judged by drift.scorer",
    };
    let after = match (followed, telling_text(telling)) {
        (Some(Followed::PersonSpoke), _) => {
            return format!(
                "not scored since your last prompt; before that: {word}, score {score}"
            );
        }
        (Some(Followed::Restored), _) => "; then the paths were restored".to_owned(),
        (Some(Followed::Denied), _) => "; the agent repeated it and was denied".to_owned(),
        (Some(Followed::Released), _) => {
            "; the agent repeated it until the limit of denials, then it was allowed".to_owned()
        }
        (Some(Followed::ScoredAgain { .. }) | None, Some(told)) => format!("; {told}"),
        (Some(Followed::ScoredAgain { .. }) | None, None) => String::new(),
    };
    format!("{word}, score {score}{after}")
}

/// The rows for a score: its reasons, the way back, and what followed.
pub(crate) fn finding_rows(table: &mut Table, scored: &Scored, followed: Option<Followed>) {
    for reason in &scored.reasons {
        table.row("  because", reason);
    }
    if let (Some(way_back), Some(_)) = (&scored.way_back, scored.level) {
        table.row("  way back", way_back);
    }
    if let Some(followed) = followed {
        table.row("  then", followed_text(followed));
    }
}

pub(crate) fn followed_text(followed: Followed) -> String {
    match followed {
        Followed::Restored => "the paths were restored".to_owned(),
        Followed::Denied => "the agent repeated it and was denied".to_owned(),
        Followed::Released => "it was denied until the limit of denials, then allowed".to_owned(),
        Followed::ScoredAgain { score: Some(score) } => format!("the next score was {score}"),
        Followed::ScoredAgain { score: None } => "nothing was left to measure".to_owned(),
        Followed::PersonSpoke => "the person sent a prompt".to_owned(),
    }
}

/// A task by its number, and its relation to other tasks.
pub(crate) fn task_text(task: &TaskRow) -> String {
    let number = task.number;
    match (task.parent, task.kind.as_str()) {
        (None, _) => number.to_string(),
        (Some(parent), "subtask") => format!("{number}, subtask of {parent}"),
        (Some(parent), _) => format!("{number}, parallel to {parent}"),
    }
}

fn action_text(action: PromptAction, task: u64) -> String {
    match action {
        PromptAction::Continue => format!("prompt about task {task}"),
        PromptAction::NewTask => format!("prompt for new task {task}"),
        PromptAction::Subtask => format!("prompt for subtask {task}"),
        PromptAction::ParallelTask => {
            format!("prompt for parallel task {task}")
        }
    }
}

/// Adds the rows of moments.
pub(crate) fn moments_rows(table: &mut Table, moments: &[Moment], now: Timestamp) {
    let short = ShortIds::of_records(moments.iter().map(|moment| moment.id));
    for moment in moments {
        moment_rows(table, moment, short, now);
    }
}

fn moment_rows(table: &mut Table, moment: &Moment, short: ShortIds, now: Timestamp) {
    let see = || format!("verger why {}", short.of(&moment.id.to_string()));
    let when = age(moment.at, now);
    match &moment.what {
        MomentKind::Prompted { action, task } => table.timed_row(when, action_text(*action, *task)),
        MomentKind::Read(reading) => {
            table.timed_row(when, "drift.reader answered");
            table.row("  read", reading.to_string());
            table.row("  see", see());
        }
        MomentKind::Scored { scored, followed } => {
            table.timed_row(when, score_text(scored));
            finding_rows(table, scored, *followed);
        }
        MomentKind::Corrected { level, text, followed } => {
            let level = level.map_or("a correction", level_word);
            table.timed_row(when, format!("the agent was told: {level}"));
            table.text_rows("  words", text.trim_end());
            if let Some(followed) = followed {
                table.row("  then", followed_text(*followed));
            }
            table.row("  see", see());
        }
        MomentKind::Restored { paths } => {
            table.timed_row(when, format!("restored: {}", paths.join(", ")));
        }
        MomentKind::Denied { what } => {
            table.timed_row(when, format!("denied, because it breaks your limit: {what}"));
            table.row("  see", see());
        }
        MomentKind::Released { what } => {
            table.timed_row(
                when,
                format!("allowed, because the limit of denials was reached: {what}"),
            );
            table.row("  see", see());
        }
        MomentKind::Ended { task, ending } => {
            let ending = match ending.as_str() {
                "complete" => "completed",
                "partial" => "left unfinished",
                "unverified" => "claimed as done without a green check",
                other => other,
            };
            table.timed_row(when, format!("task {task} was {ending}"));
        }
        MomentKind::HandedOver { trigger } => {
            table.timed_row(when, format!("a handoff was written before {trigger}"));
        }
        MomentKind::SessionEnded => table.timed_row(when, "the session ended"),
    }
}

pub(crate) fn scored_json(scored: &Scored, followed: Option<Followed>) -> Value {
    json!({
        "score": scored.score,
        "kind": scored.kind,
        "first_step": scored.after.saturating_add(1),
        "last_step": scored.upto,
        "level": scored.level.map(level_word),
        "telling": scored.telling,
        "goal": scored.goal,
        "reasons": scored.reasons,
        "way_back": scored.way_back,
        "followed": followed,
    })
}

/// The agent's drift, for programs.
pub(crate) fn position_json(position: Option<Position>) -> Value {
    json!(position.map(|position| json!({
        "score": position.score,
        "kind": position.kind,
        "telling": position.telling,
        "followed": position.followed,
        "text": position_text(Some(position)),
    })))
}

pub(crate) fn moment_json(moment: &Moment) -> Value {
    let (is, what) = match &moment.what {
        MomentKind::Prompted { action, task } => {
            ("prompted", json!({ "action": action, "task": task }))
        }
        MomentKind::Read(reading) => ("read", json!(reading)),
        MomentKind::Scored { scored, followed } => ("scored", scored_json(scored, *followed)),
        MomentKind::Corrected { level, text, followed } => (
            "corrected",
            json!({
                "level": level.map(level_word),
                "text": text,
                "followed": followed,
            }),
        ),
        MomentKind::Denied { what } => ("denied", json!({ "call": what })),
        MomentKind::Released { what } => ("released", json!({ "call": what })),
        MomentKind::Restored { paths } => ("restored", json!({ "paths": paths })),
        MomentKind::Ended { task, ending } => {
            ("task_ended", json!({ "task": task, "status": ending }))
        }
        MomentKind::HandedOver { trigger } => ("handed_over", json!({ "trigger": trigger })),
        MomentKind::SessionEnded => ("session_ended", json!({})),
    };
    json!({ "is": is, "id": moment.id, "at_ms": moment.at.as_millis(), "what": what })
}

pub(crate) fn task_json(task: &TaskRow) -> Value {
    json!({
        "number": task.number,
        "parent": task.parent,
        "kind": task.kind,
        "goal": task.goal,
        "scope": task.scope,
        "constraints": task.constraints,
        "keywords": task.keywords,
        "mode": task.mode,
        "waits_for_recovery": task.waits_for_recovery,
        "escalations": task.escalations,
        "began_ms": task.began.as_millis(),
        "last_ms": task.last.as_millis(),
        "status": task.status,
    })
}
