//! Tests that the fold of a project covers everything in its segment and spill, with any damage to
//! its snapshot.

use std::fs::{self, File};
use std::panic::{AssertUnwindSafe, catch_unwind};

use verger_event::{Draft, ProjectId, SessionKey};
use verger_store::conformance::key;
use verger_store::{ReadLog, Retention, SegmentName};
use verger_store_local::Point;

use crate::beside::Reversed;
use crate::sandbox::{ORDER, Order, Sandbox, clean, observation, overwrite};
use crate::snapshotted::{Snapshotted, head};

fn observations(key: &SessionKey, count: usize) -> Vec<Draft> {
    (0..count).map(|n| observation(key, &format!("note {n}"))).collect()
}

fn snapshotted() -> Snapshotted {
    Snapshotted::new(|key| observations(key, 34), ".order.bin", |log, _| drop(log.project_order()))
}

#[test]
fn a_project_is_folded_by_way_of_a_snapshot() {
    let subject = snapshotted();
    assert_eq!(subject.heads(), [32, 16]);
    assert_eq!(subject.log.project_order(), Order::of(&subject.drafts));
    assert_eq!(subject.log.store.take_unfinished().len(), 0);
}

#[test]
fn a_project_without_a_record_is_folded_too() {
    assert_eq!(Sandbox::new().project_order(), Order::default());
}

#[test]
fn a_snapshot_of_a_project_is_no_segment_and_no_part_of_one() {
    let Snapshotted { log, key, .. } = snapshotted();
    let project = SegmentName::Project("b0b1".to_owned());
    let session = SegmentName::Session(key.file_stem());
    assert_eq!(log.store.segments().unwrap(), [session, project.clone()]);
    assert_eq!(log.store.verify(&project).unwrap(), clean(34));
}

#[test]
fn a_project_in_use_is_folded_with_its_spill_and_gets_no_snapshot() {
    let mut subject = snapshotted();
    subject.drafts.extend(observations(&subject.key, 20));
    subject.log.commit(&subject.key, &subject.drafts[34..]);
    subject.drafts.push(observation(&subject.key, "spilled"));
    // Plays another process that holds the project's lock.
    let lock = subject.log.root().join("projects/b0b1.lock");
    let lock = File::options().write(true).open(lock).unwrap();
    lock.lock().unwrap();
    subject.log.commit(&subject.key, &subject.drafts[54..]);
    assert_eq!(subject.log.project_order(), Order::of(&subject.drafts));
    assert_eq!(subject.heads(), [32, 16]);
    drop(lock);
    assert_eq!(subject.log.project_order(), Order::of(&subject.drafts));
    assert_eq!(subject.heads(), [54, 32], "what is spilled is not in the segment");
    subject.drafts.push(observation(&subject.key, "merges"));
    subject.log.commit(&subject.key, &subject.drafts[55..]);
    assert_eq!(subject.log.project_order(), Order::of(&subject.drafts));
    assert_eq!(subject.log.store.take_unfinished().len(), 0);
}

#[test]
fn whatever_is_in_the_place_of_a_projects_snapshot_is_done_without() {
    let subject = snapshotted();
    let whole = fs::read(&subject.current).unwrap();
    for bytes in [&b""[..], b"{}\n", &whole[..whole.len() / 2]] {
        overwrite(&subject.current, bytes);
        assert_eq!(subject.log.project_order(), Order::of(&subject.drafts));
    }
    overwrite(&subject.previous, b"");
    assert_eq!(subject.log.project_order(), Order::of(&subject.drafts));
    assert_eq!(head(&subject.current), 34);
    let project = ProjectId::new("b0b1");
    subject.log.store.project_fold::<Reversed>(&project, ORDER).unwrap();
    overwrite(&subject.previous, b"");
    assert_eq!(subject.log.project_order(), Order::of(&subject.drafts), "of another version");
    // Replaces the segment by a different one, so that the snapshot no longer matches.
    let segment = subject.log.root().join("projects/b0b1.jsonl");
    let lines = fs::read(&segment).unwrap();
    let end = (1..).zip(&lines).filter(|(_, b)| **b == b'\n').nth(9).unwrap().0;
    fs::write(&segment, &lines[..end]).unwrap();
    assert_eq!(subject.log.project_order(), Order::of(&subject.drafts[..10]));
    assert_eq!(subject.log.store.take_unfinished().len(), 0);
}

#[test]
fn trouble_with_the_snapshot_of_a_project_is_told_and_costs_no_answer() {
    let (log, key) = (Sandbox::new(), key("s"));
    let drafts = observations(&key, 16);
    log.commit(&key, &drafts);
    let spare = log.root().join("projects/b0b1.order.bin.1");
    fs::create_dir(&spare).unwrap();
    assert_eq!(log.project_order(), Order::of(&drafts));
    let told: Vec<_> = log.store.take_unfinished().iter().map(ToString::to_string).collect();
    assert_eq!(told, [format!("remove {}", spare.display())]);
}

#[test]
fn a_process_that_dies_while_it_saves_a_project_snapshot_leaves_a_usable_one() {
    for (point, heads) in [(Point::SnapshotWritten, [32, 54]), (Point::SnapshotReplaced, [54, 32])]
    {
        let mut subject = snapshotted();
        subject.drafts.extend(observations(&subject.key, 20));
        subject.log.commit(&subject.key, &subject.drafts[34..]);
        let dying = subject.log.dying_at(point);
        let fold = || dying.project_fold::<Order>(&ProjectId::new("b0b1"), ORDER).map(drop);
        let is_dead = catch_unwind(AssertUnwindSafe(fold)).is_err();
        assert!(is_dead, "nobody came to {point:?}");
        assert_eq!(subject.heads(), heads);
        assert_eq!(subject.log.project_order(), Order::of(&subject.drafts));
        assert_eq!(subject.log.store.settle(&subject.key).unwrap(), 0);
    }
}
