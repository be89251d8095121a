//! Opens a project's learnings and their statistics, in the backends that the settings choose.

use std::path::PathBuf;
use std::time::Duration;

use crate::Home;
use verger_agent::AGENTS;
use verger_config::Settings;
use verger_event::Timestamp;
use verger_library::{
    Archive, BackendFound, BackendsWanted, Catalogue, FileError, Ground, Library, LocalTime,
    StatsLog, Switch, TellError, TotalRecall, choose,
};
use verger_memory::stats::StatsLine;

/// The learnings of a project and of a person, with their statistics.
pub struct ProjectLibrary {
    /// The backends in use, and the reason for each.
    pub found: Vec<BackendFound>,
    pub library: Library,
    /// The search index over the learnings.
    catalogue: Catalogue,
    /// Statistics of the project's learnings.
    pub stats: StatsLog,
    /// Statistics of the person's own learnings.
    pub personal_stats: StatsLog,
}

/// Opens the library of the project at the ground's root, with its search index in `index`. This
/// only reads.
pub fn open_library(
    ground: &Ground,
    index: PathBuf,
    settings: &Settings,
    now: LocalTime,
    archive: Archive,
) -> ProjectLibrary {
    let directories: Vec<_> = AGENTS.iter().map(|agent| agent.install.directory).collect();
    let rules = TotalRecall::rules(&ground.root, &directories);
    let found = choose(&backends_wanted(settings), rules.as_deref());
    ProjectLibrary {
        library: Library::open(ground, &found, now, archive),
        found,
        catalogue: Catalogue::new(index),
        stats: StatsLog::of_project(ground),
        personal_stats: StatsLog::personal(ground),
    }
}

/// The learnings of the agent's project, for a hook. Hooks use UTC instead of the local time
/// zone. At most, the oldest day of the statistics is cut differently.
pub(crate) struct LearningsPlace {
    pub(crate) ground: Ground,
    pub(crate) kept: ProjectLibrary,
}

impl LearningsPlace {
    pub(crate) fn new(home: &Home, root: PathBuf, settings: &Settings, now: Timestamp) -> Self {
        let lock_wait = Duration::from_millis(settings.store.lock_wait_ms.value);
        let ground = Ground { root, data: home.data.clone(), lock_wait };
        let index = home.recall(&ground.root);
        let kept = open_library(&ground, index, settings, LocalTime::new(now, 0), Archive::Left);
        Self { ground, kept }
    }
}

impl ProjectLibrary {
    /// Appends lines to the statistics of the person's own learnings and of the project's.
    pub fn count(&self, lines: &[StatsLine]) -> Result<(), FileError> {
        let (own, shared) = self.split(lines);
        self.personal_stats.append(&own)?;
        self.stats.append(&shared)
    }

    /// Like [`count`](Self::count), for lines about a session. Lines that can't be appended now
    /// stay pending and are appended later.
    pub fn tell(&self, lines: &[StatsLine]) -> Result<(), TellError> {
        let (own, shared) = self.split(lines);
        let told = self.personal_stats.tell(&own);
        self.stats.tell(&shared).and(told)
    }

    /// Splits the lines: first those that may be about the person's own learnings, then those
    /// about shared learnings.
    fn split(&self, lines: &[StatsLine]) -> (Vec<StatsLine>, Vec<StatsLine>) {
        let ids: Vec<_> = lines.iter().filter_map(|line| line.event.learning()).collect();
        let places: Vec<_> = self.library.places().collect();
        let shared = self.catalogue.shared(&places, &ids);
        let is_own =
            |line: &StatsLine| line.event.learning().is_some_and(|id| !shared.contains(id));
        lines.iter().cloned().partition(is_own)
    }
}

fn backends_wanted(settings: &Settings) -> BackendsWanted {
    let backends = &settings.backends;
    let switch = |on| if on { Switch::On } else { Switch::Off };
    BackendsWanted {
        order: backends.order.value.iter().collect(),
        named: backends.choice.value,
        total_recall: switch(backends.total_recall.value),
        markdown: switch(backends.markdown.value),
    }
}

#[cfg(test)]
mod tests {
    use verger_config::{Layers, Source, resolve};
    use verger_event::BackendKind;
    use verger_memory::BackendSource;

    use super::*;

    #[test]
    fn without_a_word_from_the_user_places_are_looked_for_in_the_usual_order() {
        assert_eq!(backends_wanted(&Settings::default()), BackendsWanted::default());
    }

    #[test]
    fn every_setting_counts() {
        let bytes = b"[backends]\norder = [\"markdown\"]\nchoice = \"total-recall\"\n\
            total_recall = false\nmarkdown = false";
        let user = Some(Source { file: "config.toml", bytes });
        let (settings, problems) = resolve(&Layers { user, ..Layers::default() });
        let expected = BackendsWanted {
            order: vec![BackendSource::Markdown, BackendSource::Config, BackendSource::TotalRecall],
            named: Some(BackendKind::TotalRecall),
            total_recall: Switch::Off,
            markdown: Switch::Off,
        };
        assert_eq!((backends_wanted(&settings), problems), (expected, vec![]));
    }
}
