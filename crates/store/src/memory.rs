//! A log in memory, for tests. It keeps the same lines as the log on disk.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use verger_event::stored::{Body, Decoded, LineHash, decode, encode};
use verger_event::{Draft, Fold, ProjectId, Record, SessionKey};

use crate::{
    Append, Entry, FollowLog, Following, MAX_COMPARED, Prepared, ReadLog, Receipt, RemoveError,
    Retention, SegmentName, Sessions, StoreError, Turn, prepare,
};

/// A log in memory. Clones share the same log. It redacts secrets only if it has a redaction
/// function.
#[derive(Clone)]
pub struct MemoryStore(Arc<Shared>);

struct Shared {
    redact: fn(&str) -> Option<String>,
    segments: Mutex<Segments>,
    /// A condition variable that is notified after every append.
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
    /// Creates an empty log that redacts secrets with `redact`.
    pub fn new(redact: fn(&str) -> Option<String>) -> Self {
        Self(Arc::new(Shared { redact, segments: Mutex::default(), appended: Condvar::new() }))
    }

    fn segments(&self) -> MutexGuard<'_, Segments> {
        self.0.segments.lock().unwrap_or_else(PoisonError::into_inner)
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

    fn bytes(&self) -> u64 {
        self.lines.iter().map(|line| line.len() as u64 + 1).sum()
    }

    fn fold<F: Fold>(&self) -> F {
        let mut state = F::default();
        self.records().for_each(|record| state.apply(&record));
        state
    }

    fn records(&self) -> impl Iterator<Item = Record> {
        self.entries().filter_map(|entry| match entry {
            Entry::Record(record) => Some(*record),
            Entry::Spilled(_) | Entry::Foreign { .. } | Entry::Bad { .. } => None,
        })
    }
}

impl Segments {
    fn session(&self, stem: &str) -> Option<(&SessionKey, &Segment)> {
        self.sessions.iter().find(|(key, _)| key.file_stem() == stem)
    }

    fn segment(&self, name: &SegmentName) -> Option<&Segment> {
        match name {
            SegmentName::Session(stem) => self.session(stem).map(|(_, segment)| segment),
            SegmentName::Project(stem) => {
                let mut projects = self.projects.iter();
                projects.find(|(id, _)| id.file_stem() == *stem).map(|(_, segment)| segment)
            }
        }
    }

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
            .map(|draft| prepare(draft, &store.0.redact))
            .collect::<Result<Vec<_>, _>>()?;
        if !prepared.is_empty() {
            let segment = self.sessions.entry(key.clone()).or_default();
            for prepared in &prepared {
                segment.append(prepared)?;
            }
            self.settle(key)?;
            store.0.appended.notify_all();
        }
        let last_seq = self.sessions.get(key).map_or(0, |s| s.lines.len() as u64);
        Ok(Receipt::Logged { last_seq })
    }

    fn settle(&mut self, key: &SessionKey) -> Result<u64, StoreError> {
        let mut settled = 0;
        for record in self.unsettled(key) {
            let Some(project) = &record.draft.origin.project else { continue };
            // The record was redacted when it was written to the segment.
            let prepared = prepare(record.draft.clone(), &|_| None)?;
            self.projects.entry(project.clone()).or_default().append(&prepared)?;
            settled += 1;
        }
        Ok(settled)
    }
}

/// A turn of a [`MemoryStore`]. The store's only lock is held until the turn is dropped.
pub struct MemoryTurn<'a, F> {
    key: SessionKey,
    store: &'a MemoryStore,
    segments: MutexGuard<'a, Segments>,
    state: F,
}

impl ReadLog for MemoryStore {
    fn segments(&self) -> Result<Vec<SegmentName>, StoreError> {
        let segments = self.segments();
        let sessions = segments.sessions.keys().map(SegmentName::of_session);
        let projects = segments.projects.keys().map(SegmentName::of_project);
        Ok(sessions.chain(projects).collect())
    }

    fn has_session(&self, stem: &str) -> bool {
        self.segments().session(stem).is_some()
    }

    fn has_other_sessions(&self, key: &SessionKey) -> Result<bool, StoreError> {
        Ok(self.segments().sessions.keys().any(|other| other != key))
    }

    fn key_of(&self, stem: &str) -> Result<Option<SessionKey>, StoreError> {
        Ok(self.segments().session(stem).map(|(key, _)| key.clone()))
    }

    fn segment_bytes(&self, stem: &str) -> Result<u64, StoreError> {
        Ok(self.segments().session(stem).map_or(0, |(_, segment)| segment.bytes()))
    }

    fn project_bytes(&self, project: &ProjectId) -> Result<u64, StoreError> {
        Ok(self.segments().projects.get(project).map_or(0, Segment::bytes))
    }

    fn read_segment(
        &self,
        segment: &SegmentName,
        each: &mut dyn FnMut(Entry),
    ) -> Result<(), StoreError> {
        let entries: Vec<_> =
            self.segments().segment(segment).into_iter().flat_map(Segment::entries).collect();
        entries.into_iter().for_each(each);
        Ok(())
    }

    fn folded<F: Fold>(&self, stem: &str) -> Result<F, StoreError> {
        Ok(self.segments().session(stem).map(|(_, segment)| segment.fold()).unwrap_or_default())
    }

    fn folded_beside<G: Fold>(&self, stem: &str, _: &'static str) -> Result<G, StoreError> {
        self.folded(stem)
    }

    fn project_fold<G: Fold>(&self, project: &ProjectId, _: &'static str) -> Result<G, StoreError> {
        Ok(self.segments().projects.get(project).map(Segment::fold).unwrap_or_default())
    }

    fn redacted<'t>(&self, text: &'t str) -> Cow<'t, str> {
        (self.0.redact)(text).map_or(Cow::Borrowed(text), Cow::Owned)
    }

    fn take_unfinished(&self) -> Vec<StoreError> {
        vec![]
    }
}

impl Sessions for MemoryStore {
    type Turn<'a, F: Fold> = MemoryTurn<'a, F>;

    fn open<F: Fold>(&self, key: &SessionKey) -> Result<MemoryTurn<'_, F>, StoreError> {
        let segments = self.segments();
        let state = segments.sessions.get(key).map(Segment::fold).unwrap_or_default();
        Ok(MemoryTurn { key: key.clone(), store: self, segments, state })
    }

    fn open_if_free<F: Fold>(
        &self,
        key: &SessionKey,
    ) -> Result<Option<MemoryTurn<'_, F>>, StoreError> {
        let turn = self.open(key)?;
        let is_there = turn.segments.sessions.contains_key(key);
        Ok(is_there.then_some(turn))
    }
}

impl Retention for MemoryStore {
    fn pack(&self, key: &SessionKey, last_seq: u64) -> Result<bool, StoreError> {
        let segments = self.segments();
        Ok(segments.sessions.get(key).is_some_and(|segment| segment.lines.len() as u64 == last_seq))
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

    fn beside<G: Fold>(&self, _: &'static str) -> Result<Box<G>, StoreError> {
        let segment = self.segments.sessions.get(&self.key);
        Ok(Box::new(segment.map(Segment::fold).unwrap_or_default()))
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

    fn is_sealed(&self) -> bool {
        false
    }
}

/// Follows a [`MemoryStore`]. `given` counts the records of each session that were already
/// returned.
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
        let waited =
            self.store.0.appended.wait_timeout_while(self.store.segments(), wait, has_none);
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
