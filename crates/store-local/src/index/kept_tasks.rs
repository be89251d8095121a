//! The table of a project's tasks that have a record. The records are in the project's segment and
//! outlive their sessions.

use std::cmp::Reverse;

use rusqlite::{OptionalExtension, Row, params};
use sha2::{Digest, Sha256};
use verger_chronicle::{KeptTask, TaskDetails};
use verger_event::ProjectId;
use verger_event::Record;

use super::drift::{digest_rows, number};
use super::drift_lines::list;
use super::drift_rows::{count, items, named, time};
use super::{Index, IndexError};
use crate::chain::{Head, Scanned};
use crate::probe::Probe;

pub(super) const SCHEMA: &str = "
CREATE TABLE projects (
  stem  TEXT PRIMARY KEY,
  bytes INTEGER NOT NULL,
  head  TEXT
) STRICT;
CREATE TABLE tasks (
  id              TEXT PRIMARY KEY,
  project         TEXT NOT NULL,
  at_ms           INTEGER NOT NULL,
  agent           TEXT NOT NULL,
  session         TEXT NOT NULL,
  user            TEXT,
  number          INTEGER NOT NULL,
  parent          INTEGER,
  status          TEXT NOT NULL,
  trigger_reason  TEXT NOT NULL,
  original_query  TEXT NOT NULL,
  goal            TEXT NOT NULL,
  linked_commit   TEXT,
  reasoning_trace TEXT NOT NULL,
  decisions       TEXT NOT NULL,
  constraints     TEXT NOT NULL,
  files_touched   TEXT NOT NULL,
  tags            TEXT NOT NULL,
  steps           INTEGER NOT NULL,
  breaches          INTEGER NOT NULL,
  cites           TEXT NOT NULL,
  is_replaced     INTEGER NOT NULL
) STRICT;
CREATE INDEX tasks_by_project ON tasks (project, is_replaced, at_ms DESC, id DESC);
CREATE INDEX tasks_by_session ON tasks (project, session, agent, number);
";

impl<P: Probe> Index<'_, P> {
    /// The project's tasks that have a record in the log. Updates the table first. Returns each
    /// task once, the latest first.
    pub fn tasks(&self, project: &ProjectId) -> Result<Vec<KeptTask>, IndexError> {
        let stem = project.file_stem();
        self.refresh_tasks(&stem)?;
        // Rows are inserted in log order. The order of rows decides which task is later, because it
        // is more reliable than the clock.
        let records: Vec<_> = self.run(|sql| {
            sql.prepare_cached("SELECT * FROM tasks WHERE project = ?1 ORDER BY rowid DESC")?
                .query_map([stem], kept_task)?
                .collect()
        })?;
        let mut tasks = KeptTask::each_once(records);
        tasks.sort_by_key(|task| Reverse((task.at, task.id)));
        Ok(tasks)
    }

    /// The latest `limit` tasks that [`Self::tasks`] would return, each with only its last record.
    pub fn latest_tasks(
        &self,
        project: &ProjectId,
        limit: usize,
    ) -> Result<Vec<KeptTask>, IndexError> {
        let stem = project.file_stem();
        self.refresh_tasks(&stem)?;
        let limit = i64::try_from(limit).unwrap_or(i64::MAX);
        self.run(|sql| {
            sql.prepare_cached(
                "SELECT * FROM tasks WHERE project = ?1 AND is_replaced = 0
                 ORDER BY at_ms DESC, id DESC LIMIT ?2",
            )?
            .query_map(params![stem, limit], kept_task)?
            .collect()
        })
    }

    /// The number of a project's tasks that have a record, as of the table's last update.
    pub fn count_tasks(&self, project: &ProjectId) -> Result<usize, IndexError> {
        let query = "SELECT count(*) FROM tasks WHERE project = ?1 AND is_replaced = 0";
        self.count(query, [project.file_stem()])
    }

    /// Whether a task of a session has a record, as of the table's last update.
    pub fn has_task(
        &self,
        project: &ProjectId,
        (agent, session, number): (&str, &str, u64),
    ) -> Result<bool, IndexError> {
        let query = "SELECT count(*) FROM tasks
                     WHERE project = ?1 AND session = ?2 AND agent = ?3 AND number = ?4";
        let parameters = params![project.file_stem(), session, agent, super::drift::number(number)];
        Ok(self.count(query, parameters)? > 0)
    }

    fn refresh_tasks(&self, stem: &str) -> Result<(), IndexError> {
        let chain = self.store.project_chain(stem)?;
        // Lists the spill before it opens the segment, so that records merged in between are still
        // read.
        let spilled = chain.spilled();
        let bytes = number(chain.size()?.saturating_add(spilled.bytes));
        let known = |sql: &rusqlite::Connection| {
            sql.prepare_cached("SELECT bytes, head FROM projects WHERE stem = ?1")?
                .query_row([stem], |row| Ok((row.get(0)?, row.get(1)?)))
                .optional()
        };
        let is_known = |known: &Option<(i64, Option<String>)>| {
            known.as_ref().is_some_and(|(size, _)| *size == bytes)
        };
        if is_known(&self.run(known)?) {
            return Ok(());
        }
        let transaction = self.begin()?;
        let head = self.run(known)?.and_then(|(_, head)| serde_json::from_str(&head?).ok());
        let file = chain.existing()?;
        let is_in = |head: &Head| file.as_ref().is_some_and(|file| head.is_in(file));
        let head: Option<Head> = head.filter(is_in);
        if head.is_none() {
            self.forget_tasks(stem)?;
        }
        let mut head = head.unwrap_or_default();
        if let Some(file) = &file {
            let mut kept = Ok(());
            chain.scan(file, &mut head, |scanned| {
                if let (Scanned::Record { line, .. }, Ok(())) = (scanned, &kept) {
                    kept = self.keep(stem, &chain.resolve(*line));
                }
                Ok(())
            })?;
            kept?;
        }
        // The spilled record may already be merged. `keep` stores each record only once.
        for ready in &spilled.records {
            self.keep(stem, &ready.record)?;
        }
        // Serializing can't fail, because the head has only numbers and hashes.
        let head = serde_json::to_string(&head).ok();
        self.run(|sql| {
            sql.execute(
                "INSERT OR REPLACE INTO projects VALUES (?1,?2,?3)",
                params![stem, bytes, head],
            )
        })?;
        self.run(|_| transaction.commit())
    }

    fn keep(&self, stem: &str, record: &Record) -> Result<(), IndexError> {
        let Some(task) = KeptTask::of(record) else { return Ok(()) };
        let details = &task.details;
        let is_new = self.run(|sql| {
            sql.prepare_cached(
                "INSERT OR IGNORE INTO tasks VALUES
                 (?1,?2,?3,?4,?5,?6,?7,?8,?9,?10,?11,?12,?13,?14,?15,?16,?17,?18,?19,?20,?21,0)",
            )?
            .execute(params![
                task.id.to_string(),
                stem,
                number(task.at.as_millis()),
                task.agent,
                task.session,
                task.user,
                number(task.number),
                task.parent.map(number),
                task.status,
                task.trigger,
                task.query,
                task.goal,
                task.commit,
                list(&details.trace),
                list(&details.decisions),
                list(&details.constraints),
                list(&details.files),
                list(&details.tags),
                details.steps,
                details.breaches,
                list(&details.cites),
            ])
        })?;
        if is_new > 0 {
            self.run(|sql| {
                sql.prepare_cached(
                    "UPDATE tasks SET is_replaced = 1
                     WHERE project = ?1 AND session = ?2 AND agent = ?3 AND number = ?4 AND id <> ?5",
                )?
                .execute(params![
                    stem,
                    task.session,
                    task.agent,
                    number(task.number),
                    task.id.to_string(),
                ])
            })?;
        }
        Ok(())
    }

    fn forget_tasks(&self, stem: &str) -> Result<(), IndexError> {
        self.run(|sql| {
            sql.execute("DELETE FROM tasks WHERE project = ?1", [stem])?;
            sql.execute("DELETE FROM projects WHERE stem = ?1", [stem])
        })?;
        Ok(())
    }

    /// The stems of the projects whose tasks are in the table.
    pub(super) fn known_projects(&self) -> Result<Vec<String>, IndexError> {
        self.run(|sql| {
            sql.prepare("SELECT stem FROM projects ORDER BY stem")?
                .query_map([], |row| row.get(0))?
                .collect()
        })
    }

    pub(super) fn remake_tasks(&self, stem: &str) -> Result<(), IndexError> {
        let transaction = self.begin()?;
        self.forget_tasks(stem)?;
        self.run(|_| transaction.commit())?;
        self.refresh_tasks(stem)
    }

    /// The stems of the projects whose table differs from the log. Updates the tables first.
    /// Records never change, so a row that still differs is wrong.
    pub(super) fn differing_tasks(&self) -> Result<Vec<String>, IndexError> {
        let mut differing = vec![];
        for stem in self.known_projects()? {
            self.refresh_tasks(&stem)?;
            let anew = Self::in_memory(self.store)?;
            anew.refresh_tasks(&stem)?;
            if self.tasks_digest(&stem)? != anew.tasks_digest(&stem)? {
                differing.push(stem);
            }
        }
        Ok(differing)
    }

    fn tasks_digest(&self, stem: &str) -> Result<[u8; 32], IndexError> {
        let mut digest = Sha256::new();
        let query = "SELECT * FROM tasks WHERE project = ?1 ORDER BY id";
        self.run(|sql| digest_rows(&mut digest, sql, query, stem))?;
        Ok(digest.finalize().into())
    }
}

fn kept_task(row: &Row<'_>) -> rusqlite::Result<KeptTask> {
    Ok(KeptTask {
        id: named(row, "id")?,
        at: time(row, "at_ms")?,
        agent: row.get("agent")?,
        session: row.get("session")?,
        user: row.get("user")?,
        number: count(row, "number")?,
        parent: row.get::<_, Option<i64>>("parent")?.map(i64::unsigned_abs),
        status: row.get("status")?,
        trigger: row.get("trigger_reason")?,
        query: row.get("original_query")?,
        goal: row.get("goal")?,
        commit: row.get("linked_commit")?,
        details: TaskDetails {
            trace: items(row, "reasoning_trace")?,
            decisions: items(row, "decisions")?,
            constraints: items(row, "constraints")?,
            files: items(row, "files_touched")?,
            tags: items(row, "tags")?,
            steps: row.get("steps")?,
            breaches: row.get("breaches")?,
            cites: items(row, "cites")?,
        },
        earlier: vec![],
    })
}
