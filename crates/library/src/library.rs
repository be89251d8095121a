//! All the places of a project together: each learning goes where its scope says.

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
    /// The first is written to; the next takes what it cannot.
    backends: Vec<Box<dyn Backend>>,
    personal: Box<dyn Backend>,
}

/// What became of a learning that was to be kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shelved {
    pub learning: LearningId,
    pub placement: Placement,
}

/// Where a learning is now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Placement {
    /// Where it belongs.
    Kept { backend: BackendKind },
    /// In another place, because the first one failed.
    KeptElsewhere { backend: BackendKind, failed: BackendKind, because: String },
    /// Nowhere: it was for the next days only, and the project keeps no log of the day.
    Discarded,
    /// Nowhere yet.
    Failed { backend: BackendKind, because: String },
    /// Nowhere yet: every place is switched off.
    NoBackend,
}

impl Library {
    /// The places that were found, for a project at the ground's root.
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

    /// Of the given places.
    pub fn of(backends: Vec<Box<dyn Backend>>, personal: Box<dyn Backend>) -> Self {
        Self { backends, personal }
    }

    /// Every place, the one that is written to first and the person's own last.
    pub fn places(&self) -> impl Iterator<Item = &dyn Backend> {
        self.backends.iter().chain([&self.personal]).map(AsRef::as_ref)
    }

    /// The person's own place.
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

    /// Whether learnings of this scope are put anywhere.
    pub fn keeps(&self, scope: Scope) -> bool {
        target(scope, self.daily_logs()) != Target::Nowhere
    }

    /// Keeps learnings, all that go to one place in one write.
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

    /// Reads every source of every place, or what is new in those that the marks are of.
    pub fn read(&self, known: &[(PathBuf, Mark)]) -> Vec<Source> {
        self.places().flat_map(|place| place.read(known)).collect()
    }
}

/// Puts learnings into the first place that takes them.
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
