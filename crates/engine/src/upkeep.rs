//! Upkeep of a project's learnings: stores learnings that no backend could store before, updates
//! the index and the statistics, archives unused learnings, and marks learnings as suspect if
//! their code changed.

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

/// How long to wait for the lock on the project's learnings. A reflection holds it for a moment,
/// and several may be queued.
const TURN_WAIT: Duration = Duration::from_secs(20);

/// The upkeep of one project's learnings.
pub struct Upkeep<'a, S> {
    /// verger's directories. The index is in one of them.
    pub home: &'a Home,
    /// The project's ground.
    pub ground: &'a Ground,
    /// The project's learnings.
    pub kept: &'a ProjectLibrary,
    /// The settings, with the time after which unused learnings are archived.
    pub settings: &'a Settings,
    /// The environment that git runs in.
    pub environment: &'a Environment,
    /// The time, and the generator of ids.
    pub clock: &'a Clock,
    /// The log, which may have learnings that no backend stores. `None` if the caller has stored
    /// them already.
    pub log: Option<Log<'a, S>>,
    /// The time limit. A later round does the remaining work.
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

/// When to check all learnings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Round {
    /// At most once a day.
    Daily,
    /// Now, even if the last round was today.
    Now,
}

/// The result of a round.
#[derive(Debug)]
pub struct Upkept {
    /// The learnings that were archived.
    pub archived: Vec<LearningId>,
    /// The result of updating the index.
    pub refreshed: Refreshed,
}

/// The reason why a round was not done or not finished.
#[derive(Debug, thiserror::Error)]
pub enum UpkeepError {
    /// Locking the index failed; another process may be updating it.
    #[error("lock the index")]
    Lock(#[source] Box<StoreError>),
    /// Archiving failed. The learnings stay active.
    #[error(transparent)]
    Archive(#[from] FileError),
    /// Reading the log failed. Learnings that no backend stores have to wait longer.
    #[error("find learnings that are not stored yet")]
    Log(#[source] Box<StoreError>),
    /// Some learnings are still only in the log.
    #[error("store learnings that are only in the log: {0}")]
    Unstored(String),
    /// The time limit was reached. A later round does the remaining work.
    #[error("finish the upkeep of learnings in time")]
    OutOfTime,
    /// Updating the index failed. The old index is still valid.
    #[error(transparent)]
    Index(#[from] RecallError),
    /// Saving the statistics failed. The next round comes sooner than needed.
    #[error("keep the statistics beside the index")]
    Keep(#[source] io::Error),
}

impl<S: Store> Upkeep<'_, S> {
    /// Runs the round. Returns `None` if another process has the lock.
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
        // Pending lines are counted first, because the counts decide which learnings are
        // archived. If that fails, the lines stay pending.
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
        // Statistics are saved only with a refreshed index, because the two must agree.
        if !matches!(refreshed.outcome, Outcome::Busy | Outcome::TooMuch { .. }) {
            statistics.keep().map_err(UpkeepError::Keep)?;
        }
        if is_due {
            stamp.set(self.clock.now()).map_err(UpkeepError::Keep)?;
        }
        // An error in storing learnings is returned only now, so that the other steps are done.
        stored?;
        Ok(Some(Upkept { archived, refreshed }))
    }

    fn in_time(&self) -> Result<(), UpkeepError> {
        if self.deadline.is_over() { Err(UpkeepError::OutOfTime) } else { Ok(()) }
    }

    /// Stores waiting learnings. A concurrent reflection may do the same.
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
            Placement::NoBackend => Some("every storage place is switched off".to_owned()),
            _ => None,
        });
        refused.map_or(Ok(()), |because| Err(UpkeepError::Unstored(because)))
    }

    /// The backend of each learning.
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

    /// Each learning once, even if a merge duplicated it in the files.
    fn learnings(&self) -> BTreeMap<LearningId, Learning> {
        let states = self.kept.library.read(&[]).into_iter().map(|source| source.state);
        gathered(learnings_of(states).map(|learning| (learning.id.clone(), learning)))
    }

    /// The lines for the statistics that archive the learnings that are due.
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

    /// The active learnings whose code changed. A replaced learning keeps its earlier reason,
    /// because the index already marks it as not in use.
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
