//! What is kept of the learnings of one project, as a command opens it.

use std::path::PathBuf;

use verger_event::Timestamp;
use verger_hook::{ProjectLibrary, decay_policy};
use verger_library::Archive;
use verger_memory::{Decay, DecayPolicy, decay};

use crate::command_error::CommandError;
use crate::context::Context;
use crate::holdings::Held;
use crate::ui::{Output, Ui};

/// A project's places, and what the settings there say of them.
pub(crate) struct Shelf {
    pub(crate) root: PathBuf,
    pub(crate) project: ProjectLibrary,
    decay: DecayPolicy,
}

impl Shelf {
    /// Of the project that the command was started in. Says what is wrong with the settings.
    pub(crate) fn here(ui: &Ui, context: &Context, archive: Archive) -> Result<Self, CommandError> {
        let loaded = context.settings(&context.home()?);
        if ui.output() == Output::Text {
            loaded.problems.iter().for_each(|problem| ui.warn(problem));
        }
        let root = context.project_root()?;
        let project = context.library(&root, &loaded.settings, archive)?;
        Ok(Self { root, project, decay: decay_policy(&loaded.settings) })
    }

    /// What time does to a learning that is in use.
    pub(crate) fn decay(&self, held: &Held, now: Timestamp) -> Decay {
        decay(held.learning.created, &held.usage, &self.decay, now)
    }
}
