//! Tests that a snapshot is only a cache: with any damage to it, the state equals that of a replay.

use std::fs;
use std::os::unix::fs::symlink;

use serde::{Deserialize, Serialize};
use verger_event::{Fold, Record, Session};
use verger_store::conformance::key;
use verger_store::{ReadLog, Receipt, Retention, Sessions, Turn};

use crate::sandbox::{Sandbox, call, calls, fold_of, numbered, overwrite};
use crate::snapshotted::{Snapshotted, each_replaced, each_shortened, head};

fn snapshotted() -> Snapshotted {
    Snapshotted::new(|key| calls(key, 35), ".json", |_, _| {})
}

#[track_caller]
fn assert_unharmed(subject: &Snapshotted, what: &str) {
    let (log, key) = (&subject.log, &subject.key);
    let expected = fold_of(&log.read(key));
    assert_eq!(log.assert_folds_agree(key), expected, "{what}");
    assert_eq!(log.state(key), expected, "{what}");
    log.commit(key, &[call(key, 7)]);
    log.assert_folds_agree(key);
}

#[test]
fn a_snapshot_comes_with_every_sixteenth_record_and_keeps_the_one_before() {
    let subject = snapshotted();
    assert_eq!(subject.heads(), [32, 16]);
}

#[test]
fn a_missing_snapshot_is_done_without() {
    for (current, previous) in [(true, false), (false, true), (true, true)] {
        let subject = snapshotted();
        if current {
            fs::remove_file(&subject.current).unwrap();
        }
        if previous {
            fs::remove_file(&subject.previous).unwrap();
        }
        assert_unharmed(&subject, &format!("{current} {previous}"));
    }
}

#[test]
fn a_damaged_snapshot_is_done_without() {
    let subject = snapshotted();
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
    assert_unharmed(&subject, "both");
}

/// A fold whose snapshots can't be loaded as a [`Session`].
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
    let subject = snapshotted();
    let stem = subject.key.file_stem();
    assert_eq!(subject.log.store.folded::<Counted>(&stem).unwrap(), Counted { records: 35 });
    subject.log.store.rebuild_snapshot::<Counted>(&stem).unwrap();
    assert_unharmed(&subject, "another fold");
    assert_eq!(subject.log.store.replay::<Counted>(&stem).unwrap(), Counted { records: 36 });
}

#[test]
fn a_snapshot_ahead_of_a_shortened_segment_is_done_without() {
    each_shortened(snapshotted, |subject, what| {
        assert_unharmed(subject, what);
        for draft in calls(&subject.key, 40) {
            subject.log.commit(&subject.key, &[draft]);
            subject.log.assert_folds_agree(&subject.key);
        }
    });
}

#[test]
fn a_snapshot_of_a_segment_that_was_replaced_is_done_without() {
    each_replaced(snapshotted, assert_unharmed);
}

#[test]
fn a_half_written_snapshot_of_a_killed_turn_is_overwritten() {
    let subject = snapshotted();
    let old = fs::read(&subject.current).unwrap();
    fs::write(&subject.previous, "x".repeat(100_000)).unwrap();
    subject.log.commit(&subject.key, &calls(&subject.key, 20));
    assert_eq!(subject.log.store.take_unfinished().len(), 0);
    assert_eq!(fs::read(&subject.previous).unwrap(), old);
    assert_unharmed(&subject, "overwritten");
}

#[test]
fn other_files_in_place_of_a_snapshot_are_replaced() {
    let subject = snapshotted();
    let outside = subject.log.outside();
    fs::write(&outside, "precious").unwrap();
    fs::remove_file(&subject.previous).unwrap();
    symlink(&outside, &subject.previous).unwrap();
    subject.log.commit(&subject.key, &calls(&subject.key, 20));
    assert_eq!(subject.log.store.take_unfinished().len(), 0);
    assert_eq!(fs::read_to_string(outside).unwrap(), "precious");
    assert_unharmed(&subject, "a link");
}

#[test]
fn a_snapshot_comes_when_the_tail_is_as_long_as_the_last_one() {
    let (log, key) = (Sandbox::new(), key("s"));
    let heads = calls(&key, 9).into_iter().map(|call| {
        log.commit(&key, &[call]);
        log.files(".json").first().map_or(0, head)
    });
    assert_eq!(heads.collect::<Vec<_>>(), [0, 0, 0, 0, 0, 0, 0, 8, 8]);
}

#[test]
fn a_removed_session_leaves_no_snapshot_for_the_next_of_its_name() {
    let subject = snapshotted();
    subject.log.store.remove(&subject.key).unwrap();
    let mark = subject.log.root().join("changed").join(subject.key.file_stem());
    assert_eq!(subject.log.files(""), [mark]);
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
