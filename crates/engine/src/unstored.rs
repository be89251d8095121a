//! Learnings that a reflection recorded and that no backend stores yet. The log has their full
//! text, so they can be stored as soon as a backend works again.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use verger_event::{
    Access, Draft, Event, EventId, Origin, ProjectId, Record, SessionKey, Standing,
};
use verger_library::{BackendKind, Ground, Library, Placement, Shelved};
use verger_memory::{Learning, LearningId};
use verger_store::{Entry, ReadLog, Sessions, StoreError, Turn};
use verger_store_local::OutsideLock;

use crate::State;
use crate::bounded_file::write;
use crate::clock::Clock;

/// The name of the lock for changing a project's learnings. No file with this path exists.
const TURN: &str = ".verger/turn";

/// The recorded learnings that no backend stores yet.
#[derive(Debug, Default)]
pub struct Unstored {
    kept: BTreeMap<LearningId, Kept>,
    stored: BTreeSet<LearningId>,
}

/// A marker file that says that a learning waits to be stored. A session start checks this file
/// instead of reading the log. If the file is missing, waiting learnings are found once a day.
#[derive(Debug)]
pub struct Waiting(PathBuf);

impl Waiting {
    /// The marker of the project whose search index is in `dir`.
    pub fn of(dir: &Path) -> Self {
        Self(dir.join("unstored"))
    }

    pub(crate) fn is_noted(&self) -> bool {
        self.0.exists()
    }

    /// Creates or removes the marker. If that fails, storing is delayed by a day at most.
    fn note(&self, waits: bool) {
        drop(if waits {
            let dir = self.0.parent().map_or(Ok(()), fs::create_dir_all);
            dir.and_then(|()| write(&self.0, b""))
        } else {
            fs::remove_file(&self.0)
        });
    }
}

/// The parameters of storing learnings.
pub struct Shelving<'a, S> {
    /// The log.
    pub store: &'a S,
    /// The time, and the generator of ids.
    pub clock: &'a Clock,
    /// The backends.
    pub library: &'a Library,
    /// The marker to create if some learnings still have to wait.
    pub waiting: &'a Waiting,
}

/// Locks a project's learnings for changes, because two concurrent writers would not see each
/// other's learnings. Returns `None` if the lock isn't free within `wait`.
pub fn take_turn(ground: &Ground, wait: Duration) -> Result<Option<OutsideLock>, StoreError> {
    OutsideLock::acquire(&ground.data, &ground.root.join(TURN), wait)
}

#[derive(Debug)]
struct Kept {
    learning: Learning,
    /// The id of the reflection's record. `origin` and `access` are that record's too.
    reflection: EventId,
    origin: Origin,
    access: Access,
}

impl Unstored {
    /// Reads the waiting learnings of a session, and of all sessions of a project.
    pub fn read(
        store: &impl ReadLog,
        session: Option<&SessionKey>,
        project: Option<&ProjectId>,
    ) -> Result<Self, StoreError> {
        let mut unstored = Self::default();
        if let Some(project) = project {
            store.read_project(project, &mut |entry| unstored.take(entry))?;
        }
        // Spilled records are in no project's segment yet, so the session itself is read too.
        if let Some(session) = session {
            store.read(session, &mut |entry| unstored.take(entry))?;
        }
        let Self { kept, stored } = &mut unstored;
        kept.retain(|id, _| !stored.contains(id));
        Ok(unstored)
    }

    fn take(&mut self, entry: Entry) {
        if let Entry::Record(record) | Entry::Spilled(record) = entry {
            self.apply(&record);
        }
    }

    fn apply(&mut self, record: &Record) {
        let Draft { id, origin, access, event, .. } = &record.draft;
        match event {
            Event::ReflectionRecorded { kept, .. } => {
                let kept = kept.iter().filter_map(|value| Learning::from_json(value).ok());
                self.kept.extend(kept.map(|learning| {
                    let (origin, access) = (origin.clone(), access.clone());
                    (learning.id.clone(), Kept { learning, reflection: *id, origin, access })
                }));
            }
            Event::LearningStored { learning, .. } => self.stored.extend(learning.parse()),
            _ => {}
        }
    }

    /// Removes all learnings except these.
    #[must_use]
    pub fn only(mut self, ids: &[LearningId]) -> Self {
        self.kept.retain(|id, _| ids.contains(id));
        self
    }

    pub fn is_empty(&self) -> bool {
        self.kept.is_empty()
    }

    pub fn learnings(&self) -> impl Iterator<Item = &Learning> {
        self.kept.values().map(|kept| &kept.learning)
    }

    /// Stores the learnings, and records which backend has each one now. `place_of` returns the
    /// backend of a learning that is stored already although the log doesn't say so.
    pub fn store(
        self,
        shelving: &Shelving<'_, impl Sessions>,
        place_of: impl Fn(&LearningId) -> Option<BackendKind>,
    ) -> Result<Vec<Shelved>, StoreError> {
        let Shelving { store, clock, library, waiting } = *shelving;
        let there = self.learnings().filter_map(|learning| {
            let placement = Placement::Kept { backend: place_of(&learning.id)? };
            Some(Shelved { learning: learning.id.clone(), placement })
        });
        let mut shelved: Vec<_> = there.collect();
        let is_there = |id: &LearningId| shelved.iter().any(|one| one.learning == *id);
        let missing: Vec<_> =
            self.learnings().filter(|learning| !is_there(&learning.id)).cloned().collect();
        shelved.extend(library.shelve(&missing));
        waiting.note(shelved.iter().any(|one| settled(&one.placement).is_none()));
        self.record(store, clock, &shelved)?;
        Ok(shelved)
    }

    fn record(
        &self,
        store: &impl Sessions,
        clock: &Clock,
        shelved: &[Shelved],
    ) -> Result<(), StoreError> {
        let mut drafts: BTreeMap<String, (SessionKey, Vec<Draft>)> = BTreeMap::new();
        for Shelved { learning, placement } in shelved {
            let (Some(backend), Some(kept)) = (settled(placement), self.kept.get(learning)) else {
                continue;
            };
            let Origin { agent, session, .. } = &kept.origin;
            let key = SessionKey { agent: agent.clone(), session: session.clone() };
            let (_, drafts) = drafts.entry(key.file_stem()).or_insert((key, vec![]));
            drafts.push(kept.stored_by(backend, clock));
        }
        for (key, drafts) in drafts.into_values() {
            store.open::<State>(&key)?.commit(drafts)?;
        }
        Ok(())
    }
}

impl Kept {
    fn stored_by(&self, backend: BackendKind, clock: &Clock) -> Draft {
        let event = Event::LearningStored { learning: self.learning.id.to_string(), backend };
        Draft {
            id: clock.next_id(),
            at: clock.now(),
            origin: self.origin.clone(),
            standing: Standing { evidence: vec![self.reflection], ..Standing::default() },
            access: self.access.clone(),
            event,
        }
    }
}

/// The backend that stores the learning for good, if there is one.
fn settled(placement: &Placement) -> Option<BackendKind> {
    match placement {
        Placement::Kept { backend } | Placement::KeptElsewhere { backend, .. } => Some(*backend),
        Placement::Discarded => Some(BackendKind::Nowhere),
        Placement::Failed { .. } | Placement::NoBackend => None,
    }
}
