//! Checks of verger's own files, shown at the end of the demo.

use std::fs;
use std::path::{Path, PathBuf};

use verger_event::Event;
use verger_store::{Entry, ReadLog};

use super::demo_error::DemoError;
use super::scene::{Command, Edit, Look, WORK};
use super::stage::{SECRET, Stage};
use crate::commands::why::explain;
use crate::invocation::command_error::CommandError;
use crate::render::output::{Ui, count};
use crate::sessions::event_picker::{Located, each_record};
use crate::sessions::log_check::{is_clean, report_lines, verify_all};
use crate::undo::points::UndoPoints;

/// A line about something that the demo checked.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Seen {
    pub(super) text: String,
    pub(super) finding: Finding,
}

/// Whether a line confirms a promise of the demo.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Finding {
    Promised,
    Broken,
    /// A detail without a promise.
    Detail,
    /// A detail on one line, because it stands in a column.
    Column,
}

impl Seen {
    pub(super) fn detail(text: String) -> Self {
        Self { text, finding: Finding::Detail }
    }

    fn column(text: String) -> Self {
        Self { text, finding: Finding::Column }
    }

    pub(super) fn promise(text: String, is_kept: bool) -> Self {
        Self { text, finding: if is_kept { Finding::Promised } else { Finding::Broken } }
    }
}

pub(super) fn look(ui: &Ui, stage: &Stage, look: Look) -> Result<Vec<Seen>, CommandError> {
    match look {
        Look::Secret => secret(stage),
        Look::Undo => undo(stage),
        Look::Why => why(stage),
        Look::Statistics => statistics(stage),
        Look::Log => Ok(verified(ui, stage, |is_clean| is_clean)?),
        Look::Damage => damage(ui, stage),
    }
}

fn secret(stage: &Stage) -> Result<Vec<Seen>, CommandError> {
    let files = files_below(&stage.data()?)?;
    let mut found = vec![];
    for path in &files {
        if contains(&read(path)?, SECRET.as_bytes()) {
            found.push(Seen::promise(format!("the token is in {}", path.display()), false));
        }
    }
    let searched = count(files.len(), "file");
    if found.is_empty() {
        found.push(Seen::promise(format!("{searched} searched: the token is in none"), true));
    }
    let in_its_place = stage.entries()?.iter().rev().find_map(redacted_line);
    found.extend(in_its_place.map(|line| Seen::detail(format!("in its place: {line}"))));
    Ok(found)
}

/// The line of a command's output from which something was taken out.
fn redacted_line(entry: &Entry) -> Option<String> {
    let (Entry::Record(record) | Entry::Spilled(record)) = entry else { return None };
    let Event::ToolSucceeded { output, .. } = &record.draft.event else { return None };
    output.text.lines().find(|line| line.contains("[redacted:")).map(str::to_owned)
}

/// Restores an undo point as `verger undo restore` does, without the terminal that a person needs
/// for it.
fn undo(stage: &Stage) -> Result<Vec<Seen>, CommandError> {
    let context = stage.context();
    let undo_points = UndoPoints::here(&context)?;
    let point = undo_points.choose(None)?;
    let planned = undo_points.plan(&point, &[], false)?;
    let restored = undo_points.restore(&point, &planned.plan, &mut |_| ())?;
    let Edit { path, text } = WORK;
    let is_back = read(&stage.project().join(path))? == text.as_bytes();
    let back = if is_back { "is back as the agent had made it" } else { "is not back" };
    let written = count(restored.written, "file");
    Ok(vec![
        Seen::detail(format!("saved because {}", point.why())),
        Seen::promise(format!("{written} written: {path} {back}"), is_back),
    ])
}

/// Explains verger's answer to the agent's last attempt to stop.
fn why(stage: &Stage) -> Result<Vec<Seen>, CommandError> {
    let store = stage.store()?;
    let mut stop = None;
    for segment in store.segments()? {
        each_record(&store, &segment, &mut |record| {
            if matches!(record.draft.event, Event::StopRequested(_)) {
                stop = Some(Located { segment: segment.clone(), record });
            }
        })?;
    }
    let Some(stop) = stop else {
        return Ok(vec![Seen::promise("the agent never wanted to stop".to_owned(), false)]);
    };
    let explanation = explain(&store, stop, &stage.verger_home()?, &stage.environment())?;
    let project = stage.project().display().to_string();
    let lines = explanation.table().lines().into_iter();
    Ok(lines.map(|line| Seen::column(line.replace(&project, "the demo's project"))).collect())
}

/// The beginning of a long table, up to how often learnings helped.
fn statistics(stage: &Stage) -> Result<Vec<Seen>, CommandError> {
    let told = stage.verger(Command { words: &["learn", "stats"], input: "" })?;
    let lines: Vec<_> = told.lines().collect();
    let end = lines.iter().position(|line| line.starts_with("hit rate")).unwrap_or(lines.len());
    Ok(lines.iter().take(end + 1).map(|line| Seen::column((*line).to_owned())).collect())
}

fn verified(
    ui: &Ui,
    stage: &Stage,
    is_promised: fn(bool) -> bool,
) -> Result<Vec<Seen>, CommandError> {
    let store = stage.store()?;
    let reports = verify_all(ui, &store, store.segments()?)?;
    let mut lines = report_lines(&reports);
    let last = lines.pop().unwrap_or_default();
    let mut seen: Vec<_> = lines.into_iter().map(Seen::detail).collect();
    seen.push(Seen::promise(last, is_promised(is_clean(&reports))));
    Ok(seen)
}

/// Changes one byte of the log, verifies the log, and puts the byte back. The files can be kept,
/// and their log must be whole.
fn damage(ui: &Ui, stage: &Stage) -> Result<Vec<Seen>, CommandError> {
    let log = files_below(&stage.data()?.join("log"))?;
    let Some(path) = log.into_iter().find(|path| path.extension().is_some_and(|it| it == "jsonl"))
    else {
        return Ok(vec![Seen::promise("there is no log".to_owned(), false)]);
    };
    let whole = read(&path)?;
    write(&path, &with_a_changed_letter(&whole))?;
    let seen = verified(ui, stage, |is_clean| !is_clean);
    write(&path, &whole)?;
    seen
}

/// Changes a letter in the kind of a record in the middle of the log.
fn with_a_changed_letter(log: &[u8]) -> Vec<u8> {
    const KIND: &[u8] = b"\"kind\":\"";
    let mut bytes = log.to_owned();
    let middle = bytes.len() / 2;
    let kind = bytes[middle..].windows(KIND.len()).position(|window| window == KIND);
    if let Some(letter) = kind.and_then(|at| bytes.get_mut(middle + at + KIND.len())) {
        *letter ^= 1;
    }
    bytes
}

fn files_below(directory: &Path) -> Result<Vec<PathBuf>, DemoError> {
    let failed = |source| DemoError::Read { path: directory.to_owned(), source };
    let mut files = vec![];
    for entry in fs::read_dir(directory).map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        if path.is_dir() {
            files.extend(files_below(&path)?);
        } else {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}

fn contains(bytes: &[u8], wanted: &[u8]) -> bool {
    bytes.windows(wanted.len()).any(|window| window == wanted)
}

fn read(path: &Path) -> Result<Vec<u8>, DemoError> {
    fs::read(path).map_err(|source| DemoError::Read { path: path.to_owned(), source })
}

fn write(path: &Path, bytes: &[u8]) -> Result<(), DemoError> {
    fs::write(path, bytes).map_err(|source| DemoError::Write { path: path.to_owned(), source })
}
