//! Statistics from a table and later log lines must equal those from reading all lines.

use std::fs;

use verger_event::{EventId, Reference, SessionId, Timestamp};
use verger_library::{Fault, Standing, Standings, Statistics, StatsLog};
use verger_memory::LearningId;
use verger_memory::stats::{StatsEvent, StatsLine};
use verger_testkit::TestEnvironment;

use crate::ground::ground;

fn id(number: u32) -> LearningId {
    format!("learn-{number}").parse().unwrap()
}

fn line(session: u64, event: StatsEvent) -> StatsLine {
    let at = Timestamp::from_millis(1_794_767_961_556 + session);
    let id = EventId::new(at, session.into());
    let session = Some(SessionId::new(session.to_string()));
    StatsLine { id, at, session, tickets: vec![], event }
}

fn surfaced(number: u32) -> StatsEvent {
    StatsEvent::Surfaced { learning: id(number), score: None }
}

fn archived(number: u32) -> StatsEvent {
    StatsEvent::Archived { learning: id(number), reason: String::new() }
}

#[test]
fn only_what_came_after_the_table_is_read() {
    let environment = TestEnvironment::new();
    let ground = ground(&environment);
    let dir = environment.verger_home().join("data/recall/x");
    let project = StatsLog::of_project(&ground);
    let personal = StatsLog::personal(&ground);
    let read = || Statistics::read(&dir, &ground);
    let hurried = |bytes| Statistics::read_at_most(&dir, &ground, bytes);
    assert_eq!(read().usage(&id(1)).surfaced, 0);

    let used = StatsEvent::Referenced { learning: id(1), how: Reference::Explicit };
    project.append(&[line(1, surfaced(1)), line(1, used), line(2, archived(2))]).unwrap();
    personal.append(&[line(3, surfaced(3))]).unwrap();
    let whole = Statistics::read_whole(&dir, &ground);
    let before = whole.state();
    whole.keep().unwrap();
    assert!(!hurried(0).is_behind);
    let known = read();
    assert_eq!(known.changed_since(&before), Some(vec![]));
    assert_eq!(known.of(&id(2)), Standing::Archived);

    let restored = StatsEvent::Restored { learning: id(2), reason: String::new() };
    project.append(&[line(4, surfaced(1)), line(5, archived(3)), line(6, restored)]).unwrap();
    let behind = hurried(100);
    assert!(behind.is_behind && !hurried(1000).is_behind);
    assert_eq!(behind.of(&id(2)), Standing::Archived, "as it was");
    let (known, all) = (read(), Statistics::read_whole(&dir, &ground));
    for number in 1..5 {
        assert_eq!(known.usage(&id(number)), all.usage(&id(number)), "{number}");
        assert_eq!(known.of(&id(number)), all.of(&id(number)), "{number}");
    }
    assert_eq!(known.of(&id(2)), Standing::Active);
    assert_eq!(known.changed_since(&before), Some(vec![id(3), id(2)]));
    assert_eq!(known.changed_since(&known.state()), Some(vec![id(3), id(2)]), "more is no harm");
    known.keep().unwrap();
    assert_eq!(read().state(), known.state(), "a part is not kept as the whole");
    assert!(hurried(0).is_behind);
}

#[test]
fn a_log_that_was_replaced_is_read_anew_and_bad_lines_are_named() {
    let environment = TestEnvironment::new();
    let ground = ground(&environment);
    let dir = environment.verger_home().join("data/recall/x");
    let project = StatsLog::of_project(&ground);
    project.append(&[line(1, surfaced(1)), line(2, surfaced(1))]).unwrap();
    let whole = Statistics::read_whole(&dir, &ground);
    whole.keep().unwrap();
    let path = environment.project().join(".verger/stats.log");
    fs::write(&path, "{ no json\n").unwrap();
    project.append(&[line(3, surfaced(1))]).unwrap();
    let read = Statistics::read(&dir, &ground);
    assert_eq!(read.usage(&id(1)).surfaced, 1);
    assert_eq!(read.changed_since(&whole.state()), None, "any may stand differently");
    let [Fault::Lines { problem, .. }] = &read.faults[..] else { panic!("{:?}", read.faults) };
    assert_eq!(problem.line, 1);
    fs::write(dir.join("usage"), "nonsense").unwrap();
    assert_eq!(Statistics::read(&dir, &ground).usage(&id(1)).surfaced, 1);
    fs::remove_file(dir.join("usage")).unwrap();
    let pipes = [dir.join("usage"), dir.join("suspects")];
    assert_eq!(environment.run("mkfifo", pipes, "").code, 0);
    let read = Statistics::read(&dir, &ground);
    assert_eq!(read.usage(&id(1)).surfaced, 1, "nobody waits for a pipe");
    assert_eq!(read.of(&id(1)), Standing::Active);
}
