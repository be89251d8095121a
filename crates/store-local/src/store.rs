//! The store: finds segments, reads them, and keeps what must outlive a session.

use std::path::Path;
use std::time::Duration;

use sha2::{Digest, Sha256};
use verger_event::stored::Body;
use verger_event::stored::StoredLine;
use verger_event::{Fold, ProjectId, Record, SessionId, SessionKey};
use verger_store::{Entry, RemoveError, Store, StoreError, Turn};

use crate::chain::{Chain, Head, Ready, Scanned};
use crate::dir::Dir;
use crate::failure::failed;
use crate::probe::{NoProbe, Probe};
use crate::redaction::Redaction;
use crate::turn::LocalTurn;
use crate::{blob, snapshot};

/// Projects are written to by every session of every agent: a longer wait than for a session's own
/// lock, still far below what anybody feels.
const PROJECT_LOCK_WAIT: Duration = Duration::from_millis(200);

/// The log in a directory.
pub struct LocalStore<P = NoProbe> {
    pub(crate) root: Dir,
    pub(crate) lock_wait: Duration,
    pub(crate) redaction: Redaction,
    pub(crate) probe: P,
}

/// What a user may choose.
#[derive(Debug, Clone)]
pub struct Options {
    /// How long a turn waits for the lock before it spills.
    pub lock_wait: Duration,
    /// Further names whose values are secrets.
    pub secret_names: Vec<String>,
}

impl Default for Options {
    fn default() -> Self {
        Self { lock_wait: Duration::from_millis(200), secret_names: vec![] }
    }
}

/// A segment by the name of its file, which is known even when no record in it can be read.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum SegmentName {
    /// Of a session.
    Session(String),
    /// Of a project.
    Project(String),
}

impl LocalStore {
    /// Opens the log in `root`, which is made when it is missing.
    pub fn open(root: &Path, options: Options) -> Result<Self, StoreError> {
        Self::with_probe(root, options, NoProbe)
    }
}

impl<P: Probe> LocalStore<P> {
    /// Opens the log, with somebody watching.
    pub fn with_probe(root: &Path, options: Options, probe: P) -> Result<Self, StoreError> {
        Ok(Self {
            root: Dir::root(root)?,
            lock_wait: options.lock_wait,
            redaction: Redaction::new(options.secret_names),
            probe,
        })
    }

    /// Every segment there is, sessions first.
    pub fn segments(&self) -> Result<Vec<SegmentName>, StoreError> {
        let mut segments = vec![];
        if let Some(log) = self.root.existing_subdir("log")? {
            for bucket in log.names()? {
                let Some(dir) = log.existing_subdir(&bucket)? else { continue };
                segments.extend(stems(&dir)?.into_iter().map(SegmentName::Session));
            }
        }
        if let Some(projects) = self.root.existing_subdir("projects")? {
            segments.extend(stems(&projects)?.into_iter().map(SegmentName::Project));
        }
        segments.sort();
        Ok(segments)
    }

    /// How long a session's segment is.
    pub fn segment_bytes(&self, stem: &str) -> Result<u64, StoreError> {
        let chain = self.session_chain(stem)?;
        let Some(file) = chain.existing()? else { return Ok(0) };
        let metadata = file.metadata().map_err(failed("look at", chain.path()))?;
        Ok(metadata.len())
    }

    pub(crate) fn session_chain(&self, stem: &str) -> Result<Chain, StoreError> {
        let dir = self.root.subdir("log")?.subdir(&bucket(stem))?;
        Ok(Chain::new(dir, stem.to_owned()))
    }

    fn project_chain(&self, stem: &str) -> Result<Chain, StoreError> {
        Ok(Chain::new(self.root.subdir("projects")?, stem.to_owned()))
    }

    pub(crate) fn chain(&self, segment: &SegmentName) -> Result<Chain, StoreError> {
        match segment {
            SegmentName::Session(stem) => self.session_chain(stem),
            SegmentName::Project(stem) => self.project_chain(stem),
        }
    }

    pub(crate) fn snapshots(&self) -> Result<Dir, StoreError> {
        self.root.subdir("sessions")
    }

    /// The record of a line, its payload fetched from a blob if it is there.
    pub(crate) fn resolve(&self, line: StoredLine<'_>) -> Result<Record, StoreError> {
        match line.body() {
            Body::Inline(_) => Ok(line.into_record(None)),
            Body::Blob(reference) => {
                let payload = blob::get(&self.root, &reference)?;
                Ok(line.into_record(payload.as_deref()))
            }
        }
    }

    fn resolve_ready(&self, ready: Ready) -> Result<Record, StoreError> {
        let line = verger_event::stored::encode(&ready.draft, 0, None, &ready.body)?;
        match verger_event::stored::decode(&line[..line.len() - 1]) {
            Ok(verger_event::stored::Decoded::Line(line)) => self.resolve(*line),
            _ => Ok(Record { seq: 0, draft: ready.draft }),
        }
    }

    /// Gives every entry of a segment to `each`, in order; what is spilled comes last.
    pub fn read_segment(
        &self,
        segment: &SegmentName,
        each: &mut dyn FnMut(Entry),
    ) -> Result<(), StoreError> {
        let chain = self.chain(segment)?;
        // Listed first: what is merged while we read is then seen twice at worst, never not at all.
        let spills = chain.spilled()?;
        let mut merged = vec![];
        if let Some(file) = chain.existing()? {
            chain.scan(&file, &mut Head::default(), |scanned| {
                each(match scanned {
                    Scanned::Record { line, .. } => {
                        if !spills.is_empty() {
                            merged.push(line.id());
                        }
                        Entry::Record(Box::new(self.resolve(*line)?))
                    }
                    Scanned::Foreign { version } => Entry::Foreign { version },
                    Scanned::Bad { offset, damage } => Entry::Bad { offset, damage },
                });
                Ok(())
            })?;
        }
        for record in spills.into_iter().flat_map(|spill| spill.records) {
            if !merged.contains(&record.draft.id) {
                each(Entry::Spilled(Box::new(self.resolve_ready(record)?)));
            }
        }
        Ok(())
    }

    /// The fold of a whole segment, and where it ends: what a snapshot should say.
    pub fn replay<F: Fold>(&self, stem: &str) -> Result<F, StoreError> {
        let chain = self.session_chain(stem)?;
        let mut state = F::default();
        if let Some(file) = chain.existing()? {
            self.fold_on(&chain, &file, &mut Head::default(), &mut state)?;
        }
        Ok(state)
    }

    /// The fold by way of the snapshot, as a hook sees it.
    pub fn folded<F: Fold>(&self, stem: &str) -> Result<F, StoreError> {
        let chain = self.session_chain(stem)?;
        let Some(file) = chain.existing()? else { return Ok(F::default()) };
        let (_, _, state) = self.fold(&chain, &file, stem)?;
        Ok(state)
    }

    /// Folds a whole segment and puts the snapshot of it in place.
    pub fn rebuild_snapshot<F: Fold>(&self, stem: &str) -> Result<F, StoreError> {
        let chain = self.session_chain(stem)?;
        let _lock = chain.lock(self.lock_wait)?;
        let (mut head, mut state) = (Head::default(), F::default());
        if let Some(file) = chain.existing()? {
            self.fold_on(&chain, &file, &mut head, &mut state)?;
            snapshot::remove(&self.snapshots()?, stem)?;
            snapshot::save(&self.snapshots()?, stem, (&head, &state), &self.probe)?;
        }
        Ok(state)
    }

    /// Snapshot and tail. Also gives the head of the snapshot, to know how long the tail was.
    pub(crate) fn fold<F: Fold>(
        &self,
        chain: &Chain,
        file: &std::fs::File,
        stem: &str,
    ) -> Result<(Head, Head, F), StoreError> {
        let snapshot = match self.root.existing_subdir("sessions")? {
            Some(dir) => snapshot::candidates::<F>(&dir, stem).find(|(head, _)| head.is_in(file)),
            None => None,
        };
        let (from, mut state) = snapshot.unwrap_or_default();
        let mut head = from.clone();
        self.fold_on(chain, file, &mut head, &mut state)?;
        Ok((from, head, state))
    }

    fn fold_on<F: Fold>(
        &self,
        chain: &Chain,
        file: &std::fs::File,
        head: &mut Head,
        state: &mut F,
    ) -> Result<(), StoreError> {
        chain.scan(file, head, |scanned| {
            if let Scanned::Record { line, .. } = scanned {
                state.apply(&self.resolve(*line)?);
            }
            Ok(())
        })
    }

    /// Appends durable records to their project's segment, and makes them survive a power cut.
    pub(crate) fn keep_in_project(
        &self,
        project: &ProjectId,
        records: Vec<Ready>,
    ) -> Result<(), StoreError> {
        let chain = self.project_chain(&project.file_stem())?;
        let Some(_lock) = chain.lock(PROJECT_LOCK_WAIT)? else { return chain.spill(&records) };
        let file = chain.opened()?;
        let mut head = chain.end(&file)?;
        let spills = chain.spilled()?;
        let mut all = vec![];
        if !spills.is_empty() {
            let spilled = chain.spilled()?.into_iter().flat_map(|spill| spill.records).collect();
            all = chain.not_in(&file, spilled)?;
        }
        all.extend(records);
        chain.append(&file, &mut head, &all)?;
        file.sync_data().map_err(failed("sync", chain.path()))?;
        chain.forget(&spills)
    }

    /// The durable records of a session that its project's segment lacks.
    fn unsettled(&self, stem: &str) -> Result<Vec<(ProjectId, Ready)>, StoreError> {
        let chain = self.session_chain(stem)?;
        let Some(file) = chain.existing()? else { return Ok(vec![]) };
        let mut durable = vec![];
        chain.scan(&file, &mut Head::default(), |scanned| {
            if let Scanned::Record { line, .. } = scanned {
                durable.extend(durable_of(Ready::from_line(*line)));
            }
            Ok(())
        })?;
        let mut missing = vec![];
        while let Some((project, _)) = durable.first() {
            let project = project.clone();
            let (of_project, rest): (Vec<_>, Vec<_>) =
                durable.into_iter().partition(|(other, _)| *other == project);
            durable = rest;
            let records: Vec<_> = of_project.into_iter().map(|(_, ready)| ready).collect();
            let chain = self.project_chain(&project.file_stem())?;
            let lacking = match chain.existing()? {
                Some(file) => chain.not_in(&file, records)?,
                None => records,
            };
            let spilled: Vec<_> = chain.spilled()?.into_iter().flat_map(|s| s.records).collect();
            missing.extend(
                lacking
                    .into_iter()
                    .filter(|ready| !spilled.iter().any(|s| s.draft.id == ready.draft.id))
                    .map(|ready| (project.clone(), ready)),
            );
        }
        Ok(missing)
    }
}

/// The project that a record must also be kept in, if it must.
pub(crate) fn durable_of(ready: Ready) -> Option<(ProjectId, Ready)> {
    let project = ready.draft.origin.project.clone()?;
    ready.draft.event.is_durable().then_some((project, ready))
}

fn bucket(stem: &str) -> String {
    format!("{:02x}", Sha256::digest(stem)[0])
}

/// The segments in a directory; one that has only spill so far is one too.
fn stems(dir: &Dir) -> Result<Vec<String>, StoreError> {
    let mut stems: Vec<_> = dir
        .names()?
        .iter()
        .filter_map(|name| name.strip_suffix(".jsonl").or_else(|| name.strip_suffix(".spill")))
        .map(str::to_owned)
        .collect();
    stems.sort();
    stems.dedup();
    Ok(stems)
}

impl<P: Probe> Store for LocalStore<P> {
    type Turn<'a, F: Fold>
        = LocalTurn<'a, F, P>
    where
        P: 'a;

    fn open<F: Fold>(&self, key: &SessionKey) -> Result<LocalTurn<'_, F, P>, StoreError> {
        LocalTurn::begin(self, key)
    }

    fn read(&self, key: &SessionKey, each: &mut dyn FnMut(Entry)) -> Result<(), StoreError> {
        self.read_segment(&SegmentName::Session(key.file_stem()), each)
    }

    fn read_project(
        &self,
        project: &ProjectId,
        each: &mut dyn FnMut(Entry),
    ) -> Result<(), StoreError> {
        self.read_segment(&SegmentName::Project(project.file_stem()), each)
    }

    fn sessions(&self) -> Result<Vec<SessionKey>, StoreError> {
        let mut sessions = vec![];
        for segment in self.segments()? {
            if let SegmentName::Session(stem) = segment {
                sessions.extend(self.key_of(&stem)?);
            }
        }
        Ok(sessions)
    }

    fn settle(&self, key: &SessionKey) -> Result<u64, StoreError> {
        let missing = self.unsettled(&key.file_stem())?;
        let count = missing.len() as u64;
        for (project, ready) in missing {
            self.keep_in_project(&project, vec![ready])?;
        }
        Ok(count)
    }

    fn remove(&self, key: &SessionKey) -> Result<(), RemoveError> {
        let stem = key.file_stem();
        // Merges what is spilled, so that nothing is left behind the segment's back.
        self.open::<Nothing>(key)?.commit(vec![])?;
        let chain = self.session_chain(&stem)?;
        let _lock = chain.lock(self.lock_wait)?;
        match self.unsettled(&stem)?.len() as u64 {
            0 => {}
            count => return Err(RemoveError::Unsettled { count }),
        }
        snapshot::remove(&self.snapshots()?, &stem)?;
        Ok(chain.remove()?)
    }
}

impl<P: Probe> LocalStore<P> {
    /// The session that a segment belongs to, as its first readable record names it. Where that
    /// name does not lead back to the segment (a secret was taken out of it), the file's own name
    /// serves.
    pub fn key_of(&self, stem: &str) -> Result<Option<SessionKey>, StoreError> {
        let mut named = None;
        let chain = self.session_chain(stem)?;
        if let Some(file) = chain.existing()? {
            chain.first_record(&file, |line| named = Some(line.into_record(None)))?;
        }
        if named.is_none() {
            let spilled = chain.spilled()?.into_iter().flat_map(|spill| spill.records).next();
            named = spilled.map(|ready| Record { seq: 0, draft: ready.draft });
        }
        let key = named.map(|record| record.draft.origin.session_key());
        Ok(key.filter(|key| key.file_stem() == stem).or_else(|| {
            let (agent, session) = stem.split_once('-')?;
            Some(SessionKey { agent: agent.parse().ok()?, session: SessionId::new(session) })
        }))
    }
}

/// A fold of nothing, for turns that only merge.
#[derive(Default, PartialEq, serde::Serialize, serde::Deserialize)]
struct Nothing;

impl Fold for Nothing {
    /// No real fold has this version, so that a snapshot of nothing is never taken for one.
    const VERSION: u32 = u32::MAX;

    fn apply(&mut self, _: &Record) {}
}
