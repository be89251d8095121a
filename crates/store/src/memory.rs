//! A log in memory, for tests: the same lines as on disk, in vectors.

use std::collections::BTreeMap;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use verger_event::stored::{Body, Decoded, LineHash, decode, encode};
use verger_event::{Draft, Fold, ProjectId, Record, SessionKey};

use crate::{
    Append, Entry, FollowLog, Following, MAX_COMPARED, Prepared, Receipt, RemoveError, Store,
    StoreError, Turn, prepare,
};

/// Keeps the log in memory. Takes no secrets out unless it is told how.
pub struct MemoryStore {
    redact: fn(&str) -> Option<String>,
    segments: Mutex<Segments>,
    /// Notified of every append.
    appended: Condvar,
}

#[derive(Default)]
struct Segments {
    sessions: BTreeMap<SessionKey, Segment>,
    projects: BTreeMap<ProjectId, Segment>,
}

#[derive(Default)]
struct Segment {
    lines: Vec<Vec<u8>>,
}

impl MemoryStore {
    /// An empty log.
    pub fn new(redact: fn(&str) -> Option<String>) -> Self {
        Self { redact, segments: Mutex::default(), appended: Condvar::new() }
    }

    fn segments(&self) -> MutexGuard<'_, Segments> {
        self.segments.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Segment {
    fn append(&mut self, prepared: &Prepared) -> Result<Record, StoreError> {
        let seq = self.lines.len() as u64 + 1;
        let prev = self.lines.last().map(|line| LineHash::of(line));
        let body = Body::Inline(prepared.payload.as_str().into());
        let mut line = encode(&prepared.draft, seq, prev.as_ref(), &body)?;
        line.pop();
        self.lines.push(line);
        Ok(Record { seq, draft: prepared.draft.clone() })
    }

    fn entries(&self) -> impl Iterator<Item = Entry> {
        self.lines.iter().map(|line| match decode(line) {
            Ok(Decoded::Line(line)) => Entry::Record(Box::new(line.into_record(None))),
            Ok(Decoded::Foreign { version, .. }) => Entry::Foreign { version },
            Err(damage) => Entry::Bad { offset: 0, damage },
        })
    }

    fn records(&self) -> impl Iterator<Item = Record> {
        self.entries().filter_map(|entry| match entry {
            Entry::Record(record) => Some(*record),
            Entry::Spilled(_) | Entry::Foreign { .. } | Entry::Bad { .. } => None,
        })
    }
}

impl Segments {
    fn unsettled(&self, key: &SessionKey) -> Vec<Record> {
        let durable = self.sessions.get(key).into_iter().flat_map(Segment::records);
        durable
            .filter(|record| record.draft.event.is_durable())
            .filter(|record| {
                let Some(project) = &record.draft.origin.project else { return true };
                let kept = self.projects.get(project).into_iter().flat_map(Segment::records);
                !kept.map(|kept| kept.draft.id).any(|id| id == record.draft.id)
            })
            .collect()
    }

    fn append(
        &mut self,
        store: &MemoryStore,
        key: &SessionKey,
        drafts: Vec<Draft>,
    ) -> Result<Receipt, StoreError> {
        let prepared = drafts
            .into_iter()
            .map(|draft| prepare(draft, &store.redact))
            .collect::<Result<Vec<_>, _>>()?;
        if !prepared.is_empty() {
            let segment = self.sessions.entry(key.clone()).or_default();
            for prepared in &prepared {
                segment.append(prepared)?;
            }
            self.settle(key)?;
            store.appended.notify_all();
        }
        let last_seq = self.sessions.get(key).map_or(0, |s| s.lines.len() as u64);
        Ok(Receipt::Logged { last_seq })
    }

    fn settle(&mut self, key: &SessionKey) -> Result<u64, StoreError> {
        let mut settled = 0;
        for record in self.unsettled(key) {
            let Some(project) = &record.draft.origin.project else { continue };
            // Already without secrets: it was read from a segment.
            let prepared = prepare(record.draft.clone(), &|_| None)?;
            self.projects.entry(project.clone()).or_default().append(&prepared)?;
            settled += 1;
        }
        Ok(settled)
    }
}

/// The store's one lock is held for as long as the turn lives.
pub struct MemoryTurn<'a, F> {
    key: SessionKey,
    store: &'a MemoryStore,
    segments: MutexGuard<'a, Segments>,
    state: F,
}

impl Store for MemoryStore {
    type Turn<'a, F: Fold> = MemoryTurn<'a, F>;

    fn open<F: Fold>(&self, key: &SessionKey) -> Result<MemoryTurn<'_, F>, StoreError> {
        let segments = self.segments();
        let mut state = F::default();
        for record in segments.sessions.get(key).into_iter().flat_map(Segment::records) {
            state.apply(&record);
        }
        Ok(MemoryTurn { key: key.clone(), store: self, segments, state })
    }

    fn read(&self, key: &SessionKey, each: &mut dyn FnMut(Entry)) -> Result<(), StoreError> {
        self.segments().sessions.get(key).into_iter().flat_map(Segment::entries).for_each(each);
        Ok(())
    }

    fn read_project(
        &self,
        project: &ProjectId,
        each: &mut dyn FnMut(Entry),
    ) -> Result<(), StoreError> {
        self.segments().projects.get(project).into_iter().flat_map(Segment::entries).for_each(each);
        Ok(())
    }

    fn sessions(&self) -> Result<Vec<SessionKey>, StoreError> {
        Ok(self.segments().sessions.keys().cloned().collect())
    }

    fn settle(&self, key: &SessionKey) -> Result<u64, StoreError> {
        self.segments().settle(key)
    }

    fn remove(&self, key: &SessionKey) -> Result<(), RemoveError> {
        let mut segments = self.segments();
        match segments.unsettled(key).len() as u64 {
            0 => {
                segments.sessions.remove(key);
                Ok(())
            }
            count => Err(RemoveError::Unsettled { count }),
        }
    }
}

impl<F: Fold> Turn<F> for MemoryTurn<'_, F> {
    fn state(&self) -> &F {
        &self.state
    }

    fn commit(mut self, drafts: Vec<Draft>) -> Result<Receipt, StoreError> {
        self.segments.append(self.store, &self.key, drafts)
    }
}

impl Append for MemoryStore {
    fn append(&self, key: &SessionKey, mut drafts: Vec<Draft>) -> Result<Receipt, StoreError> {
        let mut segments = self.segments();
        let records = segments.sessions.get(key).into_iter().flat_map(Segment::records);
        let ids: Vec<_> = records.map(|record| record.draft.id).collect();
        let last = &ids[ids.len().saturating_sub(MAX_COMPARED)..];
        drafts.retain(|draft| !last.contains(&draft.id));
        segments.append(self, key, drafts)
    }
}

/// How many records of each session were given.
pub struct MemoryFollowing<'a> {
    store: &'a MemoryStore,
    given: BTreeMap<SessionKey, usize>,
}

impl FollowLog for MemoryStore {
    type Following<'a> = MemoryFollowing<'a>;

    fn follow(&self) -> Result<MemoryFollowing<'_>, StoreError> {
        let segments = self.segments();
        let given =
            segments.sessions.iter().map(|(key, segment)| (key.clone(), segment.lines.len()));
        Ok(MemoryFollowing { store: self, given: given.collect() })
    }
}

impl Following for MemoryFollowing<'_> {
    fn next(&mut self, wait: Duration) -> Result<Vec<Record>, StoreError> {
        let given = |key: &SessionKey| self.given.get(key).copied().unwrap_or_default();
        let has_none = |segments: &mut Segments| {
            segments.sessions.iter().all(|(key, segment)| segment.lines.len() <= given(key))
        };
        let waited = self.store.appended.wait_timeout_while(self.store.segments(), wait, has_none);
        let (segments, _) = waited.unwrap_or_else(PoisonError::into_inner);
        let mut records = vec![];
        for (key, segment) in &segments.sessions {
            records.extend(segment.records().skip(given(key)));
        }
        self.given =
            segments.sessions.iter().map(|(key, s)| (key.clone(), s.lines.len())).collect();
        Ok(records)
    }
}
