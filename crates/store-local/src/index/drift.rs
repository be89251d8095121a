//! The tables of tasks, steps and drift of sessions.
//!
//! For a session that did not grow, only its size is checked. For a session that grew, the fold
//! continues from the state that is stored beside its rows. If that state can't be used, the
//! session is folded again from its first record.

use rusqlite::{OptionalExtension, params};
use serde::Serialize;
use serde::de::DeserializeOwned;
use sha2::{Digest, Sha256};
use verger_chronicle::{Chronicle, Position};
use verger_event::{Fold, Record};

use super::{Index, IndexError};
use crate::chain::{Head, Scanned};
use crate::probe::Probe;
use crate::rebuild::Progress;
use verger_store::{ReadLog, SegmentName};

/// The tables with rows of a session, each with the column by which its rows are ordered.
const TABLES: [(&str, &str); 5] = [
    ("drift_folds", "stem"),
    ("session_states", "number"),
    ("steps", "ordinal"),
    ("drift_log", "ordinal"),
    ("step_files", "ordinal, path"),
];

/// The stored state of a session's fold.
struct Known {
    fold: i64,
    bytes: i64,
    head: Option<String>,
    state: Option<String>,
}

impl<P: Probe> Index<'_, P> {
    /// Updates the drift tables of these sessions from the log. A session that cannot be read is
    /// noted and skipped.
    pub fn refresh_drift(
        &self,
        stems: &[String],
        progress: &mut dyn FnMut(Progress),
    ) -> Result<(), IndexError> {
        for (done, stem) in (1..).zip(stems) {
            match self.refresh_drift_of(stem) {
                Err(IndexError::Store(error)) => self.store.note_unfinished(Err(error)),
                other => other?,
            }
            progress(Progress { done, total: stems.len() });
        }
        Ok(())
    }

    pub(super) fn refresh_drift_of(&self, stem: &str) -> Result<(), IndexError> {
        let bytes = self.store.segment_bytes(stem)?;
        let is_known = |known: &Known| {
            known.fold == i64::from(Chronicle::VERSION) && u64::try_from(known.bytes) == Ok(bytes)
        };
        if self.known_fold(stem)?.as_ref().is_some_and(is_known) {
            return Ok(());
        }
        let transaction = self.begin()?;
        // Another process may have updated the session while this process waited.
        let known = self.known_fold(stem)?;
        if !known.as_ref().is_some_and(is_known) {
            self.fold_drift(stem, bytes, known)?;
        }
        self.run(|_| transaction.commit())
    }

    fn known_fold(&self, stem: &str) -> Result<Option<Known>, IndexError> {
        self.run(|sql| {
            sql.prepare_cached("SELECT fold, bytes, head, state FROM drift_folds WHERE stem = ?1")?
                .query_row([stem], |row| {
                    Ok(Known {
                        fold: row.get(0)?,
                        bytes: row.get(1)?,
                        head: row.get(2)?,
                        state: row.get(3)?,
                    })
                })
                .optional()
        })
    }

    /// The agent's position in a session. `None` if the session has no scores, or while spilled
    /// records wait to be merged.
    pub fn position_of(&self, stem: &str) -> Result<Option<Position>, IndexError> {
        let state = self.known_fold(stem)?.and_then(|known| known.state);
        Ok(parsed::<Chronicle>(state.as_ref()).and_then(|chronicle| chronicle.position()))
    }

    fn fold_drift(&self, stem: &str, bytes: u64, known: Option<Known>) -> Result<(), IndexError> {
        let chain = self.store.session_chain(stem)?;
        // Lists the spill before it opens the segment, so that records merged in between are still
        // read.
        let mut spilled = chain.spilled();
        let file = chain.existing()?;
        let usable = known.filter(|known| known.fold == i64::from(Chronicle::VERSION));
        let usable = usable
            .and_then(|known| Some((parsed(known.head.as_ref())?, parsed(known.state.as_ref())?)));
        let usable = usable.filter(|(head, _): &(Head, Chronicle)| {
            file.as_ref().is_some_and(|file| head.is_in(file))
        });
        if usable.is_none() {
            self.forget_drift(stem)?;
        }
        let (mut head, mut chronicle) = usable.unwrap_or_default();
        match &file {
            Some(file) => {
                let mut told = Ok(());
                chain.scan(file, &mut head, |scanned| {
                    if let (Scanned::Record { line, .. }, Ok(())) = (scanned, &told) {
                        told = self.tell(stem, &mut chronicle, &chain.resolve(*line));
                    }
                    Ok(())
                })?;
                told?;
                spilled = chain.leave_out_merged(spilled, file, head.offset)?;
            }
            None => spilled.leave_out_met(),
        }
        let kept = (stored(&head), stored(&chronicle));
        for ready in &spilled.records {
            self.tell(stem, &mut chronicle, &ready.record)?;
        }
        // Spilled records may be merged in another order, so the state for the next fold is not
        // stored. The rows stay valid until the merge.
        let (head, state) = if spilled.records.is_empty() { kept } else { (None, None) };
        let root = chronicle.track().root();
        let (fold, bytes) = (i64::from(Chronicle::VERSION), number(bytes));
        self.run(|sql| {
            sql.prepare_cached("INSERT OR REPLACE INTO drift_folds VALUES (?1,?2,?3,?4,?5,?6)")?
                .execute(params![stem, fold, bytes, root, head, state])
        })?;
        Ok(())
    }

    fn tell(
        &self,
        stem: &str,
        chronicle: &mut Chronicle,
        record: &Record,
    ) -> Result<(), IndexError> {
        for line in chronicle.take(record) {
            self.run(|sql| super::drift_lines::apply(sql, stem, &line))?;
        }
        Ok(())
    }

    pub(super) fn forget_drift(&self, stem: &str) -> Result<(), IndexError> {
        self.run(|sql| {
            for (table, _) in TABLES {
                sql.prepare_cached(&format!("DELETE FROM {table} WHERE stem = ?1"))?
                    .execute([stem])?;
            }
            Ok(())
        })
    }

    /// The stems of the sessions that have rows in the drift tables.
    fn known_stems(&self) -> Result<Vec<String>, IndexError> {
        self.run(|sql| {
            sql.prepare("SELECT stem FROM drift_folds ORDER BY stem")?
                .query_map([], |row| row.get(0))?
                .collect()
        })
    }

    /// Creates the drift rows of the known sessions and projects again. Adds no other sessions or
    /// projects.
    pub(crate) fn remake_drift(&self) -> Result<(), IndexError> {
        let (stems, projects) = (self.known_stems()?, self.known_projects()?);
        for stem in &stems {
            let transaction = self.begin()?;
            self.forget_drift(stem)?;
            self.run(|_| transaction.commit())?;
        }
        let segments = self.store.segments()?;
        let is_there =
            |stem: &String| segments.binary_search(&SegmentName::Session(stem.clone())).is_ok();
        let there: Vec<_> = stems.into_iter().filter(is_there).collect();
        self.refresh_drift(&there, &mut |_| {})?;
        for project in projects {
            self.remake_tasks(&project)?;
        }
        Ok(())
    }

    /// The stems of the sessions and of the projects whose tables differ from the log.
    pub(crate) fn differing_drift(&self) -> Result<(Vec<String>, Vec<String>), IndexError> {
        let mut sessions = vec![];
        for stem in self.known_stems()? {
            let anew = Self::in_memory(self.store)?;
            let compared = anew.refresh_drift_of(&stem).and_then(|()| {
                // A session that got new records since the update doesn't count as different.
                let is_current = self.known_fold(&stem)?.is_some_and(|known| {
                    self.store.segment_bytes(&stem).ok() == u64::try_from(known.bytes).ok()
                });
                Ok(!is_current || self.drift_digest(&stem)? == anew.drift_digest(&stem)?)
            });
            match compared {
                Ok(true) => {}
                Ok(false) => sessions.push(stem),
                Err(IndexError::Store(error)) => self.store.note_unfinished(Err(error)),
                Err(error) => return Err(error),
            }
        }
        Ok((sessions, self.differing_tasks()?))
    }

    fn drift_digest(&self, stem: &str) -> Result<[u8; 32], IndexError> {
        let mut digest = Sha256::new();
        self.run(|sql| {
            for (table, order) in TABLES {
                let query = format!("SELECT * FROM {table} WHERE stem = ?1 ORDER BY {order}");
                digest_rows(&mut digest, sql, &query, stem)?;
            }
            Ok(())
        })?;
        Ok(digest.finalize().into())
    }
}

pub(super) fn digest_rows(
    digest: &mut Sha256,
    sql: &rusqlite::Connection,
    query: &str,
    key: &str,
) -> rusqlite::Result<()> {
    let mut statement = sql.prepare(query)?;
    let columns = statement.column_count();
    let mut rows = statement.query([key])?;
    while let Some(row) = rows.next()? {
        for column in 0..columns {
            digest.update(format!("{:?}\0", row.get_ref(column)?));
        }
    }
    Ok(())
}

/// Parses JSON that is stored in a column. `None` if this program can't read it.
fn parsed<T: DeserializeOwned>(text: Option<&String>) -> Option<T> {
    serde_json::from_str(text?).ok()
}

fn stored(value: &impl Serialize) -> Option<String> {
    serde_json::to_string(value).ok()
}

pub(super) fn number(value: u64) -> i64 {
    i64::try_from(value).unwrap_or(i64::MAX)
}
