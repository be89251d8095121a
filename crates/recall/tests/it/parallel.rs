//! Tests of concurrent readers and writers.

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use verger_recall::{Recall, Writer};

use crate::samples::{document, found, open, put, text};

#[test]
fn readers_see_one_state_or_another_while_writers_work() {
    let dir = tempfile::tempdir().unwrap();
    let (dir, is_done) = (dir.path(), AtomicBool::new(false));
    Writer::wait(dir).unwrap().rebuild(b"", &[]).unwrap();
    let id = |number: usize| format!("d{number:03}");
    thread::scope(|scope| {
        for _ in 0..3 {
            scope.spawn(|| {
                let mut last = 0;
                while !is_done.load(Ordering::Relaxed) {
                    let mut ids = found(&open(dir), &text("words"));
                    ids.sort();
                    let expected: Vec<_> = (0..ids.len()).map(id).collect();
                    assert_eq!(ids, expected);
                    assert!(ids.len() >= last, "an index does not shrink here");
                    last = ids.len();
                }
            });
        }
        for number in 0..80 {
            let writer = Writer::wait(dir).unwrap();
            let new = put(document(&id(number), "Same words", ""));
            writer.update(b"", &[new], u32::MAX).unwrap();
        }
        is_done.store(true, Ordering::Relaxed);
    });
}

#[test]
fn writers_take_turns() {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path();
    thread::scope(|scope| {
        for writer in 0..4 {
            scope.spawn(move || {
                for number in 0..10 {
                    let new = put(document(&format!("{writer}-{number}"), "Same words", ""));
                    Writer::wait(dir).unwrap().update(b"", &[new], u32::MAX).unwrap();
                }
            });
        }
    });
    assert_eq!(Recall::open(dir).unwrap().unwrap().documents(), 40);
}
