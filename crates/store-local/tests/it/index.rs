//! Tests that an updated index equals a rebuilt one, and that an unusable index is created again.
#![cfg(feature = "index")]

use std::fs;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use verger_event::{EndReason, Event, Fold, Form, ProjectId, Record, Session, SessionKey};
use verger_store::conformance::{draft, key};
use verger_store::{ReadLog, Retention, SegmentName, Sessions, Turn};
use verger_store_local::{
    Difference, Index, IndexError, LocalStore, Point, Probe, Progress, Rebuilt, SessionRow,
};

use crate::sandbox::{ORDER, Order, Sandbox, call, calls, observation, options};

fn file(log: &Sandbox) -> PathBuf {
    log.root().join("index.db")
}

#[track_caller]
fn refreshed(log: &Sandbox) -> Vec<SessionRow> {
    let listed = Index::list::<Session>(&log.store).unwrap();
    assert_eq!(Index::open(&log.store).unwrap().sessions().unwrap(), listed, "it is on the disk");
    listed
}

#[track_caller]
fn rebuilt(log: &Sandbox) -> (Rebuilt, Vec<SessionRow>) {
    let done = log.store.rebuild::<Session>(&mut |_| {}).unwrap();
    (done, Index::open(&log.store).unwrap().sessions().unwrap())
}

fn some_sessions(log: &Sandbox) -> Vec<SessionKey> {
    let keys: Vec<_> = (0..5).map(|n| key(&format!("s{n}"))).collect();
    for (n, key) in keys.iter().enumerate() {
        log.commit(key, &calls(key, 10 * n + 1));
    }
    log.commit(&keys[1], &[draft(&keys[1], Event::SessionEnded { reason: EndReason::Logout })]);
    keys
}

#[test]
fn an_index_brought_up_to_date_equals_one_made_anew() {
    let log = Sandbox::new();
    let keys = some_sessions(&log);
    let first = refreshed(&log);
    assert_eq!(first.len(), 5);
    assert_eq!(refreshed(&log), first);
    log.commit(&keys[2], &calls(&keys[2], 30));
    log.spill(&keys[3], &calls(&keys[3], 2));
    log.commit(&keys[3], &[]);
    let second = refreshed(&log);
    assert_ne!(second, first);
    let (done, anew) = rebuilt(&log);
    assert_eq!(anew, second);
    assert_eq!(done, Rebuilt { sessions: 5, records: 1 + 12 + 51 + 33 + 41, settled: 0 });
    let (compared, differences) = log.store.compare::<Session>(&mut |_| {}).unwrap();
    assert_eq!((compared, differences), (done, vec![]));
}

#[test]
fn a_command_reads_the_sessions_that_changed_and_no_others() {
    let log = Sandbox::new();
    let keys = some_sessions(&log);
    assert_eq!(marks(&log).len(), 5);
    let first = refreshed(&log);
    assert_eq!(marks(&log), Vec::<String>::new());
    // A removed segment leaves no mark, so no command notices the change until a rebuild.
    let behind_our_back = log.files(&format!("{}.jsonl", keys[0].file_stem())).remove(0);
    fs::remove_file(behind_our_back).unwrap();
    log.commit(&keys[1], &[call(&keys[1], 99)]);
    assert_eq!(marks(&log), [keys[1].file_stem()]);
    let second = refreshed(&log);
    let differing = first.iter().filter(|row| !second.contains(row));
    assert_eq!(differing.map(|row| row.session.as_str()).collect::<Vec<_>>(), ["s1"]);
    assert_eq!(rebuilt(&log).1.len(), 4);
}

#[test]
fn a_command_that_dies_between_taking_marks_and_reading_loses_none() {
    let log = Sandbox::new();
    let keys = some_sessions(&log);
    refreshed(&log);
    log.commit(&keys[0], &[call(&keys[0], 99)]);
    // Prepares the table as a killed command would have left it.
    let other = rusqlite::Connection::open(file(&log)).unwrap();
    other.execute("INSERT INTO to_look_at VALUES (?1)", [keys[0].file_stem()]).unwrap();
    fs::remove_file(log.root().join("changed").join(keys[0].file_stem())).unwrap();
    drop(other);
    let listed = refreshed(&log);
    assert_eq!(listed, rebuilt(&log).1);
    assert_eq!(listed.iter().find(|row| row.session == "s0").unwrap().events, 2);
}

/// A probe that acts like another command: it removes the mark just before the record is written.
struct TakesMark(PathBuf);

impl Probe for TakesMark {
    fn reached(&self, point: Point) {
        if point == Point::BeforeWrite {
            fs::remove_file(&self.0).unwrap();
        }
    }
}

#[test]
fn a_turn_marks_its_session_again_where_a_command_took_the_mark_meanwhile() {
    let (log, key) = (Sandbox::new(), key("s"));
    let probe = TakesMark(log.root().join("changed").join(key.file_stem()));
    let store = LocalStore::with_probe(&log.root(), options(), probe).unwrap();
    store.open::<Session>(&key).unwrap().commit(calls(&key, 1)).unwrap();
    assert_eq!(marks(&log), [key.file_stem()]);
}

#[test]
fn records_appended_while_commands_list_are_listed_afterwards() {
    let log = Sandbox::new();
    let keys: Vec<_> = (0..4).map(|n| key(&format!("s{n}"))).collect();
    std::thread::scope(|scope| {
        for key in &keys {
            scope.spawn(|| {
                for n in 0..50 {
                    log.commit(key, &[call(key, n)]);
                }
            });
        }
        for _ in 0..2 {
            scope.spawn(|| (0..30).for_each(|_| drop(Index::list::<Session>(&log.store).unwrap())));
        }
    });
    let events: Vec<_> = refreshed(&log).into_iter().map(|row| row.events).collect();
    assert_eq!(events, [50; 4]);
}

fn marks(log: &Sandbox) -> Vec<String> {
    let entries = fs::read_dir(log.root().join("changed")).unwrap();
    entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
}

#[test]
fn a_removed_session_disappears() {
    let log = Sandbox::new();
    let keys = some_sessions(&log);
    refreshed(&log);
    log.store.remove(&keys[2]).unwrap();
    let left: Vec<_> = refreshed(&log).into_iter().map(|row| row.session).collect();
    assert_eq!(left.len(), 4);
    assert!(!left.contains(&"s2".to_owned()), "{left:?}");
    assert_eq!(rebuilt(&log).1, refreshed(&log));
}

#[test]
fn a_damaged_index_is_made_anew() {
    let log = Sandbox::new();
    some_sessions(&log);
    let expected = refreshed(&log);
    let whole = fs::read(file(&log)).unwrap();
    let garbage = vec![b'g'; whole.len()];
    let mut holed = whole.clone();
    holed[4096..8192].fill(0xAA);
    let cases: [&[u8]; 7] =
        [b"", b"not a database", &whole[..50], &whole[..100], &whole[..4096], &garbage, &holed];
    for (n, bytes) in cases.into_iter().enumerate() {
        fs::write(file(&log), bytes).unwrap();
        assert_eq!(refreshed(&log), expected, "case {n}");
    }
    fs::remove_file(file(&log)).unwrap();
    assert_eq!(refreshed(&log), expected);
}

#[test]
fn an_index_of_another_version_is_made_anew() {
    let log = Sandbox::new();
    some_sessions(&log);
    let expected = refreshed(&log);
    let other = rusqlite::Connection::open(file(&log)).unwrap();
    other.pragma_update(None, "user_version", 99).unwrap();
    drop(other);
    assert_eq!(refreshed(&log), expected);
}

#[test]
fn the_journal_of_a_lost_index_is_not_applied_to_the_new_one() {
    let log = Sandbox::new();
    some_sessions(&log);
    let expected = refreshed(&log);
    fs::write(file(&log), "lost").unwrap();
    fs::write(log.root().join("index.db-journal"), "stale").unwrap();
    assert_eq!(refreshed(&log), expected);
    assert!(!log.root().join("index.db-journal").exists());
}

#[test]
fn leftovers_of_an_unfinished_index_are_replaced() {
    let log = Sandbox::new();
    some_sessions(&log);
    let expected = refreshed(&log);
    fs::remove_file(file(&log)).unwrap();
    fs::write(log.root().join("index.db.new"), "half").unwrap();
    fs::write(log.root().join("index.db.new-journal"), "half").unwrap();
    assert_eq!(rebuilt(&log).1, expected);
    assert_eq!(log.files(".new"), Vec::<PathBuf>::new());
}

#[test]
fn an_index_in_use_is_an_error_and_not_damage() {
    let log = Sandbox::new();
    some_sessions(&log);
    refreshed(&log);
    let index = Index::open(&log.store).unwrap();
    let other = rusqlite::Connection::open(file(&log)).unwrap();
    other.execute_batch("BEGIN EXCLUSIVE").unwrap();
    match index.refresh::<Session>() {
        Err(IndexError::Sqlite { source, .. }) => {
            assert_eq!(source.sqlite_error_code(), Some(rusqlite::ErrorCode::DatabaseBusy));
        }
        other => panic!("{other:?}"),
    }
    other.execute_batch("ROLLBACK").unwrap();
    index.refresh::<Session>().unwrap();
}

#[test]
fn a_rebuild_makes_everything_good_that_can_be() {
    let log = Sandbox::new();
    let keys = some_sessions(&log);
    log.commit(&keys[4], &[observation(&keys[4], "durable")]);
    fs::remove_file(log.root().join("projects/b0b1.jsonl")).unwrap();
    log.spill(&keys[0], &[call(&keys[0], 9)]);
    for snapshot in log.files(".json") {
        fs::write(snapshot, "{}").unwrap();
    }
    let mut steps = vec![];
    let done = log.store.rebuild::<Session>(&mut |step| steps.push(step)).unwrap();
    assert_eq!(done.settled, 1);
    assert_eq!(steps.last(), Some(&Progress { done: 5, total: 5 }));
    assert_eq!(log.project().len(), 1);
    assert_eq!(log.verify(&keys[0]), crate::sandbox::clean(2));
    assert_eq!(
        log.store.compare::<Session>(&mut |_| {}).unwrap(),
        (Rebuilt { settled: 0, ..done }, vec![])
    );
}

#[test]
fn a_rebuild_removes_the_snapshots_of_other_folds_unless_somebody_writes() {
    let log = Sandbox::new();
    let keys = some_sessions(&log);
    let durable: Vec<_> = (0..16).map(|_| observation(&keys[0], "durable")).collect();
    log.commit(&keys[0], &durable);
    for key in &keys {
        log.beside(key);
    }
    log.project_order();
    let mut expected = log.files(".order.bin");
    assert_eq!(expected.len(), 6, "{expected:?}");
    let turn = log.store.open::<Session>(&keys[3]).unwrap();
    rebuilt(&log);
    expected.retain(|path| path.to_str().unwrap().contains(&keys[3].file_stem()));
    assert_eq!(log.files(".order.bin"), expected);
    drop(turn);
    rebuilt(&log);
    assert_eq!(log.files(".order.bin"), Vec::<PathBuf>::new());
    assert_eq!(log.store.take_unfinished().len(), 0);
    assert_eq!(log.project_order(), Order::of(&durable));
    log.beside(&keys[3]);
    assert_eq!(log.files(".order.bin").len(), 2);
}

#[test]
fn a_snapshot_of_another_fold_that_cannot_be_removed_costs_a_rebuild_no_session() {
    let log = Sandbox::new();
    let keys = some_sessions(&log);
    let in_the_way = log.root().join(format!("sessions/{}.order.bin", keys[2].file_stem()));
    fs::create_dir(&in_the_way).unwrap();
    assert_eq!(rebuilt(&log).0.sessions, 5);
    let told: Vec<_> = log.store.take_unfinished().iter().map(ToString::to_string).collect();
    assert_eq!(told, [format!("remove {}", in_the_way.display())]);
}

#[test]
fn a_rebuild_goes_on_past_a_session_in_use() {
    let log = Sandbox::new();
    let keys = some_sessions(&log);
    let turn = log.store.open::<Session>(&keys[3]).unwrap();
    assert_eq!(rebuilt(&log).0.sessions, 5);
    drop(turn);
}

#[test]
fn wrong_rows_of_the_index_are_a_difference() {
    let log = Sandbox::new();
    some_sessions(&log);
    refreshed(&log);
    let other = rusqlite::Connection::open(file(&log)).unwrap();
    other.execute("UPDATE sessions SET events = 99 WHERE session = 's1'", []).unwrap();
    drop(other);
    let (_, differences) = log.store.compare::<Session>(&mut |_| {}).unwrap();
    assert_eq!(differences, [Difference::Index { stem: key("s1").file_stem() }]);
}

/// A fold that has the same stored form and version as [`Order`] but computes a wrong state.
#[derive(Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
struct Disorder(Order);

impl Fold for Disorder {
    const VERSION: u32 = Order::VERSION;
    const FORM: Form = Order::FORM;

    fn apply(&mut self, record: &Record) {
        self.0.records.insert(0, (record.seq, record.draft.id));
    }
}

#[test]
fn a_wrong_snapshot_of_another_fold_is_a_difference() {
    let log = Sandbox::new();
    let keys = some_sessions(&log);
    log.commit(&keys[0], &(0..16).map(|_| observation(&keys[0], "")).collect::<Vec<_>>());
    let mut steps = vec![];
    assert_eq!(log.store.compare_beside::<Order>(ORDER, &mut |step| steps.push(step)).unwrap(), []);
    assert_eq!(steps, [], "nothing to compare");
    for key in &keys[..4] {
        log.beside(key);
    }
    // A snapshot of the same fold under another name is not compared.
    log.store.open::<Session>(&keys[2]).unwrap().beside::<Disorder>("disorder").unwrap();
    assert_eq!(log.store.compare_beside::<Order>(ORDER, &mut |step| steps.push(step)).unwrap(), []);
    assert_eq!(steps.last(), Some(&Progress { done: 4, total: 4 }));
    assert_eq!(log.store.compare_projects::<Order>(ORDER).unwrap(), []);

    let (session, project) = (keys[4].file_stem(), ProjectId::new("b0b1"));
    log.store.open::<Session>(&keys[4]).unwrap().beside::<Disorder>(ORDER).unwrap();
    log.store.project_fold::<Disorder>(&project, ORDER).unwrap();
    let difference = |segment| Difference::Beside { segment, name: ORDER };
    let compare = || {
        let mut found = log.store.compare_beside::<Order>(ORDER, &mut |_| {}).unwrap();
        found.extend(log.store.compare_projects::<Order>(ORDER).unwrap());
        found
    };
    let segments = [SegmentName::Session(session), SegmentName::Project(project.file_stem())];
    assert_eq!(compare(), segments.map(difference));
    rebuilt(&log);
    assert_eq!(compare(), []);
    assert_eq!(log.store.take_unfinished().len(), 0);
}

#[test]
fn rebuilding_disturbs_nobody_who_reads_or_rebuilds_meanwhile() {
    let log = Sandbox::new();
    some_sessions(&log);
    let expected = refreshed(&log);
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                for _ in 0..20 {
                    log.store.rebuild::<Session>(&mut |_| {}).unwrap();
                }
            });
            scope.spawn(|| {
                let index = Index::open(&log.store).unwrap();
                for _ in 0..40 {
                    index.refresh::<Session>().unwrap();
                    assert_eq!(index.sessions().unwrap(), expected);
                }
            });
        }
    });
    assert_eq!(refreshed(&log), expected);
}

#[test]
fn an_index_that_was_replaced_under_its_reader_is_opened_again() {
    let log = Sandbox::new();
    some_sessions(&log);
    let expected = Index::list::<Session>(&log.store).unwrap();
    std::thread::scope(|scope| {
        scope.spawn(|| {
            for _ in 0..20 {
                fs::remove_file(file(&log)).unwrap();
                assert_eq!(Index::list::<Session>(&log.store).unwrap(), expected);
            }
        });
        for _ in 0..40 {
            assert_eq!(Index::list::<Session>(&log.store).unwrap(), expected);
        }
    });
}

#[test]
fn without_a_place_for_the_index_the_log_is_listed_all_the_same() {
    let log = Sandbox::new();
    some_sessions(&log);
    let expected = refreshed(&log);
    fs::remove_file(file(&log)).unwrap();
    fs::create_dir(file(&log)).unwrap();
    assert_eq!(Index::list::<Session>(&log.store).unwrap(), expected);
    assert_eq!(log.store.compare::<Session>(&mut |_| {}).unwrap().1, []);
}
