//! What is kept of the learnings of one project, as a command opens it.

use std::path::{Path, PathBuf};

use verger_config::Settings;
use verger_event::Timestamp;
use verger_hook::{ProjectLibrary, decay_policy, open_library};
use verger_library::{
    Archive, Catalogue, Effort, FileError, Ground, Library, Refreshed, Statistics,
};
use verger_memory::stats::{Account, StatsLine};
use verger_memory::{Decay, DecayPolicy, decay};

use crate::command_error::CommandError;
use crate::context::Context;
use crate::gated_session::GatedSession;
use crate::moment::wall_clock;
use crate::ui::{Output, Ui};

/// What is read in order to keep the index up to date while an agent waits; `maintain` reads all.
const HURRIED: Effort = Effort::AtMost { bytes: 1024 * 1024 };

/// A project's places, and what the settings there say of them.
pub(crate) struct Shelf {
    pub(crate) root: PathBuf,
    ground: Ground,
    pub(crate) project: ProjectLibrary,
    /// When learnings fade.
    pub(crate) decay_policy: DecayPolicy,
    /// A change of fewer lines is small.
    pub(crate) auto_skip_lines: u64,
}

impl Shelf {
    /// Of the project that the command was started in. Says what is wrong with the settings.
    pub(crate) fn here(ui: &Ui, context: &Context, archive: Archive) -> Result<Self, CommandError> {
        let loaded = context.settings(&context.home()?);
        if ui.output() == Output::Text {
            loaded.problems.iter().for_each(|problem| ui.warn(problem));
        }
        Self::open(context, context.project_root()?, &loaded.settings, archive)
    }

    /// Of the project that a session works in.
    pub(crate) fn of_session(
        context: &Context,
        session: &GatedSession,
        archive: Archive,
    ) -> Result<Self, CommandError> {
        let directory = session.state.session.cwd.as_deref().map(Path::new);
        let root = match directory.and_then(|directory| context.root_of(directory)) {
            Some(root) => root,
            None => context.project_root()?,
        };
        Self::open(context, root, &session.loaded.settings, archive)
    }

    fn open(
        context: &Context,
        root: PathBuf,
        settings: &Settings,
        archive: Archive,
    ) -> Result<Self, CommandError> {
        let ground = context.ground(&root)?;
        Ok(Self {
            project: open_library(&ground, settings, wall_clock(context.clock.now()), archive),
            ground,
            root,
            decay_policy: decay_policy(settings),
            auto_skip_lines: settings.learning.auto_skip_lines.value,
        })
    }

    /// What time does to a learning that is in use.
    pub(crate) fn decay(&self, account: &Account, now: Timestamp) -> Decay {
        decay(account.learning.created, &account.usage, &self.decay_policy, now)
    }

    /// Brings the search index up to date, as far as an agent can wait for it.
    pub(crate) fn refresh_hurried(&self, context: &Context) -> Result<(), CommandError> {
        self.refresh(context, HURRIED).map(|_| ())
    }

    /// Brings the search index up to date.
    pub(crate) fn refresh(
        &self,
        context: &Context,
        effort: Effort,
    ) -> Result<Refreshed, CommandError> {
        let dir = context.home()?.recall(&self.root);
        let now = wall_clock(context.clock.now());
        let library = Library::open(&self.ground, &self.project.found, now, Archive::Left);
        let statistics = Statistics::read(&dir, &self.ground);
        let places: Vec<_> = library.places().collect();
        Ok(Catalogue::new(dir).refresh(&places, &statistics, effort)?)
    }

    /// Adds to the statistics: what is the person's own to the person's log.
    pub(crate) fn append_stats(
        &self,
        lines: Vec<StatsLine>,
        is_personal: impl Fn(&StatsLine) -> bool,
    ) -> Result<(), FileError> {
        let (personal, shared): (Vec<_>, Vec<_>) = lines.into_iter().partition(is_personal);
        self.project.stats.append(&shared)?;
        self.project.personal_stats.append(&personal)
    }
}
