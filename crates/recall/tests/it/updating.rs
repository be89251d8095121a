//! Tests of changing an index.

use verger_recall::{Change, Document, Writer};

use crate::samples::{document, found, index, open, put, text};

const ALL: u32 = u32::MAX;

#[test]
fn documents_are_added_replaced_marked_and_removed() {
    let same = |id: &str| document(id, "Same words", "");
    let (dir, recall) = index(&[same("a"), same("b"), same("c")]);
    assert_eq!(recall.source(), b"first");
    let changes = [
        put(document("b", "Other terms", "")),
        put(same("d")),
        Change::Mark("d".to_owned(), 3),
        Change::Mark("c".to_owned(), 4),
        Change::Remove("a".to_owned()),
        Change::Remove("unknown".to_owned()),
    ];
    Writer::wait(dir.path()).unwrap().update(b"second", &changes, ALL).unwrap();
    let recall = open(dir.path());
    assert_eq!(recall.source(), b"second");
    assert_eq!(recall.documents(), 3);
    assert_eq!(found(&recall, &text("terms")), ["b"]);
    let hits = recall.search(&text("words"), 10, &|_| true).unwrap();
    let marks: Vec<_> = hits.iter().map(|hit| hit.attributes.mark).collect();
    assert_eq!(marks, [3, 4]);
}

#[test]
fn a_reader_keeps_what_it_opened() {
    let (dir, before) = index(&[document("a", "Some words", "")]);
    let writer = Writer::wait(dir.path()).unwrap();
    writer.rebuild(b"", &[document("b", "Some words", "")]).unwrap();
    assert_eq!(found(&before, &text("words")), ["a"]);
    assert_eq!(found(&open(dir.path()), &text("words")), ["b"]);
}

#[test]
fn only_one_writer_works_at_a_time() {
    let dir = tempfile::tempdir().unwrap();
    let writer = Writer::at_once(dir.path()).unwrap();
    assert!(writer.is_some());
    assert!(Writer::at_once(dir.path()).unwrap().is_none());
    drop(writer);
    assert!(Writer::at_once(dir.path()).unwrap().is_some());
}

#[test]
fn segments_stay_few() {
    let dir = tempfile::tempdir().unwrap();
    for number in 0..200 {
        let new: Document = document(&format!("d{number:03}"), "Same words", "");
        Writer::wait(dir.path()).unwrap().update(b"", &[put(new)], ALL).unwrap();
    }
    let segments = std::fs::read_dir(dir.path()).unwrap().count() - 2;
    assert!(segments <= 5, "{segments}");
    assert_eq!(found(&open(dir.path()), &text("words")).len(), 100);
}
