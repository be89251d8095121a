//! The result of checking segments, as text for people and as JSON for programs.

use serde_json::{Value, json};
use verger_store::SegmentName;
use verger_store_local::{Fault, Index, LocalStore, SegmentReport};

use crate::invocation::command_error::CommandError;
use crate::render::output::{Ui, count};
use crate::render::progress::Meter;

pub(crate) type Reports = Vec<(SegmentName, SegmentReport)>;

pub(crate) fn is_clean(reports: &Reports) -> bool {
    reports.iter().all(|(_, report)| report.faults.is_empty())
}

pub(crate) fn verify_all(
    ui: &Ui,
    store: &LocalStore,
    segments: Vec<SegmentName>,
) -> Result<Reports, CommandError> {
    let total = segments.len();
    let mut meter = Meter::new(ui, "verifying segment");
    let mut reports = vec![];
    let stems = segments.iter().filter_map(|segment| match segment {
        SegmentName::Session(stem) => Some(stem.as_str()),
        SegmentName::Project(_) => None,
    });
    let known = Index::known_records(store, stems);
    for (done, segment) in (1..).zip(segments) {
        let records = match &segment {
            SegmentName::Session(stem) => known.get(stem).copied().unwrap_or_default(),
            SegmentName::Project(_) => 0,
        };
        let report = store.verify_expecting(&segment, records)?;
        reports.push((segment, report));
        meter.update(done, total);
    }
    Ok(reports)
}

/// All faults, then the totals.
pub(crate) fn report_lines(reports: &Reports) -> Vec<String> {
    let faults = reports.iter().flat_map(|(segment, report)| {
        report.faults.iter().map(|fault| format!("{}: {}", name(segment), describe(fault)))
    });
    let mut lines: Vec<_> = faults.collect();
    let sum = |count: fn(&SegmentReport) -> u64| reports.iter().map(|(_, r)| count(r)).sum::<u64>();
    let faults = sum(|report| report.faults.len() as u64);
    let (records, spilled) = (sum(|report| report.records), sum(|report| report.spilled));
    let foreign = sum(|report| report.foreign);
    lines.push(format!(
        "{}, {}, {}",
        count(reports.len() as u64, "segment"),
        count(records, "record"),
        count(faults, "fault")
    ));
    if spilled > 0 {
        let records = count(spilled, "record");
        lines.push(format!(
            "{records} in spill files; the next hook call of the session merges them"
        ));
    }
    if foreign > 0 {
        let unread = count(foreign, "line");
        lines.push(format!("{unread} written by a newer verger; update verger to read them"));
    }
    lines
}

pub(crate) fn name(segment: &SegmentName) -> String {
    match segment {
        SegmentName::Session(stem) => stem.clone(),
        SegmentName::Project(stem) => format!("project {stem}"),
    }
}

/// The fault in words, for people.
pub(crate) fn describe(fault: &Fault) -> String {
    match fault {
        Fault::BadLine { offset, damage } => format!("bad line at byte {offset}: {damage}"),
        Fault::BadSpill { damage } => format!("bad line in a spill file, which is kept: {damage}"),
        Fault::BrokenChain { seq } => {
            format!(
                "record {seq} does not follow the one before it: something was changed or removed"
            )
        }
        Fault::Misnumbered { seq, expected } => {
            format!("found record {seq} where record {expected} belongs")
        }
        Fault::BadBlob { seq, sha256 } => {
            format!("the payload of record {seq} is missing or changed (blob {sha256})")
        }
        Fault::Shortened { expected_seq } => {
            format!("the last records are gone: the log had a record {expected_seq}")
        }
        Fault::Cut { was, is } => {
            format!("the last records are gone: the file had {was} bytes and now has {is}")
        }
        Fault::Unreadable { problem } => format!("cannot {problem}"),
    }
}

pub(crate) fn reports_json(reports: &Reports) -> Value {
    let reports: Vec<_> = reports
        .iter()
        .map(|(segment, report)| {
            let (kind, stem) = match segment {
                SegmentName::Session(stem) => ("session", stem),
                SegmentName::Project(stem) => ("project", stem),
            };
            json!({
                "segment": kind,
                "name": stem,
                "records": report.records,
                "foreign": report.foreign,
                "spilled": report.spilled,
                "faults": report.faults.iter().map(fault_json).collect::<Vec<_>>(),
            })
        })
        .collect();
    json!({ "segments": reports })
}

fn fault_json(fault: &Fault) -> Value {
    match fault {
        Fault::BadLine { offset, damage } => {
            json!({ "fault": "bad_line", "offset": offset, "damage": damage.to_string() })
        }
        Fault::BadSpill { damage } => {
            json!({ "fault": "bad_spill", "damage": damage.to_string() })
        }
        Fault::BrokenChain { seq } => json!({ "fault": "broken_chain", "seq": seq }),
        Fault::Misnumbered { seq, expected } => {
            json!({ "fault": "misnumbered", "seq": seq, "expected": expected })
        }
        Fault::BadBlob { seq, sha256 } => {
            json!({ "fault": "bad_blob", "seq": seq, "sha256": sha256 })
        }
        Fault::Shortened { expected_seq } => {
            json!({ "fault": "shortened", "expected_seq": expected_seq })
        }
        Fault::Cut { was, is } => json!({ "fault": "cut", "was": was, "is": is }),
        Fault::Unreadable { problem } => json!({ "fault": "unreadable", "problem": problem }),
    }
}
