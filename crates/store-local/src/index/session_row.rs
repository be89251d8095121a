//! A session's row in the index.

use verger_event::{Life, Session, SessionId, SessionKey, Timestamp, UnsatisfiedRelease};
use verger_store::SegmentName;

/// The time after its last record in which a session still counts as live, in milliseconds.
pub(super) const LIVE_MILLIS: u64 = 24 * 60 * 60 * 1000;
pub(super) const SCHEMA: &str = "
CREATE TABLE sessions (
  stem          TEXT PRIMARY KEY,
  agent         TEXT NOT NULL,
  session       TEXT NOT NULL,
  project       TEXT,
  user          TEXT,
  agent_version TEXT,
  cwd           TEXT,
  ended         TEXT,
  first_ms      INTEGER,
  last_ms       INTEGER,
  events        INTEGER NOT NULL,
  warnings      INTEGER NOT NULL,
  bytes         INTEGER NOT NULL,
  releases      TEXT,
  left_at_bytes INTEGER
) STRICT;
CREATE INDEX sessions_by_time ON sessions (last_ms DESC, stem);
CREATE INDEX sessions_by_project ON sessions (project, last_ms DESC, stem);
CREATE INDEX sessions_by_agent ON sessions (agent, last_ms DESC);
CREATE INDEX sessions_by_id ON sessions (session);
CREATE INDEX sessions_not_ended ON sessions (last_ms DESC, stem) WHERE ended IS NULL;
CREATE INDEX sessions_let_go ON sessions (last_ms DESC, stem) WHERE releases IS NOT NULL;
";

/// The index's row of one session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SessionRow {
    /// The stem of the session's segment.
    pub stem: String,
    /// The name of the agent's program.
    pub agent: String,
    /// The agent's id for the session.
    pub session: String,
    /// The session's project.
    pub project: Option<String>,
    /// The user who runs the session.
    pub user: Option<String>,
    /// The version of the agent's program.
    pub agent_version: Option<String>,
    /// The agent's working directory.
    pub cwd: Option<String>,
    /// The reason why the session ended, if an end was reported.
    pub ended: Option<String>,
    /// The time of the session's first record, in milliseconds.
    pub first_ms: Option<i64>,
    /// The time of the session's last record, in milliseconds.
    pub last_ms: Option<i64>,
    /// The number of the session's records.
    pub events: i64,
    /// The number of verger's own failures in the session.
    pub warnings: i64,
    /// The releases of unsatisfied gates that no person has seen yet, the oldest first.
    pub releases: Vec<UnsatisfiedRelease>,
    /// The number of bytes of the segment from which the row was made.
    pub bytes: i64,
}

impl SessionRow {
    /// Whether the session counts as live: no end was reported, and its last record is less than a
    /// day old. Some sessions end without a report.
    pub fn is_live(&self, now: Timestamp) -> bool {
        let last = self.last_ms.and_then(|millis| u64::try_from(millis).ok());
        let last = last.map(Timestamp::from_millis);
        self.ended.is_none() && last.is_some_and(|last| now.millis_since(last) < LIVE_MILLIS)
    }

    /// The session's key. `None` if the agent's name is not a valid one.
    pub fn key(&self) -> Option<SessionKey> {
        let session = SessionId::new(self.session.as_str());
        Some(SessionKey { agent: self.agent.parse().ok()?, session })
    }

    /// The name of the session's segment.
    pub fn segment(&self) -> SegmentName {
        SegmentName::Session(self.stem.clone())
    }

    pub(crate) fn new(stem: &str, key: &SessionKey, session: &Session, bytes: u64) -> Self {
        let number = |n: u64| i64::try_from(n).unwrap_or(i64::MAX);
        Self {
            stem: stem.to_owned(),
            agent: key.agent.to_string(),
            session: key.session.to_string(),
            project: session.project.as_ref().map(ToString::to_string),
            user: session.user.clone(),
            agent_version: session.agent_version.clone(),
            cwd: session.cwd.clone(),
            ended: match &session.life {
                Life::Ended { reason } => Some(reason.clone()),
                Life::Unseen | Life::Running => None,
            },
            first_ms: session.first_at.map(|at| number(at.as_millis())),
            last_ms: session.last_at.map(|at| number(at.as_millis())),
            events: number(session.events),
            warnings: number(session.warnings.count),
            releases: session.releases.all().to_vec(),
            bytes: number(bytes),
        }
    }

    pub(super) fn from_sql(row: &rusqlite::Row<'_>) -> rusqlite::Result<Self> {
        Ok(Self {
            stem: row.get("stem")?,
            agent: row.get("agent")?,
            session: row.get("session")?,
            project: row.get("project")?,
            user: row.get("user")?,
            agent_version: row.get("agent_version")?,
            cwd: row.get("cwd")?,
            ended: row.get("ended")?,
            first_ms: row.get("first_ms")?,
            last_ms: row.get("last_ms")?,
            events: row.get("events")?,
            warnings: row.get("warnings")?,
            releases: releases_of(row.get("releases")?),
            bytes: row.get("bytes")?,
        })
    }
}

/// The text stored for [`SessionRow::releases`] in its column. `NULL` if there are none, so that an
/// index can find the rows with releases.
pub(super) fn column_of(releases: &[UnsatisfiedRelease]) -> Option<String> {
    (!releases.is_empty()).then(|| serde_json::to_string(releases).ok())?
}

/// Parses the column of [`SessionRow::releases`]. Text that can't be parsed counts as empty.
fn releases_of(column: Option<String>) -> Vec<UnsatisfiedRelease> {
    column.and_then(|text| serde_json::from_str(&text).ok()).unwrap_or_default()
}
