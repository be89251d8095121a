//! Queries that list sessions. Each returns only the rows that its caller needs, because there may
//! be many sessions.

use rusqlite::{OptionalExtension as _, Params, params};
use verger_event::{ProjectId, Timestamp};

use super::drift::number;
use super::session_row::{LIVE_MILLIS, SessionRow};
use super::{Index, IndexError};
use crate::probe::Probe;

const LATEST_FIRST: &str = "ORDER BY last_ms DESC, stem";

impl<P: Probe> Index<'_, P> {
    /// Every session, the latest first.
    pub fn sessions(&self) -> Result<Vec<SessionRow>, IndexError> {
        self.rows(LATEST_FIRST, [])
    }

    /// The latest `limit` sessions.
    pub fn latest_sessions(&self, limit: usize) -> Result<Vec<SessionRow>, IndexError> {
        self.rows(&format!("{LATEST_FIRST} LIMIT ?1"), [limit_of(limit)])
    }

    /// The latest `limit` sessions of a project.
    pub fn latest_of_project(
        &self,
        project: &ProjectId,
        limit: usize,
    ) -> Result<Vec<SessionRow>, IndexError> {
        let parameters = params![project.as_str(), limit_of(limit)];
        self.rows(&format!("WHERE project = ?1 {LATEST_FIRST} LIMIT ?2"), parameters)
    }

    /// The latest `limit` sessions that have a record since `since`, the latest first. Sessions
    /// without a time come last.
    pub fn sessions_since(
        &self,
        since: Timestamp,
        limit: usize,
    ) -> Result<Vec<SessionRow>, IndexError> {
        let parameters = params![number(since.as_millis()), limit_of(limit)];
        let mut rows =
            self.rows(&format!("WHERE last_ms >= ?1 {LATEST_FIRST} LIMIT ?2"), parameters)?;
        let left = limit.saturating_sub(rows.len());
        rows.extend(self.rows("WHERE last_ms IS NULL ORDER BY stem LIMIT ?1", [limit_of(left)])?);
        Ok(rows)
    }

    /// The number of sessions with a record since `since`.
    pub fn count_since(&self, since: Timestamp) -> Result<usize, IndexError> {
        self.count("SELECT count(*) FROM sessions WHERE last_ms >= ?1", [number(since.as_millis())])
    }

    /// The live sessions of a project.
    pub fn live_sessions(
        &self,
        project: &ProjectId,
        now: Timestamp,
    ) -> Result<Vec<SessionRow>, IndexError> {
        let filter =
            format!("WHERE project = ?1 AND last_ms > ?2 AND ended IS NULL {LATEST_FIRST}");
        let rows = self.rows(&filter, params![project.as_str(), live_since(now)])?;
        Ok(rows.into_iter().filter(|row| row.is_live(now)).collect())
    }

    /// The number of live sessions in all projects.
    pub fn count_live(&self, now: Timestamp) -> Result<usize, IndexError> {
        self.count(
            "SELECT count(*) FROM sessions WHERE last_ms > ?1 AND ended IS NULL",
            [live_since(now)],
        )
    }

    /// The sessions whose id, or whose segment's name, begins with `text`.
    pub fn sessions_beginning(&self, text: &str) -> Result<Vec<SessionRow>, IndexError> {
        let end = format!("{text}{}", char::MAX);
        let filter = "WHERE (session >= ?1 AND session < ?2) OR (stem >= ?1 AND stem < ?2)";
        self.rows(&format!("{filter} {LATEST_FIRST}"), params![text, end])
    }

    /// The sessions that may have a record between the two times, judged by the times of their
    /// first and last records. Includes sessions without a time.
    pub fn sessions_around(
        &self,
        begun_by: Timestamp,
        until: Timestamp,
    ) -> Result<Vec<SessionRow>, IndexError> {
        let parameters = params![number(until.as_millis()), number(begun_by.as_millis())];
        self.rows(
            &format!("WHERE (last_ms >= ?1 AND first_ms <= ?2) OR last_ms IS NULL {LATEST_FIRST}"),
            parameters,
        )
    }

    /// The sessions in which a gate released the agent unsatisfied and no person has seen that yet,
    /// the latest first.
    pub fn sessions_let_go(&self, limit: usize) -> Result<Vec<SessionRow>, IndexError> {
        self.rows(&format!("WHERE releases IS NOT NULL {LATEST_FIRST} LIMIT ?1"), [limit_of(limit)])
    }

    /// The number of sessions that [`Self::sessions_let_go`] would list without a limit.
    pub fn count_let_go(&self) -> Result<usize, IndexError> {
        self.count("SELECT count(*) FROM sessions WHERE releases IS NOT NULL", [])
    }

    /// The latest session of an agent, and the latest one that has the agent's version.
    pub fn latest_of_agent(
        &self,
        agent: &str,
    ) -> Result<(Option<SessionRow>, Option<SessionRow>), IndexError> {
        let latest = |more: &str| {
            let clauses = format!("WHERE agent = ?1 {more} ORDER BY last_ms DESC LIMIT 1");
            self.rows(&clauses, [agent]).map(|mut rows| rows.pop())
        };
        Ok((latest("")?, latest("AND agent_version IS NOT NULL")?))
    }

    /// Sessions with a project that may have been abandoned. They have no reported end and no
    /// record since `since`, and they grew since the last [`Index::settle_left`].
    pub fn maybe_left(&self, since: Timestamp) -> Result<Vec<SessionRow>, IndexError> {
        let filter = "WHERE ended IS NULL AND project IS NOT NULL AND last_ms < ?1
                      AND (left_at_bytes IS NULL OR left_at_bytes <> bytes)";
        self.rows(&format!("{filter} {LATEST_FIRST}"), [number(since.as_millis())])
    }

    /// Notes that the session is settled: [`Self::maybe_left`] no longer returns it unless it
    /// grows.
    pub fn settle_left(&self, row: &SessionRow) -> Result<(), IndexError> {
        self.run(|sql| {
            sql.prepare_cached("UPDATE sessions SET left_at_bytes = ?2 WHERE stem = ?1")?
                .execute(params![row.stem, row.bytes])
        })?;
        Ok(())
    }

    /// The number of sessions in the index.
    pub fn count_sessions(&self) -> Result<usize, IndexError> {
        self.count("SELECT count(*) FROM sessions", [])
    }

    /// The row of the session with this stem.
    pub fn session(&self, stem: &str) -> Result<Option<SessionRow>, IndexError> {
        self.run(|sql| {
            sql.prepare_cached("SELECT * FROM sessions WHERE stem = ?1")?
                .query_row([stem], SessionRow::from_sql)
                .optional()
        })
    }

    /// The session rows that the SQL `clauses` select.
    fn rows(&self, clauses: &str, parameters: impl Params) -> Result<Vec<SessionRow>, IndexError> {
        self.run(|sql| {
            sql.prepare_cached(&format!("SELECT * FROM sessions {clauses}"))?
                .query_map(parameters, SessionRow::from_sql)?
                .collect()
        })
    }

    pub(super) fn count(&self, query: &str, parameters: impl Params) -> Result<usize, IndexError> {
        let count: i64 =
            self.run(|sql| sql.prepare_cached(query)?.query_row(parameters, |row| row.get(0)))?;
        Ok(usize::try_from(count).unwrap_or_default())
    }
}

/// The earliest time, in milliseconds, that the last record of a live session can have.
fn live_since(now: Timestamp) -> i64 {
    number(now.as_millis().saturating_sub(LIVE_MILLIS))
}

fn limit_of(limit: usize) -> i64 {
    i64::try_from(limit).unwrap_or(i64::MAX)
}
