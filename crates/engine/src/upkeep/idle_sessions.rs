//! Idle sessions: after a week without a record, the segment in the log is the only file of a session.
//!
//! The snapshots and the lock are made again by the next call. The start trees that the open task is
//! compared with are moved into the log first, and put back when the session goes on.

use std::path::Path;

use verger_event::{Draft, Event, SessionKey, Timestamp};
use verger_gate::Start;
use verger_store::{Entry, ReadLog, Retention, Store, StoreError, Turn};
use verger_worktree::{PackedStart, StartTree, TreeError, has_start, pack_start, unpack_start};

use super::left_sessions::{LeftSessions, OwnRecords};
use crate::{Home, State};

/// A session is idle if nothing was recorded for this long.
pub(super) const IDLE_MILLIS: u64 = 7 * 24 * 60 * 60 * 1000;

/// When a session is to be packed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Packed {
    /// Now it is, or there is nothing to pack.
    Yes,
    /// Not before then.
    NotBefore(Timestamp),
    /// Another process is using the session.
    InUse,
}

impl<S: Store + Retention> LeftSessions<'_, S> {
    /// Packs a session if it is idle. A session whose start trees cannot be moved into the log stays
    /// as it is.
    pub(super) fn pack(&self, key: &SessionKey) -> Result<Packed, StoreError> {
        let stem = key.file_stem();
        let Some(turn) = self.store.open_if_free::<State>(key)? else { return Ok(Packed::InUse) };
        let state = turn.state();
        let Some(at) = state.session.last_at else { return Ok(Packed::Yes) };
        let due = Timestamp::from_millis(at.as_millis().saturating_add(IDLE_MILLIS));
        if self.clock.now() < due {
            return Ok(Packed::NotBefore(due));
        }
        let records = OwnRecords::of(key, &state.session, at, self);
        let Some(drafts) = self.packed_starts(state, &self.home.trees(&stem), &records) else {
            return Ok(Packed::Yes);
        };
        turn.commit(drafts)?;
        let bytes = self.store.segment_bytes(&stem)?;
        Ok(if self.store.pack(key, bytes)? { Packed::Yes } else { Packed::InUse })
    }

    /// The records of the start trees in `directory`. `None` if one of them cannot be moved into the log.
    fn packed_starts(
        &self,
        state: &State,
        directory: &Path,
        records: &OwnRecords<'_>,
    ) -> Option<Vec<Draft>> {
        let trees = start_trees(state).into_iter().filter(|tree| has_start(tree, directory));
        trees
            .map(|tree| {
                let PackedStart { id, start, begun } = pack_start(&tree, directory)?;
                let texts = [Some(&start), begun.as_ref()];
                let is_kept = |text: &String| self.store.redacted(text) == text.as_str();
                let are_kept = texts.into_iter().flatten().all(is_kept);
                are_kept.then(|| records.draft(Event::StartTreePacked { id, start, begun }))
            })
            .collect()
    }
}

/// Puts the start trees of a session back that were moved into the log while the session was idle.
///
/// A tree that cannot be put back is missing when the work is compared with it, and is reported then.
pub fn restore_start_trees(home: &Home, store: &impl ReadLog, key: &SessionKey, state: &State) {
    let directory = home.trees(&key.file_stem());
    let missing: Vec<_> =
        start_trees(state).into_iter().filter(|tree| !has_start(tree, &directory)).collect();
    if !missing.is_empty() {
        drop(unpack(store, key, &missing, &directory));
    }
}

/// Why a start tree was not put back.
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
    missing: &[StartTree],
    directory: &Path,
) -> Result<(), NotUnpacked> {
    let mut packed = vec![];
    store.read(key, &mut |entry| {
        if let Entry::Record(record) = entry
            && let Event::StartTreePacked { id, start, begun } = record.draft.event
        {
            packed.push(PackedStart { id, start, begun });
        }
    })?;
    for tree in missing {
        if let Some(packed) = packed.iter().find(|packed| packed.id == tree.id) {
            unpack_start(tree, packed, directory)?;
        }
    }
    Ok(())
}

/// The trees that the session's work is compared with.
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
