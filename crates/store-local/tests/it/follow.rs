//! Tests that new records reach the followers of the log, at once where the kernel notifies about
//! writes.
#![cfg(feature = "follow")]
#![expect(clippy::disallowed_methods, reason = "measures how long a follower waits")]

use std::sync::mpsc;
use std::time::{Duration, Instant};

use verger_store::conformance::key;
use verger_store::{Append, FollowLog, Following};

use crate::sandbox::{Sandbox, call, calls};

#[test]
fn a_follower_wakes_within_50_ms_of_an_append() {
    let (log, key) = (Sandbox::new(), key("s"));
    assert!(log.store.tells_followers());
    log.commit(&key, &calls(&key, 3));
    let mut following = log.store.follow().unwrap();
    let (sender, woken) = mpsc::channel();
    std::thread::scope(|scope| {
        scope.spawn(move || {
            for _ in 0..21 {
                while following.next(Duration::from_secs(10)).unwrap().is_empty() {}
                sender.send(Instant::now()).unwrap();
            }
        });
        let mut waits: Vec<_> = (0..21)
            .map(|n| {
                log.store.append(&key, vec![call(&key, n)]).unwrap();
                let appended = Instant::now();
                woken.recv().unwrap().saturating_duration_since(appended)
            })
            .collect();
        waits.sort();
        assert!(waits[10] <= Duration::from_millis(50), "{waits:?}");
    });
}

#[test]
fn spilled_records_are_returned_when_they_are_merged() {
    let (log, key) = (Sandbox::new(), key("s"));
    log.commit(&key, &calls(&key, 1));
    let mut following = log.store.follow().unwrap();
    let spilled = call(&key, 1);
    log.spill(&key, std::slice::from_ref(&spilled));
    assert_eq!(following.next(Duration::ZERO).unwrap(), []);
    log.commit(&key, &[]);
    let mut given = vec![];
    while given.is_empty() {
        given = following.next(Duration::from_secs(10)).unwrap();
    }
    assert_eq!(given, [verger_event::Record { seq: 2, draft: spilled }]);
}

#[test]
fn a_session_that_was_removed_and_begins_again_is_followed_from_its_first_record() {
    let (log, key) = (Sandbox::new(), key("s"));
    log.commit(&key, &calls(&key, 2));
    let mut following = log.store.follow().unwrap();
    log.commit(&key, &calls(&key, 1));
    assert_eq!(following.next(Duration::from_secs(10)).unwrap().len(), 1);
    verger_store::Retention::remove(&log.store, &key).unwrap();
    log.commit(&key, &calls(&key, 2));
    let given = following.next(Duration::from_secs(10)).unwrap();
    assert_eq!(given.iter().map(|record| record.seq).collect::<Vec<_>>(), [1, 2]);
}
