//! The index: tables for commands that list sessions. It is derived from the log and can be deleted
//! at any time.
//!
//! Hooks never open the index. A hook marks the sessions that it writes to (see `changed`). A
//! command updates the index by folding the marked sessions only. Only a new index reads the whole
//! log. The tables of tasks and drift are updated by the few commands that need them.

mod drift;
mod drift_lines;
mod drift_rows;
mod drift_tables;
mod kept_tasks;
mod refresh_meter;
mod session_row;
mod session_rows;

use std::borrow::Borrow;
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, ErrorKind};
use std::path::PathBuf;
use std::time::Duration;

use rusqlite::{
    Connection, ErrorCode, OpenFlags, OptionalExtension, Transaction, TransactionBehavior, params,
};
use verger_event::{Fold, Session, SessionKey};
use verger_store::{ReadLog, StoreError};

use crate::changed::Marks;
use crate::failure::failed;
use crate::lock;
use crate::probe::Probe;
use crate::rebuild::Progress;
use crate::store::LocalStore;
pub use drift_rows::{OpenTask, StepEntry};
pub use refresh_meter::RefreshMeter;
pub use session_row::SessionRow;

const FILE: &str = "index.db";
const NEW_FILE: &str = "index.db.new";
const LOCK_FILE: &str = "index.lock";
/// The maximum time to wait for another command that is writing to the index.
const WAIT: Duration = Duration::from_secs(5);
/// The version of the tables. Increment it when the tables change.
const TABLES_VERSION: i64 = 5;
/// The version of the index: the versions of the tables and of the session fold. An index with
/// another version is created again.
const VERSION: i64 = (TABLES_VERSION << 16) | Session::VERSION as i64;

/// The index could not be used.
#[derive(Debug, thiserror::Error)]
pub enum IndexError {
    /// `SQLite` returned an error.
    #[error("use the index {}", path.display())]
    Sqlite {
        /// The path of the database file.
        path: PathBuf,
        /// The error that `SQLite` returned.
        #[source]
        source: rusqlite::Error,
    },
    /// The log could not be read.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// The open index of a store, with its database.
pub struct Index<'a, P> {
    store: &'a LocalStore<P>,
    connection: Connection,
    path: PathBuf,
    lasts: Lasts,
}

/// Whether the index is on disk, where later commands use it too.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Lasts {
    OnDisk,
    /// The index is temporary. Marks of changed sessions stay in place, because the index on disk
    /// still needs them.
    InMemory,
}

/// The stem of a row in `to_look_at` that means that all sessions must be read. No segment has this
/// stem.
const ALL: &str = "";
const TO_LOOK_AT: &str = "CREATE TABLE to_look_at (stem TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;";

impl<'a, P: Probe> Index<'a, P> {
    /// Calls `read` on an up-to-date index, or on a temporary one in memory if the index on disk
    /// can't be used. `F` is the fold in the sessions' snapshots. With another fold, no snapshot
    /// could be used, so every session would be read from its first record.
    pub fn current<F: Fold + Borrow<Session>, T>(
        store: &'a LocalStore<P>,
        mut read: impl FnMut(&Self) -> Result<T, IndexError>,
    ) -> Result<T, IndexError> {
        Self::with(store, |index| {
            index.refresh::<F>()?;
            read(index)
        })
    }

    /// Every session in the log, the latest first.
    pub fn list<F: Fold + Borrow<Session>>(
        store: &'a LocalStore<P>,
    ) -> Result<Vec<SessionRow>, IndexError> {
        Self::current::<F, _>(store, Self::sessions)
    }

    /// Calls `read` on the index on disk, or on a temporary one in memory if the index on disk
    /// can't be used.
    pub fn with<T>(
        store: &'a LocalStore<P>,
        mut read: impl FnMut(&Self) -> Result<T, IndexError>,
    ) -> Result<T, IndexError> {
        Self::on_disk(store, &mut read).or_else(|_| read(&Self::in_memory(store)?))
    }

    /// Calls `work` on the index on disk. Another process may replace a damaged index just after
    /// this call opens it. If `work` finds damage, an empty index replaces the damaged one.
    pub(crate) fn on_disk<T>(
        store: &'a LocalStore<P>,
        work: &mut dyn FnMut(&Self) -> Result<T, IndexError>,
    ) -> Result<T, IndexError> {
        match Self::open(store).and_then(|index| work(&index)) {
            Err(IndexError::Sqlite { source, .. }) if is_damage(&source) => {
                Self::replace_damaged(store)?;
            }
            Err(_) => {}
            done => return done,
        }
        work(&Self::open(store)?)
    }

    fn replace_damaged(store: &'a LocalStore<P>) -> Result<(), IndexError> {
        let _lock = lock_making(store)?;
        let is_whole = Self::connect(store, FILE).and_then(|index| {
            index.run(|sql| {
                sql.query_row("PRAGMA quick_check(1)", [], |row| row.get::<_, String>(0))
            })
        });
        if is_whole.is_ok_and(|health| health == "ok") {
            return Ok(());
        }
        Self::install_empty(store)
    }

    /// The total number of records that these segments had when the index was last updated. `None`
    /// if there is no index.
    pub fn known_records<'s>(
        store: &'a LocalStore<P>,
        stems: impl IntoIterator<Item = &'s str>,
    ) -> BTreeMap<String, u64> {
        let Ok(Some(index)) = Self::usable(store) else { return BTreeMap::new() };
        let rows = stems.into_iter().filter_map(|stem| index.session(stem).ok().flatten());
        rows.map(|row| (row.stem, row.events.try_into().unwrap_or_default())).collect()
    }

    /// Opens the index on disk. Creates it again if it is missing, damaged or of another version.
    pub fn open(store: &'a LocalStore<P>) -> Result<Self, IndexError> {
        if let Some(index) = Self::usable(store)? {
            return Ok(index);
        }
        let _lock = lock_making(store)?;
        // Another process may have created the index while this process waited.
        if let Some(index) = Self::usable(store)? {
            return Ok(index);
        }
        Self::install_empty(store)?;
        Self::connect(store, FILE)
    }

    /// The index on disk, if it can be used. A busy index is an error, so that it isn't replaced.
    fn usable(store: &'a LocalStore<P>) -> Result<Option<Self>, IndexError> {
        // A full integrity check would take longer than most commands.
        let checked = Self::connect(store, FILE).and_then(|index| {
            let is_usable = index.run(|sql| {
                let version: i64 = sql.query_row("PRAGMA user_version", [], |row| row.get(0))?;
                Ok(version == VERSION)
            })?;
            Ok(is_usable.then_some(index))
        });
        match checked {
            Err(IndexError::Sqlite { source, .. }) if is_damage(&source) => Ok(None),
            other => other,
        }
    }

    /// Replaces the index by an empty one. Callers must not replace a usable index, because
    /// processes that have it open could no longer use it.
    fn install_empty(store: &'a LocalStore<P>) -> Result<(), IndexError> {
        store.root.remove(NEW_FILE)?;
        store.root.remove(&format!("{NEW_FILE}-journal"))?;
        // verger creates the file, not SQLite, so that it gets verger's file mode.
        drop(store.root.create_new(NEW_FILE)?);
        Self::connect(store, NEW_FILE)?.make_tables()?;
        // SQLite would otherwise apply the old file's journal to the new file.
        store.root.remove(&format!("{FILE}-journal"))?;
        Ok(store.root.rename(NEW_FILE, FILE)?)
    }

    fn in_memory(store: &'a LocalStore<P>) -> Result<Self, IndexError> {
        let path = PathBuf::from(":memory:");
        let connection = Connection::open_in_memory()
            .map_err(|source| IndexError::Sqlite { path: path.clone(), source })?;
        let index = Self { store, connection, path, lasts: Lasts::InMemory };
        index.make_tables()?;
        Ok(index)
    }

    fn make_tables(&self) -> Result<(), IndexError> {
        self.run(|sql| {
            sql.execute_batch(TO_LOOK_AT)?;
            sql.execute("INSERT INTO to_look_at VALUES (?1)", [ALL])?;
            sql.execute_batch(session_row::SCHEMA)?;
            sql.execute_batch(&drift_tables::schema())?;
            sql.execute_batch(kept_tasks::SCHEMA)?;
            sql.pragma_update(None, "user_version", VERSION)
        })
    }

    /// Opens an existing database file. A process must not open the same file twice, because
    /// closing one descriptor releases the locks of all others.
    fn connect(store: &'a LocalStore<P>, name: &str) -> Result<Self, IndexError> {
        let path = store.root.path_of(name);
        // The path is resolved first, because SQLite would also refuse links above verger's
        // directory, which the user may have made.
        let real = store.root.path_of("").canonicalize().map_err(failed("look at", &path))?;
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE
            | OpenFlags::SQLITE_OPEN_NO_MUTEX
            | OpenFlags::SQLITE_OPEN_NOFOLLOW;
        let connection = Connection::open_with_flags(real.join(name), flags)
            .map_err(|source| IndexError::Sqlite { path: path.clone(), source })?;
        let index = Self { store, connection, path, lasts: Lasts::OnDisk };
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

    /// Updates the index from the log. Folds the sessions that are marked as changed, or all
    /// sessions if the index is new. A session that cannot be read is noted, and the next command
    /// tries again.
    pub fn refresh<F: Fold + Borrow<Session>>(&self) -> Result<(), IndexError> {
        let mut progress = self.store.begin_refresh();
        self.take_marks()?;
        if self.stems_to_look_at()?.is_empty() {
            return Ok(());
        }
        let transaction = self.begin()?;
        let mut stems = self.stems_to_look_at()?;
        if stems.iter().any(|stem| stem == ALL) {
            // A session whose segment was removed is only known by its mark, so marked stems are
            // kept.
            stems.retain(|stem| stem != ALL);
            let (listed, is_whole) = self.store.list_sessions()?;
            stems.extend(listed);
            stems.extend(self.known_stems_of_sessions()?);
            if is_whole {
                self.looked_at(ALL)?;
            }
        }
        for (done, stem) in (1..).zip(&stems) {
            match self.refresh_session::<F>(stem) {
                Ok(()) => self.looked_at(stem)?,
                Err(IndexError::Store(error)) => {
                    self.store.note_unfinished(Err(error));
                    self.run(|sql| {
                        sql.execute("INSERT OR IGNORE INTO to_look_at VALUES (?1)", [stem])
                    })?;
                }
                Err(other) => return Err(other),
            }
            progress(Progress { done, total: stems.len() });
        }
        self.run(|_| transaction.commit())
    }

    /// Moves the marks of changed sessions into the index. Each mark is stored in the index before
    /// its file is removed, so that no mark is lost if the command is killed.
    fn take_marks(&self) -> Result<(), IndexError> {
        let root = &self.store.root;
        if self.lasts == Lasts::InMemory || Marks::read(root)?.is_empty() {
            return Ok(());
        }
        let _lock = lock_making(self.store)?;
        let marks = Marks::read(root)?;
        let transaction = self.begin()?;
        self.run(|sql| {
            let mut put = sql.prepare("INSERT OR IGNORE INTO to_look_at VALUES (?1)")?;
            marks.stems().try_for_each(|stem| put.execute([stem]).map(drop))
        })?;
        self.run(|_| transaction.commit())?;
        Ok(marks.take(root)?)
    }

    fn stems_to_look_at(&self) -> Result<Vec<String>, IndexError> {
        self.run(|sql| {
            sql.prepare_cached("SELECT stem FROM to_look_at")?
                .query_map([], |row| row.get(0))?
                .collect()
        })
    }

    fn looked_at(&self, stem: &str) -> Result<(), IndexError> {
        self.run(|sql| {
            sql.prepare_cached("DELETE FROM to_look_at WHERE stem = ?1")?.execute([stem])
        })?;
        Ok(())
    }

    /// The sessions that have a row, even if they are no longer in the log.
    fn known_stems_of_sessions(&self) -> Result<Vec<String>, IndexError> {
        self.run(|sql| {
            sql.prepare("SELECT stem FROM sessions")?.query_map([], |row| row.get(0))?.collect()
        })
    }

    fn refresh_session<F: Fold + Borrow<Session>>(&self, stem: &str) -> Result<(), IndexError> {
        if !self.store.has_session(stem) {
            if self.store.is_missing(stem)? {
                return self.keep_missing(stem);
            }
            self.run(|sql| {
                sql.prepare_cached("DELETE FROM sessions WHERE stem = ?1")?.execute([stem])
            })?;
            return self.forget_drift(stem);
        }
        let bytes = self.store.segment_bytes(stem)?;
        let known: Option<i64> = self.run(|sql| {
            sql.prepare_cached("SELECT bytes FROM sessions WHERE stem = ?1")?
                .query_row([stem], |row| row.get(0))
                .optional()
        })?;
        if known.is_some_and(|known| u64::try_from(known) == Ok(bytes)) {
            return Ok(());
        }
        let Some(key) = self.store.key_of(stem)? else { return Ok(()) };
        let state = self.store.folded::<F>(stem)?;
        self.put(&SessionRow::new(stem, &key, state.borrow(), bytes))
    }

    /// Keeps or adds the row of a session whose segment was removed without `log clean`, so that
    /// `doctor` reports it.
    fn keep_missing(&self, stem: &str) -> Result<(), IndexError> {
        if let (None, Some(key)) = (self.session(stem)?, SessionKey::of_file_stem(stem)) {
            self.put(&SessionRow::new(stem, &key, &Session::default(), 0))?;
        }
        Ok(())
    }

    /// Replaces all rows of sessions. A reader sees either the old rows or the new ones.
    pub(crate) fn replace_all(&self, rows: &[SessionRow]) -> Result<(), IndexError> {
        let transaction = self.begin()?;
        self.run(|sql| sql.execute("DELETE FROM sessions", []))?;
        for row in rows {
            self.put(row)?;
        }
        // Sessions with newer records have a mark by now, so they need no entry in the table.
        self.looked_at(ALL)?;
        self.run(|_| transaction.commit())
    }

    /// Begins a transaction, which is rolled back when it is dropped.
    fn begin(&self) -> Result<Transaction<'_>, IndexError> {
        Transaction::new_unchecked(&self.connection, TransactionBehavior::Immediate)
            .map_err(|source| IndexError::Sqlite { path: self.path.clone(), source })
    }

    fn put(&self, row: &SessionRow) -> Result<(), IndexError> {
        self.run(|sql| {
            sql.prepare_cached(
                "INSERT OR REPLACE INTO sessions
                 VALUES (?1,?2,?3,?4,?5,?6,?7,?8,?9,?10,?11,?12,?13,?14,NULL)",
            )?
            .execute(params![
                row.stem,
                row.agent,
                row.session,
                row.project,
                row.user,
                row.agent_version,
                row.cwd,
                row.ended,
                row.first_ms,
                row.last_ms,
                row.events,
                row.warnings,
                row.bytes,
                session_row::column_of(&row.releases),
            ])
        })?;
        Ok(())
    }
}

fn lock_making<P>(store: &LocalStore<P>) -> Result<File, StoreError> {
    let path = store.root.path_of(LOCK_FILE);
    lock::acquire(store.root.append(LOCK_FILE)?, WAIT)
        .and_then(|lock| lock.ok_or_else(|| io::Error::from(ErrorKind::TimedOut)))
        .map_err(failed("lock", path))
}

/// Whether an error means that the database file is missing or holds no valid index.
fn is_damage(error: &rusqlite::Error) -> bool {
    matches!(
        error.sqlite_error_code(),
        Some(ErrorCode::NotADatabase | ErrorCode::DatabaseCorrupt | ErrorCode::CannotOpen)
    )
}
