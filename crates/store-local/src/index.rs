//! The index: what commands list quickly, derived from the log and thrown away at will.
//!
//! Hooks never touch it. A command brings it up to date by folding the segments that grew.

use std::fs::File;
use std::io::{self, ErrorKind};
use std::path::PathBuf;
use std::time::Duration;

use rusqlite::{
    Connection, ErrorCode, OpenFlags, OptionalExtension, Transaction, TransactionBehavior, params,
};
use verger_event::{Life, Session, SessionKey};
use verger_store::StoreError;

use crate::failure::failed;
use crate::lock;
use crate::probe::Probe;
use crate::store::{LocalStore, SegmentName};

const FILE: &str = "index.db";
const NEW_FILE: &str = "index.db.new";
const LOCK_FILE: &str = "index.lock";
/// For another command that writes the index.
const WAIT: Duration = Duration::from_secs(5);
/// Raised with the tables; an index of another version is made anew.
const VERSION: i64 = 1;
const SCHEMA: &str = "
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
  bytes         INTEGER NOT NULL
) STRICT;
CREATE INDEX sessions_by_time ON sessions (last_ms DESC);
";

/// The index could not be used.
#[derive(Debug, thiserror::Error)]
pub enum IndexError {
    /// The database refused.
    #[error("use the index {}", path.display())]
    Sqlite {
        /// Its file.
        path: PathBuf,
        /// Its answer.
        #[source]
        source: rusqlite::Error,
    },
    /// The log could not be read.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// One session, as it is listed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SessionRow {
    /// The segment's name.
    pub stem: String,
    /// Which program.
    pub agent: String,
    /// Which of its sessions.
    pub session: String,
    /// In which project.
    pub project: Option<String>,
    /// Whose.
    pub user: Option<String>,
    /// The agent's version.
    pub agent_version: Option<String>,
    /// Where the agent works.
    pub cwd: Option<String>,
    /// Why it ended, if it said so.
    pub ended: Option<String>,
    /// When it began.
    pub first_ms: Option<i64>,
    /// When something happened last.
    pub last_ms: Option<i64>,
    /// How many records it has.
    pub events: i64,
    /// How often something went wrong in verger itself.
    pub warnings: i64,
    /// How much of the segment the row speaks of.
    pub bytes: i64,
}

impl SessionRow {
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
            bytes: number(bytes),
        }
    }

    fn from_sql(row: &rusqlite::Row<'_>) -> rusqlite::Result<Self> {
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
            bytes: row.get("bytes")?,
        })
    }
}

/// The index of a store.
pub struct Index<'a, P> {
    store: &'a LocalStore<P>,
    connection: Connection,
    path: PathBuf,
    /// Held while it is being made.
    making: Option<File>,
}

impl<'a, P: Probe> Index<'a, P> {
    /// Opens the index, made anew when it is missing, damaged or of another version.
    pub fn open(store: &'a LocalStore<P>) -> Result<Self, IndexError> {
        if let Some(index) = Self::usable(store)? {
            return Ok(index);
        }
        let lock = lock_making(store)?;
        // Somebody else may have made it while we waited.
        if let Some(index) = Self::usable(store)? {
            return Ok(index);
        }
        Self::create_locked(store, lock)?.install()?;
        Self::connect(store, FILE)
    }

    /// The index if it can be used. One that is only busy is not thrown away.
    fn usable(store: &'a LocalStore<P>) -> Result<Option<Self>, IndexError> {
        let index = Self::connect(store, FILE)?;
        let checked = index
            .connection
            .query_row("PRAGMA user_version", [], |row| Ok(row.get::<_, i64>(0)? == VERSION));
        let checked = checked.and_then(|is_ours| {
            let is_whole = index.connection.query_row("PRAGMA quick_check(1)", [], |row| {
                Ok(row.get::<_, String>(0)? == "ok")
            })?;
            Ok(is_ours && is_whole)
        });
        match checked {
            Ok(true) => Ok(Some(index)),
            Ok(false) => Ok(None),
            Err(error) if is_damage(&error) => Ok(None),
            Err(source) => Err(IndexError::Sqlite { path: index.path, source }),
        }
    }

    /// An empty index beside the one in use; [`Index::install`] puts it in its place. Only one
    /// process makes one at a time.
    pub fn create(store: &'a LocalStore<P>) -> Result<Self, IndexError> {
        let lock = lock_making(store)?;
        Self::create_locked(store, lock)
    }

    fn create_locked(store: &'a LocalStore<P>, lock: File) -> Result<Self, IndexError> {
        store.root.remove(NEW_FILE)?;
        store.root.remove(&format!("{NEW_FILE}-journal"))?;
        let mut index = Self::connect(store, NEW_FILE)?;
        index.making = Some(lock);
        index.run(|sql| {
            sql.execute_batch(SCHEMA)?;
            sql.pragma_update(None, "user_version", VERSION)
        })?;
        Ok(index)
    }

    /// Puts an index made by [`Index::create`] in place of the one in use.
    pub fn install(self) -> Result<(), IndexError> {
        let Self { store, connection, path: _, making } = self;
        drop(connection);
        // The journal of the old one would be taken for the new one's.
        store.root.remove(&format!("{FILE}-journal"))?;
        store.root.rename(NEW_FILE, FILE)?;
        drop(making);
        Ok(())
    }

    fn connect(store: &'a LocalStore<P>, name: &str) -> Result<Self, IndexError> {
        // Made by us, so that it has our mode; a link in its place is refused twice.
        drop(store.root.append(name)?);
        let path = store.root.path_of(name);
        // SQLite would also refuse links above our directory, which are the user's to arrange.
        let real = store.root.path_of("").canonicalize().map_err(failed("look at", &path))?;
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE
            | OpenFlags::SQLITE_OPEN_NO_MUTEX
            | OpenFlags::SQLITE_OPEN_NOFOLLOW;
        let connection = Connection::open_with_flags(real.join(name), flags)
            .map_err(|source| IndexError::Sqlite { path: path.clone(), source })?;
        let index = Self { store, connection, path, making: None };
        index.run(|sql| sql.busy_timeout(WAIT))?;
        Ok(index)
    }

    fn run<T>(
        &self,
        work: impl FnOnce(&Connection) -> rusqlite::Result<T>,
    ) -> Result<T, IndexError> {
        work(&self.connection)
            .map_err(|source| IndexError::Sqlite { path: self.path.clone(), source })
    }

    /// Brings the index up to date with the log: folds the segments whose size changed, forgets
    /// the ones that are gone.
    pub fn refresh(&self) -> Result<(), IndexError> {
        let segments = self.store.segments()?;
        // Rolled back when it is dropped.
        let transaction =
            Transaction::new_unchecked(&self.connection, TransactionBehavior::Immediate)
                .map_err(|source| IndexError::Sqlite { path: self.path.clone(), source })?;
        let known: Vec<String> = self.run(|sql| {
            sql.prepare("SELECT stem FROM sessions")?.query_map([], |row| row.get(0))?.collect()
        })?;
        for stem in known {
            if segments.binary_search(&SegmentName::Session(stem.clone())).is_err() {
                self.run(|sql| sql.execute("DELETE FROM sessions WHERE stem = ?1", [stem]))?;
            }
        }
        for segment in segments {
            if let SegmentName::Session(stem) = segment {
                self.refresh_session(&stem)?;
            }
        }
        self.run(|_| transaction.commit())
    }

    fn refresh_session(&self, stem: &str) -> Result<(), IndexError> {
        let bytes = self.store.segment_bytes(stem)?;
        let known: Option<i64> = self.run(|sql| {
            sql.query_row("SELECT bytes FROM sessions WHERE stem = ?1", [stem], |row| row.get(0))
                .optional()
        })?;
        if known.is_some_and(|known| u64::try_from(known) == Ok(bytes)) {
            return Ok(());
        }
        let session = self.store.folded::<Session>(stem)?;
        self.put(stem, &session, bytes)
    }

    /// Puts one session into the index.
    pub fn put(&self, stem: &str, session: &Session, bytes: u64) -> Result<(), IndexError> {
        let Some(key) = self.store.key_of(stem)? else { return Ok(()) };
        let row = SessionRow::new(stem, &key, session, bytes);
        self.run(|sql| {
            sql.prepare_cached(
                "INSERT OR REPLACE INTO sessions VALUES (?1,?2,?3,?4,?5,?6,?7,?8,?9,?10,?11,?12,?13)",
            )?
            .execute(params![
                row.stem, row.agent, row.session, row.project, row.user, row.agent_version,
                row.cwd, row.ended, row.first_ms, row.last_ms, row.events, row.warnings, row.bytes,
            ])
        })?;
        Ok(())
    }

    /// Every session, the latest first.
    pub fn sessions(&self) -> Result<Vec<SessionRow>, IndexError> {
        self.run(|sql| {
            sql.prepare("SELECT * FROM sessions ORDER BY last_ms DESC, stem")?
                .query_map([], SessionRow::from_sql)?
                .collect()
        })
    }
}

fn lock_making<P>(store: &LocalStore<P>) -> Result<File, StoreError> {
    let path = store.root.path_of(LOCK_FILE);
    lock::acquire(store.root.append(LOCK_FILE)?, WAIT)
        .and_then(|lock| lock.ok_or_else(|| io::Error::from(ErrorKind::TimedOut)))
        .map_err(failed("lock", path))
}

fn is_damage(error: &rusqlite::Error) -> bool {
    matches!(error.sqlite_error_code(), Some(ErrorCode::NotADatabase | ErrorCode::DatabaseCorrupt))
}
