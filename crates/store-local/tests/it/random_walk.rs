//! Tests with commits, deaths, spills, merges, lost tails and bad snapshots in any order. Readers
//! always get the intact lines in order, and every state is the fold of these lines.

use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};

use proptest::prelude::*;
use verger_event::stored::{Carried, Decoded};
use verger_event::{Draft, EventId, Session, SessionKey};
use verger_store::conformance::key;
use verger_store::{Entry, Retention, Sessions, Turn};

use crate::sandbox::{
    ORDER, Order, POINTS, Sandbox, call, calls, commit_or_die, fold_of, ids, observation,
};

#[derive(Debug, Clone)]
enum Step {
    Commit(usize),
    CommitDurable,
    Spill(usize),
    Merge,
    Die { point: usize, records: usize },
    LoseTail(usize),
    BadSnapshot { is_previous: bool, at: usize },
    Beside,
    DieBeside { point: usize },
    Settle,
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        4 => (0usize..20).prop_map(Step::Commit),
        2 => Just(Step::CommitDurable),
        2 => (1usize..4).prop_map(Step::Spill),
        1 => Just(Step::Merge),
        4 => (0..POINTS.len(), 0usize..20).prop_map(|(point, records)| Step::Die { point, records }),
        2 => (1usize..3000).prop_map(Step::LoseTail),
        2 => (any::<bool>(), 0usize..2000)
            .prop_map(|(is_previous, at)| Step::BadSnapshot { is_previous, at }),
        2 => Just(Step::Beside),
        1 => (0..POINTS.len()).prop_map(|point| Step::DieBeside { point }),
        1 => Just(Step::Settle),
    ]
}

/// The records that a reader should get: the log's in order, then the spilled ones.
#[derive(Default)]
struct Model {
    logged: Vec<EventId>,
    spilled: Vec<EventId>,
}

impl Model {
    fn merge_and(&mut self, drafts: &[Draft]) {
        self.logged.append(&mut self.spilled);
        self.logged.extend(drafts.iter().map(|draft| draft.id));
    }
}

/// The ids of the records in intact lines, found without the code of the store.
fn intact(bytes: &[u8]) -> Vec<EventId> {
    let mut carried = Carried::in_segment_of(key("s"));
    bytes
        .split(|&b| b == b'\n')
        .filter_map(|line| match carried.decode(line) {
            Ok(Decoded::Line(line)) => Some(line.id()),
            Ok(Decoded::Foreign { .. }) | Err(_) => None,
        })
        .collect()
}

fn take(log: &Sandbox, key: &SessionKey, model: &mut Model, step: &Step) {
    match *step {
        Step::Commit(count) => {
            let drafts = calls(key, count);
            log.commit(key, &drafts);
            model.merge_and(&drafts);
        }
        Step::CommitDurable => {
            let drafts = [observation(key, "durable"), call(key, 1)];
            log.commit(key, &drafts);
            model.merge_and(&drafts);
        }
        Step::Spill(count) => {
            let drafts = calls(key, count);
            log.spill(key, &drafts);
            model.spilled.extend(drafts.iter().map(|draft| draft.id));
        }
        Step::Merge => {
            log.commit(key, &[]);
            model.merge_and(&[]);
        }
        Step::Die { point, records } => {
            let mut drafts = calls(key, records);
            drafts.push(observation(key, "durable"));
            let dying = log.dying_at(POINTS[point]);
            let is_done = commit_or_die(&dying, key, &drafts).is_some();
            // A turn that died before its write left no record. A turn that died later left all its
            // records.
            let is_written = ids(&log.read(key)).contains_key(&drafts[records].id);
            assert!(is_written || !is_done, "acknowledged and lost");
            if is_written {
                model.merge_and(&drafts);
            }
        }
        Step::LoseTail(count) => {
            // Merges first, so that records in a spill file of a dead process are not lost with the
            // tail.
            log.commit(key, &[]);
            model.merge_and(&[]);
            let segment = log.segment();
            let bytes = fs::read(&segment).unwrap();
            let kept = &bytes[..bytes.len().saturating_sub(count)];
            fs::write(&segment, kept).unwrap();
            model.logged = intact(kept);
        }
        Step::BadSnapshot { is_previous, at } => {
            let ending = if is_previous { ".json.1" } else { ".json" };
            for path in log.files(ending) {
                let mut bytes = fs::read(&path).unwrap();
                let at = at % bytes.len();
                bytes[at] ^= 1;
                fs::write(&path, bytes).unwrap();
            }
        }
        Step::Beside => {
            let expected = log.store.replay::<Order>(&key.file_stem()).unwrap();
            let holder = log.store.open::<Session>(key).unwrap();
            let waiting = log.store.open::<Session>(key).unwrap();
            assert_eq!(*holder.beside::<Order>(ORDER).unwrap(), expected);
            assert_eq!(*waiting.beside::<Order>(ORDER).unwrap(), expected);
        }
        Step::DieBeside { point } => {
            let dying = log.dying_at(POINTS[point]);
            let turn =
                || dying.open::<Session>(key).unwrap().beside::<Order>(ORDER).map(drop).unwrap();
            // Readers see no change, whether or not the turn reached its point.
            drop(catch_unwind(AssertUnwindSafe(turn)));
        }
        Step::Settle => {
            log.store.settle(key).unwrap();
            model.merge_and(&[]);
        }
    }
}

fn check(log: &Sandbox, key: &SessionKey, model: &Model) {
    let entries = log.read(key);
    let id = |entry: &Entry| match entry {
        Entry::Record(record) | Entry::Spilled(record) => Some(record.draft.id),
        Entry::Foreign { .. } | Entry::Bad { .. } => None,
    };
    let found: Vec<_> = entries.iter().filter_map(id).collect();
    let project: Vec<_> = (1..).zip(log.project().iter().filter_map(id)).collect();
    assert_eq!(log.project_order(), Order { records: project });
    assert_eq!(found, [&model.logged[..], &model.spilled[..]].concat());
    assert_eq!(log.assert_folds_agree(key).events, found.len() as u64);
    assert_eq!(log.state(key), fold_of(&entries));
    assert_eq!(log.verify(key).spilled, model.spilled.len() as u64);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn readers_get_the_intact_lines_in_order(steps in prop::collection::vec(step(), 1..16)) {
        let (log, key) = (Sandbox::new(), key("s"));
        let mut model = Model::default();
        for step in &steps {
            take(&log, &key, &mut model, step);
            check(&log, &key, &model);
        }
        log.store.settle(&key).unwrap();
        let project = ids(&log.project());
        prop_assert!(project.values().all(|count| *count == 1));
        for entry in log.read(&key) {
            if let Entry::Record(record) = entry && record.draft.event.is_durable() {
                prop_assert!(project.contains_key(&record.draft.id));
            }
        }
        log.commit(&key, &[]);
    }
}
