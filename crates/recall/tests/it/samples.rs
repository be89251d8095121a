//! Sample documents and indexes for the tests.

use std::path::Path;

use tempfile::TempDir;
use verger_event::Timestamp;
use verger_recall::{Change, Document, Hit, Query, Recall, Writer};

pub(crate) const DAY: u64 = 86_400_000;

pub(crate) fn day(number: u64) -> Timestamp {
    Timestamp::from_millis(number * DAY)
}

pub(crate) fn document(id: &str, title: &str, body: &str) -> Document {
    Document {
        id: id.to_owned(),
        kind: 0,
        mark: 0,
        title: title.to_owned(),
        body: body.to_owned(),
        tags: vec![],
        files: vec![],
        author: String::new(),
        date: String::new(),
        at: day(1000),
        place: None,
        payload: format!("payload of {id}").into_bytes(),
    }
}

pub(crate) fn put(document: Document) -> Change {
    Change::Put(Box::new(document))
}

pub(crate) fn index(documents: &[Document]) -> (TempDir, Recall) {
    let dir = tempfile::tempdir().unwrap();
    Writer::wait(dir.path()).unwrap().rebuild(b"first", documents).unwrap();
    let recall = open(dir.path());
    (dir, recall)
}

pub(crate) fn open(dir: &Path) -> Recall {
    Recall::open(dir).unwrap().unwrap()
}

pub(crate) fn text(text: &str) -> Query<'_> {
    Query { texts: vec![(text, 1.0)], ..Query::default() }
}

pub(crate) fn found(recall: &Recall, query: &Query<'_>) -> Vec<String> {
    ids(recall, &recall.search(query, 100, &|_| true).unwrap())
}

pub(crate) fn ids(recall: &Recall, hits: &[Hit]) -> Vec<String> {
    hits.iter().map(|hit| recall.stored(hit).unwrap().id).collect()
}
