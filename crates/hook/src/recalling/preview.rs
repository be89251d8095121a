//! What a session would be given with a prompt, for whoever wants to know beforehand. Nothing is
//! recorded.

use std::path::{Path, PathBuf};

use verger_config::Settings;
use verger_event::Timestamp;
use verger_recall::RecallError;
use verger_store_local::Home;

use super::{Occasion, Recalled, Recaller, Selection, Wanted};
use crate::project_library::LearningsPlace;
use crate::ticket_facts::find_tickets;
use crate::{Environment, State};

/// A session, or one that begins now, and where it works.
pub struct Preview<'a> {
    /// Where the index is.
    pub home: &'a Home,
    /// The settings there.
    pub settings: &'a Settings,
    /// What a ticket system's program gets.
    pub environment: &'a Environment,
    /// The project.
    pub root: PathBuf,
    /// Where in it.
    pub directory: &'a Path,
    /// What its client takes whole.
    pub max_chars: usize,
    /// The moment.
    pub now: Timestamp,
}

/// Which session.
#[derive(Clone, Copy)]
pub enum PreviewOf<'a> {
    /// One that begins now.
    New,
    /// One that has begun.
    Session {
        /// Its id.
        id: &'a str,
        /// What it was given before, what it works on.
        state: &'a State,
    },
}

/// What it would be given.
#[derive(Debug)]
pub enum Previewed {
    /// Nothing, because recall is off.
    Off,
    /// Nothing, because so short a prompt says nothing of what it is about.
    TooShort,
    /// Nothing, because nothing is kept.
    NothingKept,
    /// What was selected.
    Selected {
        /// What and why, also what is left out with the best first.
        selection: Box<Selection>,
        /// The index or the statistics are behind by more than an agent can wait for.
        is_behind: bool,
    },
}

impl Preview<'_> {
    /// What it would be given with this prompt.
    pub fn with(&self, prompt: &str, of: PreviewOf<'_>) -> Result<Previewed, RecallError> {
        if !self.settings.recall.enabled.value {
            return Ok(Previewed::Off);
        }
        let Some(occasion) = Occasion::of(prompt) else { return Ok(Previewed::TooShort) };
        let place = LearningsPlace::new(self.home, self.root.clone(), self.settings, self.now);
        let new = State::default();
        let (session, state, found) = match of {
            PreviewOf::Session { id, state } => (id, state, None),
            PreviewOf::New => {
                let environment = self.environment.all();
                let found = find_tickets(self.settings, self.directory, environment);
                ("ID", &new, found.ticket)
            }
        };
        let asking = Recaller {
            home: self.home,
            settings: self.settings,
            place: &place,
            ticket: found.as_ref().or_else(|| state.learning.phase.ticket()),
            session,
            now: self.now,
            max_chars: self.max_chars,
            answer: Wanted::Reasons,
        };
        let mut recalled = Recalled::default();
        let Some(mut selection) = asking.look(occasion, state, &mut recalled)? else {
            return Ok(Previewed::NothingKept);
        };
        selection
            .left_out
            .sort_by(|(_, one), (_, other)| other.merits.score().total_cmp(&one.merits.score()));
        let (selection, is_behind) = (Box::new(selection), recalled.is_behind);
        Ok(Previewed::Selected { selection, is_behind })
    }
}
