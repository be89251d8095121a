//! Tests that spilled records are readable at once and merged exactly once.

use std::fs;
use std::time::{Duration, Instant};

use serde_json::json;
use verger_event::stored::{Damage, seal};
use verger_event::{Draft, Event, PromptOrigin, Session, TaskState};
use verger_store::conformance::{draft, key, tool};
use verger_store::{
    Entry, Options, ReadLog, Receipt, RemoveError, Retention, SegmentName, Sessions, StoreError,
    Turn,
};
use verger_store_local::{Fault, LocalStore, Point, SegmentReport};

use crate::sandbox::{
    Sandbox, call, calls, clean, commit_or_die, fold_of, numbered, record, spilled,
};

#[test]
fn a_turn_without_the_lock_spills_and_every_reader_sees_it_at_once() {
    let (log, key) = (Sandbox::new(), key("s"));
    let drafts = calls(&key, 3);
    log.commit(&key, &drafts[..1]);
    let holder = log.store.open::<Session>(&key).unwrap();
    assert_eq!(log.commit(&key, &drafts[1..2]), Receipt::Spilled);
    assert_eq!(log.commit(&key, &drafts[2..]), Receipt::Spilled);
    let expected = [record(1, &drafts[0]), spilled(&drafts[1]), spilled(&drafts[2])];
    assert_eq!(log.read(&key), expected);
    assert_eq!(log.state(&key), fold_of(&expected), "a turn that has no lock either");
    let waiting = SegmentReport { spilled: 2, ..clean(1) };
    assert_eq!(log.verify(&key), waiting);
    drop(holder);
}

/// A hook opens its session more than once, and the agent waits for the hook. So only the first
/// attempt may wait for the lock.
#[test]
#[expect(clippy::disallowed_methods, reason = "measures a wait")]
fn a_call_that_timed_out_does_not_wait_again_until_the_lock_is_released() {
    let (log, key) = (Sandbox::new(), key("s"));
    let wait = Duration::from_millis(400);
    let options = Options { lock_wait: wait, ..Options::default() };
    let store = LocalStore::open(&log.root(), options).unwrap();
    let timed = |drafts: Vec<Draft>| {
        let start = Instant::now();
        let receipt = store.open::<Session>(&key).unwrap().commit(drafts).unwrap();
        (receipt, start.elapsed() >= wait)
    };
    for _ in 0..2 {
        let holder = log.store.open::<Session>(&key).unwrap();
        assert_eq!(timed(calls(&key, 1)), (Receipt::Spilled, true));
        assert_eq!(timed(calls(&key, 1)), (Receipt::Spilled, false));
        drop(holder);
        // The thread that waited for the lock may still hold it for a moment.
        while let (Receipt::Spilled, waited) = timed(vec![]) {
            assert!(!waited);
        }
    }
}

#[test]
fn the_next_holder_merges_what_is_spilled_before_its_own_records() {
    let (log, key) = (Sandbox::new(), key("s"));
    let drafts = calls(&key, 4);
    log.commit(&key, &drafts[..1]);
    log.spill(&key, &drafts[1..3]);
    assert_eq!(log.state(&key), fold_of(&numbered(&drafts[..3])));
    assert_eq!(log.commit(&key, &drafts[3..]), Receipt::Logged { last_seq: 4 });
    assert_eq!(log.read(&key), numbered(&drafts));
    assert_eq!(log.verify(&key), clean(4));
    assert_eq!(log.assert_folds_agree(&key), fold_of(&numbered(&drafts)));
    assert_eq!(log.files(".jsonl"), [log.segment()], "nothing is left beside the segment");
}

#[test]
fn a_session_that_only_spilled_is_a_session() {
    let (log, key) = (Sandbox::new(), key("s"));
    let drafts = calls(&key, 2);
    let holder = log.store.open::<Session>(&key).unwrap();
    log.commit(&key, &drafts);
    drop(holder);
    fs::remove_file(log.segment()).unwrap();
    assert_eq!(log.store.session_stems().unwrap(), [key.file_stem()]);
    assert_eq!(log.read(&key), [spilled(&drafts[0]), spilled(&drafts[1])]);
    assert_eq!(log.commit(&key, &[]), Receipt::Logged { last_seq: 2 });
    assert_eq!(log.read(&key), numbered(&drafts));
}

#[test]
fn a_merger_that_dies_before_it_removed_the_spill_merges_nothing_twice() {
    let (log, key) = (Sandbox::new(), key("s"));
    let drafts = calls(&key, 3);
    log.commit(&key, &drafts[..1]);
    log.spill(&key, &drafts[1..2]);
    let dying = log.dying_at(Point::Written);
    assert_eq!(commit_or_die(&dying, &key, &[]), None);
    // The record is in the segment, but its spill file still exists.
    let merged = numbered(&drafts[..2]);
    assert_eq!(log.read(&key), merged);
    assert_eq!(log.verify(&key), clean(2));
    let holder = log.store.open::<Session>(&key).unwrap();
    assert_eq!(*holder.state(), fold_of(&merged));
    assert_eq!(log.state(&key), fold_of(&merged), "a turn without the lock");
    drop(holder);
    assert_eq!(log.commit(&key, &drafts[2..]), Receipt::Logged { last_seq: 3 });
    assert_eq!(log.read(&key), numbered(&drafts));
    assert_eq!(log.files(".jsonl"), [log.segment()]);
}

#[test]
fn a_spilled_payload_in_a_blob_is_folded_as_replay_folds_it() {
    let (log, key) = (Sandbox::new(), key("s"));
    let prompt =
        Event::PromptSubmitted { origin: PromptOrigin::Person, prompt: "long ".repeat(20_000) };
    let large = draft(&key, prompt);
    log.commit(&key, &[call(&key, 1)]);
    let holder = log.store.open::<Session>(&key).unwrap();
    assert_eq!(log.commit(&key, std::slice::from_ref(&large)), Receipt::Spilled);
    let open = TaskState::Open(verger_event::TaskId(large.id));
    assert_eq!(log.state(&key).task, open, "without the lock");
    drop(holder);
    let turn = log.store.open::<Session>(&key).unwrap();
    assert_eq!(turn.state().task, open, "by the merger");
    let merging = turn.state().clone();
    turn.commit(vec![]).unwrap();
    assert_eq!(log.assert_folds_agree(&key), merging);
}

#[test]
fn a_durable_record_that_was_spilled_with_a_blob_reaches_its_project() {
    let (log, key) = (Sandbox::new(), key("s"));
    let large = crate::sandbox::observation(&key, &"seen ".repeat(20_000));
    log.spill(&key, std::slice::from_ref(&large));
    assert_eq!(log.project(), []);
    log.commit(&key, &[]);
    assert_eq!(log.project(), [record(1, &large)]);
    assert_eq!(log.store.settle(&key).unwrap(), 0);
}

#[test]
fn a_spill_file_that_cannot_be_read_is_set_aside_and_its_readable_records_merged() {
    let (log, key) = (Sandbox::new(), key("s"));
    let drafts = calls(&key, 3);
    log.spill(&key, &drafts[..2]);
    let file = log.files(".jsonl").into_iter().find(|path| *path != log.segment()).unwrap();
    let mut bytes = fs::read(&file).unwrap();
    let second = 1 + bytes.iter().position(|&b| b == b'\n').unwrap();
    bytes[second + 40] ^= 1;
    fs::write(&file, &bytes).unwrap();
    let damage = Damage::Checksum;
    let bad = || Entry::Bad { offset: second as u64, damage };
    assert_eq!(log.read(&key), [spilled(&drafts[0]), bad()]);

    assert_eq!(log.commit(&key, &drafts[2..]), Receipt::Logged { last_seq: 2 });
    assert_eq!(fs::read(log.file(".damaged")).unwrap(), bytes);
    for _ in 0..2 {
        assert_eq!(log.read(&key), [record(1, &drafts[0]), record(2, &drafts[2]), bad()]);
        let faults = vec![Fault::BadSpill { damage }];
        assert_eq!(log.verify(&key), SegmentReport { faults, ..clean(2) });
        log.commit(&key, &[]);
    }
}

#[test]
fn spill_of_a_newer_version_waits_for_that_version() {
    let (log, key) = (Sandbox::new(), key("s"));
    let drafts = calls(&key, 2);
    log.spill(&key, &drafts[..1]);
    let known = log.files(".jsonl").into_iter().find(|path| *path != log.segment()).unwrap();
    let foreign = known.with_file_name("01ZZZZZZZZZZZZZZZZZZZZZZZZ-0.jsonl");
    let line = seal(serde_json::to_vec(&json!({ "v": 7, "seq": 0 })).unwrap());
    fs::write(&foreign, &line).unwrap();
    assert_eq!(log.commit(&key, &drafts[1..]), Receipt::Logged { last_seq: 2 });
    let mut expected = numbered(&drafts);
    expected.push(Entry::Foreign { version: 7 });
    assert_eq!(log.read(&key), expected);
    assert_eq!(log.verify(&key), SegmentReport { foreign: 1, ..clean(2) });
    assert_eq!(fs::read(&foreign).unwrap(), line);
    match log.store.remove(&key) {
        Ok(()) => assert_eq!(fs::read(&foreign).unwrap(), line),
        Err(error) => panic!("{error}"),
    }
}

#[test]
fn a_partly_written_spill_file_is_no_record_and_is_removed_with_the_session() {
    let (log, key) = (Sandbox::new(), key("s"));
    let drafts = calls(&key, 2);
    log.spill(&key, &drafts[..1]);
    let known = log.files(".jsonl").into_iter().find(|path| *path != log.segment()).unwrap();
    let leftover = known.with_file_name("01ZZZZZZZZZZZZZZZZZZZZZZZZ.new");
    fs::write(&leftover, b"{\"v\":1").unwrap();
    assert_eq!(log.commit(&key, &drafts[1..]), Receipt::Logged { last_seq: 2 });
    assert_eq!(log.read(&key), numbered(&drafts));
    assert_eq!(log.verify(&key), clean(2));
    log.store.remove(&key).unwrap();
    assert_eq!(log.store.segments().unwrap(), []);
}

#[test]
fn many_that_spill_while_others_merge_lose_nothing() {
    let (log, key) = (Sandbox::new(), key("s"));
    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                for n in 0..40 {
                    log.commit(&key, &[call(&key, n)]);
                }
            });
        }
    });
    assert_eq!(log.commit(&key, &[]), Receipt::Logged { last_seq: 320 });
    assert_eq!(log.verify(&key), clean(320));
    log.assert_folds_agree(&key);
}

#[test]
fn two_reports_of_one_call_that_both_miss_the_lock_become_one_record() {
    let (log, key) = (Sandbox::new(), key("s"));
    let twins = [draft(&key, tool("t", json!(1))), draft(&key, tool("t", json!(1)))];
    log.commit(&key, &[call(&key, 1)]);
    let turns = || {
        let holder = log.store.open::<Session>(&key).unwrap();
        let waiting = [1, 2].map(|_| log.store.open::<Session>(&key).unwrap());
        drop(holder);
        waiting
    };
    for (turn, twin) in turns().into_iter().zip(&twins) {
        assert_eq!(turn.commit(vec![twin.clone()]).unwrap(), Receipt::Spilled);
    }
    assert_eq!(log.read(&key)[1..], [spilled(&twins[0])]);
    assert_eq!(log.state(&key).events, 2);
    assert_eq!(log.commit(&key, &[]), Receipt::Logged { last_seq: 2 });
    assert_eq!(log.read(&key)[1..], [record(2, &twins[0])]);
    log.assert_folds_agree(&key);
}

#[test]
fn a_report_that_missed_the_lock_is_a_duplicate_when_another_got_it() {
    let (log, key) = (Sandbox::new(), key("s"));
    let twins = [draft(&key, tool("t", json!(1))), draft(&key, tool("t", json!(1)))];
    let holder = log.store.open::<Session>(&key).unwrap();
    let late = log.store.open::<Session>(&key).unwrap();
    holder.commit(twins[..1].to_vec()).unwrap();
    let other = call(&key, 1);
    late.commit(vec![twins[1].clone(), other.clone()]).unwrap();
    assert_eq!(log.read(&key), [record(1, &twins[0]), spilled(&other)]);
    assert_eq!(log.commit(&key, &[]), Receipt::Logged { last_seq: 2 });
    assert_eq!(log.read(&key), [record(1, &twins[0]), record(2, &other)]);
    assert_eq!(log.verify(&key), clean(2));
}

#[test]
fn a_session_in_use_is_not_removed_and_its_snapshot_not_rebuilt_behind_its_back() {
    let (log, key) = (Sandbox::new(), key("s"));
    log.commit(&key, &calls(&key, 20));
    let snapshot = fs::read(log.file(".json")).unwrap();
    let turn = log.store.open::<Session>(&key).unwrap();
    match log.store.remove(&key) {
        Err(RemoveError::Store(StoreError::Io { action: "lock", source, .. })) => {
            assert_eq!(source.kind(), std::io::ErrorKind::TimedOut);
        }
        other => panic!("{other:?}"),
    }
    let state = log.store.rebuild_snapshot::<Session>(&key.file_stem()).unwrap();
    assert_eq!(state.events, 20);
    assert_eq!(fs::read(log.file(".json")).unwrap(), snapshot);
    assert_eq!(turn.commit(calls(&key, 1)).unwrap(), Receipt::Logged { last_seq: 21 });
    assert_eq!(log.verify(&key), clean(21));
}

#[test]
fn spill_of_a_project_is_listed_with_the_project() {
    let (log, key) = (Sandbox::new(), key("s"));
    log.commit(&key, &[crate::sandbox::observation(&key, "one")]);
    let project = SegmentName::Project("b0b1".to_owned());
    assert_eq!(
        log.store.segments().unwrap(),
        [SegmentName::Session(key.file_stem()), project.clone()]
    );
    assert_eq!(log.store.verify(&project).unwrap(), clean(1));
}

#[test]
fn a_session_that_only_spilled_is_folded_and_listed() {
    let (log, key) = (Sandbox::new(), key("s"));
    log.spill(&key, &calls(&key, 2));
    assert_eq!(log.assert_folds_agree(&key).events, 2);
    log.spill(&key, &calls(&key, 1));
    assert_eq!(log.assert_folds_agree(&key).events, 3);
    #[cfg(feature = "index")]
    {
        use verger_store_local::Index;
        let events = || {
            Index::list::<Session>(&log.store).unwrap().iter().map(|row| row.events).sum::<i64>()
        };
        assert_eq!(events(), 3);
        log.spill(&key, &calls(&key, 1));
        assert_eq!(events(), 4);
        assert_eq!(log.store.compare::<Session>(&mut |_| {}).unwrap().1, []);
        log.commit(&key, &[]);
        assert_eq!(events(), 4);
    }
}

type Mess = (fn(&std::path::Path), &'static str);

#[test]
fn whatever_lies_where_spill_should_costs_no_record() {
    let key = key("s");
    let messes: [Mess; 3] = [
        (|spill| fs::create_dir_all(spill.join("x.jsonl")).unwrap(), "a directory in it"),
        (
            |spill| {
                fs::create_dir(spill).unwrap();
                std::os::unix::fs::symlink("/etc/passwd", spill.join("x.jsonl")).unwrap();
            },
            "a link in it",
        ),
        (|spill| fs::write(spill, "").unwrap(), "a file"),
    ];
    for (make, what) in messes {
        let log = Sandbox::new();
        let drafts = calls(&key, 3);
        log.commit(&key, &drafts[..1]);
        make(&log.segment().with_extension("spill"));
        assert_eq!(log.commit(&key, &drafts[1..2]), Receipt::Logged { last_seq: 2 }, "{what}");
        match &log.verify(&key) {
            SegmentReport { records: 2, foreign: 0, spilled: 0, faults } => {
                assert!(matches!(faults[..], [Fault::Unreadable { .. }]), "{what}: {faults:?}");
            }
            other => panic!("{what}: {other:?}"),
        }
        log.spill(&key, &drafts[2..]);
        assert_eq!(log.read(&key)[2..], [spilled(&drafts[2])], "{what}");
        assert_eq!(log.commit(&key, &[]), Receipt::Logged { last_seq: 3 }, "{what}");
        assert_eq!(log.read(&key), numbered(&drafts), "{what}");
        assert_eq!(log.store.take_unfinished().len(), 0, "{what}");
    }
}

#[test]
fn spilled_records_are_counted_with_the_files_of_their_session() {
    let log = Sandbox::new();
    let key = key("s");
    log.commit(&key, &calls(&key, 2));
    let before = log.store.files_of(&key.file_stem()).unwrap();
    log.spill(&key, &calls(&key, 3));
    let files = log.store.files_of(&key.file_stem()).unwrap();
    assert_eq!((before.spilled_records, files.spilled_records), (0, 3));
    assert_eq!((files.segment.exists(), files.spill.exists()), (true, true));
    assert_eq!(fs::metadata(&files.segment).unwrap().len(), files.bytes);
}
