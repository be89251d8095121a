//! The learnings that are kept for a project, each with what became of it.

use std::collections::{HashMap, HashSet};
use std::path::PathBuf;

use serde_json::{Value, json};
use verger_event::Timestamp;
use verger_hook::ProjectLibrary;
use verger_library::{Backend, BackendKind, Fault, FileError, SourceState, StatsLog, StatsReading};
use verger_memory::stats::{StatsLine, Tally, Usage};
use verger_memory::{Learning, LearningId, Status};
use verger_store::with_causes;

use crate::command_error::CommandError;
use crate::ui::{Output, Ui};

/// As many parts that cannot be read are named as help somebody who wants to repair them.
const MAX_TOLD: usize = 20;

/// What is kept, read whole.
#[derive(Debug, Default)]
pub(crate) struct Holdings {
    /// Each learning once, as the places have them.
    pub(crate) held: Vec<Held>,
    /// What happened to them and around them.
    pub(crate) lines: Vec<StatsLine>,
    /// What could not be read.
    pub(crate) faults: Vec<Fault>,
}

/// A learning, where it is and what became of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Held {
    pub(crate) learning: Learning,
    pub(crate) status: Status,
    pub(crate) usage: Usage,
    pub(crate) backend: BackendKind,
    pub(crate) path: PathBuf,
    /// Where in the file.
    pub(crate) line: usize,
}

impl Holdings {
    pub(crate) fn read(project: &ProjectLibrary) -> Self {
        let mut holdings = Self::default();
        for place in project.library.places() {
            holdings.read_place(place);
        }
        for log in [&project.stats, &project.personal_stats] {
            holdings.read_stats(log);
        }
        holdings.settle();
        holdings
    }

    fn read_place(&mut self, place: &dyn Backend) {
        for source in place.read(&[]) {
            let entries = match source.state {
                SourceState::Whole(entries) | SourceState::Appended(entries) => entries,
                SourceState::Unreadable(error) => {
                    self.faults.push(Fault::File(error));
                    continue;
                }
                SourceState::Same => continue,
            };
            let path = source.path;
            self.held.extend(entries.learnings.into_iter().map(|placed| Held {
                learning: placed.learning,
                status: Status::Active,
                usage: Usage::default(),
                backend: place.kind(),
                path: path.clone(),
                line: placed.line,
            }));
            let faults = entries.problems.into_iter();
            self.faults.extend(faults.map(|problem| Fault::Lines { path: path.clone(), problem }));
        }
    }

    fn read_stats(&mut self, log: &StatsLog) {
        match log.read(None) {
            Ok(StatsReading::Whole(read, _) | StatsReading::Appended(read, _)) => {
                self.lines.extend(read.lines);
                let path = log.file().path();
                let faults = read.problems.into_iter();
                self.faults
                    .extend(faults.map(|problem| Fault::Lines { path: path.clone(), problem }));
            }
            Ok(StatsReading::Missing | StatsReading::Same) => {}
            Err(error) => self.faults.push(Fault::File(error)),
        }
    }

    /// A learning that stands in two places is one, and one that another replaces is replaced, also
    /// where the line that says so was lost.
    fn settle(&mut self) {
        let mut seen = HashSet::new();
        self.held.retain(|held| seen.insert(held.learning.id.clone()));
        let replacements: HashMap<LearningId, LearningId> = self
            .held
            .iter()
            .flat_map(|held| {
                let by = &held.learning.id;
                held.learning.supersedes.iter().map(move |old| (old.clone(), by.clone()))
            })
            .collect();
        let tally = Tally::of(&self.lines);
        for held in &mut self.held {
            let id = &held.learning.id;
            held.usage = tally.usage(id);
            held.status = match (tally.status(id), replacements.get(id)) {
                (Status::Active | Status::Archived, Some(by)) => {
                    Status::Superseded { by: by.clone() }
                }
                (status, _) => status,
            };
        }
    }

    /// Says what could not be read, where the answer itself does not.
    pub(crate) fn warn(&self, ui: &Ui) {
        if ui.output() == Output::Text {
            self.problems().iter().for_each(|problem| ui.warn(problem));
        }
    }

    /// What could not be read, each in a line.
    pub(crate) fn problems(&self) -> Vec<String> {
        let mut problems: Vec<_> = self.faults.iter().take(MAX_TOLD).map(told).collect();
        if self.faults.len() > MAX_TOLD {
            problems.push(format!("{} more parts cannot be read", self.faults.len() - MAX_TOLD));
        }
        problems
    }
}

impl Held {
    /// The learning in its stored form, with what became of it.
    pub(crate) fn to_json(&self) -> Value {
        let usage = &self.usage;
        let mut value = self.learning.to_json();
        value["status"] = self.status.as_str().into();
        if let Status::Superseded { by } = &self.status {
            value["superseded_by"] = by.as_str().into();
        }
        value["place"] = json!({
            "backend": self.backend.name(),
            "path": self.path,
            "line": self.line,
        });
        value["usage"] = json!({
            "surfaced": usage.surfaced,
            "referenced": usage.referenced(),
            "dismissed": usage.dismissed,
            "corrected": usage.corrected,
            "last_surfaced_ms": usage.last_surfaced.map(Timestamp::as_millis),
            "last_referenced_ms": usage.last_referenced.map(Timestamp::as_millis),
            "hit_rate": usage.hit_rate(),
        });
        value
    }
}

fn told(fault: &Fault) -> String {
    match fault {
        Fault::Lines { path, problem } => {
            format!("{}:{}: {}", path.display(), problem.line, problem.says)
        }
        Fault::File(error) => format!("cannot {}", with_causes(error)),
    }
}

/// A file of learnings or of their statistics cannot be written.
impl From<FileError> for CommandError {
    fn from(error: FileError) -> Self {
        let hint = match &error {
            FileError::Io { path, .. } | FileError::Lock { path, .. } => {
                format!("ls -ld {}", path.display())
            }
            FileError::Outside { path, .. } | FileError::NotAFile { path } => {
                format!("put a file in the place of {}", path.display())
            }
            FileError::Busy { .. } => "try again".to_owned(),
        };
        Self::Failed { source: error.into(), hint }
    }
}
