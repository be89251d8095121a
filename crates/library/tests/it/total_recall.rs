//! Tests of Total Recall's daily logs and registers.

use std::fs;
use std::path::{Path, PathBuf};

use verger_event::Timestamp;
use verger_library::{
    Archive, Backend, BackendKind, FileError, Health, LocalTime, Source, SourceState, TotalRecall,
};
use verger_memory::{Learning, Provenance};
use verger_testkit::TestEnvironment;

use crate::ground::{ground, learning};

const GOLDEN: &str = include_str!("../golden/daily-log.md");
/// The time 2026-11-15, 14:32 in UTC.
const NOW: Timestamp = Timestamp::from_millis(1_794_753_120_000);

fn total_recall(environment: &TestEnvironment) -> TotalRecall {
    fs::create_dir_all(environment.project().join("memory/daily")).unwrap();
    TotalRecall::new(&ground(environment), LocalTime::new(NOW, 0), Archive::Left)
}

/// The same learning with only the fields that a daily log stores.
fn kept(learning: Learning) -> Learning {
    let ticket = learning.provenance.ticket;
    let provenance = Provenance { ticket, ..Provenance::default() };
    Learning { provenance, criteria: vec![], files: vec![], ..learning }
}

/// The files that the backend read, as paths relative to the project, with their learnings.
fn read(backend: &TotalRecall, environment: &TestEnvironment) -> Vec<(PathBuf, Vec<Learning>)> {
    let sources = backend.read(&[]).into_iter().map(|Source { path, state }| {
        let SourceState::Whole(entries) = state else { panic!("{state:?}") };
        assert_eq!(entries.problems, [], "{}", path.display());
        let learnings = entries.learnings.into_iter().map(|placed| placed.learning);
        (path.strip_prefix(environment.project()).unwrap().to_owned(), learnings.collect())
    });
    sources.collect()
}

#[test]
fn it_is_found_by_its_memory_and_its_rules() {
    let environment = TestEnvironment::new();
    let root = environment.project();
    let found = || TotalRecall::rules(&root, &[".agent"]);
    environment.write("rules/total-recall.md", "");
    assert_eq!(found(), None);
    fs::create_dir(root.join("memory")).unwrap();
    assert_eq!(found(), Some(root.join("rules/total-recall.md")));
    fs::remove_file(root.join("rules/total-recall.md")).unwrap();
    assert_eq!(found(), None);
    environment.write(".agent/rules/total-recall.md", "");
    assert_eq!(found(), Some(root.join(".agent/rules/total-recall.md")));
}

#[test]
fn learnings_are_logged_under_their_heading_in_the_given_form() {
    let environment = TestEnvironment::new();
    let backend = total_recall(&environment);
    assert_eq!(backend.health().unwrap(), Health::Ready);
    let first = learning(1, "When an async task panics\nthe runtime is at risk.\n\n---\n## 見出し");
    let second =
        Learning { supersedes: vec![first.id.clone()], ..learning(2, "Correct it is so.") };
    backend.append(std::slice::from_ref(&first)).unwrap();
    backend.append(std::slice::from_ref(&second)).unwrap();
    assert_eq!(environment.read("memory/daily/2026-11-15.md"), GOLDEN);
    assert_eq!(backend.location(), environment.project().join("memory/daily/2026-11-15.md"));
    let log = ("memory/daily/2026-11-15.md".into(), vec![kept(first), kept(second)]);
    assert_eq!(read(&backend, &environment), [log]);
    assert!(!environment.project().join(".verger").exists());
}

#[test]
fn foreign_entries_stay_unchanged() {
    let environment = TestEnvironment::new();
    let backend = total_recall(&environment);
    let log = "# Today\n\n## Learnings\n\nnotes\n\n## Decisions\n\n[09:00] **Decision**: Postgres";
    environment.write("memory/daily/2026-11-15.md", log);
    backend.append(&[learning(1, "Text.")]).unwrap();
    let written = environment.read("memory/daily/2026-11-15.md");
    let rest = written.strip_prefix(log).unwrap();
    assert!(rest.starts_with("\n\n## Learnings\n\n[14:32] **Pitfall** (grove:learn-"), "{rest}");
    let log = ("memory/daily/2026-11-15.md".into(), vec![kept(learning(1, "Text."))]);
    assert_eq!(read(&backend, &environment), [log]);
}

#[test]
fn fourteen_days_and_the_registers_are_read_and_the_archive_when_asked() {
    let environment = TestEnvironment::new();
    let backend = total_recall(&environment);
    backend.append(&[learning(1, "Text.")]).unwrap();
    let entry = environment.read("memory/daily/2026-11-15.md");
    fs::remove_file(environment.project().join("memory/daily/2026-11-15.md")).unwrap();
    for name in [
        "daily/2026-11-15.md",
        "daily/2026-11-02.md",
        "daily/2026-11-01.md",
        "daily/notes.md",
        "daily/2026-11-03.txt",
        "registers/tech-stack.md",
        "registers/decisions.md",
        "archive/2025.md",
    ] {
        environment.write(format!("memory/{name}"), &entry);
    }
    let names = |backend: &TotalRecall| -> Vec<String> {
        let sources = read(backend, &environment).into_iter();
        sources.map(|(path, _)| path.to_str().unwrap().to_owned()).collect()
    };
    let near = [
        "memory/daily/2026-11-15.md",
        "memory/daily/2026-11-02.md",
        "memory/registers/tech-stack.md",
        "memory/registers/decisions.md",
    ];
    assert_eq!(names(&backend), near);
    let now = LocalTime::new(NOW, 0);
    let all = TotalRecall::new(&ground(&environment), now, Archive::Read);
    let far = ["memory/archive/2025.md", "memory/daily/2026-11-01.md"];
    assert_eq!(names(&all), [&near[..], &far].concat());
}

#[test]
fn the_date_is_the_one_on_the_wall() {
    let environment = TestEnvironment::new();
    fs::create_dir(environment.project().join("memory")).unwrap();
    let written = |ahead_minutes| {
        let now = LocalTime::new(NOW, ahead_minutes);
        let backend = TotalRecall::new(&ground(&environment), now, Archive::Left);
        backend.append(&[learning(1, "Text.")]).unwrap();
        let log = fs::read_to_string(backend.location()).unwrap();
        let clock = log.lines().find_map(|line| line.get(..7).filter(|_| line.starts_with('[')));
        let name = backend.location().file_name().unwrap().to_str().unwrap().to_owned();
        (name, clock.unwrap().to_owned())
    };
    let of = |name: &str, clock: &str| (name.to_owned(), clock.to_owned());
    assert_eq!(written(10 * 60), of("2026-11-16.md", "[00:32]"));
    assert_eq!(written(-15 * 60), of("2026-11-14.md", "[23:32]"));
}

#[test]
fn unchanged_files_are_not_read_again() {
    let environment = TestEnvironment::new();
    let backend = total_recall(&environment);
    backend.append(&[learning(1, "Text.")]).unwrap();
    let path = backend.location();
    let state = |known: &[_]| backend.read(known).remove(0).state;
    let SourceState::Whole(entries) = state(&[]) else { panic!("not read") };
    let known = [(path, entries.mark)];
    assert!(matches!(state(&known), SourceState::Same));
    backend.append(&[learning(2, "Text.")]).unwrap();
    let SourceState::Whole(entries) = state(&known) else { panic!("not read") };
    assert_eq!(entries.learnings.len(), 2);
}

#[test]
fn memory_that_is_gone_or_no_directory_is_an_error_and_not_made_again() {
    let environment = TestEnvironment::new();
    let now = LocalTime::new(NOW, 0);
    let backend = TotalRecall::new(&ground(&environment), now, Archive::Left);
    let append = || backend.append(&[learning(1, "Text.")]);
    assert!(matches!(append(), Err(FileError::Io { action: "open", .. })));
    assert!(!environment.project().join("memory").exists());
    assert!(backend.read(&[]).is_empty());
    assert!(backend.health().is_err());
    assert_eq!(backend.kind(), BackendKind::TotalRecall);

    environment.write("memory/daily", "a file");
    let error = append().unwrap_err();
    let says = "open $ENV/home/project/memory/daily/2026-11-15.md";
    assert_eq!(environment.normalise(&error.to_string()), says);
    let [Source { path, state: SourceState::Unreadable(_) }] = &backend.read(&[])[..] else {
        panic!("it was read")
    };
    assert_eq!(path, Path::new(&environment.project().join("memory/daily")));
}
