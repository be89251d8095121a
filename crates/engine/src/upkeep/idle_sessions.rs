//! Idle sessions: after a week without a record, the segment in the log is the only file of a session.
//!
//! The snapshots and the lock are made again by the next call. The start trees that the open task is
//! compared with are moved into the log first, and put back when the session goes on.

use std::borrow::Cow;
use std::path::Path;

use verger_event::{Draft, Event, SessionKey, Timestamp};
use verger_gate::Start;
use verger_store::{Entry, ReadLog, Receipt, Retention, Store, StoreError, Turn, prepare};
use verger_worktree::{PackedStart, StartTree, TreeError, has_start, pack_start, unpack_start};

use super::left_sessions::{LeftSessions, OwnRecords};
use crate::gates::review::run::ReviewRun;
use crate::{Home, State};

/// A session is idle if nothing was recorded for this long.
pub(super) const IDLE_MILLIS: u64 = 7 * 24 * 60 * 60 * 1000;

/// The result of packing a session.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Packing {
    /// Only the segment is left.
    Done,
    /// The session stays as it is: a start tree cannot be moved into the log, or no record has a time.
    Impossible,
    /// The session is not idle before then.
    NotBefore(Timestamp),
    /// Another process is using the session, or a review of it has not been taken yet.
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

    /// The records of the start trees that are not in the log yet. `None` if one of them cannot be moved
    /// into it: it is too large, not text, or holds a secret.
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

/// Puts the start trees of a session back that were moved into the log while the session was idle.
///
/// A tree that cannot be put back is missing when the work is compared with it, and is reported then.
pub fn restore_start_trees(home: &Home, store: &impl ReadLog, key: &SessionKey, state: &State) {
    let directory = home.trees(&key.file_stem());
    // Packing removes the whole directory.
    if directory.exists() {
        return;
    }
    let trees = start_trees(state);
    if !trees.is_empty() {
        drop(unpack(store, key, &trees, &directory));
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
