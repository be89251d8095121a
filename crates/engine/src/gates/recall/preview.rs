//! Previews the learnings and tasks that a session would be given with a prompt. A preview
//! records nothing.

use std::path::{Path, PathBuf};

use crate::Home;
use verger_config::Settings;
use verger_drift::shelf::Offer;
use verger_event::{SessionKey, Timestamp};
use verger_gate::drift::offer::{Reader, offer};
use verger_memory::injection::Budget;
use verger_recall::RecallError;
use verger_store::{ReadLog, StoreError};

use super::{LeftOut, Occasion, Recalled, Recaller, Selection, Wanted};
use crate::decision::BETWEEN_TEXTS;
use crate::gates::earlier_tasks;
use crate::gates::learning::tickets::find_tickets;
use crate::project_library::LearningsPlace;
use crate::{Environment, Log, State};

/// The parameters of a preview.
pub struct Preview<'a, S> {
    /// verger's directories. The index is in one of them.
    pub home: &'a Home,
    /// The settings for the project.
    pub settings: &'a Settings,
    /// The environment for the ticket system's program.
    pub environment: &'a Environment,
    /// The project's root.
    pub root: PathBuf,
    /// The working directory in the project.
    pub directory: &'a Path,
    /// Maximum number of characters that the agent's client accepts without cutting them.
    pub max_chars: usize,
    /// The time of the preview.
    pub now: Timestamp,
    /// The log with the project's tasks, if the project is known.
    pub log: Option<Log<'a, S>>,
    /// The session's user, if known.
    pub user: Option<&'a str>,
}

/// The session that the preview is for.
#[derive(Clone, Copy)]
pub enum PreviewOf<'a> {
    /// A new session.
    New,
    /// An existing session.
    Session {
        /// The session's key.
        key: &'a SessionKey,
        /// The session's state, with the learnings given before and the current work.
        state: &'a State,
    },
}

/// The result of a preview.
#[derive(Debug)]
pub enum Previewed {
    /// Recall is off.
    Off,
    /// The prompt is too short to name its subject.
    TooShort,
    /// The learnings and tasks found.
    Found(Box<Found>),
}

/// The learnings and tasks found for a prompt.
#[derive(Debug)]
pub struct Found {
    /// The learnings, best first, including those left out. `None` if no learnings are stored.
    pub learnings: Option<Selection>,
    /// Whether updating the index or the statistics takes longer than an agent can wait.
    pub is_behind: bool,
    /// The tasks of other sessions, or the error from looking them up.
    pub tasks: Result<TaskSelection, StoreError>,
}

impl Found {
    /// The whole text for the agent. `None` if nothing is given.
    pub fn text(&self) -> Option<String> {
        let learnings = self.learnings.iter().filter_map(|learnings| learnings.text.as_deref());
        let tasks = self.tasks.iter().filter_map(|tasks| tasks.text.as_deref());
        let texts: Vec<_> = learnings.chain(tasks).collect();
        (!texts.is_empty()).then(|| texts.join(BETWEEN_TEXTS))
    }
}

/// The fitting tasks, split into those that an agent is given and those left out.
#[derive(Debug, Default)]
pub struct TaskSelection {
    /// The text for the agent. `None` if no task is given.
    pub text: Option<String>,
    /// The given tasks, best first.
    pub given: Vec<Offer>,
    /// The other fitting tasks, with the reason for leaving each out.
    pub left_out: Vec<(LeftOut, Offer)>,
}

impl<S: ReadLog> Preview<'_, S> {
    /// Previews this prompt.
    pub fn with(&self, prompt: &str, of: PreviewOf<'_>) -> Result<Previewed, RecallError> {
        if !self.settings.recall.enabled.value {
            return Ok(Previewed::Off);
        }
        let Some(occasion) = Occasion::of(prompt) else { return Ok(Previewed::TooShort) };
        let place = LearningsPlace::new(self.home, self.root.clone(), self.settings, self.now);
        let new = State::default();
        let (key, state, found) = match of {
            PreviewOf::Session { key, state } => (Some(key), state, None),
            PreviewOf::New => {
                let environment = self.environment.all();
                let found = find_tickets(self.settings, self.directory, environment);
                (None, &new, found.ticket)
            }
        };
        let session = key.map_or("ID".into(), |key| key.session.word());
        let asking = Recaller {
            home: self.home,
            settings: self.settings,
            place: &place,
            ticket: found.as_ref().or_else(|| state.learning.phase.ticket()),
            session: &session,
            now: self.now,
            max_chars: self.max_chars,
            answer: Wanted::Reasons,
        };
        let mut recalled = Recalled::default();
        let mut learnings = asking.look(occasion, state, &mut recalled)?;
        if let Some(selection) = &mut learnings {
            selection.left_out.sort_by(|(_, one), (_, other)| {
                other.merits.score().total_cmp(&one.merits.score())
            });
        }
        let taken_back = recalled.corrected.iter().map(|corrected| corrected.text.as_str());
        let given = learnings.iter().filter_map(|selection| selection.text.as_deref());
        let left = earlier_tasks::left_of(asking.limits().budget, taken_back.chain(given));
        let tasks = self.tasks(occasion, key, state, left);
        let is_behind = recalled.is_behind;
        Ok(Previewed::Found(Box::new(Found { learnings, is_behind, tasks })))
    }

    fn tasks(
        &self,
        occasion: Occasion<'_>,
        key: Option<&SessionKey>,
        state: &State,
        left: Budget,
    ) -> Result<TaskSelection, StoreError> {
        let Some(log) = self.log.filter(|_| earlier_tasks::is_wanted(self.settings)) else {
            return Ok(TaskSelection::default());
        };
        let fitting = earlier_tasks::fitting(&log, key, occasion, self.directory.to_str())?;
        let is_known = |task: &Offer| earlier_tasks::was_offered(&state.drift, task);
        let (known, new): (Vec<_>, Vec<_>) = fitting.into_iter().partition(is_known);
        let reader = Reader { now: self.now, user: self.user };
        let offered = offer(&new, &reader, |text| left.has_room_for(text));
        let (text, record) = offered.map(|offered| (offered.text, offered.record)).unzip();
        let (given, without): (Vec<_>, Vec<_>) =
            new.into_iter().partition(|one| record == Some(one.task.record));
        let known = known.into_iter().map(|task| (LeftOut::GivenBefore, task));
        let without = without.into_iter().map(|task| (LeftOut::NoRoom, task));
        Ok(TaskSelection { text, given, left_out: known.chain(without).collect() })
    }
}
