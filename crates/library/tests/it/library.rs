//! Tests of the library, which combines all backends of a project.

use std::fs;

use verger_event::Timestamp;
use verger_library::{
    Archive, Backend, BackendKind, BackendsWanted, InMemory, Library, LocalTime, Placement,
    Shelved, SourceState, TotalRecall, choose,
};
use verger_memory::{Learning, Scope};
use verger_testkit::TestEnvironment;

use crate::ground::{all, ground, learning};

const NOW: Timestamp = Timestamp::from_millis(1_794_753_120_000);

/// One learning of each scope.
fn of_each_scope() -> Vec<Learning> {
    let numbered = (0..).zip(Scope::ALL);
    numbered
        .map(|(number, scope)| Learning { scope: *scope, ..learning(number, "Text.") })
        .collect()
}

fn placements(library: &Library, learnings: &[Learning]) -> Vec<(Scope, Placement)> {
    let shelved = library.shelve(learnings);
    let of = |learning: &Learning| {
        let is_it = |shelved: &&Shelved| shelved.learning == learning.id;
        (learning.scope, shelved.iter().find(is_it).unwrap().placement.clone())
    };
    learnings.iter().map(of).collect()
}

fn opened(environment: &TestEnvironment) -> Library {
    let root = environment.project();
    let found = choose(&BackendsWanted::default(), TotalRecall::rules(&root, &[]).as_deref());
    Library::open(&ground(environment), &found, LocalTime::new(NOW, 0), Archive::Left)
}

/// The ids of all learnings that the library reads, as sorted numbers.
fn numbers(library: &Library) -> Vec<u64> {
    let mut numbers = Vec::new();
    for source in library.read(&[]) {
        let SourceState::Whole(entries) = source.state else { panic!("{:?}", source.state) };
        assert_eq!(entries.problems, []);
        let ids = entries.learnings.into_iter().map(|placed| placed.learning.id);
        numbers.extend(ids.map(|id| (0..9).find(|n| learning(*n, "").id == id).unwrap()));
    }
    numbers.sort_unstable();
    numbers
}

#[test]
fn each_scope_has_its_place() {
    let environment = TestEnvironment::new();
    let library = opened(&environment);
    let kept = |backend| Placement::Kept { backend };
    assert_eq!(
        placements(&library, &of_each_scope()),
        [
            (Scope::Project, kept(BackendKind::Markdown)),
            (Scope::Team, kept(BackendKind::Markdown)),
            (Scope::Personal, kept(BackendKind::Personal)),
            (Scope::Ephemeral, Placement::Discarded),
        ]
    );
    assert_eq!(numbers(&library), [0, 1, 2]);
}

#[test]
fn with_a_log_of_the_day_what_is_for_the_next_days_is_kept_too() {
    let environment = TestEnvironment::new();
    environment.write("rules/total-recall.md", "");
    fs::create_dir(environment.project().join("memory")).unwrap();
    let library = opened(&environment);
    let kept = |backend| Placement::Kept { backend };
    assert_eq!(
        placements(&library, &of_each_scope()),
        [
            (Scope::Project, kept(BackendKind::TotalRecall)),
            (Scope::Team, kept(BackendKind::TotalRecall)),
            (Scope::Personal, kept(BackendKind::Personal)),
            (Scope::Ephemeral, kept(BackendKind::TotalRecall)),
        ]
    );
    assert_eq!(numbers(&library), [0, 1, 2, 3]);
    assert!(!environment.project().join(".verger").exists());
}

#[test]
fn learnings_go_to_the_next_backend_if_the_first_fails() {
    let environment = TestEnvironment::new();
    environment.write("rules/total-recall.md", "");
    environment.write("memory/daily", "in the way");
    let library = opened(&environment);
    let learnings = [learning(1, "Text.")];
    let [(_, Placement::KeptElsewhere { backend, failed, because })] =
        &placements(&library, &learnings)[..]
    else {
        panic!("not elsewhere")
    };
    assert_eq!((*backend, *failed), (BackendKind::Markdown, BackendKind::TotalRecall));
    assert_eq!(
        environment.normalise(because),
        "open $ENV/home/project/memory/daily/2026-11-15.md: Not a directory (os error 20)"
    );
    let markdown = library.places().find(|place| place.kind() == BackendKind::Markdown).unwrap();
    assert_eq!(all(markdown), learnings);
}

#[test]
fn learnings_that_no_backend_can_store_are_reported() {
    let environment = TestEnvironment::new();
    environment.write(".verger", "in the way");
    let [(_, Placement::Failed { backend: BackendKind::Markdown, .. })] =
        &placements(&opened(&environment), &[learning(1, "Text.")])[..]
    else {
        panic!("not failed")
    };
    let nowhere = Library::of(vec![], Box::new(InMemory::default()));
    let placements = placements(&nowhere, &of_each_scope()[..3]);
    let kept = Placement::Kept { backend: BackendKind::InMemory };
    let placements: Vec<_> = placements.into_iter().map(|(_, placement)| placement).collect();
    assert_eq!(placements, [Placement::NoBackend, Placement::NoBackend, kept]);
}

#[test]
fn learnings_in_memory_are_read_back() {
    let backend = InMemory::default();
    backend.append(&of_each_scope()).unwrap();
    assert_eq!(all(&backend), of_each_scope());
}
