//! Tests that removing old sessions removes nothing that is needed, even while other processes use
//! the log.

use std::collections::BTreeSet;
use std::fs::{self, File, TryLockError};
use std::path::{Path, PathBuf};
use std::time::{Duration, UNIX_EPOCH};

use serde_json::json;
use verger_event::{Draft, Session, SessionKey, Timestamp};
use verger_store::conformance::{draft, key, tool};
use verger_store::{Options, ReadLog, RemoveError, Retention, Sessions, Turn};
use verger_store_local::{Blobs, LocalStore};

use crate::sandbox::{Sandbox, call, clean, observation, walk};

const HOUR: Duration = Duration::from_hours(1);

fn later(drafts: &[Draft]) -> Timestamp {
    Timestamp::from_millis(drafts.iter().map(|draft| draft.at.as_millis()).max().unwrap() + 1)
}

#[test]
fn a_session_goes_with_all_its_files_once_it_is_old() {
    let (log, old, other) = (Sandbox::new(), key("old"), key("other"));
    let drafts: Vec<_> = (0..20).map(|n| call(&old, n)).collect();
    log.commit(&old, &drafts);
    log.beside(&old);
    log.spill(&old, &[call(&old, 20)]);
    let of_other: Vec<_> = (0..20).map(|n| call(&other, n)).collect();
    log.commit(&other, &of_other);
    log.beside(&other);
    // A snapshot with a name that only another version knows. Only its previous file is left.
    fs::write(log.root().join(format!("sessions/{}.newer.json.1", old.file_stem())), "").unwrap();
    let beside =
        |parent: &str| [&old, &other].map(|key| log.root().join(parent).join(key.file_stem()));
    let kinds = ["trees", "reviews", "verifications"].map(beside);
    for directory in kinds.iter().flatten() {
        fs::create_dir_all(directory.join("tmp-1-0")).unwrap();
        fs::write(directory.join("tmp-1-0/index"), "index").unwrap();
        fs::write(directory.join("start-0"), "start").unwrap();
    }
    let recent = log.store.remove_older(&old, drafts[0].at);
    assert!(matches!(recent, Err(RemoveError::Recent)), "{recent:?}");
    assert_eq!(log.verify(&old), clean(21));

    log.store.remove_older(&old, Timestamp::from_millis(u64::MAX)).unwrap();
    let mut left = vec![];
    walk(&log.root(), &mut |path| left.push(path.to_owned()));
    left.retain(|path| path.to_str().unwrap().contains(&old.file_stem()));
    // Only the mark stays, until the index knows that the session is gone.
    assert_eq!(left, [log.root().join("changed").join(old.file_stem())]);
    for [of_old, of_other] in kinds {
        assert_eq!((of_old.exists(), of_other.exists()), (false, true));
    }
    assert_eq!(log.verify(&other), clean(20));
    assert_eq!(log.files(".order.bin").len(), 1);
}

#[test]
fn a_session_with_durable_records_of_its_own_is_not_removed() {
    let (log, key) = (Sandbox::new(), key("s"));
    let drafts = [observation(&key, "kept")];
    fs::write(log.root().join("projects"), "").unwrap();
    log.commit(&key, &drafts);
    let kept = log.store.remove_older(&key, later(&drafts));
    assert!(kept.is_err(), "{kept:?}");
    fs::remove_file(log.root().join("projects")).unwrap();
    log.store.settle(&key).unwrap();
    log.store.remove_older(&key, later(&drafts)).unwrap();
    assert_eq!(log.project().len(), 1);
}

#[test]
fn whoever_waits_for_a_lock_that_is_removed_takes_the_next_one() {
    let (log, key) = (Sandbox::new(), key("s"));
    log.commit(&key, &[call(&key, 1)]);
    let lock = log.file(".lock");
    let held = File::open(&lock).unwrap();
    held.lock().unwrap();
    let options = Options { lock_wait: Duration::from_secs(20), ..Options::default() };
    let waiting = LocalStore::open(&log.root(), options).unwrap();
    std::thread::scope(|scope| {
        let turn = scope.spawn(|| {
            let turn = waiting.open::<Session>(&key).unwrap();
            let again = File::open(&lock).unwrap().try_lock();
            assert!(matches!(again, Err(TryLockError::WouldBlock)), "{again:?}");
            turn.commit(vec![call(&key, 2)]).unwrap()
        });
        fs::remove_file(&lock).unwrap();
        drop(held);
        turn.join().unwrap();
    });
    assert_eq!(log.verify(&key), clean(2));
}

#[test]
fn locks_of_sessions_that_are_gone_go_unless_somebody_holds_them() {
    let (log, gone, here) = (Sandbox::new(), key("gone"), key("here"));
    log.commit(&gone, &[call(&gone, 1)]);
    fs::remove_file(log.segment()).unwrap();
    log.commit(&here, &[call(&here, 1)]);
    let lock = log.files(".lock").into_iter().find(|path| is_of(path, &gone)).unwrap();
    let held = File::open(&lock).unwrap();
    held.lock().unwrap();
    assert_eq!(log.store.remove_stray_locks().unwrap(), 0);
    drop(held);
    assert_eq!(log.store.remove_stray_locks().unwrap(), 1);
    assert_eq!(log.files(".lock").len(), 1);
    assert!(is_of(&log.file(".lock"), &here));
}

fn is_of(path: &Path, key: &SessionKey) -> bool {
    path.file_name().unwrap().to_str().unwrap().starts_with(&key.file_stem())
}

/// A session whose one record has its payload in a blob.
fn large(log: &Sandbox, session: &str, text: &str) -> (SessionKey, PathBuf) {
    let key = key(session);
    let before = log.files("");
    log.commit(&key, &[draft(&key, tool("t", json!(text.repeat(100_000))))]);
    let mut new = log.files("");
    new.retain(|path| !before.contains(path) && path.starts_with(log.root().join("blobs")));
    assert_eq!(new.len(), 1, "{new:?}");
    (key, new.remove(0))
}

/// Sets a file's time into the past by `age`.
fn age(path: &Path, age: Duration) {
    let file = File::options().append(true).open(path).unwrap();
    let written = file.metadata().unwrap().modified().unwrap();
    file.set_modified(written - age).unwrap();
}

/// The current time of the file system's clock.
fn now(log: &Sandbox) -> Timestamp {
    let file = log.outside();
    fs::write(&file, "").unwrap();
    let since = fs::metadata(&file).unwrap().modified().unwrap().duration_since(UNIX_EPOCH);
    Timestamp::from_millis(since.unwrap().as_millis().try_into().unwrap())
}

#[test]
fn a_payload_goes_when_it_is_old_and_nothing_names_it() {
    let log = Sandbox::new();
    let (old, old_blob) = large(&log, "old", "a");
    let (young, young_blob) = large(&log, "young", "b");
    let (other, other_blob) = large(&log, "other", "c");
    for blob in [&old_blob, &other_blob] {
        age(blob, 2 * HOUR);
    }
    let size = fs::metadata(&old_blob).unwrap().len();
    let leaving = BTreeSet::from([old.file_stem(), young.file_stem()]);
    let expected = Blobs { count: 1, bytes: size };
    assert_eq!(log.store.unnamed_blobs(&leaving, now(&log)).unwrap(), expected);
    assert_eq!(log.store.remove_unnamed_blobs(now(&log)).unwrap(), Blobs::default());
    for key in [&old, &young] {
        log.store.remove(key).unwrap();
    }
    assert_eq!(log.store.remove_unnamed_blobs(now(&log)).unwrap(), expected);
    assert_eq!(
        [&old_blob, &young_blob, &other_blob].map(|blob| blob.exists()),
        [false, true, true]
    );
    assert_eq!(log.verify(&other), clean(1));
}

#[test]
fn a_payload_that_any_line_names_stays() {
    let log = Sandbox::new();
    let (key, blob) = large(&log, "s", "a");
    let segment = log.segment();
    let line = fs::read(&segment).unwrap();
    let spill = segment.with_extension("spill");
    for place in [spill.join("1-0.jsonl"), spill.join("1.new"), log.root().join("projects/p.jsonl")]
    {
        age(&blob, 2 * HOUR);
        fs::create_dir_all(place.parent().unwrap()).unwrap();
        // The line is damaged: its end is missing.
        fs::write(&place, &line[..line.len() - 25]).unwrap();
        fs::remove_file(&segment).unwrap();
        assert_eq!(
            log.store.remove_unnamed_blobs(now(&log)).unwrap().count,
            0,
            "{}",
            place.display()
        );
        fs::remove_file(&place).unwrap();
        fs::write(&segment, &line).unwrap();
    }
    assert_eq!(log.verify(&key), clean(1));
}

#[test]
fn a_snapshot_keeps_no_payload_and_keeps_none_from_going() {
    let log = Sandbox::new();
    let (key, blob) = large(&log, "s", "a");
    age(&blob, 2 * HOUR);
    log.store.remove(&key).unwrap();
    let projects = log.root().join("projects");
    fs::create_dir_all(&projects).unwrap();
    let name = blob.file_name().unwrap().as_encoded_bytes();
    fs::write(projects.join("b0b1.order.bin"), name).unwrap();
    std::os::unix::fs::symlink("/dev/null", projects.join("b0b1.order.bin.1")).unwrap();
    assert_eq!(log.store.remove_unnamed_blobs(now(&log)).unwrap().count, 1);
}

#[test]
fn a_payload_that_is_wanted_again_is_as_new() {
    let log = Sandbox::new();
    let (old, blob) = large(&log, "old", "a");
    age(&blob, 2 * HOUR);
    log.store.remove(&old).unwrap();
    let again = key("again");
    log.spill(&again, &[draft(&again, tool("t", json!("a".repeat(100_000))))]);
    // Simulates a sweep that runs before the record's only line is written.
    let spill = log.files(".jsonl");
    let kept: Vec<_> = spill.iter().map(|path| fs::read(path).unwrap()).collect();
    for path in &spill {
        fs::remove_file(path).unwrap();
    }
    assert_eq!(log.store.remove_unnamed_blobs(now(&log)).unwrap(), Blobs::default());
    for (path, bytes) in spill.iter().zip(kept) {
        fs::write(path, bytes).unwrap();
    }
    assert_eq!(log.store.folded::<Session>(&again.file_stem()).unwrap().events, 1);
}

#[test]
fn blobs_moved_aside_by_a_killed_clean_are_put_back() {
    let log = Sandbox::new();
    let (key, blob) = large(&log, "s", "a");
    let aside = blob.with_extension("aside");
    fs::rename(&blob, &aside).unwrap();
    let half = blob.with_extension("new");
    fs::write(&half, "half").unwrap();
    age(&half, 2 * HOUR);
    assert_eq!(log.store.remove_unnamed_blobs(now(&log)).unwrap(), Blobs::default());
    assert_eq!([&blob, &aside, &half].map(|path| path.exists()), [true, false, false]);
    assert_eq!(log.verify(&key), clean(1));
}

#[test]
fn an_unreadable_file_keeps_every_blob() {
    let log = Sandbox::new();
    let (key, blob) = large(&log, "s", "a");
    age(&blob, 2 * HOUR);
    log.store.remove(&key).unwrap();
    fs::create_dir_all(log.root().join("projects")).unwrap();
    std::os::unix::fs::symlink("/dev/null", log.root().join("projects/p.jsonl")).unwrap();
    assert!(log.store.remove_unnamed_blobs(now(&log)).is_err());
    assert!(blob.exists());
}

#[test]
fn a_session_is_opened_only_where_it_is_and_nobody_is_at_it() {
    let (log, known, gone) = (Sandbox::new(), key("s"), key("gone"));
    let is_free = |key: &SessionKey| log.store.open_if_free::<Session>(key).unwrap().is_some();
    assert!(!log.store.has_other_sessions(&known).unwrap());
    log.commit(&known, &[call(&known, 0)]);
    assert_eq!(
        [&known, &gone].map(|key| log.store.has_other_sessions(key).unwrap()),
        [false, true]
    );
    assert!(is_free(&known));
    let turn = log.store.open::<Session>(&known).unwrap();
    assert!(!is_free(&known), "somebody else writes");
    drop(turn);
    let turn = log.store.open_if_free::<Session>(&known).unwrap().unwrap();
    assert_eq!(turn.state().events, 1);
    turn.commit(vec![call(&known, 1)]).unwrap();
    assert_eq!(log.verify(&known), clean(2));
    let before = log.files("");
    assert!(!is_free(&gone));
    assert_eq!(log.files(""), before, "nothing is made of one that is not there");
}
