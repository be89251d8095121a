//! A snapshot is a cache: whatever becomes of it, the state is what replay gives.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use verger_event::{Fold, Record, Session};
use verger_store::conformance::key;
use verger_store::{Receipt, Store, Turn};

use crate::sandbox::{Sandbox, call, calls, fold_of, numbered, overwrite};

/// A log with two generations of snapshots and a tail behind them.
struct Subject {
    log: Sandbox,
    key: verger_event::SessionKey,
    current: PathBuf,
    previous: PathBuf,
}

impl Subject {
    fn new() -> Self {
        let (log, key) = (Sandbox::new(), key("s"));
        for count in [16, 16, 3] {
            log.commit(&key, &calls(&key, count));
        }
        let (current, previous) = (log.file(".json"), log.file(".json.1"));
        Self { log, key, current, previous }
    }

    #[track_caller]
    fn assert_unharmed(&self, what: &str) {
        let expected = fold_of(&self.log.read(&self.key));
        assert_eq!(self.log.assert_folds_agree(&self.key), expected, "{what}");
        assert_eq!(self.log.state(&self.key), expected, "{what}");
        self.log.commit(&self.key, &[call(&self.key, 7)]);
        self.log.assert_folds_agree(&self.key);
    }
}

/// Up to which record a snapshot goes.
pub(crate) fn head(path: &PathBuf) -> u64 {
    let text = fs::read_to_string(path).unwrap();
    serde_json::from_str::<serde_json::Value>(&text).unwrap()["head"]["seq"].as_u64().unwrap()
}

#[test]
fn a_snapshot_comes_with_every_sixteenth_record_and_keeps_the_one_before() {
    let subject = Subject::new();
    assert_eq!((head(&subject.current), head(&subject.previous)), (32, 16));
}

#[test]
fn a_missing_snapshot_is_done_without() {
    for (current, previous) in [(true, false), (false, true), (true, true)] {
        let subject = Subject::new();
        if current {
            fs::remove_file(&subject.current).unwrap();
        }
        if previous {
            fs::remove_file(&subject.previous).unwrap();
        }
        subject.assert_unharmed(&format!("{current} {previous}"));
    }
}

#[test]
fn a_damaged_snapshot_is_done_without() {
    let subject = Subject::new();
    let whole = fs::read(&subject.current).unwrap();
    let stem = subject.key.file_stem();
    let expected = subject.log.assert_folds_agree(&subject.key);
    for at in 0..whole.len() {
        let mut changed = whole.clone();
        changed[at] ^= 0x20;
        for bytes in [&changed[..], &whole[..at]] {
            overwrite(&subject.current, bytes);
            assert_eq!(subject.log.store.folded::<Session>(&stem).unwrap(), expected, "{at}");
        }
    }
    fs::write(&subject.previous, b"{}\n").unwrap();
    subject.assert_unharmed("both");
}

/// A fold whose snapshot would never do for a [`Session`].
#[derive(Debug, Default, PartialEq, Serialize, Deserialize)]
struct Counted {
    records: u64,
}

impl Fold for Counted {
    const VERSION: u32 = 4711;

    fn apply(&mut self, _: &Record) {
        self.records += 1;
    }
}

#[test]
fn a_snapshot_of_another_fold_is_done_without() {
    let subject = Subject::new();
    let stem = subject.key.file_stem();
    assert_eq!(subject.log.store.folded::<Counted>(&stem).unwrap(), Counted { records: 35 });
    subject.log.store.rebuild_snapshot::<Counted>(&stem).unwrap();
    subject.assert_unharmed("another fold");
    assert_eq!(subject.log.store.replay::<Counted>(&stem).unwrap(), Counted { records: 36 });
}

#[test]
fn a_snapshot_ahead_of_a_shortened_segment_is_done_without() {
    let bytes = fs::read(Subject::new().log.segment()).unwrap();
    let ends: Vec<_> = (1..).zip(&bytes).filter(|(_, b)| **b == b'\n').map(|(n, _)| n).collect();
    // Behind the snapshots, between them, before both, and in the middle of a record.
    for end in [ends[33], ends[31], ends[31] - 1, ends[30], ends[20] + 9, ends[15], ends[3], 0] {
        let subject = Subject::new();
        let bytes = fs::read(subject.log.segment()).unwrap();
        fs::write(subject.log.segment(), &bytes[..end]).unwrap();
        subject.assert_unharmed(&format!("cut to {end}"));
        let drafts = calls(&subject.key, 40);
        for draft in drafts {
            subject.log.commit(&subject.key, &[draft]);
            subject.log.assert_folds_agree(&subject.key);
        }
    }
}

#[test]
fn a_snapshot_of_a_segment_that_was_replaced_is_done_without() {
    for count in [1, 35, 36, 80] {
        let (subject, other) = (Subject::new(), Sandbox::new());
        other.commit(&subject.key, &calls(&subject.key, count));
        fs::copy(other.segment(), subject.log.segment()).unwrap();
        subject.assert_unharmed(&format!("{count} other records"));
    }
}

#[test]
fn a_half_written_snapshot_of_a_killed_turn_is_overwritten() {
    let subject = Subject::new();
    let old = fs::read(&subject.current).unwrap();
    fs::write(&subject.previous, "x".repeat(100_000)).unwrap();
    subject.log.commit(&subject.key, &calls(&subject.key, 20));
    assert_eq!(subject.log.store.take_unfinished().len(), 0);
    assert_eq!(fs::read(&subject.previous).unwrap(), old);
    subject.assert_unharmed("overwritten");
}

#[test]
fn what_is_in_the_place_of_a_snapshot_is_replaced() {
    let subject = Subject::new();
    let outside = subject.log.outside();
    fs::write(&outside, "precious").unwrap();
    fs::remove_file(&subject.previous).unwrap();
    symlink(&outside, &subject.previous).unwrap();
    subject.log.commit(&subject.key, &calls(&subject.key, 20));
    assert_eq!(subject.log.store.take_unfinished().len(), 0);
    assert_eq!(fs::read_to_string(outside).unwrap(), "precious");
    subject.assert_unharmed("a link");
}

#[test]
fn a_snapshot_comes_when_the_tail_is_as_long_as_the_last_one() {
    let (log, key) = (Sandbox::new(), key("s"));
    let heads = calls(&key, 9).into_iter().map(|call| {
        log.commit(&key, &[call]);
        log.files(".json").first().map_or(0, head)
    });
    assert_eq!(heads.collect::<Vec<_>>(), [0, 0, 0, 4, 4, 4, 4, 8, 8]);
}

#[test]
fn a_removed_session_leaves_no_snapshot_for_the_next_of_its_name() {
    let subject = Subject::new();
    subject.log.store.remove(&subject.key).unwrap();
    assert_eq!(subject.log.files(""), Vec::<PathBuf>::new());
    let drafts = calls(&subject.key, 1);
    assert_eq!(subject.log.commit(&subject.key, &drafts), Receipt::Logged { last_seq: 1 });
    assert_eq!(subject.log.state(&subject.key), fold_of(&numbered(&drafts)));
}

#[test]
fn a_turn_without_the_lock_writes_no_snapshot() {
    let (log, key) = (Sandbox::new(), key("s"));
    let holder = log.store.open::<Session>(&key).unwrap();
    log.commit(&key, &calls(&key, 40));
    assert_eq!(log.files(".json").len(), 0);
    holder.commit(vec![]).unwrap();
    log.assert_folds_agree(&key);
}
