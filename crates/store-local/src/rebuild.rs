//! Rebuilds all derived data from the log, and compares it with the log.

use std::borrow::Borrow;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;

use verger_event::{Fold, Session};
use verger_store::{ReadLog, Retention, SegmentName, StoreError};

use crate::chain::Chain;
use crate::index::{Index, IndexError, SessionRow};
use crate::probe::Probe;
use crate::snapshot;
use crate::snapshot_name::{self, SnapshotName};
use crate::store::{LocalStore, bytes_of, replayed};

/// The maximum number of threads. Rebuilding is bound by parsing, and more threads would only
/// compete for the disk.
const MAX_WORKERS: usize = 8;

/// The progress of rebuilding or updating sessions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress {
    /// The number of finished sessions.
    pub done: usize,
    /// The number of all sessions.
    pub total: usize,
}

/// The numbers of a finished rebuild.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Rebuilt {
    /// Number of sessions whose data was rebuilt.
    pub sessions: u64,
    /// Number of records in these sessions.
    pub records: u64,
    /// Number of durable records that were missing in their project's segment and were copied
    /// there.
    pub settled: u64,
}

/// A piece of derived data that differs from the log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Difference {
    /// The state of a session, folded from the snapshot and the tail, differs from the fold of the
    /// whole segment.
    Snapshot {
        /// The stem of the session's segment.
        stem: String,
    },
    /// The snapshot of an additional fold of a session or project differs from the fold of its
    /// segment.
    Beside {
        /// The name of the segment.
        segment: SegmentName,
        /// The name of the additional fold, as in its snapshot's file name.
        name: &'static str,
    },
    /// The row of a session in the index is wrong, is missing, or has no session.
    Index {
        /// The stem of the session's segment.
        stem: String,
    },
    /// The drift tables of a session differ from the log.
    DriftTables {
        /// The stem of the session's segment.
        stem: String,
    },
    /// The table of a project's tasks differs from the log.
    Tasks {
        /// The stem of the project's segment.
        stem: String,
    },
}

impl<P: Probe + Sync> LocalStore<P> {
    /// Creates the sessions' snapshots and the index again from the segments. Removes the snapshots
    /// of additional folds, because this function does not know these folds. Commands that need
    /// such a snapshot create it again. A segment that cannot be read is noted and skipped.
    pub fn rebuild<F: Fold + Borrow<Session> + Send>(
        &self,
        progress: &mut dyn FnMut(Progress),
    ) -> Result<Rebuilt, IndexError> {
        let stems = self.session_stems()?;
        let mut rebuilt = Rebuilt::default();
        let mut rows = vec![];
        // The files are listed once for all sessions, because the directory has at least one file
        // per session.
        let beside = self.or_note(snapshot_name::beside_sessions(&self.root));
        let rebuild_one = |stem: &str| {
            if let Some(names) = beside.get(stem) {
                // A failure is only noted, because the session's own snapshot can still be created.
                self.note_unfinished(self.remove_beside(&self.session_chain(stem)?, names));
            }
            self.rebuild_session::<F>(stem)
        };
        for_all(&stems, progress, &rebuild_one, |_, one| {
            let Some((row, records, settled)) = self.or_note(one) else { return };
            rebuilt.sessions += 1;
            rebuilt.records += records;
            rebuilt.settled += settled;
            rows.push(row);
        });
        for (stem, names) in self.or_note(snapshot_name::beside_projects(&self.root)) {
            let chain = self.project_chain(&stem);
            self.note_unfinished(chain.and_then(|chain| self.remove_beside(&chain, &names)));
        }
        Index::on_disk(self, &mut |index| {
            index.replace_all(&rows)?;
            index.remake_drift()
        })?;
        Ok(rebuilt)
    }

    /// Removes snapshots of a session's additional folds, unless another process holds the lock.
    fn remove_beside(&self, chain: &Chain<'_>, names: &[SnapshotName]) -> Result<(), StoreError> {
        let Some(_lock) = chain.lock(self.lock_wait)? else { return Ok(()) };
        names.iter().try_for_each(|name| snapshot::remove(&self.root, name))
    }

    /// Rebuilds the snapshot of a session. Returns the row that the index should have, the number
    /// of records, and the number of records that were copied to their project.
    fn rebuild_session<F: Fold + Borrow<Session>>(
        &self,
        stem: &str,
    ) -> Result<Option<(SessionRow, u64, u64)>, StoreError> {
        let Some(key) = self.key_of(stem)? else { return Ok(None) };
        // Runs `settle` first, because it merges the spilled records.
        let settled = self.settle(&key)?;
        let bytes = self.segment_bytes(stem)?;
        let state = self.rebuild_snapshot::<F>(stem)?;
        let session: &Session = state.borrow();
        Ok(Some((SessionRow::new(stem, &key, session, bytes), session.events, settled)))
    }

    /// Compares the derived data with the log. Updates the index, but changes nothing else.
    pub fn compare<F: Fold + Borrow<Session> + Send>(
        &self,
        progress: &mut dyn FnMut(Progress),
    ) -> Result<(Rebuilt, Vec<Difference>), IndexError> {
        let stems = self.session_stems()?;
        let mut rows: BTreeMap<_, _> =
            Index::list::<F>(self)?.into_iter().map(|row| (row.stem.clone(), row)).collect();
        let mut compared = Rebuilt::default();
        let mut differences = vec![];
        for_all(&stems, progress, &|stem| self.compare_session::<F>(stem), |stem, one| {
            let known = rows.remove(stem);
            let Some((row, folds_agree, records)) = self.or_note(one) else { return };
            compared.sessions += 1;
            compared.records += records;
            if !folds_agree {
                differences.push(Difference::Snapshot { stem: stem.to_owned() });
            }
            match known {
                // A row with another size doesn't count as wrong: the session got new records after
                // the update.
                Some(known) if known == row || known.bytes != row.bytes => {}
                _ => differences.push(Difference::Index { stem: stem.to_owned() }),
            }
        });
        for stem in rows.into_keys() {
            // A session that has a segment now has just begun, so it doesn't count as a difference.
            if self.or_note(self.segment_bytes(&stem)) == 0 {
                differences.push(Difference::Index { stem });
            }
        }
        let (sessions, projects) = Index::with(self, Index::differing_drift)?;
        differences.extend(sessions.into_iter().map(|stem| Difference::DriftTables { stem }));
        differences.extend(projects.into_iter().map(|stem| Difference::Tasks { stem }));
        Ok((compared, differences))
    }

    /// Compares a session's snapshot with its segment. Returns the row that the index should have,
    /// whether the folds agree, and the number of records. `None` for a session that is being
    /// written to.
    fn compare_session<F: Fold + Borrow<Session>>(
        &self,
        stem: &str,
    ) -> Result<Option<(SessionRow, bool, u64)>, StoreError> {
        let Some(key) = self.key_of(stem)? else { return Ok(None) };
        let bytes = self.segment_bytes(stem)?;
        let (replayed, folded) = (self.replay::<F>(stem)?, self.folded::<F>(stem)?);
        if self.segment_bytes(stem)? != bytes {
            return Ok(None);
        }
        let session: &Session = replayed.borrow();
        let row = SessionRow::new(stem, &key, session, bytes);
        Ok(Some((row, replayed == folded, session.events)))
    }

    /// Compares the sessions' snapshots of the fold `G`, named `name`, with the log. Skips sessions
    /// without such a snapshot.
    pub fn compare_beside<G: Fold>(
        &self,
        name: &'static str,
        progress: &mut dyn FnMut(Progress),
    ) -> Result<Vec<Difference>, StoreError> {
        let mut stems = vec![];
        for (stem, names) in snapshot_name::beside_sessions(&self.root)? {
            if names.contains(&SnapshotName::beside_session::<G>(&stem, name)) {
                stems.push(stem);
            }
        }
        let differs = |stem: &str| {
            let snapshot = SnapshotName::beside_session::<G>(stem, name);
            self.differs::<G>(&self.session_chain(stem)?, &snapshot)
        };
        let mut differences = vec![];
        for_all(&stems, progress, &differs, |stem, differs| {
            if self.or_note(differs) {
                let segment = SegmentName::Session(stem.to_owned());
                differences.push(Difference::Beside { segment, name });
            }
        });
        Ok(differences)
    }

    /// Like [`Self::compare_beside`], for projects. There are few projects, so no progress is
    /// reported.
    pub fn compare_projects<G: Fold>(
        &self,
        name: &'static str,
    ) -> Result<Vec<Difference>, StoreError> {
        let mut differences = vec![];
        for (stem, names) in snapshot_name::beside_projects(&self.root)? {
            let snapshot = SnapshotName::beside_project::<G>(&stem, name);
            let differs = |chain| self.differs::<G>(&chain, &snapshot);
            if names.contains(&snapshot)
                && self.or_note(self.project_chain(&stem).and_then(differs))
            {
                let segment = SegmentName::Project(stem);
                differences.push(Difference::Beside { segment, name });
            }
        }
        Ok(differences)
    }

    /// Whether the state folded from the snapshot differs from the fold of the whole segment.
    /// Returns `false` for a segment that is being written to.
    fn differs<G: Fold>(
        &self,
        chain: &Chain<'_>,
        snapshot: &SnapshotName,
    ) -> Result<bool, StoreError> {
        let bytes = bytes_of(chain)?;
        let is_other = replayed::<G>(chain)? != self.folded_from::<G>(chain, snapshot)?;
        Ok(is_other && bytes_of(chain)? == bytes)
    }
}

/// Runs `work` for every session, in several threads. `collect` receives the results one at a time.
fn for_all<T: Send>(
    stems: &[String],
    progress: &mut dyn FnMut(Progress),
    work: &(impl Fn(&str) -> Result<T, StoreError> + Sync),
    mut collect: impl FnMut(&str, Result<T, StoreError>),
) {
    let next = AtomicUsize::new(0);
    let workers = std::thread::available_parallelism().map_or(1, usize::from).min(MAX_WORKERS);
    // The channel is bounded, so that results don't pile up while the index is slow.
    let (sender, receiver) = mpsc::sync_channel(2 * workers);
    std::thread::scope(|scope| {
        for _ in 0..workers {
            let (sender, next) = (sender.clone(), &next);
            scope.spawn(move || {
                while let Some(stem) = stems.get(next.fetch_add(1, Ordering::Relaxed)) {
                    if sender.send((stem, work(stem))).is_err() {
                        break;
                    }
                }
            });
        }
        drop(sender);
        let receiver = receiver;
        for (done, (stem, result)) in (1..).zip(&receiver) {
            collect(stem, result);
            progress(Progress { done, total: stems.len() });
        }
    });
}
