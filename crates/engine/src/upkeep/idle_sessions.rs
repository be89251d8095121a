//! Packs idle sessions: after a week without a record, a session's segment in the log is its only
//! file.
//!
//! The next call recreates the snapshots and the lock. The start trees that the open task is
//! compared with are moved into the log first, and are restored when the session continues.

use std::borrow::Cow;
use std::path::Path;

use verger_event::{Draft, Event, SessionKey, Timestamp};
use verger_gate::Start;
use verger_store::{Entry, ReadLog, Receipt, Retention, Store, StoreError, Turn, prepare};
use verger_worktree::{PackedStart, StartTree, TreeError, has_start, pack_start, unpack_start};

use super::left_sessions::{LeftSessions, OwnRecords};
use crate::gates::review::run::ReviewRun;
use crate::{Home, State};

/// A session is idle after this long without a record.
pub(super) const IDLE_MILLIS: u64 = 7 * 24 * 60 * 60 * 1000;

/// The result of packing a session.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Packing {
    /// The segment is the session's only file now.
    Done,
    /// The session can't be packed: a start tree can't be moved into the log, or no record has a
    /// time.
    Impossible,
    /// The session is not idle before this time.
    NotBefore(Timestamp),
    /// Another process is using the session, or the result of its review was not collected yet.
    InUse,
}

impl<S: Store + Retention> LeftSessions<'_, S> {
    /// Packs a session if it is idle.
    pub(super) fn pack(&self, key: &SessionKey) -> Result<Packing, StoreError> {
        let Some(turn) = self.store.open_if_free::<State>(key)? else { return Ok(Packing::InUse) };
        let state = turn.state();
        let Some(at) = state.session.last_at else { return Ok(Packing::Impossible) };
        let due = Timestamp::from_millis(at.as_millis().saturating_add(IDLE_MILLIS));
        if self.clock.now() < due {
            return Ok(Packing::NotBefore(due));
        }
        if ReviewRun::under_way(&state.review).is_some() {
            return Ok(Packing::InUse);
        }
        let records = OwnRecords::of(key, &state.session, at, self);
        let Some(drafts) = self.packed_starts(key, state, &records)? else {
            return Ok(Packing::Impossible);
        };
        let Receipt::Logged { last_seq } = turn.commit(drafts)? else { return Ok(Packing::InUse) };
        Ok(if self.store.pack(key, last_seq)? { Packing::Done } else { Packing::InUse })
    }

    /// The records of the start trees that are not in the log yet. `None` if one of them can't be
    /// stored in a record because it is too large, is not text, or contains a secret.
    fn packed_starts(
        &self,
        key: &SessionKey,
        state: &State,
        records: &OwnRecords<'_>,
    ) -> Result<Option<Vec<Draft>>, StoreError> {
        let directory = self.home.trees(&key.file_stem());
        let mut trees = start_trees(state);
        trees.retain(|tree| has_start(tree, &directory));
        if !trees.is_empty() {
            let packed = packed_before(self.store, key)?;
            trees.retain(|tree| packed.iter().all(|packed| packed.id != tree.id));
        }
        let mut drafts = vec![];
        for tree in trees {
            let Some(packed) = pack_start(&tree, &directory) else { return Ok(None) };
            let PackedStart { id, start, begun } = packed;
            let draft = records.draft(Event::StartTreePacked { id, start, begun });
            let redact = |text: &str| match self.store.redacted(text) {
                Cow::Borrowed(_) => None,
                Cow::Owned(text) => Some(text),
            };
            if prepare(draft.clone(), &redact)?.draft.event != draft.event {
                return Ok(None);
            }
            drafts.push(draft);
        }
        Ok(Some(drafts))
    }
}

/// Restores the start trees of a session that were moved into the log while the session was idle.
///
/// An error is not returned here. A tree that can't be restored is missing when the work is
/// compared with it, which is reported then.
pub fn restore_start_trees(home: &Home, store: &impl ReadLog, key: &SessionKey, state: &State) {
    let directory = home.trees(&key.file_stem());
    // Packing removes the whole directory, so an existing one means that nothing was packed.
    if directory.exists() {
        return;
    }
    let trees = start_trees(state);
    if !trees.is_empty() {
        drop(unpack(store, key, &trees, &directory));
    }
}

/// The reason why a start tree was not restored.
#[derive(Debug, thiserror::Error)]
enum NotUnpacked {
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    Tree(#[from] TreeError),
}

fn unpack(
    store: &impl ReadLog,
    key: &SessionKey,
    trees: &[StartTree],
    directory: &Path,
) -> Result<(), NotUnpacked> {
    let packed = packed_before(store, key)?;
    for tree in trees {
        if let Some(packed) = packed.iter().find(|packed| packed.id == tree.id) {
            unpack_start(tree, packed, directory)?;
        }
    }
    Ok(())
}

/// The start trees that are in the log.
fn packed_before(store: &impl ReadLog, key: &SessionKey) -> Result<Vec<PackedStart>, StoreError> {
    let mut packed = vec![];
    store.read(key, &mut |entry| {
        if let Entry::Record(record) = entry
            && let Event::StartTreePacked { id, start, begun } = record.draft.event
        {
            packed.push(PackedStart { id, start, begun });
        }
    })?;
    Ok(packed)
}

/// The start trees that the session's work is compared with.
fn start_trees(state: &State) -> Vec<StartTree> {
    let mut trees = vec![];
    for start in [&state.work.start, state.learning.baseline.start()] {
        if let Start::Tree(tree) = start
            && let Ok(tree) = serde_json::from_value(tree.clone())
            && !trees.contains(&tree)
        {
            trees.push(tree);
        }
    }
    trees
}
