//! Tests of the statistics logs.

use std::fs;

use verger_event::{EventId, SessionId, Timestamp};
use verger_library::{Ground, Mark, StatsLog, StatsReading, TellError};
use verger_memory::stats::{Log, StatsEvent, StatsLine};
use verger_testkit::TestEnvironment;

use crate::ground::{WRITERS, ground, write_at_once};

fn line(number: u64) -> StatsLine {
    let at = Timestamp::from_millis(1_794_767_961_556 + number);
    let learning = "learn-a".parse().unwrap();
    StatsLine {
        id: EventId::new(at, number.into()),
        at,
        session: Some(SessionId::new("s-1")),
        tickets: vec![],
        event: StatsEvent::Dismissed { learning },
    }
}

fn whole(log: &StatsLog) -> (Log, Mark) {
    match log.read(None).unwrap() {
        StatsReading::Whole(log, mark) => (log, mark),
        other => panic!("{other:?}"),
    }
}

fn lines(numbers: impl IntoIterator<Item = u64>) -> Log {
    Log { lines: numbers.into_iter().map(line).collect(), ..Log::default() }
}

#[test]
fn lines_are_appended_and_what_is_new_is_read() {
    let environment = TestEnvironment::new();
    let log = StatsLog::of_project(&ground(&environment));
    assert_eq!(log.read(None).unwrap(), StatsReading::Missing);
    let nowhere = Ground { root: environment.root().join("nowhere"), ..ground(&environment) };
    assert_eq!(StatsLog::of_project(&nowhere).read(None).unwrap(), StatsReading::Missing);
    log.append(&[]).unwrap();
    assert!(!environment.project().join(".verger").exists());

    log.append(&[line(1), line(2)]).unwrap();
    let (read, mark) = whole(&log);
    assert_eq!(read, lines([1, 2]));
    assert_eq!(log.read(Some(&mark)).unwrap(), StatsReading::Same);
    assert!(environment.read(".verger/.gitattributes").contains("stats.log merge=union\n"));

    log.append(&[line(3)]).unwrap();
    let StatsReading::Appended(read, mark) = log.read(Some(&mark)).unwrap() else {
        panic!("it was replaced")
    };
    assert_eq!(read, lines([3]));
    assert_eq!(log.read(Some(&mark)).unwrap(), StatsReading::Same);
    assert_eq!(whole(&log), (lines([1, 2, 3]), mark));
}

#[test]
fn lines_that_could_not_be_written_wait_and_come_before_the_next_ones() {
    let environment = TestEnvironment::new();
    let log = StatsLog::of_project(&ground(&environment));
    let path = environment.project().join(".verger/stats.log");
    fs::create_dir_all(&path).unwrap();
    for number in [2, 1] {
        assert!(matches!(log.tell(&[line(number)]), Err(TellError::Later(_))));
    }
    assert!(log.append(&[line(9)]).is_err(), "what must happen now does not wait");
    fs::remove_dir(&path).unwrap();
    log.append(&[]).unwrap();
    assert_eq!(whole(&log).0, lines([1, 2]));
    log.tell(&[line(3)]).unwrap();
    assert_eq!(whole(&log).0, lines([1, 2, 3]));
}

#[test]
fn more_than_can_wait_is_not_kept() {
    let environment = TestEnvironment::new();
    let log = StatsLog::of_project(&ground(&environment));
    let path = environment.project().join(".verger/stats.log");
    fs::create_dir_all(&path).unwrap();
    for number in 0..1000 {
        assert!(matches!(log.tell(&[line(number)]), Err(TellError::Later(_))));
    }
    assert!(matches!(log.tell(&[line(1000)]), Err(TellError::Never(_))));
    fs::remove_dir(&path).unwrap();
    log.tell(&[line(1001)]).unwrap();
    assert_eq!(whole(&log).0, lines((0..1000).chain([1001])));
}

#[test]
fn a_log_that_git_replaced_is_read_from_the_beginning() {
    let environment = TestEnvironment::new();
    let log = StatsLog::of_project(&ground(&environment));
    log.append(&[line(1), line(2)]).unwrap();
    let (_, mark) = whole(&log);
    let path = environment.project().join(".verger/stats.log");
    let ours = fs::read_to_string(&path).unwrap();
    fs::remove_file(&path).unwrap();
    log.append(&[line(3), line(4), line(5)]).unwrap();
    let theirs = fs::read_to_string(&path).unwrap();
    let whole = |expected: &[u64]| {
        let StatsReading::Whole(read, _) = log.read(Some(&mark)).unwrap() else {
            panic!("not read from the beginning")
        };
        assert_eq!(read, lines(expected.iter().copied()));
    };
    whole(&[3, 4, 5]);
    // Simulates a merge that put the lines of the other branch first, and then a checkout of an
    // older version.
    fs::write(&path, format!("{theirs}{ours}")).unwrap();
    whole(&[3, 4, 5, 1, 2]);
    fs::write(&path, ours.lines().next().unwrap()).unwrap();
    whole(&[1]);
}

#[test]
fn bad_lines_are_named_with_their_number_and_the_rest_counts() {
    let environment = TestEnvironment::new();
    let log = StatsLog::of_project(&ground(&environment));
    log.append(&[line(1)]).unwrap();
    let (_, mark) = whole(&log);
    let path = environment.project().join(".verger/stats.log");
    let mut bytes = fs::read(&path).unwrap();
    bytes.extend_from_slice(b"<<<<<<< HEAD\n\xff\n{\"v\":1,\"eve");
    fs::write(&path, &bytes).unwrap();
    log.append(&[line(2)]).unwrap();
    assert!(fs::read(&path).unwrap().starts_with(&bytes));
    let (read, _) = whole(&log);
    let named: Vec<_> = read.problems.iter().map(|problem| problem.line).collect();
    assert_eq!((read.lines, named), (vec![line(1), line(2)], vec![2, 3, 4]));
    let StatsReading::Appended(read, _) = log.read(Some(&mark)).unwrap() else {
        panic!("it was replaced")
    };
    let named: Vec<_> = read.problems.iter().map(|problem| problem.line).collect();
    assert_eq!((read.lines, named), (vec![line(2)], vec![2, 3, 4]));
}

#[test]
fn the_persons_log_is_in_the_data_directory() {
    let environment = TestEnvironment::new();
    let ground = ground(&environment);
    StatsLog::of_project(&ground).append(&[line(1)]).unwrap();
    let log = StatsLog::personal(&ground);
    log.append(&[line(2)]).unwrap();
    assert_eq!(log.file().path(), ground.data.join("personal-stats.log"));
    assert_eq!(whole(&log).0, lines([2]));
}

#[test]
fn lines_logged_at_the_same_time_are_all_stored() {
    let environment = TestEnvironment::new();
    let ground = ground(&environment);
    write_at_once(|writer| StatsLog::of_project(&ground).append(&[line(writer)]).unwrap());
    let (mut read, _) = whole(&StatsLog::of_project(&ground));
    read.lines.sort_by_key(|line| line.id);
    assert_eq!(read, lines(0..WRITERS));
}
