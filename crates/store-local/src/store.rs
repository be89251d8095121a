//! The store: finds and reads segments, and copies durable records to their project.

use std::fs::File;
use std::io::Write;
use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use sha2::{Digest, Sha256};
use verger_event::{Fold, SessionKey};
use verger_store::{
    Options, RemoveError, Retention, SegmentName, Sessions, StoreError, with_causes,
};

use crate::chain::{Chain, End, Head};
use crate::dir::Dir;
use crate::failure::failed;
use crate::line_reader::LineReader;
use crate::probe::{NoProbe, Probe};
use crate::redaction::Redaction;
use crate::snapshot::{self, Base, Loaded, Newest};
use crate::snapshot_name::{SnapshotName, SnapshotPlace};
use crate::turn::{LocalTurn, fold_unlocked};

/// The maximum number of failures that are kept. The same failure often repeats.
const MAX_UNFINISHED: usize = 8;

/// The log on disk, in one directory.
pub struct LocalStore<P = NoProbe> {
    pub(crate) root: Dir,
    pub(crate) lock_wait: Duration,
    pub(crate) redaction: Redaction,
    pub(crate) probe: P,
    pub(crate) unfinished: Mutex<Vec<StoreError>>,
    /// The stem of the session whose lock was not free in time.
    busy: Mutex<Option<String>>,
    #[cfg(feature = "index")]
    pub(crate) refresh_meter: Option<crate::index::RefreshMeter>,
}

impl LocalStore {
    /// Opens the log in `root`; creates the directory if it is missing.
    pub fn open(root: &Path, options: Options) -> Result<Self, StoreError> {
        Self::with_probe(root, options, NoProbe)
    }
}

impl<P: Probe> LocalStore<P> {
    /// Like `open`, but calls `probe` at each `Point` of a turn. Tests use it to observe a turn or
    /// to end the process there.
    pub fn with_probe(root: &Path, options: Options, probe: P) -> Result<Self, StoreError> {
        Ok(Self {
            root: Dir::root(root)?,
            lock_wait: options.lock_wait,
            redaction: Redaction::new(options.secret_names),
            probe,
            unfinished: Mutex::default(),
            busy: Mutex::default(),
            #[cfg(feature = "index")]
            refresh_meter: None,
        })
    }

    /// Takes the lock of a session. Returns `None` if it isn't free in time. Later attempts for
    /// that session then don't wait again: a hook call opens its session more than once, and the
    /// agent waits for the call.
    pub(crate) fn lock(&self, chain: &Chain<'_>) -> Result<Option<File>, StoreError> {
        let busy = || self.busy.lock().unwrap_or_else(PoisonError::into_inner);
        let is_busy = busy().as_ref() == Some(&chain.stem);
        let lock = chain.lock(if is_busy { Duration::ZERO } else { self.lock_wait })?;
        if is_busy != lock.is_none() {
            *busy() = lock.is_none().then(|| chain.stem.clone());
        }
        Ok(lock)
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

    /// Returns the value of a result. For an error, notes it and returns the default.
    pub(crate) fn or_note<T: Default>(&self, result: Result<T, StoreError>) -> T {
        result.unwrap_or_else(|error| {
            self.note_unfinished(Err(error));
            T::default()
        })
    }

    /// Tests whether the store can be written: creates a file and removes it again.
    pub fn try_write(&self) -> Result<(), StoreError> {
        let name = "write-test";
        let mut file = self.root.create(name)?;
        let written = file
            .write_all(b"\n")
            .and_then(|()| file.sync_all())
            .map_err(failed("write", self.root.path_of(name)));
        written.and(self.root.remove(name))
    }

    /// The stems of all sessions' segments, and whether every directory could be read.
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

    /// The stems of the sessions' segments, each with the segment's length in bytes.
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

    /// The names of the projects' segments.
    pub fn project_segments(&self) -> Result<Vec<SegmentName>, StoreError> {
        Ok(stems(&self.root, "projects")?.into_iter().map(SegmentName::Project).collect())
    }

    /// A segment's length in bytes, without spilled records.
    pub fn bytes_of_segment(&self, segment: &SegmentName) -> Result<u64, StoreError> {
        self.chain(segment)?.size()
    }

    pub(crate) fn session_chain(&self, stem: &str) -> Result<Chain<'_>, StoreError> {
        let dir = self.root.subdir("log")?.subdir(&bucket(stem))?;
        Ok(Chain::of_session(&self.root, dir, stem.to_owned()))
    }

    /// Whether a session lost its segment: there is no segment, but the note in its lock file has a
    /// length. A segment that `log clean` removes has no lock file either.
    #[cfg(feature = "index")]
    pub(crate) fn is_missing(&self, stem: &str) -> Result<bool, StoreError> {
        Ok(self.session_chain(stem)?.note()?.is_some_and(|note| note.end > 0))
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

    /// Folds a whole segment and its spilled records, without a snapshot. Every other way of
    /// folding must give the same state.
    pub fn replay<F: Fold>(&self, stem: &str) -> Result<F, StoreError> {
        replayed(&self.session_chain(stem)?)
    }

    pub(crate) fn folded_from<F: Fold>(
        &self,
        chain: &Chain<'_>,
        name: &SnapshotName,
    ) -> Result<F, StoreError> {
        let (_, state) = fold_unlocked(chain, |file| {
            let place = name.place(&self.root);
            let Folded { head, state, .. } = fold(chain, file, &place, name)?;
            Ok((head, state))
        })?;
        Ok(*state)
    }

    /// Folds a whole segment and saves the state as a snapshot. Doesn't save the snapshot while
    /// another process holds the lock.
    pub fn rebuild_snapshot<F: Fold>(&self, stem: &str) -> Result<F, StoreError> {
        let chain = self.session_chain(stem)?;
        let lock = chain.lock(self.lock_wait)?;
        let (_, state) = fold_unlocked(&chain, |file| {
            let (mut head, mut state) = (Head::default(), Box::<F>::default());
            chain.fold_on(LineReader::new(file, 0), End::Open, &mut head, &mut *state)?;
            if lock.is_some() {
                let name = SnapshotName::of_session(stem);
                snapshot::remove(&self.root, &name)?;
                let place = name.place(&self.root);
                snapshot::save(&place, &name, &head, &*state, &self.probe)?;
            }
            Ok((head, state))
        })?;
        Ok(*state)
    }
}

/// A state folded from a snapshot and the tail after it.
pub(crate) struct Folded<F> {
    /// The snapshot from which the fold continued.
    pub(crate) base: Base,
    pub(crate) head: Head,
    pub(crate) state: Box<F>,
    /// The number of lines in the tail that aren't records.
    pub(crate) damaged: u64,
    /// Whether the last record of a snapshot is not at its position in the segment.
    pub(crate) is_contradicted: bool,
}

/// Folds a segment from its snapshot and the tail after it.
pub(crate) fn fold<F: Fold>(
    chain: &Chain<'_>,
    file: &File,
    place: &SnapshotPlace<'_>,
    name: &SnapshotName,
) -> Result<Folded<F>, StoreError> {
    fold_to(chain, file, End::At(chain.end_of(file)?), place, name)
}

/// Like `fold`, but only up to the given end, even if the segment has grown since.
pub(crate) fn fold_to<F: Fold>(
    chain: &Chain<'_>,
    file: &File,
    end: End<'_>,
    place: &SnapshotPlace<'_>,
    name: &SnapshotName,
) -> Result<Folded<F>, StoreError> {
    let Newest { found, is_contradicted } =
        snapshot::newest::<F, _>(place, name, |head| head.tail(file, end));
    let (Loaded { base, mut state }, lines) =
        found.unwrap_or_else(|| (Loaded::default(), LineReader::new(file, 0)));
    let mut head = base.head.clone();
    let damaged = chain.fold_on(lines, end, &mut head, &mut *state)?;
    Ok(Folded { base, head, state, damaged, is_contradicted })
}

pub(crate) fn bytes_of(chain: &Chain<'_>) -> Result<u64, StoreError> {
    Ok(chain.size()?.saturating_add(chain.spilled().bytes))
}

pub(crate) fn replayed<F: Fold>(chain: &Chain<'_>) -> Result<F, StoreError> {
    let (_, state) = fold_unlocked(chain, |file| {
        let (mut head, mut state) = (Head::default(), Box::<F>::default());
        chain.fold_on(LineReader::new(file, 0), End::Open, &mut head, &mut *state)?;
        Ok((head, state))
    })?;
    Ok(*state)
}

pub(crate) fn bucket(stem: &str) -> String {
    format!("{:02x}", Sha256::digest(stem)[0])
}

/// Whether a name in `log/` is that of a bucket directory, which has two hexadecimal digits.
pub(crate) fn is_bucket(name: &str) -> bool {
    name.len() == 2 && name.bytes().all(|b| b.is_ascii_hexdigit())
}

/// The stem in the name of a segment file or a spill directory.
pub(crate) fn stem_of(name: &str) -> Option<&str> {
    name.strip_suffix(".jsonl").or_else(|| name.strip_suffix(".spill"))
}

/// The stems of the segments in a directory. A session with only a spill directory counts too.
pub(crate) fn stems(parent: &Dir, name: &str) -> Result<Vec<String>, StoreError> {
    let Some(dir) = parent.existing_subdir(name)? else { return Ok(vec![]) };
    let mut stems: Vec<_> =
        dir.names()?.iter().filter_map(|name| stem_of(name)).map(str::to_owned).collect();
    stems.sort();
    stems.dedup();
    Ok(stems)
}

impl<P: Probe> Sessions for LocalStore<P> {
    type Turn<'a, F: Fold>
        = LocalTurn<'a, F, P>
    where
        P: 'a;

    fn open<F: Fold>(&self, key: &SessionKey) -> Result<LocalTurn<'_, F, P>, StoreError> {
        LocalTurn::begin(self, key)
    }

    fn open_if_free<F: Fold>(
        &self,
        key: &SessionKey,
    ) -> Result<Option<LocalTurn<'_, F, P>>, StoreError> {
        LocalTurn::begin_if_free(self, key)
    }
}

impl<P: Probe> Retention for LocalStore<P> {
    fn pack(&self, key: &SessionKey, last_seq: u64) -> Result<bool, StoreError> {
        let chain = self.session_chain(&key.file_stem())?;
        let Some(_lock) = chain.lock(Duration::ZERO)? else { return Ok(false) };
        let Some(file) = chain.existing()? else { return Ok(false) };
        if chain.has_spill()? || chain.end(&file)?.seq != last_seq {
            return Ok(false);
        }
        self.remove_all_but_segment(&chain)?;
        chain.remove_lock()?;
        Ok(true)
    }

    fn settle(&self, key: &SessionKey) -> Result<u64, StoreError> {
        let chain = self.session_chain(&key.file_stem())?;
        // Continues without the lock too. Then a record may be copied twice, which folds detect by
        // its id. The process that merges spilled records also copies the durable ones to their
        // project.
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
        // Merges first, so that no spilled records stay behind without a segment.
        self.merge(&chain)?;
        self.remove_locked(&chain)
    }
}
