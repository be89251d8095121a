//! Removes old sessions, leftover lock files, and payloads that no line refers to.
//!
//! Each step leaves an intact log: a snapshot is a cache, a session without a segment does not
//! exist, and a payload is removed only if no line refers to it.

use std::collections::BTreeSet;
use std::time::Duration;

use verger_event::{SessionKey, Timestamp};
use verger_store::{RemoveError, StoreError};

use crate::chain::{Chain, Head, Scanned};
use crate::probe::Probe;
use crate::snapshot;
use crate::snapshot_name::{self, SnapshotName};
use crate::store::{LocalStore, is_bucket};

/// The name of the directory of start trees. Like `REVIEWS` and `VERIFICATIONS`, it has a
/// subdirectory for each session, which is removed with the session.
pub const TREES: &str = "trees";

/// The name of the directory of reviews that verger runs.
pub const REVIEWS: &str = "reviews";

/// The name of the directory of verifications.
pub const VERIFICATIONS: &str = "verifications";

impl<P: Probe> LocalStore<P> {
    /// Removes a session as [`Retention::remove`](verger_store::Retention::remove) does, unless it
    /// has a record from `before` or later. The time is checked here, because the session may have
    /// new records since the caller checked it.
    pub fn remove_older(&self, key: &SessionKey, before: Timestamp) -> Result<(), RemoveError> {
        let chain = self.session_chain(&key.file_stem())?;
        let _lock = chain.must_lock(self.lock_wait)?;
        self.merge(&chain)?;
        if latest(&chain)?.is_some_and(|latest| latest >= before) {
            return Err(RemoveError::Recent);
        }
        self.remove_locked(&chain)
    }

    /// Removes a session. The caller must hold the session's lock and have merged its spill. The
    /// lock file is removed last.
    pub(crate) fn remove_locked(&self, chain: &Chain<'_>) -> Result<(), RemoveError> {
        match self.unsettled(chain)?.at_stake() {
            0 => {}
            count => return Err(RemoveError::Unsettled { count }),
        }
        self.mark_changed(&chain.stem);
        self.remove_all_but_segment(chain)?;
        chain.remove()?;
        chain.remove_spill_leftovers()?;
        self.mark_changed(&chain.stem);
        Ok(chain.remove_lock()?)
    }

    /// Removes the snapshots and the directories of a session, but not its segment. The caller must
    /// hold the session's lock.
    pub(crate) fn remove_all_but_segment(&self, chain: &Chain<'_>) -> Result<(), StoreError> {
        snapshot::remove(&self.root, &SnapshotName::of_session(&chain.stem))?;
        for name in snapshot_name::beside_one(&self.root, &chain.stem)? {
            snapshot::remove(&self.root, &name)?;
        }
        for beside in [TREES, REVIEWS, VERIFICATIONS] {
            if let Some(beside) = self.root.existing_subdir(beside)? {
                beside.remove_tree(&chain.stem)?;
            }
        }
        Ok(())
    }

    /// Removes lock files of sessions that have no other files. Returns the number of removed
    /// files.
    pub fn remove_stray_locks(&self) -> Result<u64, StoreError> {
        let Some(log) = self.root.existing_subdir("log")? else { return Ok(0) };
        let mut removed = 0;
        for bucket in log.names()?.into_iter().filter(|name| is_bucket(name)) {
            let Some(dir) = log.existing_subdir(&bucket)? else { continue };
            let names: BTreeSet<_> = dir.names()?.into_iter().collect();
            for stem in names.iter().filter_map(|name| name.strip_suffix(".lock")) {
                let has = |ending: &str| names.contains(&format!("{stem}{ending}"));
                if !has(".jsonl") && !has(".spill") {
                    let result = self.remove_stray_lock(stem).map(|is_gone| removed += is_gone);
                    self.note_unfinished(result);
                }
            }
        }
        Ok(removed)
    }

    fn remove_stray_lock(&self, stem: &str) -> Result<u64, StoreError> {
        let chain = self.session_chain(stem)?;
        // If a process holds this lock, it is about to write the session's first record.
        let Some(_lock) = chain.lock(Duration::ZERO)? else { return Ok(0) };
        if chain.is_there()? {
            return Ok(0);
        }
        chain.remove_lock()?;
        Ok(1)
    }
}

/// The time of the session's latest record. Reads every record, because the wall clock may run
/// backwards.
fn latest(chain: &Chain<'_>) -> Result<Option<Timestamp>, StoreError> {
    let mut latest = None;
    if let Some(file) = chain.existing()? {
        chain.scan(&file, &mut Head::default(), |scanned| {
            if let Scanned::Record { line, .. } = scanned {
                latest = latest.max(Some(line.into_record(None).draft.at));
            }
            Ok(())
        })?;
    }
    Ok(latest)
}
