//! What is kept of the learnings of one project, as a command opens it.

use std::path::PathBuf;

use verger_event::Timestamp;
use verger_hook::{ProjectLibrary, decay_policy};
use verger_library::Archive;
use verger_memory::stats::Account;
use verger_memory::{Decay, DecayPolicy, decay};

use crate::command_error::CommandError;
use crate::context::Context;
use crate::ui::{Output, Ui};

/// A project's places, and what the settings there say of them.
pub(crate) struct Shelf {
    pub(crate) root: PathBuf,
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
        let root = context.project_root()?;
        let project = context.library(&root, &loaded.settings, archive)?;
        let settings = &loaded.settings;
        Ok(Self {
            root,
            project,
            decay_policy: decay_policy(settings),
            auto_skip_lines: settings.learning.auto_skip_lines.value,
        })
    }

    /// What time does to a learning that is in use.
    pub(crate) fn decay(&self, account: &Account, now: Timestamp) -> Decay {
        decay(account.learning.created, &account.usage, &self.decay_policy, now)
    }
}
