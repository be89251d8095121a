//! A log in a temporary directory, with helpers to inspect and damage it.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::FileExt;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use serde::{Deserialize, Serialize};
use tempfile::TempDir;
use verger_event::{Draft, Event, EventId, Fold, Form, Record, Session, SessionKey, ToolCall};
use verger_store::conformance::draft;
use verger_store::{Entry, Options, ReadLog, Receipt, SegmentName, Sessions, Turn};
use verger_store_local::{Fault, LocalStore, NoProbe, Point, Probe, SegmentReport};

/// A log whose turns spill when the lock is not free at once.
pub(crate) struct Sandbox<P = NoProbe> {
    directory: TempDir,
    pub(crate) store: LocalStore<P>,
}

pub(crate) fn options() -> Options {
    Options { lock_wait: Duration::ZERO, ..Options::default() }
}

impl Sandbox {
    pub(crate) fn new() -> Self {
        let directory = tempfile::tempdir().unwrap();
        let store = LocalStore::open(&directory.path().join("data"), options()).unwrap();
        Self { directory, store }
    }

    /// The same log, opened with a probe that ends the turn at `point`.
    pub(crate) fn dying_at(&self, point: Point) -> LocalStore<DiesAt> {
        let probe = DiesAt { point, is_dead: AtomicBool::new(false) };
        LocalStore::with_probe(&self.root(), options(), probe).unwrap()
    }

    pub(crate) fn root(&self) -> PathBuf {
        self.directory.path().join("data")
    }

    pub(crate) fn outside(&self) -> PathBuf {
        self.directory.path().join("outside")
    }

    /// The only file of the log whose name ends in `ending`.
    #[track_caller]
    pub(crate) fn file(&self, ending: &str) -> PathBuf {
        let found = self.files(ending);
        assert_eq!(found.len(), 1, "{found:?}");
        found.into_iter().next().unwrap()
    }

    pub(crate) fn files(&self, ending: &str) -> Vec<PathBuf> {
        let mut files = vec![];
        walk(&self.root(), &mut |path| {
            if path.is_file() && path.to_str().unwrap().ends_with(ending) {
                files.push(path.to_owned());
            }
        });
        files.sort();
        files
    }

    /// The log's only session segment.
    #[track_caller]
    pub(crate) fn segment(&self) -> PathBuf {
        let mut found = self.files(".jsonl");
        found.retain(|path| {
            let parent = path.parent().unwrap();
            parent.extension().is_none() && !parent.ends_with("projects")
        });
        assert_eq!(found.len(), 1, "{found:?}");
        found.remove(0)
    }

    #[track_caller]
    pub(crate) fn commit(&self, key: &SessionKey, drafts: &[Draft]) -> Receipt {
        self.store.open::<Session>(key).unwrap().commit(drafts.to_vec()).unwrap()
    }

    /// Commits while another turn holds the lock.
    #[track_caller]
    pub(crate) fn spill(&self, key: &SessionKey, drafts: &[Draft]) {
        let holder = self.store.open::<Session>(key).unwrap();
        assert_eq!(self.commit(key, drafts), Receipt::Spilled);
        drop(holder);
    }

    #[track_caller]
    pub(crate) fn verify(&self, key: &SessionKey) -> SegmentReport {
        self.store.verify(&SegmentName::Session(key.file_stem())).unwrap()
    }

    #[track_caller]
    pub(crate) fn read(&self, key: &SessionKey) -> Vec<Entry> {
        let mut entries = vec![];
        self.store.read(key, &mut |entry| entries.push(entry)).unwrap();
        entries
    }

    #[track_caller]
    pub(crate) fn project(&self) -> Vec<Entry> {
        let mut entries = vec![];
        let project = verger_event::ProjectId::new("b0b1");
        self.store.read_project(&project, &mut |entry| entries.push(entry)).unwrap();
        entries
    }

    #[track_caller]
    pub(crate) fn project_order(&self) -> Order {
        self.store.project_fold(&verger_event::ProjectId::new("b0b1"), ORDER).unwrap()
    }

    pub(crate) fn state(&self, key: &SessionKey) -> Session {
        self.store.open::<Session>(key).unwrap().state().clone()
    }

    /// The state of the additional fold [`Order`] of the session, from a turn that does nothing
    /// else.
    #[track_caller]
    pub(crate) fn beside(&self, key: &SessionKey) -> Order {
        *self.store.open::<Session>(key).unwrap().beside(ORDER).unwrap()
    }

    /// Asserts that snapshot and tail fold to the same state as the whole segment. Returns that
    /// state.
    #[track_caller]
    pub(crate) fn assert_folds_agree(&self, key: &SessionKey) -> Session {
        let stem = key.file_stem();
        let order = self.store.replay::<Order>(&stem).unwrap();
        assert_eq!(self.store.folded_beside::<Order>(&stem, ORDER).unwrap(), order);
        let replayed = self.store.replay::<Session>(&stem).unwrap();
        assert_eq!(self.store.folded::<Session>(&stem).unwrap(), replayed);
        assert_eq!(self.store.replay::<Session>(&stem).unwrap(), replayed);
        replayed
    }
}

/// The name under which the additional fold [`Order`] is stored.
pub(crate) const ORDER: &str = "order";

/// A fold whose state has the number and id of every record.
#[derive(Debug, Default, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Order {
    pub(crate) records: Vec<(u64, EventId)>,
}

impl Order {
    pub(crate) fn of(drafts: &[Draft]) -> Self {
        Self { records: (1..).zip(drafts.iter().map(|draft| draft.id)).collect() }
    }
}

impl Fold for Order {
    const VERSION: u32 = 7;
    const FORM: Form = Form::Compact;

    fn apply(&mut self, record: &Record) {
        self.records.push((record.seq, record.draft.id));
    }
}

/// Replaces a file's content in place. Emptying the file first would make some file systems wait
/// for the disk, thousands of times.
pub(crate) fn overwrite(path: &Path, bytes: &[u8]) {
    let file = fs::File::options().write(true).create(true).truncate(false).open(path).unwrap();
    file.write_all_at(bytes, 0).unwrap();
    file.set_len(bytes.len() as u64).unwrap();
}

/// Calls `each` with the path of every file below a directory. Does not follow links.
pub(crate) fn walk(directory: &Path, each: &mut impl FnMut(&Path)) {
    for entry in fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        each(&path);
        if path.is_dir() && !path.is_symlink() {
            walk(&path, each);
        }
    }
}

/// A probe that ends a turn as a kill would: nothing after the point is done, and locks are
/// released.
pub(crate) struct DiesAt {
    point: Point,
    is_dead: AtomicBool,
}

impl Probe for DiesAt {
    fn reached(&self, point: Point) {
        if point == self.point {
            self.is_dead.store(true, Ordering::Relaxed);
            resume_unwind(Box::new("killed"));
        }
    }
}

pub(crate) const POINTS: [Point; 8] = [
    Point::Locked,
    Point::Folded,
    Point::BeforeWrite,
    Point::Written,
    Point::SpillRemoved,
    Point::Settled,
    Point::SnapshotWritten,
    Point::SnapshotReplaced,
];

/// Commits records. Returns `None` if the turn died at the probe's point.
pub(crate) fn commit_or_die(
    store: &LocalStore<DiesAt>,
    key: &SessionKey,
    drafts: &[Draft],
) -> Option<Receipt> {
    let turn = AssertUnwindSafe(|| store.open::<Session>(key).unwrap().commit(drafts.to_vec()));
    catch_unwind(turn).ok().map(Result::unwrap)
}

pub(crate) fn call(key: &SessionKey, n: usize) -> Draft {
    let mut draft = draft(key, Event::SubagentStarted);
    // Two calls never count as reports of the same occurrence.
    let call = ToolCall::shell(format!("echo {n}")).with_id(draft.id.to_string());
    draft.event = Event::ToolRequested(call);
    draft
}

pub(crate) fn calls(key: &SessionKey, count: usize) -> Vec<Draft> {
    (0..count).map(|n| call(key, n)).collect()
}

pub(crate) fn observation(key: &SessionKey, text: &str) -> Draft {
    draft(key, Event::ObservationRecorded { text: text.to_owned(), author: None })
}

/// The entries that a reader gets if the log has exactly these drafts.
pub(crate) fn numbered(drafts: &[Draft]) -> Vec<Entry> {
    (1..).zip(drafts).map(|(seq, draft)| record(seq, draft)).collect()
}

pub(crate) fn record(seq: u64, draft: &Draft) -> Entry {
    Entry::Record(Box::new(Record { seq, draft: draft.clone() }))
}

pub(crate) fn spilled(draft: &Draft) -> Entry {
    Entry::Spilled(Box::new(Record { seq: 0, draft: draft.clone() }))
}

pub(crate) fn fold_of(entries: &[Entry]) -> Session {
    let mut session = Session::default();
    for entry in entries {
        if let Entry::Record(record) | Entry::Spilled(record) = entry {
            session.apply(record);
        }
    }
    session
}

/// The number of times that each record occurs.
pub(crate) fn ids(entries: &[Entry]) -> BTreeMap<EventId, usize> {
    let mut ids = BTreeMap::new();
    for entry in entries {
        if let Entry::Record(record) | Entry::Spilled(record) = entry {
            *ids.entry(record.draft.id).or_default() += 1;
        }
    }
    ids
}

pub(crate) fn clean(records: u64) -> SegmentReport {
    SegmentReport { records, foreign: 0, spilled: 0, faults: vec![] }
}

pub(crate) fn with_faults(records: u64, faults: Vec<Fault>) -> SegmentReport {
    SegmentReport { faults, ..clean(records) }
}

/// A generator of numbers that are the same in every run.
pub(crate) struct Numbers(pub(crate) u64);

impl Numbers {
    pub(crate) fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        usize::try_from((mixed ^ (mixed >> 31)) >> 33).unwrap() % limit
    }
}
