//! Tests that a process may die at any point of a turn. No acknowledged record is lost, none is
//! duplicated, and snapshot and tail still fold to the same state as the whole segment.

use std::fs;

use verger_event::{Draft, SessionKey};
use verger_store::conformance::key;
use verger_store::{ReadLog, Receipt, Retention, Sessions};
use verger_store_local::Point;

use crate::sandbox::{
    POINTS, Sandbox, call, calls, clean, commit_or_die, fold_of, ids, numbered, observation,
};

/// Prepares a log whose next turn reaches every point: it has a snapshot, a tail for which the next
/// snapshot is due, and spilled records to merge.
pub(crate) fn eventful(log: &Sandbox, key: &SessionKey) -> Vec<Draft> {
    let mut drafts = calls(key, 16);
    log.commit(key, &drafts);
    for n in 0..15 {
        drafts.push(call(key, 100 + n));
        log.commit(key, &drafts[drafts.len() - 1..]);
    }
    drafts.push(observation(key, "spilled"));
    log.spill(key, &drafts[31..]);
    assert_eq!(log.files(".json").len(), 1);
    drafts
}

/// Asserts the invariants after the death of a turn that tried to append `new` to `before`.
#[track_caller]
pub(crate) fn assert_whole(log: &Sandbox, key: &SessionKey, before: &[Draft], new: &Draft) {
    let mut drafts = before.to_vec();
    let found = ids(&log.read(key));
    if found.contains_key(&new.id) {
        drafts.push(new.clone());
    }
    assert_eq!(found, drafts.iter().map(|draft| (draft.id, 1)).collect());
    assert_eq!(log.state(key), fold_of(&numbered(&drafts)));
    log.assert_folds_agree(key);

    drafts.push(call(key, 999));
    let last_seq = drafts.len() as u64;
    assert_eq!(log.commit(key, &drafts[drafts.len() - 1..]), Receipt::Logged { last_seq });
    assert_eq!(log.read(key), numbered(&drafts));
    assert_eq!(log.verify(key), clean(last_seq));
    assert_eq!(log.assert_folds_agree(key), fold_of(&numbered(&drafts)));
    log.store.settle(key).unwrap();
    let durable = drafts.iter().filter(|draft| draft.event.is_durable());
    assert_eq!(ids(&log.project()), durable.map(|draft| (draft.id, 1)).collect());
}

#[test]
fn a_turn_that_dies_at_any_point_leaves_a_log_that_is_whole() {
    for point in POINTS {
        let (log, key) = (Sandbox::new(), key("s"));
        let before = eventful(&log, &key);
        let new = observation(&key, "new");
        let dying = log.dying_at(point);
        let receipt = commit_or_die(&dying, &key, std::slice::from_ref(&new));
        assert_eq!(receipt, None, "the turn never came to {point:?}");
        let is_written = !matches!(point, Point::Locked | Point::Folded | Point::BeforeWrite);
        assert_eq!(ids(&log.read(&key)).contains_key(&new.id), is_written, "{point:?}");
        assert_whole(&log, &key, &before, &new);
    }
}

#[test]
fn failures_after_the_write_do_not_fail_the_commit() {
    let (log, key) = (Sandbox::new(), key("s"));
    // Makes it impossible to create a snapshot or the project's segment.
    let snapshot = log.root().join("sessions").join(format!("{}.json.1", key.file_stem()));
    fs::create_dir_all(&snapshot).unwrap();
    fs::write(log.root().join("projects"), "").unwrap();
    let mut drafts = calls(&key, 19);
    drafts.push(observation(&key, "kept in the session alone"));
    assert_eq!(log.commit(&key, &drafts), Receipt::Logged { last_seq: 20 });
    let unfinished: Vec<_> = log.store.take_unfinished().iter().map(ToString::to_string).collect();
    let projects = log.root().join("projects");
    let expected = [
        format!("use {}: it is not a directory", projects.display()),
        format!("remove {}", snapshot.display()),
    ];
    assert_eq!(unfinished, expected);
    assert_eq!(log.store.take_unfinished().len(), 0);

    fs::remove_dir(&snapshot).unwrap();
    fs::remove_file(log.root().join("projects")).unwrap();
    assert_eq!(log.read(&key), numbered(&drafts));
    assert_eq!(log.store.settle(&key).unwrap(), 1);
    log.commit(&key, &[call(&key, 21)]);
    log.assert_folds_agree(&key);
}

#[test]
fn a_replaced_lock_file_costs_the_numbering_and_no_record() {
    let (log, key) = (Sandbox::new(), key("s"));
    let drafts = calls(&key, 3);
    log.commit(&key, &drafts[..1]);
    let first = log.store.open::<verger_event::Session>(&key).unwrap();
    fs::remove_file(log.file(".lock")).unwrap();
    assert_eq!(log.commit(&key, &drafts[1..2]), Receipt::Logged { last_seq: 2 });
    verger_store::Turn::commit(first, drafts[2..].to_vec()).unwrap();
    assert_eq!(ids(&log.read(&key)), drafts.iter().map(|draft| (draft.id, 1)).collect());
    assert_eq!(log.verify(&key).records, 3);
    log.commit(&key, &[]);
    log.assert_folds_agree(&key);
}
