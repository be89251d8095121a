//! The turn of a hook call in a session: lock, fold, append, snapshot.

use std::fs::File;
use std::io::ErrorKind;
use std::time::Duration;

use verger_event::stored::{Body, Decoded, MAX_LINE_BYTES, decode, encode};
use verger_event::{Draft, Fold, Record, SessionKey};
use verger_store::{Loss, Prepared, Receipt, StoreError, Turn, prepare};

use crate::blob;
use crate::chain::{Chain, End, Head, Ready};
use crate::lock_note::{LockNote, NotedLock};
use crate::probe::{Point, Probe};
use crate::project::Durable;
use crate::snapshot::{self, Base};
use crate::snapshot_name::{SnapshotName, SnapshotPlace};
use crate::spill::Spilled;
use crate::store::{Folded, LocalStore, fold, fold_to};

/// A session opened for one hook call.
pub struct LocalTurn<'a, F, P> {
    store: &'a LocalStore<P>,
    chain: Chain<'a>,
    /// The directory of the sessions' snapshots, opened once.
    snapshots: SnapshotPlace<'a>,
    access: Access,
    state: Box<F>,
}

enum Access {
    /// The turn holds the lock. No other process writes to the session until the turn ends.
    Locked(Box<Locked>),
    /// The turn has no lock, because the lock was not free in time.
    Unlocked(Box<Unlocked>),
}

struct Locked {
    file: File,
    head: Head,
    /// The snapshot that the state was folded from.
    snapshot: Base,
    /// The spilled records, which are not in the segment yet.
    spilled: Spilled,
    /// The losses that were found in the session's records.
    losses: Vec<Loss>,
    /// The lock, which is held until the turn ends.
    lock: NotedLock,
}

/// The data that was read from a session without its lock.
pub(crate) struct Unlocked {
    /// The segment's file. `None` if no record was merged yet.
    file: Option<File>,
    /// The head up to which the segment was read without the lock.
    head: Head,
    /// The spilled records that were not in the segment when it was read.
    spilled: Spilled,
}

impl<'a, F: Fold, P: Probe> LocalTurn<'a, F, P> {
    pub(crate) fn begin(store: &'a LocalStore<P>, key: &SessionKey) -> Result<Self, StoreError> {
        let chain = store.session_chain(&key.file_stem())?;
        match store.lock(&chain)? {
            Some(lock) => Self::begin_locked(store, chain, lock),
            None => Self::begin_unlocked(store, chain),
        }
    }

    /// Like `begin`, but doesn't wait. `None` if another process holds the lock or the session does
    /// not exist.
    pub(crate) fn begin_if_free(
        store: &'a LocalStore<P>,
        key: &SessionKey,
    ) -> Result<Option<Self>, StoreError> {
        let chain = store.session_chain(&key.file_stem())?;
        if !chain.is_there()? {
            return Ok(None);
        }
        let Some(lock) = chain.lock(Duration::ZERO)? else { return Ok(None) };
        // The session may have been removed before the lock was taken. Then no empty segment must
        // be created.
        if chain.is_there()? {
            return Self::begin_locked(store, chain, lock).map(Some);
        }
        chain.remove_lock()?;
        Ok(None)
    }

    fn begin_locked(
        store: &'a LocalStore<P>,
        chain: Chain<'a>,
        lock: File,
    ) -> Result<Self, StoreError> {
        store.probe.reached(Point::Locked);
        let file = chain.opened()?;
        let (lock, note) = NotedLock::begin(lock);
        let name = SnapshotName::of_session(&chain.stem);
        let snapshots = name.place(&store.root);
        let folded = fold::<F>(&chain, &file, &snapshots, &name)?;
        let losses = losses(&note, chain.end_of(&file)?, &folded);
        let Folded { base: snapshot, head, mut state, .. } = folded;
        let mut spilled = chain.unmerged(&file, head.offset)?;
        apply(&mut *state, head.seq, &mut spilled.records);
        store.probe.reached(Point::Folded);
        let locked = Locked { file, head, snapshot, spilled, losses, lock };
        Ok(Self { store, chain, snapshots, access: Access::Locked(Box::new(locked)), state })
    }

    /// Begins a turn without the lock. The state may lack records that the holder of the lock is
    /// about to write.
    fn begin_unlocked(store: &'a LocalStore<P>, chain: Chain<'a>) -> Result<Self, StoreError> {
        let name = SnapshotName::of_session(&chain.stem);
        let snapshots = name.place(&store.root);
        let (unlocked, state) = fold_unlocked(&chain, |file| {
            let Folded { head, state, .. } = fold::<F>(&chain, file, &snapshots, &name)?;
            Ok((head, state))
        })?;
        Ok(Self { store, chain, snapshots, access: Access::Unlocked(Box::new(unlocked)), state })
    }

    fn commit_locked(
        store: &LocalStore<P>,
        snapshots: &SnapshotPlace<'_>,
        chain: &Chain<'_>,
        mut locked: Locked,
        state: &mut F,
        mut new: Vec<Ready>,
    ) -> Result<Receipt, StoreError> {
        let mut records = std::mem::take(&mut locked.spilled.records);
        let (merged, before) = (records.len(), locked.head.seq);
        records.append(&mut new);
        let has_blob = records.iter().any(|ready| matches!(ready.body, Body::Blob(_)));
        if !records.is_empty() {
            store.mark_changed(&chain.stem);
            store.probe.reached(Point::BeforeWrite);
            chain.append(&locked.file, &mut locked.head, &records)?;
            store.mark_changed(&chain.stem);
            store.probe.reached(Point::Written);
        }
        // The records are in the log now. The caller must not get an error for a later failure,
        // because that would mean that nothing was written. A later turn repairs such a failure.
        if !locked.spilled.is_empty() {
            store.note_unfinished(chain.forget(&locked.spilled));
            store.probe.reached(Point::SpillRemoved);
        }
        apply(state, before.saturating_add(merged as u64), &mut records[merged..]);
        let is_written = !records.is_empty();
        if is_written {
            locked.lock.committed(locked.head.offset);
        }
        let mut durable = Durable::default();
        for ready in records {
            durable.take(ready);
        }
        for (project, records) in durable.into_projects() {
            store.note_unfinished(store.keep_in_project(&project, records));
            store.probe.reached(Point::Settled);
        }
        // After a loss, a snapshot is written in any case, so that the loss isn't reported again.
        let is_due = has_blob || !locked.losses.is_empty();
        if is_written && (is_due || locked.snapshot.is_left_behind(&locked.head)) {
            let name = SnapshotName::of_session(&chain.stem);
            let saved = snapshot::save(snapshots, &name, &locked.head, &*state, &store.probe);
            store.note_unfinished(saved);
        }
        Ok(Receipt::Logged { last_seq: locked.head.seq })
    }
}

/// Finds the losses in a session's records. The caller must hold the session's lock.
fn losses<F>(note: &LockNote, size: u64, folded: &Folded<F>) -> Vec<Loss> {
    let mut losses = vec![];
    if size < note.end {
        losses.push(Loss::Cut { was: note.end, is: size });
    } else if folded.is_contradicted {
        losses.push(Loss::Altered);
    }
    if folded.damaged > 0 {
        losses.push(Loss::Damaged { lines: folded.damaged });
    }
    match note.killed() {
        0 => {}
        calls => losses.push(Loss::Unrecorded { calls }),
    }
    losses
}

/// Folds a segment and its spilled records without the lock. `fold` does the fold of the segment.
pub(crate) fn fold_unlocked<F: Fold>(
    chain: &Chain<'_>,
    fold: impl FnOnce(&File) -> Result<(Head, Box<F>), StoreError>,
) -> Result<(Unlocked, Box<F>), StoreError> {
    // Lists the spill before it folds the segment, so that records merged in between are still
    // read.
    let mut spilled = chain.spilled();
    let (mut head, mut state) = (Head::default(), Box::<F>::default());
    let file = chain.existing()?;
    if let Some(file) = &file {
        (head, state) = fold(file)?;
        spilled = chain.leave_out_merged(spilled, file, head.offset)?;
    } else {
        spilled.leave_out_met();
    }
    apply(&mut *state, head.seq, &mut spilled.records);
    Ok((Unlocked { file, head, spilled }, state))
}

/// Applies records to the state and numbers them. The first one follows the record with the number
/// `seq`.
fn apply<F: Fold>(state: &mut F, mut seq: u64, records: &mut [Ready]) {
    for ready in records {
        seq = seq.saturating_add(1);
        ready.record.seq = seq;
        state.apply(&ready.record);
    }
}

impl<F: Fold, P: Probe> Turn<F> for LocalTurn<'_, F, P> {
    fn state(&self) -> &F {
        &self.state
    }

    fn losses(&self) -> &[Loss] {
        match &self.access {
            Access::Locked(locked) => &locked.losses,
            Access::Unlocked(_) => &[],
        }
    }

    fn suspend(mut self) {
        if let Access::Locked(locked) = &mut self.access {
            locked.lock.suspend();
        }
    }

    /// Folds an additional state. Doesn't save its snapshot; the holder of the lock does so when a
    /// snapshot is due.
    fn beside<G: Fold>(&self, name: &'static str) -> Result<Box<G>, StoreError> {
        let name = SnapshotName::beside_session::<G>(&self.chain.stem, name);
        let place = &self.snapshots;
        let fold = |file, head| fold_to::<G>(&self.chain, file, End::Read(head), place, &name);
        let (mut state, spilled) = match &self.access {
            Access::Locked(locked) => {
                let Folded { base, head, state, .. } = fold(&locked.file, &locked.head)?;
                if base.is_left_behind(&head) {
                    let saved =
                        snapshot::save_over(place, &name, &head, &*state, &self.store.probe);
                    self.store.note_unfinished(saved);
                }
                (state, &locked.spilled)
            }
            Access::Unlocked(unlocked) => {
                let state = match &unlocked.file {
                    Some(file) => fold(file, &unlocked.head)?.state,
                    None => Box::default(),
                };
                (state, &unlocked.spilled)
            }
        };
        for ready in &spilled.records {
            state.apply(&ready.record);
        }
        Ok(state)
    }

    fn commit(self, drafts: Vec<Draft>) -> Result<Receipt, StoreError> {
        let Self { store, chain, snapshots, access, mut state } = self;
        let redact = |text: &str| store.redaction.redact(&store.root, text);
        let mut ready = vec![];
        for draft in drafts {
            ready.push(into_ready(store, prepare(draft, &redact)?)?);
        }
        match access {
            Access::Locked(locked) => {
                Self::commit_locked(store, &snapshots, &chain, *locked, &mut state, ready)
            }
            Access::Unlocked(unlocked) => {
                store.mark_changed(&chain.stem);
                chain.spill(&ready, unlocked.head.offset, |_| Ok(()))?;
                store.mark_changed(&chain.stem);
                Ok(Receipt::Spilled)
            }
        }
    }
}

/// Encodes a record so that it can be written. Moves the payload to a blob if the line would be too
/// long.
pub(crate) fn into_ready<P: Probe>(
    store: &LocalStore<P>,
    prepared: Prepared,
) -> Result<Ready, StoreError> {
    let Prepared { draft, payload } = prepared;
    // The envelope is measured with the longest possible sequence number and hash.
    let envelope = encode(&draft, u64::MAX, None, &Body::Inline("null".into()))?.len() + 64;
    if envelope + payload.len() <= MAX_LINE_BYTES {
        let body = Body::Inline(payload.into());
        return Ok(Ready { record: Record { seq: 0, draft }, body });
    }
    let reference = blob::reference(&payload);
    let put = blob::put(&store.root, &reference, &payload, &draft.id.to_string());
    let body = Body::Blob(reference);
    match put {
        Ok(()) => Ok(Ready { record: Record { seq: 0, draft }, body }),
        Err(error) if is_in_the_way(&error) => {
            store.note_unfinished(Err(error));
            without_payload(draft, body)
        }
        Err(error) => Err(error),
    }
}

/// Whether an error means that a foreign file has the place of one of verger's files or
/// directories.
fn is_in_the_way(error: &StoreError) -> bool {
    match error {
        StoreError::Unsafe { .. } => true,
        StoreError::Io { source, .. } => {
            matches!(source.kind(), ErrorKind::IsADirectory | ErrorKind::NotADirectory)
        }
        StoreError::Encode(_) => false,
    }
}

/// Makes the record that readers get if its blob is missing, so that all folds agree.
fn without_payload(draft: Draft, body: Body<'static>) -> Result<Ready, StoreError> {
    let line = encode(&draft, 0, None, &body)?;
    let record = match decode(line.trim_ascii_end()) {
        Ok(Decoded::Line(line)) => line.into_record(None),
        Ok(Decoded::Foreign { .. }) | Err(_) => Record { seq: 0, draft },
    };
    Ok(Ready { record, body })
}
