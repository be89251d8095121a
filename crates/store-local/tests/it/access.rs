//! Tests that other users can't read the log and can't make verger write elsewhere.

use std::fs::{self, Permissions};
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::path::Path;

use serde_json::json;
use verger_event::{Session, SessionKey};
use verger_store::conformance::{SECRET, draft, key, tool};
use verger_store::{Append, ReadLog, Sessions, StoreError, Turn, UnsafeDirectory};
use verger_store_local::LocalStore;

use crate::sandbox::{Sandbox, call, calls, observation, options, walk};

/// A log that has a file of every kind.
fn full(key: &SessionKey) -> Sandbox {
    let log = Sandbox::new();
    let large = draft(key, tool("t", json!(format!("{SECRET} {}", "x".repeat(100_000)))));
    log.commit(key, &[large, observation(key, "durable")]);
    log.commit(key, &calls(key, 20));
    log.beside(key);
    log.spill(key, &[call(key, 99)]);
    log
}

fn try_commit(log: &Sandbox, key: &SessionKey) -> Result<(), StoreError> {
    let large = draft(key, tool("large", json!("y".repeat(100_000))));
    log.store.open::<Session>(key)?.commit(vec![large])?;
    Ok(())
}

#[test]
fn everything_is_for_its_owner_alone() {
    let key = key("5e55");
    let log = full(&key);
    #[cfg(feature = "index")]
    verger_store_local::Index::open(&log.store).unwrap().refresh::<Session>().unwrap();
    let mut seen = 0;
    let mut check = |path: &Path| {
        seen += 1;
        let metadata = path.symlink_metadata().unwrap();
        let expected = if metadata.is_dir() { 0o700 } else { 0o600 };
        assert_eq!(metadata.permissions().mode() & 0o7777, expected, "{}", path.display());
    };
    check(&log.root());
    walk(&log.root(), &mut check);
    assert!(seen > 15, "{seen} paths");
}

#[test]
fn a_linked_directory_is_refused_wherever_it_is() {
    let key = key("5e55");
    for name in ["log", "blobs"] {
        let log = full(&key);
        let outside = log.outside();
        fs::create_dir(&outside).unwrap();
        let path = log.root().join(name);
        fs::rename(&path, outside.join("moved")).unwrap();
        symlink(outside.join("moved"), &path).unwrap();
        let before = listing(&outside);
        // The log accepts records even if its blobs can't be used.
        let problem = try_commit(&log, &key).err().or_else(|| log.store.take_unfinished().pop());
        assert_unsafe(problem, &path, UnsafeDirectory::Symlink);
        assert_eq!(listing(&outside), before, "{name}");
    }
}

#[test]
fn a_linked_directory_of_snapshots_costs_the_snapshot_and_not_the_record() {
    let (log, key) = (Sandbox::new(), key("5e55"));
    fs::create_dir(log.outside()).unwrap();
    symlink(log.outside(), log.root().join("sessions")).unwrap();
    for n in 0..20 {
        log.commit(&key, &[observation(&key, &format!("{n}"))]);
    }
    let problem = log.store.take_unfinished().pop();
    assert_unsafe(problem, &log.root().join("sessions"), UnsafeDirectory::Symlink);
    let problem = log.store.files_of(&key.file_stem()).err();
    assert_unsafe(problem, &log.root().join("sessions"), UnsafeDirectory::Symlink);
    assert_eq!(fs::read_dir(log.outside()).unwrap().count(), 0);
}

#[test]
fn a_linked_project_directory_costs_the_copy_and_not_the_record() {
    let (log, key) = (Sandbox::new(), key("5e55"));
    fs::create_dir(log.outside()).unwrap();
    symlink(log.outside(), log.root().join("projects")).unwrap();
    log.commit(&key, &[observation(&key, "durable")]);
    let problem = log.store.take_unfinished().pop();
    assert_unsafe(problem, &log.root().join("projects"), UnsafeDirectory::Symlink);
    assert_eq!(fs::read_dir(log.outside()).unwrap().count(), 0);
}

#[test]
fn a_linked_file_is_refused_and_what_it_points_to_untouched() {
    let key = key("5e55");
    for ending in ["-5e55.jsonl", "-5e55.lock"] {
        let log = Sandbox::new();
        log.commit(&key, &calls(&key, 1));
        let path = log.file(ending);
        fs::remove_file(&path).unwrap();
        fs::write(log.outside(), "precious").unwrap();
        symlink(log.outside(), &path).unwrap();
        match try_commit(&log, &key) {
            Err(StoreError::Io { action: "open", path: found, source }) => {
                assert_eq!(found, path);
                assert_eq!(source.raw_os_error(), Some(rustix::io::Errno::LOOP.raw_os_error()));
            }
            other => panic!("{other:?}"),
        }
        assert_eq!(fs::read_to_string(log.outside()).unwrap(), "precious");
    }
}

#[test]
fn a_linked_snapshot_is_neither_read_nor_written_through() {
    let (log, key) = (Sandbox::new(), key("5e55"));
    log.commit(&key, &calls(&key, 20));
    let path = log.file(".json");
    fs::rename(&path, log.outside()).unwrap();
    symlink(log.outside(), &path).unwrap();
    symlink(log.outside(), path.with_extension("json.1")).unwrap();
    let before = fs::read(log.outside()).unwrap();
    log.commit(&key, &calls(&key, 20));
    assert_eq!(log.assert_folds_agree(&key).events, 40);
    assert_eq!(fs::read(log.outside()).unwrap(), before);
}

#[test]
fn a_linked_or_foreign_root_is_refused() {
    let directory = tempfile::tempdir().unwrap();
    let real = directory.path().join("real");
    fs::create_dir(&real).unwrap();
    let link = directory.path().join("link");
    symlink(&real, &link).unwrap();
    assert_unsafe(LocalStore::open(&link, options()).err(), &link, UnsafeDirectory::Symlink);
    assert_eq!(fs::read_dir(&real).unwrap().count(), 0);

    let file = directory.path().join("file");
    fs::write(&file, "").unwrap();
    assert_unsafe(LocalStore::open(&file, options()).err(), &file, UnsafeDirectory::NotADirectory);

    fs::set_permissions(&real, Permissions::from_mode(0o770)).unwrap();
    assert_unsafe(LocalStore::open(&real, options()).err(), &real, UnsafeDirectory::Writable);

    // A directory that belongs to another user. As root, `real` is given to another user; otherwise
    // `/` is used.
    let foreign = if rustix::process::geteuid().is_root() {
        fs::set_permissions(&real, Permissions::from_mode(0o700)).unwrap();
        std::os::unix::fs::chown(&real, Some(65_534), None).unwrap();
        real.as_path()
    } else {
        Path::new("/")
    };
    assert_unsafe(LocalStore::open(foreign, options()).err(), foreign, UnsafeDirectory::Owner);
}

#[test]
fn links_above_the_root_are_the_users_to_arrange() {
    let directory = tempfile::tempdir().unwrap();
    fs::create_dir(directory.path().join("real")).unwrap();
    symlink(directory.path().join("real"), directory.path().join("home")).unwrap();
    let store = LocalStore::open(&directory.path().join("home/data"), options()).unwrap();
    let key = key("5e55");
    store.open::<Session>(&key).unwrap().commit(calls(&key, 1)).unwrap();
    #[cfg(feature = "index")]
    {
        let index = verger_store_local::Index::open(&store).unwrap();
        index.refresh::<Session>().unwrap();
        assert_eq!(index.sessions().unwrap().len(), 1);
    }
}

#[test]
fn a_pipe_or_directory_in_place_of_a_file_is_refused_at_once() {
    let key = key("5e55");
    for ending in ["-5e55.jsonl", "-5e55.lock"] {
        for is_pipe in [true, false] {
            let log = Sandbox::new();
            log.commit(&key, &calls(&key, 1));
            let path = log.file(ending);
            fs::remove_file(&path).unwrap();
            if is_pipe {
                let mode = rustix::fs::Mode::RUSR | rustix::fs::Mode::WUSR;
                let fifo = rustix::fs::FileType::Fifo;
                rustix::fs::mknodat(rustix::fs::CWD, &path, fifo, mode, 0).unwrap();
            } else {
                fs::create_dir(&path).unwrap();
            }
            match try_commit(&log, &key) {
                Err(StoreError::Io { action: "open", path: found, .. }) => assert_eq!(found, path),
                other => panic!("{other:?}"),
            }
        }
    }
}

#[test]
fn a_log_whose_lock_cannot_be_had_can_still_be_verified() {
    let (log, key) = (Sandbox::new(), key("5e55"));
    log.commit(&key, &calls(&key, 2));
    let path = log.file("-5e55.lock");
    fs::remove_file(&path).unwrap();
    fs::create_dir(&path).unwrap();
    assert_eq!(log.verify(&key), crate::sandbox::clean(2));
}

#[test]
fn files_of_others_among_the_segments_hide_none_of_them() {
    let (log, key) = (Sandbox::new(), key("5e55"));
    log.commit(&key, &calls(&key, 1));
    fs::write(log.root().join("log/.DS_Store"), "").unwrap();
    fs::create_dir(log.root().join("log/backup")).unwrap();
    assert_eq!(log.store.session_stems().unwrap(), [key.file_stem()]);
}

#[track_caller]
fn assert_unsafe(found: Option<StoreError>, expected: &Path, why: UnsafeDirectory) {
    match found {
        Some(StoreError::Unsafe { path, problem }) => {
            assert_eq!((path.as_path(), problem), (expected, why));
        }
        other => panic!("{other:?}"),
    }
}

/// Every file below `directory`, with its length.
fn listing(directory: &Path) -> Vec<(std::path::PathBuf, u64)> {
    let mut files = vec![];
    walk(directory, &mut |path| {
        files.push((path.to_owned(), path.symlink_metadata().unwrap().len()));
    });
    files.sort();
    files
}

#[test]
fn a_place_where_the_system_lets_nobody_write_is_sealed_and_another_is_not() {
    let log = Sandbox::new();
    assert!(!log.store.is_sealed());
    assert_eq!(log.files("write-test"), Vec::<std::path::PathBuf>::new());
    let shut = log.outside();
    fs::create_dir(&shut).unwrap();
    fs::set_permissions(&shut, Permissions::from_mode(0o500)).unwrap();
    // Permissions don't stop root, but even root can't create files in `/sys/kernel`.
    let is_root = Path::new("/proc/self").metadata().unwrap().uid() == 0;
    let nowhere = if is_root { Path::new("/sys/kernel") } else { &shut };
    assert!(LocalStore::open(nowhere, options()).unwrap().is_sealed());
    // An obstacle in place of the test file doesn't mean that the system refuses writes.
    let name = format!("write-test.{}", std::process::id());
    fs::create_dir(log.root().join(name)).unwrap();
    assert!(!log.store.is_sealed());
}
