//! One hook call's use of a session: lock, fold, append, snapshot.

use std::fs::File;

use verger_event::stored::{Body, MAX_LINE_BYTES, encode};
use verger_event::{Draft, Fold, Record, SessionKey};
use verger_store::{Prepared, Receipt, StoreError, Turn, prepare};

use crate::blob;
use crate::chain::{Chain, Head, Ready, Spill};
use crate::probe::{Point, Probe};
use crate::snapshot;
use crate::store::{LocalStore, durable_of};

/// A snapshot is written when the tail behind the last one has this many records ...
const SNAPSHOT_EVERY_RECORDS: u64 = 16;
/// ... or this many bytes: reading the tail must cost less than writing a snapshot saves.
const SNAPSHOT_EVERY_BYTES: u64 = 24 * 1024;

/// A session opened for one hook call.
pub struct LocalTurn<'a, F, P> {
    store: &'a LocalStore<P>,
    stem: String,
    chain: Chain,
    access: Access,
    state: F,
}

enum Access {
    /// Nobody else writes until we are done.
    Locked(Box<Locked>),
    /// The lock was not to be had in time.
    Unlocked,
}

struct Locked {
    file: File,
    head: Head,
    /// Where the snapshot in use ends.
    snapshot: Head,
    spills: Vec<Spill>,
    /// What of the spills is not in the segment yet.
    unmerged: Vec<Ready>,
    /// Held until the turn ends.
    _lock: File,
}

impl<'a, F: Fold, P: Probe> LocalTurn<'a, F, P> {
    pub(crate) fn begin(store: &'a LocalStore<P>, key: &SessionKey) -> Result<Self, StoreError> {
        let stem = key.file_stem();
        let chain = store.session_chain(&stem)?;
        match chain.lock(store.lock_wait)? {
            Some(lock) => Self::begin_locked(store, stem, chain, lock),
            None => Self::begin_unlocked(store, stem, chain),
        }
    }

    fn begin_locked(
        store: &'a LocalStore<P>,
        stem: String,
        chain: Chain,
        lock: File,
    ) -> Result<Self, StoreError> {
        store.probe.reached(Point::Locked);
        let file = chain.opened()?;
        let (snapshot, head, mut state) = store.fold::<F>(&chain, &file, &stem)?;
        let spills = chain.spilled()?;
        let mut unmerged = vec![];
        if !spills.is_empty() {
            let records = chain.spilled()?.into_iter().flat_map(|spill| spill.records).collect();
            unmerged = chain.not_in(&file, records)?;
            for (seq, ready) in (head.seq + 1..).zip(&unmerged) {
                state.apply(&Record { seq, draft: ready.draft.clone() });
            }
        }
        store.probe.reached(Point::Folded);
        let locked = Locked { file, head, snapshot, spills, unmerged, _lock: lock };
        Ok(Self { store, stem, chain, access: Access::Locked(Box::new(locked)), state })
    }

    /// Reads without the lock: the state may lack what the holder is about to write.
    fn begin_unlocked(
        store: &'a LocalStore<P>,
        stem: String,
        chain: Chain,
    ) -> Result<Self, StoreError> {
        let mut state = match chain.existing()? {
            Some(file) => store.fold::<F>(&chain, &file, &stem)?.2,
            None => F::default(),
        };
        for ready in chain.spilled()?.into_iter().flat_map(|spill| spill.records) {
            state.apply(&Record { seq: 0, draft: ready.draft });
        }
        Ok(Self { store, stem, chain, access: Access::Unlocked, state })
    }

    fn commit_locked(
        store: &LocalStore<P>,
        (chain, stem): (&Chain, &str),
        mut locked: Locked,
        mut state: F,
        (events, new): (Vec<Draft>, Vec<Ready>),
    ) -> Result<Receipt, StoreError> {
        let has_blob = new.iter().any(|ready| matches!(ready.body, Body::Blob(_)));
        let mut records = std::mem::take(&mut locked.unmerged);
        records.extend(new);
        if !records.is_empty() {
            store.probe.reached(Point::BeforeWrite);
            chain.append(&locked.file, &mut locked.head, &records)?;
            store.probe.reached(Point::Written);
        }
        if !locked.spills.is_empty() {
            chain.forget(&locked.spills)?;
            store.probe.reached(Point::SpillRemoved);
        }
        let first_new = locked.head.seq + 1 - events.len() as u64;
        for (seq, draft) in (first_new..).zip(events) {
            state.apply(&Record { seq, draft });
        }
        let last_seq = locked.head.seq;
        for (project, ready) in records.into_iter().filter_map(durable_of) {
            store.keep_in_project(&project, vec![ready])?;
            store.probe.reached(Point::Settled);
        }
        let tail_records = last_seq.saturating_sub(locked.snapshot.seq);
        let tail_bytes = locked.head.offset.saturating_sub(locked.snapshot.offset);
        if has_blob || tail_records >= SNAPSHOT_EVERY_RECORDS || tail_bytes >= SNAPSHOT_EVERY_BYTES
        {
            snapshot::save(&store.snapshots()?, stem, (&locked.head, &state), &store.probe)?;
        }
        Ok(Receipt::Logged { last_seq })
    }
}

impl<F: Fold, P: Probe> Turn<F> for LocalTurn<'_, F, P> {
    fn state(&self) -> &F {
        &self.state
    }

    fn commit(self, drafts: Vec<Draft>) -> Result<Receipt, StoreError> {
        let Self { store, stem, chain, access, state } = self;
        let redact = |text: &str| store.redaction.redact(&store.root, text);
        let mut events = vec![];
        let mut ready = vec![];
        for draft in drafts {
            let prepared = prepare(draft, &redact)?;
            events.push(prepared.draft.clone());
            ready.push(into_ready(store, prepared)?);
        }
        match access {
            Access::Locked(locked) => {
                Self::commit_locked(store, (&chain, &stem), *locked, state, (events, ready))
            }
            Access::Unlocked => chain.spill(&ready).map(|()| Receipt::Spilled),
        }
    }
}

/// Moves the payload to a blob when the line would be too long with it.
fn into_ready<P>(store: &LocalStore<P>, prepared: Prepared) -> Result<Ready, StoreError> {
    let Prepared { draft, payload } = prepared;
    // The envelope is measured with a sequence number and a hash as long as they can be.
    let envelope = encode(&draft, u64::MAX, None, &Body::Inline("null".into()))?.len() + 64;
    let body = if envelope + payload.len() <= MAX_LINE_BYTES {
        Body::Inline(payload.into())
    } else {
        Body::Blob(blob::put(&store.root, &payload, &draft.id.to_string())?)
    };
    Ok(Ready { draft, body })
}
