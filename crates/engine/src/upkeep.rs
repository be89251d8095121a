//! What keeps the learnings of a project in order: what no place could take is tried again, the index
//! and the statistics are brought up to date, what nobody uses is put away, and what speaks of code
//! that changed becomes suspect.

mod background;
mod idle_sessions;
mod left_sessions;
pub(crate) mod stamp;
mod suspects;
mod trouble;

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::PathBuf;
use std::time::Duration;

use crate::Home;
use verger_config::Settings;
use verger_event::{ProjectId, gathered};
use verger_exec::Deadline;
use verger_library::{
    BackendKind, Catalogue, Effort, FileError, Ground, Outcome, Placement, Refreshed, SourceState,
    Statistics, Suspects,
};
use verger_memory::stats::{StatsEvent, StatsLine};
use verger_memory::{Decay, Learning, LearningId, decay};
use verger_recall::RecallError;
use verger_store::{Store, StoreError};
use verger_store_local::OutsideLock;

use crate::decay_policy::decay_policy;
use crate::project_library::ProjectLibrary;
use crate::unstored::{Shelving, Unstored, Waiting, take_turn};
use crate::{Clock, Environment};
pub(crate) use background::Keeper;
pub use background::{UPKEEP_WORD, run_in_background};
pub use idle_sessions::restore_start_trees;
pub use left_sessions::{
    Found as FoundLeft, LEFT_SESSIONS_WORD, LeftSessions, Looked, forget_looks, look_in_background,
};
use stamp::Stamp;
use suspects::find_suspects;

/// Whoever reflects takes a moment, and several may be before us.
const TURN_WAIT: Duration = Duration::from_secs(20);

/// One project, and what it takes to keep its learnings in order.
pub struct Upkeep<'a, S> {
    /// Where the index is.
    pub home: &'a Home,
    /// Where the project is.
    pub ground: &'a Ground,
    /// Its learnings.
    pub kept: &'a ProjectLibrary,
    /// How long learnings are kept that nobody uses.
    pub settings: &'a Settings,
    /// What git gets.
    pub environment: &'a Environment,
    /// The moment.
    pub clock: &'a Clock,
    /// What may have learnings that no place has; nothing when that was looked at already.
    pub log: Option<Log<'a, S>>,
    /// When to leave the rest to somebody else.
    pub deadline: Deadline<'a>,
}

/// The log of a project.
pub struct Log<'a, S> {
    /// The log.
    pub store: &'a S,
    /// The project.
    pub project: &'a ProjectId,
}

impl<S> Clone for Log<'_, S> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<S> Copy for Log<'_, S> {}

/// Whether learnings are looked through.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Round {
    /// If that was not done today.
    Daily,
    /// Whenever it was done last.
    Now,
}

/// What was done.
#[derive(Debug)]
pub struct Upkept {
    /// What was put away.
    pub archived: Vec<LearningId>,
    /// What became of the index.
    pub refreshed: Refreshed,
}

/// Why it was not done, or not to its end.
#[derive(Debug, thiserror::Error)]
pub enum UpkeepError {
    /// Nobody can say whether somebody else is at it.
    #[error("lock the index")]
    Lock(#[source] Box<StoreError>),
    /// What was to be put away stays in use.
    #[error(transparent)]
    Archive(#[from] FileError),
    /// What no place has may wait longer.
    #[error("read which learnings no place has yet")]
    Log(#[source] Box<StoreError>),
    /// The log alone has some learnings.
    #[error("store what is in the log alone: {0}")]
    Unstored(String),
    /// The rest is left to somebody else.
    #[error("keep learnings in order in so short a time")]
    OutOfTime,
    /// The index stays as it is.
    #[error(transparent)]
    Index(#[from] RecallError),
    /// It is done again, sooner than it would have to be.
    #[error("keep the statistics beside the index")]
    Keep(#[source] io::Error),
}

impl<S: Store> Upkeep<'_, S> {
    /// Does what is to be done; nothing when somebody else is at it.
    pub fn run(&self, round: Round, effort: Effort) -> Result<Option<Upkept>, UpkeepError> {
        let dir = self.dir();
        let lock = OutsideLock::acquire(&self.home.data, &dir, Duration::ZERO);
        let Some(_lock) = lock.map_err(|error| UpkeepError::Lock(Box::new(error)))? else {
            return Ok(None);
        };
        let stamp = Stamp::looked_through(&dir);
        let is_due = round == Round::Now || !stamp.is_of_today(self.clock.now());
        let waiting = Waiting::of(&dir);
        let stored = match self.log.filter(|_| is_due || waiting.is_noted()) {
            Some(log) => self.store_what_waits(log, &waiting, effort),
            None => Ok(()),
        };
        self.in_time()?;
        // What waits to be counted decides what is put away; what cannot be counted goes on waiting.
        drop(self.kept.count(&[]));
        let mut statistics = Statistics::read_whole(&dir, self.ground);
        let mut archived = vec![];
        if is_due {
            let learnings = self.learnings();
            let lines = self.lines(&learnings, &statistics);
            self.in_time()?;
            self.kept.count(&lines)?;
            self.in_time()?;
            let suspects = self.suspects(&learnings, &statistics, effort);
            suspects.keep(&dir).map_err(UpkeepError::Keep)?;
            statistics = Statistics::read_whole(&dir, self.ground);
            archived = lines.iter().filter_map(|line| line.event.learning().cloned()).collect();
        }
        self.in_time()?;
        let places: Vec<_> = self.kept.library.places().collect();
        let refreshed = Catalogue::new(dir.clone()).refresh(&places, &statistics, effort)?;
        // The index is brought up to date from what it knows: a table beyond that would part them.
        if !matches!(refreshed.outcome, Outcome::Busy | Outcome::TooMuch { .. }) {
            statistics.keep().map_err(UpkeepError::Keep)?;
        }
        if is_due {
            stamp.set(self.clock.now()).map_err(UpkeepError::Keep)?;
        }
        // All the rest is done, whatever the places say.
        stored?;
        Ok(Some(Upkept { archived, refreshed }))
    }

    fn in_time(&self) -> Result<(), UpkeepError> {
        if self.deadline.is_over() { Err(UpkeepError::OutOfTime) } else { Ok(()) }
    }

    /// Tries again what no place could take. Whoever reflects at this moment does it as well.
    fn store_what_waits(
        &self,
        Log { store, project }: Log<'_, S>,
        waiting: &Waiting,
        effort: Effort,
    ) -> Result<(), UpkeepError> {
        let failed = |error| UpkeepError::Log(Box::new(error));
        let wait = if effort == Effort::Whole { TURN_WAIT } else { Duration::ZERO };
        let Some(_turn) = take_turn(self.ground, wait).map_err(failed)? else { return Ok(()) };
        let unstored = Unstored::read(store, None, Some(project)).map_err(failed)?;
        let places = if unstored.is_empty() { BTreeMap::new() } else { self.places() };
        let shelving = Shelving { store, clock: self.clock, library: &self.kept.library, waiting };
        let shelved = unstored.store(&shelving, |id| places.get(id).copied()).map_err(failed)?;
        let refused = shelved.into_iter().find_map(|one| match one.placement {
            Placement::Failed { because, .. } => Some(because),
            Placement::NoBackend => Some("every place is switched off".to_owned()),
            _ => None,
        });
        refused.map_or(Ok(()), |because| Err(UpkeepError::Unstored(because)))
    }

    /// Which place has which learning.
    fn places(&self) -> BTreeMap<LearningId, BackendKind> {
        let mut places = BTreeMap::new();
        for place in self.kept.library.places() {
            let states = place.read(&[]).into_iter().map(|source| source.state);
            let ids = learnings_of(states).map(|learning| learning.id);
            places.extend(ids.map(|id| (id, place.kind())));
        }
        places
    }

    fn dir(&self) -> PathBuf {
        self.home.recall(&self.ground.root)
    }

    /// Each once, whatever merging did to the files.
    fn learnings(&self) -> BTreeMap<LearningId, Learning> {
        let states = self.kept.library.read(&[]).into_iter().map(|source| source.state);
        gathered(learnings_of(states).map(|learning| (learning.id.clone(), learning)))
    }

    /// What is to be said of the learnings whose time is over.
    fn lines(
        &self,
        learnings: &BTreeMap<LearningId, Learning>,
        statistics: &Statistics,
    ) -> Vec<StatsLine> {
        let (policy, now) = (decay_policy(self.settings), self.clock.now());
        let replaced = replaced(learnings);
        let is_over = |learning: &&Learning| {
            let usage = statistics.usage(&learning.id);
            let decay = decay(learning.created, &usage, &policy, now);
            let is_active = usage.is_active() && !replaced.contains(&learning.id);
            is_active && matches!(decay, Decay::Due { .. })
        };
        let over = learnings.values().filter(is_over);
        over.map(|learning| StatsLine {
            id: self.clock.next_id(),
            at: now,
            session: None,
            tickets: vec![],
            event: StatsEvent::Archived {
                learning: learning.id.clone(),
                reason: format!("not used for {} days", policy.days),
            },
        })
        .collect()
    }

    /// The active learnings that the code speaks against. One that was replaced stays what it was: the
    /// index knows that it is not in use.
    fn suspects(
        &self,
        learnings: &BTreeMap<LearningId, Learning>,
        statistics: &Statistics,
        effort: Effort,
    ) -> Suspects {
        let before = Suspects::read(&self.dir());
        let replaced = replaced(learnings);
        let active = learnings.values().filter(|learning| {
            statistics.usage(&learning.id).is_active() && !replaced.contains(&learning.id)
        });
        let mut found = find_suspects(&self.ground.root, active, effort, self.environment);
        let still = replaced
            .into_iter()
            .filter_map(|id| before.reason(id).map(|reason| (id.clone(), reason.to_owned())));
        found.extend(still);
        before.followed_by(found)
    }
}

fn learnings_of(states: impl Iterator<Item = SourceState>) -> impl Iterator<Item = Learning> {
    let placed = states.flat_map(|state| match state {
        SourceState::Whole(entries) | SourceState::Appended(entries) => entries.learnings,
        SourceState::Same | SourceState::Unreadable(_) => vec![],
    });
    placed.map(|placed| placed.learning)
}

fn replaced(learnings: &BTreeMap<LearningId, Learning>) -> BTreeSet<&LearningId> {
    gathered(learnings.values().flat_map(|one| &one.supersedes))
}
