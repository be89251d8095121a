//! Fuzzes the log reader with arbitrary bytes in place of a session's log.
//!
//! The bits of the first byte choose where the rest lies (1: spilled, not in the segment), and
//! whether its lines get correct checksums (2). Without those, most lines are rejected early.
#![no_main]

use std::cell::OnceCell;
use std::fs;
use std::path::{Path, PathBuf};

use libfuzzer_sys::fuzz_target;
use tempfile::TempDir;
use verger_event::stored::seal;
use verger_event::{
    Access, Actor, Circumstance, Draft, Event, EventId, Origin, Record, Session, SessionId,
    SessionKey, Standing, Timestamp,
};
use verger_store::{Entry, Store, Turn};
use verger_store_local::{LocalStore, Options, SegmentName};

const SPILLED: u8 = 1;
const SEALED: u8 = 2;

thread_local! {
    static GROUND: OnceCell<Ground> = const { OnceCell::new() };
}

/// A directory in memory where there is one, and where a segment lies in it.
struct Ground {
    directory: TempDir,
    segment: PathBuf,
}

impl Ground {
    fn new() -> Self {
        let memory = Path::new("/dev/shm");
        let directory = if memory.is_dir() { TempDir::new_in(memory) } else { TempDir::new() };
        let directory = directory.unwrap();
        append(&open(directory.path()));
        let buckets = fs::read_dir(directory.path().join("log")).unwrap();
        let bucket = buckets.map(|bucket| bucket.unwrap().path()).next().unwrap();
        let segment = bucket.join(format!("{}.jsonl", key().file_stem()));
        assert!(segment.exists());
        Self { directory, segment }
    }

    fn lay(&self, flags: u8, bytes: &[u8]) {
        for entry in fs::read_dir(self.directory.path()).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() { fs::remove_dir_all(path) } else { fs::remove_file(path) }.unwrap();
        }
        let path = match flags & SPILLED {
            0 => self.segment.clone(),
            _ => self.segment.with_extension("spill").join("00000000000000000000000009.jsonl"),
        };
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        match flags & SEALED {
            0 => fs::write(path, bytes).unwrap(),
            _ => fs::write(path, sealed(bytes)).unwrap(),
        }
    }
}

fuzz_target!(|bytes: &[u8]| {
    let Some((&flags, bytes)) = bytes.split_first() else { return };
    GROUND.with(|ground| {
        let ground = ground.get_or_init(Ground::new);
        ground.lay(flags, bytes);
        check(ground.directory.path());
    });
});

fn check(root: &Path) {
    let store = open(root);
    let stem = key().file_stem();
    let segment = SegmentName::Session(stem.clone());
    let before = read(&store, &segment);
    let report = store.verify(&segment).unwrap();
    let in_place = before.iter().filter(|(_, place)| *place == Place::Segment).count();
    assert_eq!(report.records, in_place as u64);
    assert_eq!(
        store.replay::<Session>(&stem).unwrap(),
        store.folded::<Session>(&stem).unwrap(),
        "snapshot and tail are the whole"
    );
    store.key_of(&stem).unwrap();
    append(&store);
    let after = read(&store, &segment);
    assert!(after.iter().all(|(_, place)| *place == Place::Segment), "all is merged");
    let kept: Vec<_> = after.iter().map(|(record, _)| record.draft.id).collect();
    for (record, place) in &before {
        assert!(kept.contains(&record.draft.id), "{place:?} {record:?}");
    }
    let segment_before = before.iter().filter(|(_, place)| *place == Place::Segment);
    for ((was, _), (is, _)) in segment_before.zip(&after) {
        // Not the records themselves: a number that is none is not equal to itself.
        assert_eq!((was.seq, was.draft.id), (is.seq, is.draft.id));
    }
    assert_eq!(kept.last(), Some(&draft().id));
    assert_eq!(
        store.replay::<Session>(&stem).unwrap(),
        store.folded::<Session>(&stem).unwrap(),
        "snapshot and tail are the whole"
    );
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Place {
    Segment,
    Spill,
}

fn read(store: &LocalStore, segment: &SegmentName) -> Vec<(Record, Place)> {
    let mut records = Vec::new();
    let mut each = |entry| match entry {
        Entry::Record(record) => records.push((*record, Place::Segment)),
        Entry::Spilled(record) => records.push((*record, Place::Spill)),
        _ => {}
    };
    store.read_segment(segment, &mut each).unwrap();
    records
}

fn append(store: &LocalStore) {
    store.open::<Session>(&key()).unwrap().commit(vec![draft()]).unwrap();
}

fn open(root: &Path) -> LocalStore {
    LocalStore::open(root, Options::default()).unwrap()
}

fn key() -> SessionKey {
    SessionKey { agent: "claude".parse().unwrap(), session: SessionId::new("s") }
}

fn draft() -> Draft {
    let at = Timestamp::from_millis(1);
    let SessionKey { agent, session } = key();
    Draft {
        id: EventId::new(at, u128::MAX),
        at,
        origin: Origin {
            agent,
            agent_version: None,
            session,
            actor: Actor::Main { agent_type: None },
            user: None,
            role: None,
            project: None,
            circumstance: Circumstance::default(),
        },
        standing: Standing::default(),
        access: Access::default(),
        event: Event::Warned { area: "fuzz".to_owned(), message: "appended".to_owned() },
    }
}

/// The same lines, with the checksums that fit wherever there is one.
fn sealed(bytes: &[u8]) -> Vec<u8> {
    const TRAILER: usize = br#","crc":"01234567"}"#.len();
    let mut lines = Vec::new();
    for line in bytes.split_inclusive(|byte| *byte == b'\n') {
        let text = line.strip_suffix(b"\n").unwrap_or(line);
        let body = &text[..text.len().saturating_sub(TRAILER)];
        if text[body.len()..].starts_with(br#","crc":""#) {
            lines.extend(seal([body, b"}"].concat()));
        } else {
            lines.extend_from_slice(line);
        }
    }
    lines
}
