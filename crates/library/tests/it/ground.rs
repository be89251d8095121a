//! Test data: a project, a data directory, and learnings to store in them.

use std::path::PathBuf;
use std::sync::Barrier;
use std::thread;
use std::time::Duration;

use verger_event::{SessionId, Timestamp};
use verger_library::{Backend, Entries, Ground, SourceState};
use verger_memory::{Category, Confidence, Criterion, Learning, LearningId, Provenance, Scope};
use verger_testkit::TestEnvironment;

pub(crate) fn ground(environment: &TestEnvironment) -> Ground {
    Ground {
        root: environment.project(),
        data: environment.verger_home().join("data"),
        lock_wait: Duration::from_mins(1),
    }
}

/// A learning whose id is derived from the number.
pub(crate) fn learning(number: u64, detail: &str) -> Learning {
    let created = Timestamp::from_millis(1_794_767_961_556 + number);
    Learning {
        id: LearningId::new(created, number.into()),
        category: Category::Pitfall,
        summary: format!("Learning number {number}"),
        detail: detail.to_owned(),
        scope: Scope::Project,
        confidence: Confidence::High,
        criteria: vec![Criterion::StableFact],
        tags: vec!["retry".to_owned(), "冪等".to_owned()],
        files: vec!["src/save.rs".to_owned()],
        symbols: vec![],
        supersedes: vec![],
        created,
        provenance: Provenance {
            session: Some(SessionId::new("s-1")),
            ticket: Some("bd-7".to_owned()),
            ..Provenance::default()
        },
    }
}

pub(crate) const WRITERS: u64 = 64;

/// Runs `write` in several threads at the same time, each with its own number.
pub(crate) fn write_at_once(write: impl Fn(u64) + Sync) {
    let start = Barrier::new(usize::try_from(WRITERS).unwrap());
    thread::scope(|scope| {
        for writer in 0..WRITERS {
            let (write, start) = (&write, &start);
            scope.spawn(move || {
                start.wait();
                write(writer);
            });
        }
    });
}

/// The entries of a backend with one source, read from the beginning.
pub(crate) fn whole(backend: &dyn Backend) -> Entries {
    let mut sources = backend.read(&[]);
    assert_eq!(sources.len(), 1);
    match sources.remove(0).state {
        SourceState::Whole(entries) => entries,
        other => panic!("{other:?}"),
    }
}

/// All learnings of a backend. Asserts that there are no problems.
#[track_caller]
pub(crate) fn all(backend: &dyn Backend) -> Vec<Learning> {
    let entries = whole(backend);
    assert_eq!(entries.problems, []);
    entries.learnings.into_iter().map(|placed| placed.learning).collect()
}

pub(crate) fn file(environment: &TestEnvironment) -> PathBuf {
    environment.project().join(".verger/learnings.md")
}
