//! Writes the lines of a session's timeline to the drift tables.

use rusqlite::{Connection, params};
use serde::Serialize;
use serde_json::Value;
use verger_chronicle::{Line, Scored, StepRow, TaskRow, drift_type};

use super::drift::number;

pub(super) fn apply(sql: &Connection, stem: &str, line: &Line) -> rusqlite::Result<()> {
    match line {
        Line::Task(task) => put_task(sql, stem, task),
        Line::Left { but } => run(
            sql,
            "UPDATE session_states SET status = 'abandoned'
             WHERE stem = ?1 AND status = 'active' AND number IS NOT ?2",
            params![stem, but.map(number)],
        ),
        Line::Step(taken) => put_step(sql, stem, taken),
        Line::Scored(scored) => score(sql, stem, scored),
        Line::Corrected(given) => {
            let level = given.level.map(|level| word(&level));
            for table in ["steps", "drift_log"] {
                let update = format!(
                    "UPDATE {table} SET correction_given = ?3, correction_level = ?4
                     WHERE stem = ?1 AND ordinal = ?2"
                );
                run(sql, &update, params![stem, number(given.ordinal), given.text, level])?;
            }
            Ok(())
        }
        Line::Recorded { task, status, cites, .. } => {
            run(
                sql,
                "UPDATE session_states SET status = ?3 WHERE stem = ?1 AND number = ?2",
                params![stem, number(*task), status],
            )?;
            let cites: Vec<String> = cites.iter().map(ToString::to_string).collect();
            compact(sql, stem, *task, &list(&cites))
        }
        Line::Prompted { .. }
        | Line::Read(_)
        | Line::Restored { .. }
        | Line::Denied { .. }
        | Line::Released { .. }
        | Line::HandedOver { .. } => Ok(()),
    }
}

fn put_task(sql: &Connection, stem: &str, task: &TaskRow) -> rusqlite::Result<()> {
    run(
        sql,
        "INSERT OR REPLACE INTO session_states
         VALUES (?1,?2,?3,?4,?5,?6,?7,?8,?9,?10,?11,?12,?13,?14)",
        params![
            stem,
            number(task.number),
            task.parent.map(number),
            task.kind,
            task.goal,
            list(&task.scope),
            list(&task.constraints),
            list(&task.keywords),
            task.mode.as_str(),
            task.waits_for_recovery,
            number(task.escalations),
            number(task.began.as_millis()),
            number(task.last.as_millis()),
            task.status,
        ],
    )
}

fn put_step(sql: &Connection, session: &str, step: &StepRow) -> rusqlite::Result<()> {
    let (ordinal, at) = (number(step.ordinal), number(step.at.as_millis()));
    // A step that breaks a limit is stored in `drift_log` only.
    let insert = match step.breaks {
        None => {
            "INSERT OR REPLACE INTO steps
             VALUES (?1,?2,?3,?4,?5,?6,?7,?8,?9,?10,?11,NULL,?12,?13,NULL,NULL,1,NULL,NULL)"
        }
        Some(_) => {
            "INSERT OR REPLACE INTO drift_log
             VALUES (?1,?2,?3,?4,?5,?6,?7,?8,?9,?10,?11,NULL,?12,?13,NULL,NULL,0,NULL,NULL,
                     'the person said: ' || ?13,NULL)"
        }
    };
    run(
        sql,
        insert,
        params![
            session,
            ordinal,
            step.id.to_string(),
            step.task.map(number),
            at,
            step.tool_use.as_ref().map(ToString::to_string),
            word(&step.action),
            list(&step.files),
            list(&step.folders),
            step.command,
            step.failed,
            step.is_key_decision,
            step.breaks,
        ],
    )?;
    for file in &step.files {
        let insert = "INSERT OR IGNORE INTO step_files VALUES (?1,?2,?3)";
        run(sql, insert, params![file, session, ordinal])?;
    }
    run(
        sql,
        "UPDATE session_states SET last_ms = ?3 WHERE stem = ?1 AND number = ?2",
        params![session, step.task.map(number), at],
    )
}

fn score(sql: &Connection, stem: &str, scored: &Scored) -> rusqlite::Result<()> {
    let (after, upto) = (number(scored.after), number(scored.upto));
    let Some(score) = scored.score else { return Ok(()) };
    let kind = drift_type(score);
    let range = "WHERE stem = ?1 AND ordinal > ?2 AND ordinal <= ?3";
    run(
        sql,
        &format!("UPDATE steps SET drift_score = ?4, drift_type = ?5 {range}"),
        params![stem, after, upto, score, kind],
    )?;
    run(
        sql,
        &format!(
            "UPDATE drift_log SET drift_score = ?4, drift_type = ?5, recovery_plan = ?6 {range}"
        ),
        params![stem, after, upto, score, kind, scored.way_back],
    )
}

/// Removes those idle steps of a task that its record does not cite. An idle step only read
/// something.
fn compact(sql: &Connection, stem: &str, task: u64, cites: &str) -> rusqlite::Result<()> {
    const IS_IDLE: &str = "stem = ?1 AND task = ?2
         AND action_type IN ('read', 'glob', 'grep')
         AND id NOT IN (SELECT value FROM json_each(?3))";
    let parameters = params![stem, number(task), cites];
    let files = format!(
        "DELETE FROM step_files WHERE stem = ?1
         AND ordinal IN (SELECT ordinal FROM steps WHERE {IS_IDLE})"
    );
    run(sql, &files, parameters)?;
    run(sql, &format!("DELETE FROM steps WHERE {IS_IDLE}"), parameters)
}

fn run(
    sql: &Connection,
    statement: &str,
    parameters: &[&dyn rusqlite::ToSql],
) -> rusqlite::Result<()> {
    sql.prepare_cached(statement)?.execute(parameters)?;
    Ok(())
}

pub(super) fn list(items: &[impl Serialize]) -> String {
    // Serializing can't fail, because the items are texts.
    serde_json::to_string(items).unwrap_or_default()
}

/// The word for a value in a column. It is the same as in the value's JSON form.
pub(super) fn word(value: &impl Serialize) -> String {
    match serde_json::to_value(value) {
        Ok(Value::String(word)) => word,
        Ok(_) | Err(_) => String::new(),
    }
}
