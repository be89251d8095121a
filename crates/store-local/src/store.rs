//! The store: finds segments, reads them, and keeps what must outlive a session.

use std::borrow::Cow;
use std::fs::File;
use std::io::Write;
use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use sha2::{Digest, Sha256};
use verger_event::{Fold, ProjectId, SessionKey};
use verger_store::{Entry, RemoveError, Store, StoreError, with_causes};

use crate::chain::{Chain, End, Head, Scanned};
use crate::dir::Dir;
use crate::failure::failed;
use crate::line_reader::LineReader;
use crate::probe::{NoProbe, Probe};
use crate::redaction::Redaction;
use crate::snapshot::{self, Base, Loaded};
use crate::snapshot_name::{SnapshotName, SnapshotPlace};
use crate::turn::{LocalTurn, fold_unlocked};

/// The same failure comes again and again; the first few say it all.
const MAX_UNFINISHED: usize = 8;

/// The log in a directory.
pub struct LocalStore<P = NoProbe> {
    pub(crate) root: Dir,
    pub(crate) lock_wait: Duration,
    pub(crate) redaction: Redaction,
    pub(crate) probe: P,
    unfinished: Mutex<Vec<StoreError>>,
    /// The session that was last waited for in vain, by the stem of its segment.
    busy: Mutex<Option<String>>,
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
            unfinished: Mutex::default(),
            busy: Mutex::default(),
        })
    }

    /// The lock of a session, or nothing when it is not to be had in time. Who waited for it in vain does not wait
    /// again: a call opens its session more than once, and an agent waits for all of it.
    pub(crate) fn lock(&self, chain: &Chain<'_>) -> Result<Option<File>, StoreError> {
        let busy = || self.busy.lock().unwrap_or_else(PoisonError::into_inner);
        let is_busy = busy().as_ref() == Some(&chain.stem);
        let lock = chain.lock(if is_busy { Duration::ZERO } else { self.lock_wait })?;
        if is_busy != lock.is_none() {
            *busy() = lock.is_none().then(|| chain.stem.clone());
        }
        Ok(lock)
    }

    /// What failed without harm to the records asked for, since this was asked last.
    ///
    /// For a turn: a snapshot, the removal of merged spill, a copy in the project's segment. No
    /// commit fails for it, because its records are in the log, and a later turn or
    /// [`Store::settle`] does the work again; but somebody should be told. For whoever reads many
    /// segments: what was passed over because it could not be read.
    pub fn take_unfinished(&self) -> Vec<StoreError> {
        std::mem::take(&mut *self.unfinished.lock().unwrap_or_else(PoisonError::into_inner))
    }

    pub(crate) fn note_unfinished(&self, result: Result<(), StoreError>) {
        let Err(error) = result else { return };
        let mut unfinished = self.unfinished.lock().unwrap_or_else(PoisonError::into_inner);
        let text = with_causes(&error);
        if unfinished.len() < MAX_UNFINISHED
            && unfinished.iter().all(|known| with_causes(known) != text)
        {
            unfinished.push(error);
        }
    }

    /// What was read; what could not be is noted and passed over.
    pub(crate) fn or_note<T: Default>(&self, result: Result<T, StoreError>) -> T {
        result.unwrap_or_else(|error| {
            self.note_unfinished(Err(error));
            T::default()
        })
    }

    /// A text without its secrets, as every byte that verger writes down must be.
    pub fn redacted<'t>(&self, text: &'t str) -> Cow<'t, str> {
        self.redaction.redact(&self.root, text).map_or(Cow::Borrowed(text), Cow::Owned)
    }

    /// Whether something can be written: a file is, and is removed again.
    pub fn try_write(&self) -> Result<(), StoreError> {
        let name = "write-test";
        let mut file = self.root.create(name)?;
        let written = file
            .write_all(b"\n")
            .and_then(|()| file.sync_all())
            .map_err(failed("write", self.root.path_of(name)));
        written.and(self.root.remove(name))
    }

    /// Whether the system keeps us from writing here, as a sandbox does: the file system is read-only
    /// or the right is missing. Trouble of another kind is left to whoever writes.
    pub fn is_sealed(&self) -> bool {
        let name = format!("write-test.{}", std::process::id());
        let tried = self.root.create(&name).and_then(|_| self.root.remove(&name));
        tried.is_err_and(|error| error.is_refusal())
    }

    /// Opens a session that nobody is at. Nothing where somebody is: they know better what becomes of it.
    pub fn open_if_free<F: Fold>(
        &self,
        key: &SessionKey,
    ) -> Result<Option<LocalTurn<'_, F, P>>, StoreError> {
        LocalTurn::begin_if_free(self, key)
    }

    /// Whether there is a session beside this one.
    pub fn has_other_sessions(&self, key: &SessionKey) -> Result<bool, StoreError> {
        let Some(log) = self.root.existing_subdir("log")? else { return Ok(false) };
        let own = key.file_stem();
        for bucket in log.names()?.into_iter().filter(|name| is_bucket(name)) {
            if stems(&log, &bucket)?.iter().any(|stem| *stem != own) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The sessions, by the names of their segments, and whether every directory could be read.
    #[cfg(feature = "index")]
    pub(crate) fn list_sessions(&self) -> Result<(Vec<String>, bool), StoreError> {
        let (mut sessions, mut is_whole) = (vec![], true);
        if let Some(log) = self.root.existing_subdir("log")? {
            for bucket in log.names()?.into_iter().filter(|name| is_bucket(name)) {
                match stems(&log, &bucket) {
                    Ok(stems) => sessions.extend(stems),
                    Err(error) => {
                        is_whole = false;
                        self.note_unfinished(Err(error));
                    }
                }
            }
        }
        Ok((sessions, is_whole))
    }

    /// The sessions' segments, and how long they are.
    #[cfg(feature = "follow")]
    pub(crate) fn segment_sizes(&self) -> Result<Vec<(String, u64)>, StoreError> {
        let mut sizes = vec![];
        let Some(log) = self.root.existing_subdir("log")? else { return Ok(sizes) };
        for bucket in log.names()?.into_iter().filter(|name| is_bucket(name)) {
            let Some(dir) = self.or_note(log.existing_subdir(&bucket)) else { continue };
            for name in self.or_note(dir.names()) {
                if let Some(stem) = name.strip_suffix(".jsonl") {
                    sizes.extend(dir.size_of(&name).map(|size| (stem.to_owned(), size)));
                }
            }
        }
        Ok(sizes)
    }

    /// Every segment there is, sessions first. A directory that cannot be read hides no other.
    pub fn segments(&self) -> Result<Vec<SegmentName>, StoreError> {
        let mut segments = vec![];
        if let Some(log) = self.root.existing_subdir("log")? {
            for bucket in log.names()?.into_iter().filter(|name| is_bucket(name)) {
                let stems = self.or_note(stems(&log, &bucket));
                segments.extend(stems.into_iter().map(SegmentName::Session));
            }
        }
        let projects = self.or_note(stems(&self.root, "projects"));
        segments.extend(projects.into_iter().map(SegmentName::Project));
        segments.sort();
        Ok(segments)
    }

    /// Whether there are records of a session.
    pub fn has_session(&self, stem: &str) -> bool {
        let path = format!("log/{}/{stem}", bucket(stem));
        let has = |ending: &str| self.root.has(&format!("{path}{ending}"));
        !stem.contains('/') && (has(".jsonl") || has(".spill"))
    }

    /// The segments of projects.
    pub fn project_segments(&self) -> Result<Vec<SegmentName>, StoreError> {
        Ok(stems(&self.root, "projects")?.into_iter().map(SegmentName::Project).collect())
    }

    /// The sessions, by the names of their segments, sorted.
    pub fn session_stems(&self) -> Result<Vec<String>, StoreError> {
        let stem = |segment| match segment {
            SegmentName::Session(stem) => Some(stem),
            SegmentName::Project(_) => None,
        };
        Ok(self.segments()?.into_iter().filter_map(stem).collect())
    }

    /// How long a session's segment is, with what waits to be merged.
    pub fn segment_bytes(&self, stem: &str) -> Result<u64, StoreError> {
        bytes_of(&self.session_chain(stem)?)
    }

    /// How long a segment is, without what waits to be merged.
    pub fn bytes_of_segment(&self, segment: &SegmentName) -> Result<u64, StoreError> {
        self.chain(segment)?.size()
    }

    /// How long a project's segment is.
    pub fn project_bytes(&self, project: &ProjectId) -> Result<u64, StoreError> {
        self.project_chain(&project.file_stem())?.size()
    }

    pub(crate) fn session_chain(&self, stem: &str) -> Result<Chain<'_>, StoreError> {
        let dir = self.root.subdir("log")?.subdir(&bucket(stem))?;
        Ok(Chain::of_session(&self.root, dir, stem.to_owned()))
    }

    pub(crate) fn project_chain(&self, stem: &str) -> Result<Chain<'_>, StoreError> {
        Ok(Chain::of_project(&self.root, self.root.subdir("projects")?, stem.to_owned()))
    }

    pub(crate) fn chain(&self, segment: &SegmentName) -> Result<Chain<'_>, StoreError> {
        match segment {
            SegmentName::Session(stem) => self.session_chain(stem),
            SegmentName::Project(stem) => self.project_chain(stem),
        }
    }

    /// Gives every entry of a segment to `each`, in order; what is spilled comes last.
    pub fn read_segment(
        &self,
        segment: &SegmentName,
        each: &mut dyn FnMut(Entry),
    ) -> Result<(), StoreError> {
        let chain = self.chain(segment)?;
        // Listed first: what is merged while we read is then found in the segment.
        let mut spilled = chain.spilled_and_set_aside();
        if let Some(file) = chain.existing()? {
            chain.scan(&file, &mut Head::default(), |scanned| {
                each(match scanned {
                    Scanned::Record { before, line } => {
                        let record = chain.resolve(*line);
                        spilled.meet(before.offset, &record);
                        Entry::Record(Box::new(record))
                    }
                    Scanned::Foreign { version } => Entry::Foreign { version },
                    Scanned::Bad { offset, damage } => Entry::Bad { offset, damage },
                });
                Ok(())
            })?;
        }
        spilled.leave_out_met();
        for ready in spilled.records {
            each(Entry::Spilled(Box::new(ready.record)));
        }
        spilled.unread.into_iter().for_each(each);
        Ok(())
    }

    /// The fold of a whole segment and of what is spilled: what every other fold should say.
    pub fn replay<F: Fold>(&self, stem: &str) -> Result<F, StoreError> {
        replayed(&self.session_chain(stem)?)
    }

    /// The fold by way of the snapshot, as a hook sees it.
    pub fn folded<F: Fold>(&self, stem: &str) -> Result<F, StoreError> {
        self.folded_from(&self.session_chain(stem)?, &SnapshotName::of_session(stem))
    }

    /// The fold that [`LocalTurn::beside`] gives, for whoever has no turn. Nothing is locked or
    /// written.
    pub fn folded_beside<G: Fold>(&self, stem: &str, name: &'static str) -> Result<G, StoreError> {
        self.folded_from(&self.session_chain(stem)?, &SnapshotName::beside_session::<G>(stem, name))
    }

    pub(crate) fn folded_from<F: Fold>(
        &self,
        chain: &Chain<'_>,
        name: &SnapshotName,
    ) -> Result<F, StoreError> {
        let (_, state) = fold_unlocked(chain, |file| {
            let place = name.place(&self.root);
            let (_, head, state) = fold(chain, file, (&place, name))?;
            Ok((head, state))
        })?;
        Ok(*state)
    }

    /// Folds a whole segment and puts the snapshot of it in place. While somebody else holds the
    /// lock the snapshot is theirs to write, and is left alone.
    pub fn rebuild_snapshot<F: Fold>(&self, stem: &str) -> Result<F, StoreError> {
        let chain = self.session_chain(stem)?;
        let lock = chain.lock(self.lock_wait)?;
        let (_, state) = fold_unlocked(&chain, |file| {
            let (mut head, mut state) = (Head::default(), Box::<F>::default());
            chain.fold_on((LineReader::new(file, 0), End::Open), &mut head, &mut *state)?;
            if lock.is_some() {
                let name = SnapshotName::of_session(stem);
                snapshot::remove(&self.root, &name)?;
                let place = name.place(&self.root);
                snapshot::save((&place, &name), (&head, &*state), &self.probe)?;
            }
            Ok((head, state))
        })?;
        Ok(*state)
    }
}

/// Snapshot and tail. Also gives what the snapshot was, to know how long the tail was.
pub(crate) fn fold<F: Fold>(
    chain: &Chain<'_>,
    file: &File,
    snapshot: (&SnapshotPlace<'_>, &SnapshotName),
) -> Result<(Base, Head, Box<F>), StoreError> {
    fold_to(chain, (file, End::At(chain.end_of(file)?)), snapshot)
}

/// The same for the segment as it was when it ended there, though it may have grown since.
pub(crate) fn fold_to<F: Fold>(
    chain: &Chain<'_>,
    (file, end): (&File, End<'_>),
    snapshot: (&SnapshotPlace<'_>, &SnapshotName),
) -> Result<(Base, Head, Box<F>), StoreError> {
    let found = snapshot::newest::<F, _>(snapshot, |head| head.tail((file, end)));
    let (Loaded { base, mut state }, lines) =
        found.unwrap_or_else(|| (Loaded::default(), LineReader::new(file, 0)));
    let mut head = base.head.clone();
    chain.fold_on((lines, end), &mut head, &mut *state)?;
    Ok((base, head, state))
}

pub(crate) fn bytes_of(chain: &Chain<'_>) -> Result<u64, StoreError> {
    Ok(chain.size()?.saturating_add(chain.spilled().bytes))
}

pub(crate) fn replayed<F: Fold>(chain: &Chain<'_>) -> Result<F, StoreError> {
    let (_, state) = fold_unlocked(chain, |file| {
        let (mut head, mut state) = (Head::default(), Box::<F>::default());
        chain.fold_on((LineReader::new(file, 0), End::Open), &mut head, &mut *state)?;
        Ok((head, state))
    })?;
    Ok(*state)
}

fn bucket(stem: &str) -> String {
    format!("{:02x}", Sha256::digest(stem)[0])
}

/// Anything else in the log's directory is not ours.
pub(crate) fn is_bucket(name: &str) -> bool {
    name.len() == 2 && name.bytes().all(|b| b.is_ascii_hexdigit())
}

/// The segment that a file or a directory of spilled records belongs to.
pub(crate) fn stem_of(name: &str) -> Option<&str> {
    name.strip_suffix(".jsonl").or_else(|| name.strip_suffix(".spill"))
}

/// The segments in a directory; one that has only spill so far is one too.
fn stems(parent: &Dir, name: &str) -> Result<Vec<String>, StoreError> {
    let Some(dir) = parent.existing_subdir(name)? else { return Ok(vec![]) };
    let mut stems: Vec<_> =
        dir.names()?.iter().filter_map(|name| stem_of(name)).map(str::to_owned).collect();
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
                sessions.extend(self.or_note(self.key_of(&stem)));
            }
        }
        Ok(sessions)
    }

    fn settle(&self, key: &SessionKey) -> Result<u64, StoreError> {
        let chain = self.session_chain(&key.file_stem())?;
        // Without the lock a record may be copied twice, which folds notice by its id; what is
        // spilled is settled by whoever merges it.
        let lock = chain.lock(self.lock_wait)?;
        if lock.is_some() {
            self.merge(&chain)?;
        }
        let missing = self.unsettled(&chain)?;
        let count = missing.len();
        for (project, records) in missing.into_projects() {
            self.keep_in_project(&project, records)?;
        }
        Ok(count)
    }

    fn remove(&self, key: &SessionKey) -> Result<(), RemoveError> {
        let chain = self.session_chain(&key.file_stem())?;
        let _lock = chain.must_lock(self.lock_wait)?;
        // So that nothing is left behind the segment's back.
        self.merge(&chain)?;
        self.remove_locked(&chain)
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
            named = chain.spilled().records.into_iter().next().map(|ready| ready.record);
        }
        let key = named.map(|record| record.draft.origin.session_key());
        Ok(key.filter(|key| key.file_stem() == stem).or_else(|| SessionKey::of_file_stem(stem)))
    }
}
