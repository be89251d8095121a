//! Checks the invariants of a log. No acknowledged record is lost, the chain is intact, and the
//! next turn works. The state folded from the snapshot equals the state folded from all records.

use std::collections::BTreeSet;
use std::path::Path;

use verger_engine::State;
use verger_event::{ProjectId, SessionKey};
use verger_store::{Entry, Options, ReadLog, Receipt, Retention, SegmentName, Sessions, Turn};
use verger_store_local::{Fault, LocalStore};

use crate::bench::sample;
use crate::failure::Failure;

/// The record number that the audit uses for its own record. No writer uses such numbers.
const AUDIT_NUMBER: usize = 900_000_000;

#[derive(Debug, Default)]
pub(crate) struct Audit {
    pub(crate) records: u64,
    pub(crate) lost: usize,
    pub(crate) bad_lines: usize,
    pub(crate) spilled: u64,
    pub(crate) faults: Vec<String>,
}

/// The ids of the records in a session's segment.
#[derive(Default)]
struct Held {
    logged: BTreeSet<String>,
    spilled: BTreeSet<String>,
    /// The number of record ids that the log has more than once.
    repeated: usize,
    durable: BTreeSet<String>,
}

/// Checks a session whose writers are all dead. `deaths` is the number of writers that may have
/// left a torn line.
pub(crate) fn audit(
    data: &Path,
    key: &SessionKey,
    acknowledged: &[String],
    deaths: usize,
) -> Result<Audit, Failure> {
    let store = LocalStore::open(data, Options::default())?;
    let mut audit = Audit::default();
    let before = held(&store, key)?;
    let is_held = |id: &&String| before.logged.contains(*id) || before.spilled.contains(*id);
    audit.lost = acknowledged.iter().filter(|id| !is_held(id)).count();
    let bad_before = verified(&store, &SegmentName::Session(key.file_stem()), &mut audit)?;
    audit.bad_lines = bad_before;
    folds_agree(&store, key, "after the kill", &mut audit)?;

    let draft = sample::draft(key, AUDIT_NUMBER, sample::event(1));
    let receipt = store.open::<State>(key)?.commit(vec![draft])?;
    if !matches!(receipt, Receipt::Logged { .. }) {
        audit.faults.push(format!("the next turn gave {receipt:?}"));
    }
    let after = held(&store, key)?;
    let merged_lost = before.spilled.iter().filter(|id| !after.logged.contains(*id)).count();
    audit.lost += merged_lost;
    if !after.spilled.is_empty() {
        audit.faults.push(format!("{} records wait after a merge", after.spilled.len()));
    }
    if after.repeated > 0 {
        audit.faults.push(format!("{} records are in the log twice", after.repeated));
    }
    let stem = SegmentName::Session(key.file_stem());
    let mut later = Audit::default();
    let bad_after = verified(&store, &stem, &mut later)?;
    if bad_after != bad_before || bad_before > deaths {
        audit.faults.push(format!("{bad_before}, then {bad_after} bad lines of {deaths} deaths"));
    }
    audit.faults.append(&mut later.faults);
    folds_agree(&store, key, "after the next turn", &mut audit)?;
    settles(&store, key, &after.durable, deaths, &mut audit)?;
    Ok(audit)
}

fn held(store: &LocalStore, key: &SessionKey) -> Result<Held, Failure> {
    let mut held = Held::default();
    store.read(key, &mut |entry| match entry {
        Entry::Record(record) => {
            let id = record.draft.id.to_string();
            if record.draft.event.is_durable() {
                held.durable.insert(id.clone());
            }
            held.repeated += usize::from(!held.logged.insert(id));
        }
        Entry::Spilled(record) => {
            held.spilled.insert(record.draft.id.to_string());
        }
        Entry::Foreign { .. } | Entry::Bad { .. } => {}
    })?;
    Ok(held)
}

/// Verifies a segment and returns the number of bad lines. Every other fault is reported as an
/// error of verger.
fn verified(
    store: &LocalStore,
    segment: &SegmentName,
    audit: &mut Audit,
) -> Result<usize, Failure> {
    let report = store.verify(segment)?;
    (audit.records, audit.spilled) = (report.records, report.spilled);
    let (bad, other): (Vec<_>, Vec<_>) =
        report.faults.into_iter().partition(|fault| matches!(fault, Fault::BadLine { .. }));
    audit.faults.extend(other.into_iter().map(|fault| format!("{segment:?}: {fault:?}")));
    Ok(bad.len())
}

fn folds_agree(
    store: &LocalStore,
    key: &SessionKey,
    when: &str,
    audit: &mut Audit,
) -> Result<(), Failure> {
    let stem = key.file_stem();
    let (first, second) = (store.replay::<State>(&stem)?, store.replay::<State>(&stem)?);
    if first != second {
        audit.faults.push(format!("two replays differ {when}"));
    }
    if store.folded::<State>(&stem)? != first {
        audit.faults.push(format!("snapshot and tail differ from the replay {when}"));
    }
    Ok(())
}

/// Checks that the records that must outlive the session are in the project's segment exactly once.
fn settles(
    store: &LocalStore,
    key: &SessionKey,
    durable: &BTreeSet<String>,
    deaths: usize,
    audit: &mut Audit,
) -> Result<(), Failure> {
    if durable.is_empty() {
        return Ok(());
    }
    store.settle(key)?;
    let project = ProjectId::new(sample::PROJECT);
    let mut kept = Vec::new();
    store.read_project(&project, &mut |entry| {
        if let Entry::Record(record) | Entry::Spilled(record) = entry {
            kept.push(record.draft.id.to_string());
        }
    })?;
    let distinct: BTreeSet<_> = kept.iter().cloned().collect();
    let missing = durable.difference(&distinct).count();
    if missing > 0 || distinct.len() != kept.len() {
        let repeated = kept.len() - distinct.len();
        audit
            .faults
            .push(format!("the project lacks {missing} records, {repeated} are twice in it"));
    }
    let mut project_audit = Audit::default();
    let bad = verified(store, &SegmentName::Project(project.file_stem()), &mut project_audit)?;
    if bad > deaths {
        audit.faults.push(format!("{bad} bad lines in the project after {deaths} deaths"));
    }
    audit.faults.append(&mut project_audit.faults);
    Ok(())
}
