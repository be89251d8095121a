//! A session's course in words, and as JSON for programs.

use serde_json::{Value, json};
use verger_chronicle::{Followed, Moment, Position, Scored, TaskRow, Telling, Told};
use verger_drift::{Level, PromptAction};
use verger_gate::course::Matter;

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
    // How strongly is said where it is said.
    let said = matches!(scored.telling, Telling::Said | Telling::SaidBefore | Telling::Waits);
    let level = scored.level.filter(|_| said).map(|level| format!(", {}", level_word(level)));
    let level = level.unwrap_or_default();
    let told = telling_text(scored.telling).map(|told| format!("; {told}")).unwrap_or_default();
    format!("score {}, {steps}{level}{told}", scored.score)
}

/// Whether the agent was told of a score that asks for it.
fn telling_text(telling: Telling) -> Option<&'static str> {
    Some(match telling {
        Telling::Nothing => return None,
        Telling::Observed => "observed only, the agent was not told",
        Telling::TurnEnded => "scored as the turn ended, the agent was not told",
        Telling::Waits => "the agent is told with its next tool call",
        Telling::Missed => "the agent was not told in time",
        Telling::StillThere | Telling::SaidBefore => "the agent had been told before",
        Telling::Said => "the agent was told",
    })
}

/// How far a score is on course.
fn course_word(score: u8) -> &'static str {
    match score {
        8.. => "on course",
        7 => "on course, with something beside the goal",
        5 | 6 => "leading away from the goal",
        3 | 4 => "off course",
        0..=2 => "far off course",
    }
}

/// Whether there is nothing to look at.
pub(crate) fn is_on_course(position: Position) -> bool {
    let is_over = matches!(position.followed, Some(Followed::PersonSpoke | Followed::WentBack));
    position.telling == Telling::Nothing || is_over
}

/// Where an agent stands, in a line.
pub(crate) fn position_text(position: Option<Position>) -> String {
    let Some(Position { score, matter, telling, followed }) = position else {
        return "not scored yet".to_owned();
    };
    let (word, went_on, is_denied) = match matter {
        Matter::Leaving => {
            let is_denied = "did not go back, so changes that lead further away are denied";
            (course_word(score), "went on elsewhere", is_denied)
        }
        Matter::Circles => {
            let is_denied = "did not look first, so further changes of the same are denied";
            ("going in circles", "went on changing the same", is_denied)
        }
    };
    let told = telling_text(telling);
    match (followed, told) {
        (Some(Followed::PersonSpoke), _) => {
            format!("not scored since the person spoke; before that {word}, score {score}")
        }
        (Some(Followed::WentBack), _) => {
            format!("on its way back: the agent was told at score {score}, and went back")
        }
        (Some(Followed::WentOn), _) => {
            format!("{word}, score {score}; the agent was told, and {went_on}")
        }
        (Some(Followed::HeldBack), _) => {
            format!("{word}, score {score}; the agent was told and {is_denied}")
        }
        (Some(Followed::LetGo), _) => format!(
            "{word}, score {score}; the agent did not go back, was denied often enough and is let go"
        ),
        (Some(Followed::ScoredAgain { .. }) | None, Some(told)) => {
            format!("{word}, score {score}; {told}")
        }
        (Some(Followed::ScoredAgain { .. }) | None, None) => format!("{word}, score {score}"),
    }
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
        Followed::HeldBack => "it went on elsewhere, and is denied that from now on".to_owned(),
        Followed::LetGo => "it was let go".to_owned(),
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
        Told::LetGo { what } => {
            table.row(when, format!("let go, denied often enough: {what}"));
            table.row("  see", format!("verger why {}", moment.id));
        }
        Told::Ended { task, ending } => {
            let ending = match ending.as_str() {
                "complete" => "completed",
                "partial" => "left unfinished",
                other => other,
            };
            table.row(when, format!("task {task} was {ending}"));
        }
        Told::HandedOver { trigger } => {
            table.row(when, format!("a handoff was written, before {trigger}"));
        }
        Told::SessionEnded => table.row(when, "the session ended"),
    }
}

pub(crate) fn scored_json(scored: &Scored, followed: Option<Followed>) -> Value {
    json!({
        "score": scored.score,
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

/// Where an agent stands, for programs.
pub(crate) fn position_json(position: Option<Position>) -> Value {
    json!(position.map(|position| json!({
        "score": position.score,
        "matter": (position.telling != Telling::Nothing).then_some(position.matter),
        "telling": position.telling,
        "followed": position.followed,
        "text": position_text(Some(position)),
    })))
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
                "followed": followed,
            }),
        ),
        Told::Denied { what } => ("denied", json!({ "call": what })),
        Told::LetGo { what } => ("let_go", json!({ "call": what })),
        Told::Ended { task, ending } => ("task_ended", json!({ "task": task, "status": ending })),
        Told::HandedOver { trigger } => ("handed_over", json!({ "trigger": trigger })),
        Told::SessionEnded => ("session_ended", json!({})),
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
