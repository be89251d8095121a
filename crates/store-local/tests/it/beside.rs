//! Tests that an additional fold of a session covers the same records as the session's state,
//! whatever damage its own snapshot has.

use std::fs;
use std::os::unix::fs::symlink;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use verger_event::{Fold, Form, Record, Session};
use verger_store::conformance::key;
use verger_store::{ReadLog, Retention, Sessions, Turn};
use verger_store_local::Point;

use crate::death::assert_whole;
use crate::sandbox::{ORDER, Order, Sandbox, call, calls, observation, overwrite};
use crate::snapshotted::{Snapshotted, each_replaced, each_shortened, head};

fn snapshotted() -> Snapshotted {
    Snapshotted::new(|key| calls(key, 35), ".order.bin", |log, key| drop(log.beside(key)))
}

#[track_caller]
fn assert_unharmed(subject: &Snapshotted, what: &str) {
    let (log, key) = (&subject.log, &subject.key);
    let expected = log.store.replay::<Order>(&key.file_stem()).unwrap();
    log.assert_folds_agree(key);
    assert_eq!(log.beside(key), expected, "{what}");
    assert_eq!(log.store.take_unfinished().len(), 0, "{what}");
    log.commit(key, &[call(key, 7)]);
    log.assert_folds_agree(key);
    assert_eq!(log.beside(key).records.len(), expected.records.len() + 1, "{what}");
}

#[test]
fn a_snapshot_beside_comes_when_its_own_tail_is_long() {
    let subject = snapshotted();
    assert_eq!(subject.heads(), [32]);
    let (log, key) = (&subject.log, &subject.key);
    // Turns that don't use the fold save only the session's own snapshot.
    log.commit(key, &calls(key, 40));
    assert_eq!(subject.heads(), [32]);
    log.beside(key);
    assert_eq!(subject.heads(), [75]);
}

#[test]
fn spilled_records_are_in_the_fold_and_those_of_the_turn_are_not() {
    let Snapshotted { log, key, mut drafts, .. } = snapshotted();
    drafts.extend([observation(&key, "spilled"), call(&key, 1)]);
    log.spill(&key, &drafts[35..]);
    let turn = log.store.open::<Session>(&key).unwrap();
    assert_eq!(*turn.beside::<Order>(ORDER).unwrap(), Order::of(&drafts));
    drafts.push(call(&key, 2));
    turn.commit(drafts[37..].to_vec()).unwrap();
    assert_eq!(log.beside(&key), Order::of(&drafts));
}

#[test]
fn a_snapshot_beside_holds_nothing_that_is_only_spilled() {
    let (log, key) = (Sandbox::new(), key("s"));
    let drafts = calls(&key, 18);
    log.commit(&key, &drafts[..16]);
    log.spill(&key, &drafts[16..]);
    assert_eq!(log.beside(&key), Order::of(&drafts));
    assert_eq!(head(&log.file(".order.bin")), 16);
    log.commit(&key, &[]);
    assert_eq!(log.beside(&key), Order::of(&drafts));
}

#[test]
fn without_the_lock_it_is_of_what_the_turn_saw_and_nothing_is_written() {
    let Snapshotted { log, key, mut drafts, current, .. } = snapshotted();
    drafts.push(call(&key, 1));
    log.spill(&key, &drafts[35..]);
    let holder = log.store.open::<Session>(&key).unwrap();
    let turn = log.store.open::<Session>(&key).unwrap();
    assert_eq!(*turn.beside::<Order>(ORDER).unwrap(), Order::of(&drafts));

    // Spilled records are merged and more records are written. The snapshot must include all of
    // them.
    holder.commit(calls(&key, 20)).unwrap();
    log.beside(&key);
    log.commit(&key, &calls(&key, 20));
    log.beside(&key);
    assert_eq!(head(&current), 76);
    assert_eq!(*turn.beside::<Order>(ORDER).unwrap(), Order::of(&drafts));
    assert_eq!(turn.state().events, 36);
    assert_eq!(head(&current), 76);
}

#[test]
fn a_session_that_only_spilled_has_it_too() {
    let (log, key) = (Sandbox::new(), key("s"));
    let drafts = calls(&key, 20);
    let holder = log.store.open::<Session>(&key).unwrap();
    fs::remove_file(log.segment()).unwrap();
    log.commit(&key, &drafts);
    let turn = log.store.open::<Session>(&key).unwrap();
    assert_eq!(*turn.beside::<Order>(ORDER).unwrap(), Order::of(&drafts));
    drop((turn, holder));
    log.assert_folds_agree(&key);
    assert_eq!(log.files(".order.bin"), Vec::<PathBuf>::new());
}

#[test]
fn a_missing_or_damaged_snapshot_beside_is_done_without() {
    let subject = snapshotted();
    let (stem, expected) = (subject.key.file_stem(), Order::of(&subject.drafts));
    let whole = fs::read(&subject.current).unwrap();
    for at in 0..whole.len() {
        let mut changed = whole.clone();
        changed[at] ^= 0x20;
        for bytes in [&changed[..], &whole[..at]] {
            overwrite(&subject.current, bytes);
            let folded = subject.log.store.folded_beside::<Order>(&stem, ORDER).unwrap();
            assert_eq!(folded, expected, "{at}");
        }
    }
    assert_unharmed(&subject, "damaged");
    fs::remove_file(&subject.current).unwrap();
    assert_unharmed(&subject, "without it");
}

/// Earlier versions also kept a previous snapshot of an additional fold.
#[test]
fn a_generation_before_the_snapshot_beside_serves_where_there_is_one_and_goes_with_the_session() {
    let subject = snapshotted();
    fs::rename(&subject.current, &subject.previous).unwrap();
    assert_unharmed(&subject, "of an earlier program");
    subject.log.store.remove(&subject.key).unwrap();
    assert_eq!(subject.log.files(".order.bin.1"), Vec::<PathBuf>::new());
}

/// A fold that has the same stored form as [`Order`] but computes another state.
#[derive(Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub(crate) struct Reversed(Order);

impl Fold for Reversed {
    const VERSION: u32 = Order::VERSION + 1;
    const FORM: Form = Order::FORM;

    fn apply(&mut self, record: &Record) {
        self.0.records.insert(0, (record.seq, record.draft.id));
    }
}

#[test]
fn a_snapshot_beside_of_another_version_is_replaced() {
    let subject = snapshotted();
    let mut expected = Order::of(&subject.drafts);
    expected.records.reverse();
    let turn = subject.log.store.open::<Session>(&subject.key).unwrap();
    for _ in 0..2 {
        assert_eq!(*turn.beside::<Reversed>(ORDER).unwrap(), Reversed(expected.clone()));
        assert_eq!(subject.heads(), [35]);
    }
    drop(turn);
    assert_unharmed(&subject, "the older version again");
}

#[test]
fn folds_of_two_names_do_not_meet() {
    let subject = snapshotted();
    let turn = subject.log.store.open::<Session>(&subject.key).unwrap();
    let before = fs::read(&subject.current).unwrap();
    turn.beside::<Reversed>("reversed").unwrap();
    assert_eq!(head(&subject.log.file(".reversed.bin")), 35);
    assert_eq!(fs::read(&subject.current).unwrap(), before);
}

#[test]
fn a_snapshot_beside_ahead_of_a_shortened_or_replaced_segment_is_done_without() {
    each_shortened(snapshotted, assert_unharmed);
    each_replaced(snapshotted, assert_unharmed);
}

#[test]
fn a_turn_that_dies_while_it_writes_the_snapshot_beside_leaves_a_log_that_is_whole() {
    let Snapshotted { log, key, mut drafts, current, .. } = snapshotted();
    drafts.extend(calls(&key, 20));
    log.commit(&key, &drafts[35..]);
    drafts.push(observation(&key, "spilled"));
    log.spill(&key, &drafts[55..]);
    let dying = log.dying_at(Point::SnapshotWritten);
    let turn = || dying.open::<Session>(&key).unwrap().beside::<Order>(ORDER).map(drop);
    let is_dead = catch_unwind(AssertUnwindSafe(turn)).is_err();
    assert!(is_dead, "the turn never wrote a snapshot");
    assert_eq!(head(&current), 55);
    assert_eq!(log.beside(&key), Order::of(&drafts));
    assert_whole(&log, &key, &drafts, &observation(&key, "never committed"));
    assert_eq!(log.beside(&key).records.len(), drafts.len() + 1);
}

#[test]
fn trouble_with_the_snapshot_beside_is_told_and_costs_no_answer() {
    let (log, key) = (Sandbox::new(), key("s"));
    let drafts = calls(&key, 16);
    log.commit(&key, &drafts);
    let sessions = log.root().join("sessions");
    let snapshot = sessions.join(format!("{}.order.bin", key.file_stem()));
    let told = || {
        assert_eq!(log.beside(&key), Order::of(&drafts));
        log.store.take_unfinished().iter().map(ToString::to_string).collect::<Vec<_>>()
    };
    fs::create_dir(&snapshot).unwrap();
    assert_eq!(told(), [format!("remove {}", snapshot.display())]);
    fs::remove_dir(&snapshot).unwrap();

    let outside = log.outside();
    fs::write(&outside, "precious").unwrap();
    symlink(&outside, &snapshot).unwrap();
    assert_eq!(told(), [""; 0]);
    assert_eq!(fs::read_to_string(outside).unwrap(), "precious");

    fs::remove_dir_all(&sessions).unwrap();
    fs::write(&sessions, "").unwrap();
    assert_eq!(told(), [format!("use {}: it is not a directory", sessions.display())]);
}
