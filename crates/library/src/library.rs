//! The library: all places that store learnings, which are the backends of a project and the
//! person's own file. The scope of a learning decides where it is stored.

use std::path::PathBuf;

use verger_memory::{DailyLogs, Learning, LearningId, Scope, Target, target};
use verger_store::with_causes;

use crate::backend::{Backend, BackendKind, Source};
use crate::choice::BackendFound;
use crate::local_time::LocalTime;
use crate::mark::Mark;
use crate::markdown::Markdown;
use crate::shared_file::Ground;
use crate::total_recall::{Archive, TotalRecall};

/// The backends of a project and the person's own file.
pub struct Library {
    /// The backends of the project. The first one is used for writing. If it fails, the next one is
    /// used.
    backends: Vec<Box<dyn Backend>>,
    personal: Box<dyn Backend>,
}

/// The result of storing one learning.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shelved {
    pub learning: LearningId,
    pub placement: Placement,
}

/// The place where a learning was stored, or the reason why it was not stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Placement {
    /// The learning was stored in the place for its scope.
    Kept { backend: BackendKind },
    /// The learning was stored in another backend, because the place for its scope failed.
    KeptElsewhere { backend: BackendKind, failed: BackendKind, because: String },
    /// The learning was dropped, because it was for the next days only and the project has no daily
    /// log.
    Discarded,
    /// The learning couldn't be written.
    Failed { backend: BackendKind, because: String },
    /// All backends are switched off.
    NoBackend,
}

impl Library {
    /// Opens the backends that were chosen for a project. `ground` has the project's root.
    pub fn open(ground: &Ground, found: &[BackendFound], now: LocalTime, archive: Archive) -> Self {
        let kinds = found.iter().filter(|found| found.is_read()).map(|found| found.kind);
        let backends = kinds.map(|kind| -> Box<dyn Backend> {
            match kind {
                BackendKind::TotalRecall => Box::new(TotalRecall::new(ground, now, archive)),
                _ => Box::new(Markdown::of_project(ground)),
            }
        });
        Self::of(backends.collect(), Box::new(Markdown::personal(ground)))
    }

    /// Creates a library from these backends.
    pub fn of(backends: Vec<Box<dyn Backend>>, personal: Box<dyn Backend>) -> Self {
        Self { backends, personal }
    }

    /// All backends. The one that is used for writing comes first, and the person's own comes last.
    pub fn places(&self) -> impl Iterator<Item = &dyn Backend> {
        self.backends.iter().chain([&self.personal]).map(AsRef::as_ref)
    }

    /// The backend for the person's own file.
    pub fn personal(&self) -> &dyn Backend {
        self.personal.as_ref()
    }

    fn daily_log(&self) -> Option<&dyn Backend> {
        let daily = self.backends.iter().find(|one| one.kind() == BackendKind::TotalRecall);
        daily.map(AsRef::as_ref)
    }

    fn daily_logs(&self) -> DailyLogs {
        if self.daily_log().is_some() { DailyLogs::Kept } else { DailyLogs::NotKept }
    }

    /// Whether learnings with this scope are stored. Otherwise they are dropped.
    pub fn keeps(&self, scope: Scope) -> bool {
        target(scope, self.daily_logs()) != Target::Nowhere
    }

    /// Stores learnings. Learnings for the same backend are written together.
    pub fn shelve(&self, learnings: &[Learning]) -> Vec<Shelved> {
        let daily_logs = self.daily_logs();
        let mut shelved = Vec::new();
        for wanted in [Target::Backend, Target::PersonalFile, Target::DailyLog, Target::Nowhere] {
            let is_wanted = |learning: &&Learning| target(learning.scope, daily_logs) == wanted;
            let part: Vec<Learning> = learnings.iter().filter(is_wanted).cloned().collect();
            if part.is_empty() {
                continue;
            }
            let placement = match wanted {
                Target::Backend => append_to(self.backends.iter().map(AsRef::as_ref), &part),
                Target::PersonalFile => append_to([self.personal.as_ref()], &part),
                Target::DailyLog => append_to(self.daily_log(), &part),
                Target::Nowhere => Placement::Discarded,
            };
            let placements = part
                .into_iter()
                .map(|learning| Shelved { learning: learning.id, placement: placement.clone() });
            shelved.extend(placements);
        }
        shelved
    }

    /// Reads all sources of all backends. `known` has marks from earlier reads; only the content
    /// after the mark of a source is read.
    pub fn read(&self, known: &[(PathBuf, Mark)]) -> Vec<Source> {
        self.places().flat_map(|place| place.read(known)).collect()
    }
}

/// Adds learnings to the first backend that accepts them.
fn append_to<'a>(
    places: impl IntoIterator<Item = &'a dyn Backend>,
    learnings: &[Learning],
) -> Placement {
    let mut first: Option<(BackendKind, String)> = None;
    for place in places {
        let backend = place.kind();
        match (place.append(learnings), first.take()) {
            (Ok(()), None) => return Placement::Kept { backend },
            (Ok(()), Some((failed, because))) => {
                return Placement::KeptElsewhere { backend, failed, because };
            }
            (Err(_), Some(known)) => first = Some(known),
            (Err(error), None) => first = Some((backend, with_causes(&error))),
        }
    }
    first.map_or(Placement::NoBackend, |(backend, because)| Placement::Failed { backend, because })
}
