//! Tests that reading damaged files gives an error or the same result as before, but never another
//! result or a panic.

use std::fs;
use std::path::{Path, PathBuf};

use tempfile::TempDir;
use verger_recall::{Document, Query, Recall, RecallError, Writer};

use crate::samples::{day, document, put, text};

const QUERY: &str = "retry the push lock of Ada";

fn damageable() -> TempDir {
    let dir = tempfile::tempdir().unwrap();
    let by_ada = Document {
        author: "Ada".to_owned(),
        files: vec!["src/git.rs".to_owned()],
        ..document("a", "Retrying a push", "With a lock, and a lease.")
    };
    let writer = Writer::wait(dir.path()).unwrap();
    writer.rebuild(b"state", &[by_ada, document("b", "Locks are taken in order", "")]).unwrap();
    writer.update(b"state", &[put(document("c", "Push and retry", ""))], 0).unwrap();
    dir
}

/// The data that a reader gets from an index, as text.
fn seen(dir: &Path) -> Result<String, RecallError> {
    let Some(recall) = Recall::open(dir)? else { return Ok("no index".to_owned()) };
    let query = Query { files: vec!["src/git.rs"], now: Some(day(1001)), ..text(QUERY) };
    let hits = recall.search(&query, 10, &|_| true)?;
    let stored = hits.iter().map(|hit| recall.stored(hit)).collect::<Result<Vec<_>, _>>()?;
    Ok(format!("{:?} {} {hits:?} {stored:?}", recall.source(), recall.documents()))
}

fn files(dir: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(dir).unwrap().map(|entry| entry.unwrap().path());
    entries.filter(|path| path.metadata().unwrap().len() > 0).collect()
}

/// Reads the index once for each damaged content of the file `path`. Returns the number of errors
/// and of unchanged results.
fn damage(path: &Path, damaged: impl Iterator<Item = Vec<u8>>) -> (usize, usize) {
    let whole = fs::read(path).unwrap();
    let dir = path.parent().unwrap();
    let before = seen(dir).unwrap();
    let (mut errors, mut same) = (0, 0);
    for content in damaged {
        fs::write(path, &content).unwrap();
        match seen(dir) {
            Ok(now) => {
                assert_eq!(now, before, "{}", path.display());
                same += 1;
            }
            Err(
                RecallError::Damaged { path: named, .. }
                | RecallError::OtherFormat { path: named, .. },
            ) => {
                // The manifest may be intact but not match the other files.
                assert!(named.starts_with(dir), "{}", named.display());
                errors += 1;
            }
            Err(other) => panic!("{}: {other:?}", path.display()),
        }
    }
    fs::write(path, whole).unwrap();
    (errors, same)
}

#[test]
fn a_byte_that_changed_is_an_error_or_does_not_matter() {
    let dir = damageable();
    for path in files(dir.path()) {
        let whole = fs::read(&path).unwrap();
        let flipped = (0..whole.len()).flat_map(|at| {
            [0x01, 0xff].map(|bits| {
                let mut content = whole.clone();
                content[at] ^= bits;
                content
            })
        });
        let (errors, same) = damage(&path, flipped);
        // Damage isn't detected in parts that the query doesn't read, such as other terms.
        assert!(errors > same, "{}: {errors} errors, {same} the same", path.display());
    }
}

#[test]
fn reading_everything_notices_every_byte() {
    let dir = damageable();
    let verified = || Recall::open(dir.path())?.unwrap().verify();
    for path in files(dir.path()) {
        let whole = fs::read(&path).unwrap();
        for at in 0..whole.len() {
            let mut content = whole.clone();
            content[at] ^= 0x10;
            fs::write(&path, &content).unwrap();
            assert!(verified().is_err(), "{} byte {at}", path.display());
        }
        fs::write(&path, &whole).unwrap();
    }
    verified().unwrap();
}

#[test]
fn a_file_that_was_cut_off_is_an_error() {
    let dir = damageable();
    for path in files(dir.path()) {
        let whole = fs::read(&path).unwrap();
        let (errors, same) = damage(&path, (0..whole.len()).map(|length| whole[..length].to_vec()));
        assert_eq!((errors, same), (whole.len(), 0), "{}", path.display());
    }
}

#[test]
fn a_segment_of_another_index_is_an_error() {
    let (one, other) = (damageable(), damageable());
    let recall = Writer::wait(other.path()).unwrap();
    recall.rebuild(b"state", &[document("z", "Retrying a push", "")]).unwrap();
    let path = files(other.path()).into_iter().find(|path| path.ends_with("3.segment")).unwrap();
    fs::copy(path, one.path().join("1.segment")).unwrap();
    assert!(matches!(seen(one.path()), Err(RecallError::Damaged { .. })));
}

#[test]
fn a_writer_does_not_build_on_damage_and_a_new_index_mends_it() {
    let update = |dir: &Path| {
        let changes = [put(document("d", "Push", ""))];
        Writer::wait(dir).unwrap().update(b"state", &changes, u32::MAX)
    };
    let intact = damageable();
    let whole = fs::read(intact.path().join("1.segment")).unwrap();
    update(intact.path()).unwrap();
    let expected = seen(intact.path()).unwrap();
    for at in (0..whole.len()).step_by(5) {
        let dir = damageable();
        let mut content = whole.clone();
        content[at] ^= 0xff;
        fs::write(dir.path().join("1.segment"), &content).unwrap();
        match update(dir.path()) {
            Ok(()) => assert_eq!(seen(dir.path()).unwrap(), expected, "byte {at}"),
            Err(RecallError::Damaged { .. } | RecallError::OtherFormat { .. }) => {
                let writer = Writer::wait(dir.path()).unwrap();
                writer.rebuild(b"new", &[document("d", "Push", "")]).unwrap();
                assert_eq!(Recall::open(dir.path()).unwrap().unwrap().documents(), 1);
            }
            Err(other) => panic!("byte {at}: {other:?}"),
        }
    }
}

#[test]
fn a_segment_that_is_gone_is_an_error_that_names_it() {
    let dir = damageable();
    fs::remove_file(dir.path().join("2.segment")).unwrap();
    let error = seen(dir.path()).unwrap_err().to_string();
    assert!(error.starts_with("open ") && error.ends_with("2.segment"), "{error}");
}

#[test]
fn other_kinds_of_files_are_not_read() {
    let dir = damageable();
    let (path, elsewhere) = (dir.path().join("manifest"), dir.path().join("elsewhere"));
    fs::rename(&path, &elsewhere).unwrap();
    std::os::unix::fs::symlink(&elsewhere, &path).unwrap();
    assert!(matches!(seen(dir.path()), Err(RecallError::Io { action: "open", .. })));
}
