//! A session's course in words, and as JSON for programs.

use serde_json::{Value, json};
use verger_chronicle::{Followed, Moment, Scored, TaskRow, Told};
use verger_drift::{Level, PromptAction};

use crate::moment::local_time;
use crate::table::Table;

/// How strongly an agent is corrected.
pub(crate) fn level_word(level: Level) -> &'static str {
    match level {
        Level::Nudge => "nudge",
        Level::Correct => "correct",
        Level::Intervene => "intervene",
        Level::Halt => "halt",
    }
}

/// What a score says, in a line.
pub(crate) fn score_text(scored: &Scored) -> String {
    let steps = match scored.upto.saturating_sub(scored.after) {
        0 => "nothing new".to_owned(),
        1 => format!("step {}", scored.upto),
        _ => format!("steps {} to {}", scored.after.saturating_add(1), scored.upto),
    };
    let told = match (scored.level, scored.is_told) {
        (None, _) => String::new(),
        (Some(level), true) => format!(", {}", level_word(level)),
        (Some(level), false) => format!(", {} if it were told; observed only", level_word(level)),
    };
    format!("score {}, {steps}{told}", scored.score)
}

/// The reasons for a score, the way back, and what came of it.
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
        Followed::WentBack => "it went back".to_owned(),
        Followed::WentOn => "it went on elsewhere".to_owned(),
        Followed::ScoredAgain { score } => format!("the next score was {score}"),
        Followed::PersonSpoke => "the person spoke".to_owned(),
    }
}

/// A task by its number, and what it is to others.
pub(crate) fn task_text(task: &TaskRow) -> String {
    let number = task.number;
    match (task.parent, task.kind.as_str()) {
        (None, _) => number.to_string(),
        (Some(parent), "subtask") => format!("{number}, before {parent} goes on"),
        (Some(parent), _) => format!("{number}, beside {parent}"),
    }
}

fn action_text(action: PromptAction, task: u64) -> String {
    match action {
        PromptAction::Continue => format!("the person spoke, about task {task}"),
        PromptAction::NewTask => format!("the person asked for something: task {task}"),
        PromptAction::Subtask => format!("the person asked for something first: task {task}"),
        PromptAction::ParallelTask => {
            format!("the person asked for something beside it: task {task}")
        }
    }
}

/// One moment, with what belongs to it.
pub(crate) fn moment_rows(table: &mut Table, moment: &Moment) {
    let when = local_time(moment.at);
    match &moment.what {
        Told::Prompted { action, task } => table.row(when, action_text(*action, *task)),
        Told::Read(reading) => {
            table.row(when, "a program read more out of it");
            table.row("  read", reading.to_string());
            table.row("  see", format!("verger why {}", moment.id));
        }
        Told::Scored { scored, followed } => {
            table.row(when, score_text(scored));
            finding_rows(table, scored, *followed);
        }
        Told::Corrected { level, text, followed } => {
            let level = level.map_or("a correction", level_word);
            table.row(when, format!("the agent was told: {level}"));
            table.text_rows("  words", text.trim_end());
            if let Some(followed) = followed {
                table.row("  then", followed_text(*followed));
            }
            table.row("  see", format!("verger why {}", moment.id));
        }
        Told::Denied { what } => {
            table.row(when, format!("denied, because it had not gone back: {what}"));
            table.row("  see", format!("verger why {}", moment.id));
        }
        Told::LetGo { what } => table.row(when, format!("let go, denied often enough: {what}")),
        Told::Ended { task, status } => table.row(when, format!("task {task} was {status}")),
        Told::HandedOver { trigger } => {
            table.row(when, format!("a handoff was written, before {trigger}"));
        }
    }
}

pub(crate) fn scored_json(scored: &Scored, followed: Option<Followed>) -> Value {
    json!({
        "score": scored.score,
        "first_step": scored.after.saturating_add(1),
        "last_step": scored.upto,
        "level": scored.level.map(level_word),
        "told": scored.is_told && scored.level.is_some(),
        "goal": scored.goal,
        "reasons": scored.reasons,
        "way_back": scored.way_back,
        "followed": followed.map(followed_json),
    })
}

fn followed_json(followed: Followed) -> Value {
    match followed {
        Followed::WentBack => json!({ "by": "went_back" }),
        Followed::WentOn => json!({ "by": "went_on" }),
        Followed::ScoredAgain { score } => json!({ "by": "scored", "score": score }),
        Followed::PersonSpoke => json!({ "by": "person_spoke" }),
    }
}

pub(crate) fn moment_json(moment: &Moment) -> Value {
    let (is, what) = match &moment.what {
        Told::Prompted { action, task } => ("prompted", json!({ "action": action, "task": task })),
        Told::Read(reading) => ("read", json!(reading)),
        Told::Scored { scored, followed } => ("scored", scored_json(scored, *followed)),
        Told::Corrected { level, text, followed } => (
            "corrected",
            json!({
                "level": level.map(level_word),
                "text": text,
                "followed": followed.map(followed_json),
            }),
        ),
        Told::Denied { what } => ("denied", json!({ "call": what })),
        Told::LetGo { what } => ("let_go", json!({ "call": what })),
        Told::Ended { task, status } => ("task_ended", json!({ "task": task, "status": status })),
        Told::HandedOver { trigger } => ("handed_over", json!({ "trigger": trigger })),
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
