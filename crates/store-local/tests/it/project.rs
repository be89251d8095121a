//! Tests that durable records outlive their session in the project's own segment.

use std::fs::File;

use serde_json::json;
use verger_event::stored::seal;
use verger_event::{Session, SessionKey};
use verger_store::conformance::key;
use verger_store::{ReadLog, Receipt, RemoveError, Retention, SegmentName, Sessions, Turn};
use verger_store_local::Point;

use crate::sandbox::{
    Sandbox, call, clean, commit_or_die, ids, numbered, observation, record, spilled,
};

#[test]
fn durable_records_of_two_sessions_stand_in_the_order_they_came() {
    let (log, one, two) = (Sandbox::new(), key("one"), key("two"));
    let durable: Vec<_> = (0..6)
        .map(|n| observation(if n % 2 == 0 { &one } else { &two }, &format!("note {n}")))
        .collect();
    for (n, draft) in durable.iter().enumerate() {
        let key = draft.origin.session_key();
        log.commit(&key, &[call(&key, n), draft.clone(), call(&key, n + 100)]);
    }
    assert_eq!(log.project(), numbered(&durable));
    let project = SegmentName::Project("b0b1".to_owned());
    assert_eq!(log.store.verify(&project).unwrap(), clean(6));
}

#[test]
fn a_project_in_use_gets_its_records_later_and_once() {
    let (log, key) = (Sandbox::new(), key("s"));
    let durable = [observation(&key, "one"), observation(&key, "two"), observation(&key, "three")];
    log.commit(&key, &durable[..1]);
    let lock = File::options().write(true).open(log.root().join("projects/b0b1.lock")).unwrap();
    lock.lock().unwrap();
    assert_eq!(log.commit(&key, &durable[1..2]), Receipt::Logged { last_seq: 2 });
    assert_eq!(log.project(), [record(1, &durable[0]), spilled(&durable[1])]);
    assert_eq!(log.store.settle(&key).unwrap(), 0, "what is spilled is kept");
    drop(lock);
    log.commit(&key, &durable[2..]);
    assert_eq!(log.project(), numbered(&durable));
    let project = SegmentName::Project("b0b1".to_owned());
    assert_eq!(log.store.verify(&project).unwrap(), clean(3));
    assert_eq!(log.store.take_unfinished().len(), 0);
}

#[test]
fn a_session_whose_durable_record_stands_in_it_alone_is_not_removed_until_it_is_settled() {
    let (log, key) = (Sandbox::new(), key("s"));
    let durable = observation(&key, "precious");
    let dying = log.dying_at(Point::Written);
    assert_eq!(commit_or_die(&dying, &key, std::slice::from_ref(&durable)), None);
    assert_eq!(log.project(), []);
    match log.store.remove(&key) {
        Err(RemoveError::Unsettled { count: 1 }) => {}
        other => panic!("{other:?}"),
    }
    assert_eq!(log.read(&key), numbered(std::slice::from_ref(&durable)));
    assert_eq!(log.store.settle(&key).unwrap(), 1);
    assert_eq!(log.store.settle(&key).unwrap(), 0);
    log.store.remove(&key).unwrap();
    assert_eq!(log.read(&key), []);
    assert_eq!(log.project(), [record(1, &durable)]);
}

#[test]
fn a_large_durable_record_that_stands_alone_is_not_removed_either() {
    let (log, key) = (Sandbox::new(), key("s"));
    let durable = observation(&key, &"precious ".repeat(10_000));
    let dying = log.dying_at(Point::Written);
    assert_eq!(commit_or_die(&dying, &key, std::slice::from_ref(&durable)), None);
    match log.store.remove(&key) {
        Err(RemoveError::Unsettled { count: 1 }) => {}
        other => panic!("{other:?}"),
    }
    assert_eq!(log.store.settle(&key).unwrap(), 1);
    assert_eq!(log.project(), [record(1, &durable)]);
}

#[test]
fn removing_a_session_merges_what_it_spilled_and_keeps_the_durable_part() {
    let (log, key) = (Sandbox::new(), key("s"));
    let durable = observation(&key, "spilled");
    log.spill(&key, &[call(&key, 1), durable.clone()]);
    log.store.remove(&key).unwrap();
    assert_eq!(log.project(), [record(1, &durable)]);
    assert_eq!(log.read(&key), []);
    assert_eq!(log.store.segments().unwrap(), [SegmentName::Project("b0b1".to_owned())]);
    assert_eq!(log.commit(&key, &[call(&key, 2)]), Receipt::Logged { last_seq: 1 });
}

#[test]
fn settling_reaches_what_is_only_spilled_so_far() {
    let (log, key) = (Sandbox::new(), key("s"));
    let durable = observation(&key, "spilled");
    log.spill(&key, std::slice::from_ref(&durable));
    assert_eq!(log.store.settle(&key).unwrap(), 0, "merging settled it");
    assert_eq!(log.project(), [record(1, &durable)]);
    assert_eq!(log.read(&key), numbered(&[durable]));
}

#[test]
fn a_durable_record_is_kept_once_when_it_is_settled_while_a_turn_is_open() {
    let (log, key) = (Sandbox::new(), key("s"));
    let durable = [observation(&key, "one"), observation(&key, "two")];
    let dying = log.dying_at(Point::Written);
    assert_eq!(commit_or_die(&dying, &key, &durable[..1]), None);
    let turn = log.store.open::<Session>(&key).unwrap();
    assert_eq!(log.store.settle(&key).unwrap(), 1);
    turn.commit(durable[1..].to_vec()).unwrap();
    assert_eq!(ids(&log.project()), durable.iter().map(|draft| (draft.id, 1)).collect());
}

#[test]
fn a_session_with_records_that_no_project_can_keep_is_not_removed() {
    let foreign = seal(serde_json::to_vec(&json!({ "v": 7, "seq": 2 })).unwrap());
    let homeless = |key: &SessionKey| {
        let mut draft = observation(key, "of no project");
        draft.origin.project = None;
        draft
    };
    let (log, key) = (Sandbox::new(), key("s"));
    log.commit(&key, &[homeless(&key)]);
    let mut bytes = std::fs::read(log.segment()).unwrap();
    bytes.extend(foreign);
    std::fs::write(log.segment(), bytes).unwrap();
    log.commit(&key, &[observation(&key, &"large ".repeat(20_000))]);
    std::fs::remove_dir_all(log.root().join("blobs")).unwrap();
    assert_eq!(log.store.settle(&key).unwrap(), 0);
    match log.store.remove(&key) {
        Err(RemoveError::Unsettled { count: 3 }) => {}
        other => panic!("{other:?}"),
    }
    assert_eq!(log.verify(&key).records, 2);
}
