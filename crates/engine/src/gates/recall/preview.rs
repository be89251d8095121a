//! What a session would be given with a prompt, for whoever wants to know beforehand. Nothing is
//! recorded.

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

/// A session, or one that begins now, and where it works.
pub struct Preview<'a, S> {
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
    /// Where the project's tasks are recorded, if it is known.
    pub log: Option<Log<'a, S>>,
    /// Whose session it is, if that is known.
    pub user: Option<&'a str>,
}

/// Which session.
#[derive(Clone, Copy)]
pub enum PreviewOf<'a> {
    /// One that begins now.
    New,
    /// One that has begun.
    Session {
        /// Its key.
        key: &'a SessionKey,
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
    /// What was found.
    Found(Box<Found>),
}

/// What was found for a prompt.
#[derive(Debug)]
pub struct Found {
    /// The learnings, also those left out, with the best first; nothing when none is kept.
    pub learnings: Option<Selection>,
    /// The index or the statistics are behind by more than an agent can wait for.
    pub is_behind: bool,
    /// The tasks of other sessions, or why they could not be looked for.
    pub tasks: Result<TaskSelection, StoreError>,
}

impl Found {
    /// All that the agent is told; nothing when nothing is given.
    pub fn text(&self) -> Option<String> {
        let learnings = self.learnings.iter().filter_map(|learnings| learnings.text.as_deref());
        let tasks = self.tasks.iter().filter_map(|tasks| tasks.text.as_deref());
        let texts: Vec<_> = learnings.chain(tasks).collect();
        (!texts.is_empty()).then(|| texts.join(BETWEEN_TEXTS))
    }
}

/// Which of the tasks that fit an agent is told of.
#[derive(Debug, Default)]
pub struct TaskSelection {
    /// What the agent is told; nothing when it is told of none.
    pub text: Option<String>,
    /// The tasks in it, best first.
    pub given: Vec<Offer>,
    /// The others that fit.
    pub left_out: Vec<(LeftOut, Offer)>,
}

impl<S: ReadLog> Preview<'_, S> {
    /// What it would be given with this prompt.
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
