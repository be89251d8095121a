//! Reads the tables of tasks, steps and drift.

use rusqlite::types::Type;
use rusqlite::{Row, params};
use serde::de::DeserializeOwned;
use serde_json::Value;
use verger_chronicle::{StepRow, TaskRow};
use verger_event::Timestamp;

use super::drift_lines::list;
use super::{Index, IndexError};
use crate::probe::Probe;

/// An open task, and the session that the task belongs to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpenTask {
    /// The stem of the session's segment.
    pub stem: String,
    /// The open task of the session.
    pub task: TaskRow,
}

/// A step and its score. The step may break a limit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StepEntry {
    /// The stem of the session's segment.
    pub stem: String,
    /// The step with its data.
    pub step: StepRow,
    /// The goal of the task that the step belongs to.
    pub goal: Option<String>,
    /// The score from 1 to 10. `None` if the step was not scored.
    pub score: Option<u8>,
    /// The drift type of the score.
    pub drift_type: Option<String>,
    /// Whether the step stays within all limits.
    pub is_validated: bool,
    /// The correction that the agent was given after the step.
    pub correction: Option<String>,
    /// The level of the correction, if the agent was given one.
    pub correction_level: Option<String>,
    /// The limit that the step breaks, if it breaks one.
    pub reason: Option<String>,
    /// The first step of the recovery plan, if there is one.
    pub recovery_plan: Option<String>,
}

impl<P: Probe> Index<'_, P> {
    /// The tasks of a session, in order.
    pub fn session_states(&self, stem: &str) -> Result<Vec<TaskRow>, IndexError> {
        self.run(|sql| {
            sql.prepare_cached("SELECT * FROM session_states WHERE stem = ?1 ORDER BY number")?
                .query_map([stem], task_row)?
                .collect()
        })
    }

    /// The open tasks of these sessions, the latest first.
    pub fn open_tasks(&self, stems: &[String]) -> Result<Vec<OpenTask>, IndexError> {
        self.run(|sql| {
            sql.prepare_cached(
                "SELECT * FROM session_states
                 WHERE status = 'active' AND stem IN (SELECT value FROM json_each(?1))
                 ORDER BY last_ms DESC, stem, number DESC",
            )?
            .query_map([list(stems)], |row| {
                Ok(OpenTask { stem: row.get("stem")?, task: task_row(row)? })
            })?
            .collect()
        })
    }

    /// The steps of a session that stay within all limits, in order.
    pub fn steps(&self, stem: &str) -> Result<Vec<StepEntry>, IndexError> {
        self.entries("SELECT *, NULL AS drift_reason, NULL AS recovery_plan FROM steps", stem)
    }

    /// The steps of a session that break a limit, in order.
    pub fn drift_log(&self, stem: &str) -> Result<Vec<StepEntry>, IndexError> {
        self.entries("SELECT * FROM drift_log", stem)
    }

    fn entries(&self, rows: &str, stem: &str) -> Result<Vec<StepEntry>, IndexError> {
        let query = format!(
            "SELECT t.*, s.original_goal FROM ({rows} WHERE stem = ?1) t
             LEFT JOIN session_states s ON s.stem = t.stem AND s.number = t.task ORDER BY ordinal"
        );
        self.run(|sql| sql.prepare_cached(&query)?.query_map([stem], step_entry)?.collect())
    }

    /// The steps of a session that touched one of these paths, in order. Includes steps that break
    /// a limit.
    pub fn steps_on(&self, stem: &str, paths: &[String]) -> Result<Vec<StepEntry>, IndexError> {
        self.run(|sql| {
            sql.prepare_cached(
                "WITH touched AS (
                   SELECT DISTINCT ordinal FROM step_files
                   WHERE stem = ?1 AND path IN (SELECT value FROM json_each(?2))
                 ), both AS (
                   SELECT *, NULL AS drift_reason, NULL AS recovery_plan FROM steps
                   WHERE stem = ?1 AND ordinal IN (SELECT ordinal FROM touched)
                   UNION ALL
                   SELECT * FROM drift_log
                   WHERE stem = ?1 AND ordinal IN (SELECT ordinal FROM touched)
                 )
                 SELECT t.*, s.original_goal FROM both t
                 LEFT JOIN session_states s ON s.stem = t.stem AND s.number = t.task
                 ORDER BY ordinal",
            )?
            .query_map(params![stem, list(paths)], step_entry)?
            .collect()
        })
    }

    /// The paths that steps of a session touched.
    pub fn files_of(&self, stem: &str) -> Result<Vec<String>, IndexError> {
        self.run(|sql| {
            sql.prepare_cached(
                "SELECT DISTINCT path FROM step_files WHERE stem = ?1 ORDER BY path",
            )?
            .query_map([stem], |row| row.get(0))?
            .collect()
        })
    }

    /// The directory to which the paths of a session's steps are relative.
    pub fn root_of(&self, stem: &str) -> Result<Option<String>, IndexError> {
        self.run(|sql| {
            let mut statement =
                sql.prepare_cached("SELECT root FROM drift_folds WHERE stem = ?1")?;
            let mut roots = statement.query_map([stem], |row| row.get(0))?;
            roots.next().transpose().map(Option::flatten)
        })
    }
}

fn task_row(row: &Row<'_>) -> rusqlite::Result<TaskRow> {
    Ok(TaskRow {
        number: count(row, "number")?,
        parent: row.get::<_, Option<i64>>("parent")?.map(i64::unsigned_abs),
        kind: row.get("task_type")?,
        goal: row.get("original_goal")?,
        scope: items(row, "expected_scope")?,
        constraints: items(row, "constraints")?,
        keywords: items(row, "keywords")?,
        mode: named(row, "session_mode")?,
        waits_for_recovery: row.get("waiting_for_recovery")?,
        escalations: count(row, "escalation_count")?,
        began: time(row, "start_ms")?,
        last: time(row, "last_ms")?,
        status: row.get("status")?,
    })
}

fn step_entry(row: &Row<'_>) -> rusqlite::Result<StepEntry> {
    let step = StepRow {
        id: named(row, "id")?,
        ordinal: count(row, "ordinal")?,
        task: row.get::<_, Option<i64>>("task")?.map(i64::unsigned_abs),
        at: time(row, "at_ms")?,
        tool_use: match row.get::<_, Option<String>>("tool_use_id")? {
            Some(_) => Some(named(row, "tool_use_id")?),
            None => None,
        },
        action: named(row, "action_type")?,
        files: items(row, "files")?,
        folders: items(row, "folders")?,
        command: row.get("command")?,
        failed: row.get("failed")?,
        is_key_decision: row.get("is_key_decision")?,
        breaks: row.get("breaks")?,
    };
    Ok(StepEntry {
        stem: row.get("stem")?,
        step,
        goal: row.get("original_goal")?,
        score: row.get("drift_score")?,
        drift_type: row.get("drift_type")?,
        is_validated: row.get("is_validated")?,
        correction: row.get("correction_given")?,
        correction_level: row.get("correction_level")?,
        reason: row.get("drift_reason")?,
        recovery_plan: row.get("recovery_plan")?,
    })
}

pub(super) fn count(row: &Row<'_>, column: &str) -> rusqlite::Result<u64> {
    Ok(row.get::<_, i64>(column)?.unsigned_abs())
}

pub(super) fn time(row: &Row<'_>, column: &str) -> rusqlite::Result<Timestamp> {
    Ok(Timestamp::from_millis(count(row, column)?))
}

pub(super) fn items<T: DeserializeOwned>(row: &Row<'_>, column: &str) -> rusqlite::Result<Vec<T>> {
    let text: String = row.get(column)?;
    serde_json::from_str(&text).map_err(not_ours)
}

/// Parses the value that is stored as a word in a column.
pub(super) fn named<T: DeserializeOwned>(row: &Row<'_>, column: &str) -> rusqlite::Result<T> {
    serde_json::from_value(Value::String(row.get(column)?)).map_err(not_ours)
}

fn not_ours(error: serde_json::Error) -> rusqlite::Error {
    rusqlite::Error::FromSqlConversionFailure(0, Type::Text, Box::new(error))
}
