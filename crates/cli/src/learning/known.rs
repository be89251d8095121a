//! The learnings that are stored for a project, each with its history.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use verger_engine::ProjectLibrary;
use verger_event::Timestamp;
use verger_library::{
    Backend, BackendKind, Fault, FileError, Library, SourceState, StatsLog, StatsReading,
};
use verger_memory::stats::{Account, StatsLine, Tally, Usage};
use verger_memory::text::Problem;
use verger_memory::{Learning, LearningId, Status};
use verger_store::with_causes;

use crate::invocation::command_error::CommandError;
use crate::render::output::{Output, Ui, count};

/// The maximum number of unreadable parts to name.
const MAX_TOLD: usize = 20;

/// All learnings and statistics of a project.
#[derive(Debug, Default)]
pub(crate) struct KnownLearnings {
    /// Each learning once, as stored in the files.
    pub(crate) held: Vec<KnownLearning>,
    /// The lines of the statistics.
    pub(crate) lines: Vec<StatsLine>,
    /// The parts that could not be read.
    faults: Vec<Fault>,
}

/// A learning with its history and its location.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct KnownLearning {
    pub(crate) account: Account,
    pub(crate) place: Place,
}

/// The backend, file and line where a learning is stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Place {
    pub(crate) backend: BackendKind,
    pub(crate) path: PathBuf,
    pub(crate) line: usize,
}

impl KnownLearnings {
    pub(crate) fn read(project: &ProjectLibrary) -> Self {
        Self::read_from(project, &project.library)
    }

    /// Also reads the archives. A learning that only an archive contains counts as archived.
    pub(crate) fn read_with_archives(project: &ProjectLibrary, archives: &Library) -> Self {
        let in_use: HashSet<_> = Self::read(project).ids().cloned().collect();
        let mut known_learnings = Self::read_from(project, archives);
        for held in &mut known_learnings.held {
            if held.account.is_active() && !in_use.contains(&held.account.learning.id) {
                held.account.status = Status::Archived;
            }
        }
        known_learnings
    }

    fn read_from(project: &ProjectLibrary, library: &Library) -> Self {
        let mut known_learnings = Self::default();
        let read: Vec<_> =
            library.places().flat_map(|place| known_learnings.read_place(place)).collect();
        for log in [&project.stats, &project.personal_stats] {
            known_learnings.read_stats(log);
        }
        // A learning that is stored in two locations counts once.
        let mut seen = HashSet::new();
        let is_new = |(learning, _): &(Learning, Place)| seen.insert(learning.id.clone());
        let (learnings, places): (Vec<_>, Vec<_>) = read.into_iter().filter(is_new).unzip();
        let accounts = Account::all(learnings, &Tally::of(&known_learnings.lines));
        let held = accounts.into_iter().zip(places);
        known_learnings.held =
            held.map(|(account, place)| KnownLearning { account, place }).collect();
        known_learnings
    }

    fn read_place(&mut self, place: &dyn Backend) -> Vec<(Learning, Place)> {
        let mut read = vec![];
        for source in place.read(&[]) {
            let (backend, path) = (place.kind(), source.path);
            match source.state {
                SourceState::Whole(entries) | SourceState::Appended(entries) => {
                    read.extend(entries.learnings.into_iter().map(|placed| {
                        let place = Place { backend, path: path.clone(), line: placed.line };
                        (placed.learning, place)
                    }));
                    self.add_faults(&path, entries.problems);
                }
                SourceState::Unreadable(error) => self.faults.push(Fault::File(error)),
                SourceState::Same => {}
            }
        }
        read
    }

    fn read_stats(&mut self, log: &StatsLog) {
        match log.read(None) {
            Ok(StatsReading::Whole(read, _) | StatsReading::Appended(read, _)) => {
                self.lines.extend(read.lines);
                self.add_faults(&log.file().path(), read.problems);
            }
            Ok(StatsReading::Missing | StatsReading::Same) => {}
            Err(error) => self.faults.push(Fault::File(error)),
        }
    }

    fn add_faults(&mut self, path: &Path, problems: Vec<Problem>) {
        let fault = |problem| Fault::Lines { path: path.to_owned(), problem };
        self.faults.extend(problems.into_iter().map(fault));
    }

    pub(crate) fn ids(&self) -> impl Iterator<Item = &LearningId> {
        self.held.iter().map(|held| &held.account.learning.id)
    }

    pub(crate) fn find(&self, id: &LearningId) -> Option<&KnownLearning> {
        self.held.iter().find(|held| held.account.learning.id == *id)
    }

    /// Warns about unreadable parts. Does nothing for JSON output, which names them itself.
    pub(crate) fn warn(&self, ui: &Ui) {
        if ui.output() == Output::Text {
            self.problems().iter().for_each(|problem| ui.warn(problem));
        }
    }

    pub(crate) fn faults(&self) -> &[Fault] {
        &self.faults
    }

    /// The parts that could not be read, each in a line.
    pub(crate) fn problems(&self) -> Vec<String> {
        problems(&self.faults)
    }
}

impl KnownLearning {
    /// The learning in its stored form, with its usage and status.
    pub(crate) fn to_json(&self) -> Value {
        let Account { learning, usage, status } = &self.account;
        let mut value = learning.to_json();
        value["status"] = status.as_str().into();
        if let Status::Superseded { by } = status {
            value["superseded_by"] = by.as_str().into();
        }
        value["place"] = json!({
            "backend": self.place.backend.as_str(),
            "path": self.place.path,
            "line": self.place.line,
        });
        value["usage"] = usage_json(usage);
        value
    }
}

/// The usage of a learning, as JSON.
pub(crate) fn usage_json(usage: &Usage) -> Value {
    json!({
        "surfaced": usage.surfaced,
        "referenced": usage.referenced(),
        "dismissed": usage.dismissed,
        "corrected": usage.corrected,
        "last_surfaced_ms": usage.last_surfaced.map(Timestamp::as_millis),
        "last_referenced_ms": usage.last_referenced.map(Timestamp::as_millis),
        "hit_rate": usage.hit_rate(),
    })
}

/// The usage of a learning, in words.
pub(crate) fn usage_text(usage: &Usage) -> String {
    match (usage.surfaced, usage.referenced()) {
        (0, 0) => "never given".to_owned(),
        (0, referenced) => format!("never given, used {}", count(referenced, "time")),
        (surfaced, referenced) => format!("used {referenced} of {}", count(surfaced, "time")),
    }
}

/// The parts that could not be read, each in a line.
pub(crate) fn problems(faults: &[Fault]) -> Vec<String> {
    let mut problems: Vec<_> = faults.iter().take(MAX_TOLD).map(told).collect();
    if faults.len() > MAX_TOLD {
        problems.push(format!("{} more parts cannot be read", faults.len() - MAX_TOLD));
    }
    problems
}

/// An unreadable part, in a line.
pub(crate) fn told(fault: &Fault) -> String {
    match fault {
        Fault::Lines { path, problem } => {
            format!("{}:{}: {}", path.display(), problem.line, problem.says)
        }
        Fault::File(error) => format!("cannot {}", with_causes(error)),
    }
}

/// The error for a file of learnings or statistics that can't be written.
impl From<FileError> for CommandError {
    fn from(error: FileError) -> Self {
        let hint = help_with(&error);
        Self::Failed { source: error.into(), hint }
    }
}

/// The command that helps with a file that cannot be used.
pub(crate) fn help_with(error: &FileError) -> String {
    match error {
        FileError::Io { path, .. } | FileError::Lock { path, .. } => {
            format!("ls -ld {}", path.display())
        }
        FileError::Outside { path, .. } | FileError::NotAFile { path } => {
            format!("replace the link by a regular file: {}", path.display())
        }
        FileError::Busy { .. } => "try again".to_owned(),
    }
}
