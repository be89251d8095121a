//! Checks whether the log can be written to and is intact.

use verger_engine::State;
use verger_store::{ReadLog, SegmentName};

use super::recorded::{Recent, RecentSession};
use super::{Check, Repair};
use crate::invocation::command_error::CommandError;
use crate::render::output::{Ui, count};
use crate::render::progress::Meter;
use crate::sessions::log_check::{describe, name, verify_all};
use verger_store_local::LocalStore;

/// The checks of the segments of the given sessions and of all projects.
pub(crate) fn checks(
    ui: &Ui,
    store: &LocalStore,
    recent: &Recent,
) -> Result<Vec<Check>, CommandError> {
    let sessions = recent.readable();
    let mut segments: Vec<_> = sessions.iter().map(|session| session.row.segment()).collect();
    let mut projects = store.project_segments()?;
    let bytes = |segment: &SegmentName| store.bytes_of_segment(segment).unwrap_or_default();
    projects.sort_by_cached_key(bytes);
    let readable = recent.depth.readable(&projects, bytes);
    let unread_projects = projects.len() - readable.len();
    segments.extend_from_slice(readable);
    let mut checks = vec![writable(store)];
    if !store.tells_followers() {
        let what = "the data directory does not report changed files, as on a network mount; commands that follow the log look once a second";
        checks.push(Check::note("log followed", what));
    }
    checks.extend(intact(ui, store, segments)?);
    checks.push(snapshots(ui, store, sessions)?);
    let projects = count(unread_projects, "long project log");
    let projects = (unread_projects > 0)
        .then(|| format!("{projects} not read; to read them: verger doctor --deep"));
    checks.extend(recent.unread().into_iter().chain(projects).map(|what| Check::note("log", what)));
    Ok(checks)
}

fn writable(store: &LocalStore) -> Check {
    let name = "log writable";
    match store.try_write() {
        Ok(()) => Check::fine(name, "a test file was written and removed"),
        Err(error) => Check::failed(name, error),
    }
}

fn intact(
    ui: &Ui,
    store: &LocalStore,
    segments: Vec<SegmentName>,
) -> Result<Vec<Check>, CommandError> {
    let check = "log intact";
    let reports = verify_all(ui, store, segments)?;
    let records = reports.iter().map(|(_, report)| report.records).sum::<u64>();
    let faulty: Vec<_> = reports
        .iter()
        .filter_map(|(segment, report)| {
            let first = describe(report.faults.first()?);
            let what = format!("{}: {first}", count(report.faults.len(), "fault"));
            let help = match segment {
                SegmentName::Session(stem) => format!("verger log verify {stem}"),
                SegmentName::Project(_) => "verger log verify".to_owned(),
            };
            Some(Check::problem(check, format!("{}: {what}", name(segment)), help))
        })
        .collect();
    if !faulty.is_empty() {
        return Ok(faulty);
    }
    let what = format!(
        "{} of the last 7 days, {}",
        count(reports.len(), "segment"),
        count(records, "record")
    );
    Ok(vec![Check::fine(check, what)])
}

fn snapshots(ui: &Ui, store: &LocalStore, recent: &[RecentSession]) -> Result<Check, CommandError> {
    let name = "snapshots";
    let mut meter = Meter::new(ui, "comparing session");
    let mut differing = vec![];
    for (done, session) in (1..).zip(recent) {
        if store.replay::<State>(&session.row.stem)? != session.state {
            differing.push(session.row.session.as_str());
        }
        meter.update(done, recent.len());
    }
    if differing.is_empty() {
        return Ok(Check::fine(name, "the snapshots match the log"));
    }
    let what = format!("the snapshots differ from the log in session {}", differing.join(", "));
    Ok(Check::problem(name, what, "verger log rebuild").mended_by(Repair::Rebuild))
}

/// The parts of the log that could not be read. All other parts can be read.
pub(crate) fn passed_over(store: &LocalStore) -> impl Iterator<Item = Check> {
    store.take_unfinished().into_iter().map(|error| Check::failed("log readable", error))
}
