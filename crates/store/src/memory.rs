//! A log in memory, for tests: the same lines as on disk, in vectors.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use verger_event::stored::{Body, Decoded, LineHash, decode, encode};
use verger_event::{Draft, Fold, ProjectId, Record, SessionKey};

use crate::{Entry, Prepared, Receipt, RemoveError, Store, StoreError, Turn, prepare};

/// Keeps the log in memory. Takes no secrets out unless it is told how.
pub struct MemoryStore {
    redact: fn(&str) -> Option<String>,
    segments: Mutex<Segments>,
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
        Self { redact, segments: Mutex::default() }
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
    redact: fn(&str) -> Option<String>,
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
        Ok(MemoryTurn { key: key.clone(), redact: self.redact, segments, state })
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
        let redact = self.redact;
        let prepared = drafts
            .into_iter()
            .map(|draft| prepare(draft, &redact))
            .collect::<Result<Vec<_>, _>>()?;
        if !prepared.is_empty() {
            let segment = self.segments.sessions.entry(self.key.clone()).or_default();
            for prepared in &prepared {
                segment.append(prepared)?;
            }
            self.segments.settle(&self.key)?;
        }
        let last_seq = self.segments.sessions.get(&self.key).map_or(0, |s| s.lines.len() as u64);
        Ok(Receipt::Logged { last_seq })
    }
}
