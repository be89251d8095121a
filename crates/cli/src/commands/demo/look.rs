//! The checks that the demo makes itself, and the lines that show them.

use std::fs;
use std::path::{Path, PathBuf};

use verger_event::Event;
use verger_store::{Entry, ReadLog};

use super::demo_error::DemoError;
use super::scene::{Edit, Look, Speaker};
use super::scenes::WORK;
use super::stage::{SECRET, Stage};
use crate::commands::why::explain;
use crate::invocation::command_error::CommandError;
use crate::render::output::{Tone, Ui, count};
use crate::sessions::event_picker::{Located, each_record};
use crate::sessions::log_check::{is_clean, report_lines, verify_all};
use crate::undo::points::UndoPoints;

/// A line of a scene, with the label of its speaker.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Seen {
    pub(super) speaker: Speaker,
    pub(super) text: String,
    pub(super) tone: Tone,
    pub(super) finding: Finding,
    pub(super) layout: Layout,
}

/// Whether a line is what the demo expects.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Finding {
    Promised,
    Broken,
    /// The demo has no expectation about the line.
    Detail,
}

/// How a text that is too long for one line is displayed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Layout {
    Wrapped,
    /// The text is cut and gets an ellipsis.
    OneLine,
}

impl Seen {
    /// A single line that the demo has no expectation about.
    pub(super) fn line(speaker: Speaker, text: String) -> Self {
        Self { speaker, text, tone: Tone::Plain, finding: Finding::Detail, layout: Layout::OneLine }
    }

    /// A text that the demo has no expectation about.
    pub(super) fn detail(speaker: Speaker, text: String) -> Self {
        Self { layout: Layout::Wrapped, ..Self::line(speaker, text) }
    }

    /// An expected answer of verger.
    pub(super) fn promised(speaker: Speaker, text: String, tone: Tone) -> Self {
        Self { tone, finding: Finding::Promised, ..Self::detail(speaker, text) }
    }

    /// A difference from the expected answer of verger.
    pub(super) fn broken(speaker: Speaker, text: &str) -> Self {
        let text = format!("NOT AS EXPECTED: {text}");
        Self { tone: Tone::Bad, finding: Finding::Broken, ..Self::detail(speaker, text) }
    }

    /// Whether the line is an expected answer of verger.
    pub(super) fn is_expected_answer(&self) -> bool {
        self.speaker == Speaker::Verger && self.finding == Finding::Promised
    }

    /// The result of a check.
    pub(super) fn result(text: String, is_kept: bool) -> Self {
        if is_kept {
            Self::promised(Speaker::Result, text, Tone::Good)
        } else {
            Self::broken(Speaker::Result, &text)
        }
    }
}

pub(super) fn look(ui: &Ui, stage: &Stage, look: Look) -> Result<Vec<Seen>, CommandError> {
    match look {
        Look::Undo => undo(stage),
        Look::StillThere => Ok(vec![still_there(stage)]),
        Look::Secret => secret(stage),
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
            found.push(Seen::result(format!("the token is in {}", path.display()), false));
        }
    }
    let searched = count(files.len(), "file");
    if found.is_empty() {
        found
            .push(Seen::result(format!("{searched} searched: the token is in none of them"), true));
    }
    let in_its_place = stage.entries()?.iter().rev().find_map(redacted_line);
    found.extend(
        in_its_place.map(|line| Seen::line(Speaker::Result, format!("recorded instead: {line}"))),
    );
    Ok(found)
}

/// The first line of a command's output that contains a redacted secret.
fn redacted_line(entry: &Entry) -> Option<String> {
    let (Entry::Record(record) | Entry::Spilled(record)) = entry else { return None };
    let Event::ToolSucceeded { output, .. } = &record.draft.event else { return None };
    output.text.lines().find(|line| line.contains("[redacted:")).map(str::to_owned)
}

/// Does the same as `verger undo restore`, which needs a terminal.
fn undo(stage: &Stage) -> Result<Vec<Seen>, CommandError> {
    let context = stage.context();
    let undo_points = UndoPoints::here(&context)?;
    let point = undo_points.choose(None)?;
    let planned = undo_points.plan(&point, &[], false)?;
    let restored = undo_points.restore(&point, &planned.plan, &mut |_| ())?;
    let Edit { path, text } = WORK;
    let is_back = read(&stage.project().join(path))? == text.as_bytes();
    let back = if is_back { "is back with the agent's work" } else { "is not back" };
    let written = count(restored.written, "file");
    Ok(vec![
        Seen::detail(Speaker::Verger, format!("saves the files first: {}", point.why())),
        Seen::line(Speaker::Person, "$ verger undo restore".to_owned()),
        Seen::result(format!("{written} written: {path} {back}"), is_back),
    ])
}

/// Checks the file that a denied command would have removed.
fn still_there(stage: &Stage) -> Seen {
    let is_there = stage.project().join(WORK.path).exists();
    let found = if is_there { "is still there" } else { "is gone" };
    Seen::result(format!("{} {found}", WORK.path), is_there)
}

/// Explains the last stop in the log.
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
        return Ok(vec![Seen::result("no stop was recorded".to_owned(), false)]);
    };
    let explanation = explain(&store, stop, &stage.verger_home()?, &stage.environment())?;
    let project = stage.project().display().to_string();
    let lines = explanation.table().lines().into_iter();
    Ok(lines
        .map(|line| Seen::line(Speaker::Table, line.replace(&project, "the demo's project")))
        .collect())
}

/// The first rows of the statistics, up to the hit rate.
fn statistics(stage: &Stage) -> Result<Vec<Seen>, CommandError> {
    let told = stage.verger(&["learn", "stats"], "")?;
    let lines: Vec<_> = told.lines().collect();
    let end = lines.iter().position(|line| line.starts_with("hit rate")).unwrap_or(lines.len());
    Ok(lines
        .iter()
        .take(end + 1)
        .map(|line| Seen::line(Speaker::Table, (*line).to_owned()))
        .collect())
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
    let mut seen: Vec<_> =
        lines.into_iter().map(|line| Seen::detail(Speaker::Verger, line)).collect();
    seen.push(Seen::result(last, is_promised(is_clean(&reports))));
    Ok(seen)
}

/// Changes a byte, checks the log and puts the byte back, because `--keep` keeps the files.
fn damage(ui: &Ui, stage: &Stage) -> Result<Vec<Seen>, CommandError> {
    let log = files_below(&stage.data()?.join("log"))?;
    let Some(path) = log.into_iter().find(|path| path.extension().is_some_and(|it| it == "jsonl"))
    else {
        return Ok(vec![Seen::result("there is no log".to_owned(), false)]);
    };
    let whole = read(&path)?;
    write(&path, &with_a_changed_letter(&whole))?;
    let seen = verified(ui, stage, |is_clean| !is_clean);
    write(&path, &whole)?;
    seen
}

/// The log, with a changed letter in the kind of a record in its middle.
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
