//! Parses the text of `learnings.md` into learnings. A problem is reported with its line, and the
//! rest still counts.

use std::collections::HashMap;

use verger_event::{SessionId, Timestamp};

use super::keys::Key;
use super::sections::{self, Section};
use crate::learning::{Learning, Provenance};
use crate::learning_id::LearningId;
use crate::moment;
use crate::words::{Confidence, Scope};

/// The parsed content of `learnings.md` or a daily log.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Document {
    /// The learnings without repetitions, in the order of the text.
    pub learnings: Vec<Placed>,
    /// The parts of the text that couldn't be read.
    pub problems: Vec<Problem>,
}

/// A learning and the number of its line in the text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Placed {
    /// The number of the line with the learning's heading, from 1.
    pub line: usize,
    /// The learning that begins at that line.
    pub learning: Learning,
}

/// A part of a text that couldn't be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// The number of the line with the problem, from 1.
    pub line: usize,
    /// The description of the problem and the remedy.
    pub says: String,
}

impl Problem {
    /// Sorts problems by the numbers of their lines.
    pub fn sort(problems: &mut [Self]) {
        problems.sort_by_key(|problem| problem.line);
    }
}

/// Parses the learnings of a text. Headings without fields are prose and not a problem. A learning
/// without a date gets the date `undated`.
pub fn parse(text: &str, undated: Timestamp) -> Document {
    let (sections, conflicts) = sections::sections(text);
    let mut document = Document::default();
    let mut lines: HashMap<LearningId, usize> = HashMap::with_capacity(sections.len());
    for section in sections {
        let line = section.line;
        let learning = match learning(section, undated) {
            Ok(Some(learning)) => learning,
            Ok(None) => continue,
            Err(says) => {
                document.problems.push(Problem { line, says });
                continue;
            }
        };
        match lines.get(&learning.id) {
            None => {
                lines.insert(learning.id.clone(), document.learnings.len());
                document.learnings.push(Placed { line, learning });
            }
            Some(known) if document.learnings[*known].learning == learning => (),
            Some(known) => {
                let first = document.learnings[*known].line;
                let id = &learning.id;
                let says = format!(
                    "{id} is also on line {first}, with another text, which is used: remove one \
                     of the two, or remove the id here"
                );
                document.problems.push(Problem { line, says });
            }
        }
    }
    document.problems.extend(conflicts.into_iter().map(|line| {
        let says = "this is a conflict marker of git: remove it; the learnings around it are used";
        Problem { line, says: says.to_owned() }
    }));
    Problem::sort(&mut document.problems);
    document
}

/// Converts an entry to a learning. `None` if the entry isn't meant to be a learning.
fn learning(section: Section, undated: Timestamp) -> Result<Option<Learning>, String> {
    let Some(category) = section.value(Key::Category) else {
        if section.heading_id.is_none() && section.value(Key::Id).is_none() {
            return Ok(None);
        }
        return Err("the learning has no `category`: restore the line of its fields".to_owned());
    };
    if let (true, Some(id)) = (section.breaks_off, &section.heading_id) {
        return Err(format!(
            "the line of its fields is cut off: restore it, or end it with `| id: {id}`"
        ));
    }
    let id = id(&section)?;
    let scope = section.value(Key::Scope).map(|word| word.parse());
    let confidence = section.value(Key::Confidence).map(|word| word.parse());
    let created = section.value(Key::Created).map(|text| {
        let bad = || format!("created: {text:?} is not a time; write it like 2026-11-15T12:34:56Z");
        moment::read(&text).ok_or_else(bad)
    });
    let provenance = Provenance {
        session: section.value(Key::Session).map(SessionId::new),
        ticket: section.value(Key::Ticket),
        events: all(&section, Key::Events)?,
        commit: section.value(Key::Commit),
    };
    Ok(Some(Learning {
        id,
        category: category.parse().map_err(said)?,
        scope: scope.unwrap_or(Ok(Scope::Project)).map_err(said)?,
        confidence: confidence.unwrap_or(Ok(Confidence::Medium)).map_err(said)?,
        criteria: all(&section, Key::Criteria)?,
        tags: section.items(Key::Tags),
        files: section.items(Key::Files),
        symbols: section.items(Key::Symbols),
        supersedes: all(&section, Key::Supersedes)?,
        created: created.unwrap_or(Ok(undated))?,
        provenance,
        summary: section.summary,
        detail: section.detail,
    }))
}

/// The id of an entry, from its heading and its fields. If the two differ, the entry is invalid,
/// because a merge made it from two entries.
fn id(section: &Section) -> Result<LearningId, String> {
    let in_fields = section.value(Key::Id);
    match (&section.heading_id, &in_fields) {
        (Some(heading), Some(field)) if heading != field => Err(format!(
            "the heading belongs to {heading}, the fields to {field}: separate the \
                         two learnings"
        )),
        (Some(id), _) | (None, Some(id)) => id.parse().map_err(said),
        (None, None) => Ok(LearningId::of_text(&section.summary, &section.detail)),
    }
}

fn all<T: std::str::FromStr>(section: &Section, key: Key) -> Result<Vec<T>, String>
where
    T::Err: std::fmt::Display,
{
    let items = section.items(key);
    items.iter().map(|item| item.parse().map_err(|e| format!("{}: {e}", key.name()))).collect()
}

fn said(error: impl std::fmt::Display) -> String {
    error.to_string()
}
