//! The learnings of one project, as commands use them.

use std::path::{Path, PathBuf};
use std::time::Duration;

use verger_engine::{
    LoadedSettings, ProjectLibrary, decay_policy, load_settings, open_library, take_turn,
};
use verger_event::Timestamp;
use verger_library::{Archive, Catalogue, Effort, Ground, Library, Statistics};
use verger_memory::stats::Account;
use verger_memory::{Decay, decay};
use verger_store_local::OutsideLock;

use crate::invocation::command_error::CommandError;
use crate::invocation::context::Context;
use crate::render::output::{Output, Ui};
use crate::render::time::wall_clock;
use crate::sessions::gated::GatedSession;

/// The limit for updating the index while an agent waits. Only `learn archive --unused` reads
/// everything.
const HURRIED: Effort = Effort::AtMost { bytes: 1024 * 1024 };

/// The maximum time to wait for the lock. Each process holds it briefly, but many may wait.
const TURN_WAIT: Duration = Duration::from_secs(20);

/// The storage of a project's learnings, and the project's settings.
pub(crate) struct ProjectLearnings {
    pub(crate) ground: Ground,
    pub(crate) project: ProjectLibrary,
    pub(crate) loaded: LoadedSettings,
}

impl ProjectLearnings {
    /// The learnings of the project in which the command was started. Warns about problems in the
    /// settings.
    pub(crate) fn here(ui: &Ui, context: &Context) -> Result<Self, CommandError> {
        let loaded = context.settings(&context.home()?);
        if ui.output() == Output::Text {
            loaded.problems.iter().for_each(|problem| ui.warn(problem));
        }
        Self::open(context, &context.project_root()?, loaded)
    }

    /// The learnings of the project that a session works in.
    pub(crate) fn of_session(
        context: &Context,
        session: &GatedSession,
    ) -> Result<Self, CommandError> {
        let directory = session.state.session.cwd.as_deref().map(Path::new);
        let root = match directory.and_then(|directory| context.root_of(directory)) {
            Some(root) => root,
            None => context.project_root()?,
        };
        let loaded = load_settings(&context.home()?, directory, &context.environment);
        Self::open(context, &root, loaded)
    }

    fn open(context: &Context, root: &Path, loaded: LoadedSettings) -> Result<Self, CommandError> {
        let ground = context.ground(root)?;
        let now = wall_clock(context.clock.now());
        let index = context.home()?.recall(&ground.root);
        let project = open_library(&ground, index, &loaded.settings, now, Archive::Left);
        Ok(Self { ground, project, loaded })
    }

    /// The library with the archives that others wrote.
    pub(crate) fn with_archives(&self, context: &Context) -> Library {
        let now = wall_clock(context.clock.now());
        Library::open(&self.ground, &self.project.found, now, Archive::Read)
    }

    /// The directory of the search index.
    pub(crate) fn index(&self, context: &Context) -> Result<PathBuf, CommandError> {
        Ok(context.home()?.recall(&self.ground.root))
    }

    /// The decay of a learning that is in use.
    pub(crate) fn decay(&self, account: &Account, now: Timestamp) -> Decay {
        let policy = decay_policy(&self.loaded.settings);
        decay(account.learning.created, &account.usage, &policy, now)
    }

    /// Waits for the lock on changes to the learnings. Without it, two processes would not see each
    /// other's new learnings. `None` if waiting takes too long.
    pub(crate) fn turn(&self) -> Result<Option<OutsideLock>, CommandError> {
        Ok(take_turn(&self.ground, TURN_WAIT)?)
    }

    /// Updates the search index, within the limit for a waiting agent.
    pub(crate) fn refresh(&self, context: &Context) -> Result<(), CommandError> {
        let dir = self.index(context)?;
        let statistics = Statistics::read(&dir, &self.ground);
        let places: Vec<_> = self.project.library.places().collect();
        Catalogue::new(dir).refresh(&places, &statistics, HURRIED)?;
        Ok(())
    }
}
