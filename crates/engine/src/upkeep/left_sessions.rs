//! Sessions that were left: the client was killed, the terminal closed, the machine switched off. Nobody said
//! that they ended, so what they worked on is recorded when nothing was heard of them for a while.
//!
//! A session that goes on after all loses nothing by it: the next record of the task takes this one's place.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write as _};
use std::path::Path;
use std::time::Duration;

use crate::Home;
use crate::State;
use verger_config::{DriftMode, Settings};
use verger_drift::{TaskRecord, Track};
use verger_event::{
    Access, Actor, Circumstance, Draft, Event, Life, Origin, Scope, Session, SessionKey, Standing,
    TaskEnding, Timestamp,
};
use verger_exec::{Deadline, begin_session};
use verger_store::{Options, Store, StoreError, Turn};
use verger_store_local::OutsideLock;

use super::background::{start_process, within};
use super::stamp::Stamp;
use crate::bounded_file::{read_beyond, write};
use crate::failure::Failure;
use crate::failure::guarded;
use crate::gates::drift::claims;
use crate::settings::{LoadedSettings, load_settings};
use crate::{Clock, Environment};

/// The word by which the hook program is started for this.
pub const LEFT_SESSIONS_WORD: &str = "--left-sessions";

/// Nothing was heard for this long: a night, but not a meal or a long command.
const LEFT_MILLIS: u64 = 6 * 60 * 60 * 1000;

/// How long the process goes on that nobody waits for. What it did not come to is done by the next one.
const PATIENCE: Duration = Duration::from_secs(30);

/// More sessions than anybody has; what is beyond is looked at each time.
const MAX_SETTLED_BYTES: usize = 8 * 1024 * 1024;

/// The sessions in a log, and what it takes to see which of them were left.
pub struct LeftSessions<'a, S> {
    /// What counts where they worked.
    pub home: &'a Home,
    /// The log.
    pub store: &'a S,
    /// What settings come from.
    pub environment: &'a Environment,
    /// The moment.
    pub clock: &'a Clock,
}

/// What was found of a session.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Found {
    /// It may still go on, or somebody is at it.
    GoesOn,
    /// Nothing is to be recorded, unless it goes on after all.
    Nothing,
    /// The settings want nothing recorded, as long as they do.
    Off,
    /// So many tasks were left, and have a record now.
    Recorded(usize),
}

/// Whether all sessions were looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Looked {
    /// All.
    Through,
    /// The time was over before.
    InPart,
    /// Somebody else is at it.
    NotAtAll,
}

/// How far a session came.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stage {
    GoesOn,
    /// Since its last event.
    Left {
        at: Timestamp,
    },
    /// It said that it ended, or there is no project in which anybody would find what it did.
    Over,
}

impl Stage {
    fn of(Session { life, last_at, project, .. }: &Session, now: Timestamp) -> Self {
        match (life, last_at, project) {
            (Life::Running, Some(at), Some(_)) => {
                // An event that is still to come was written before the clock was set back.
                let apart = now.as_millis().abs_diff(at.as_millis());
                if apart < LEFT_MILLIS { Self::GoesOn } else { Self::Left { at: *at } }
            }
            _ => Self::Over,
        }
    }
}

impl<S: Store> LeftSessions<'_, S> {
    /// Starts a process that looks at all sessions, once a day, when the session `key` starts.
    pub(crate) fn look_daily(&self, key: &SessionKey) {
        let Self { home, store, environment, clock } = self;
        let stamp = Stamp::looked_for_left(&home.left_sessions());
        if stamp.is_of_today(clock.now()) || !store.has_other_sessions(key).unwrap_or(false) {
            return;
        }
        // If this fails, the first session of the next day does it.
        if stamp.set(clock.now()).is_ok() {
            drop(start_process(&[LEFT_SESSIONS_WORD.as_ref()], environment, clock));
        }
    }

    /// Looks at all sessions that may have been left since they were looked at last. One that cannot be read
    /// keeps nobody from the others.
    pub fn record_all(&self, deadline: Deadline<'_>) -> Result<Looked, StoreError> {
        let dir = self.home.left_sessions();
        let lock = OutsideLock::acquire(&self.home.data, &dir, Duration::ZERO)?;
        let Some(_lock) = lock else { return Ok(Looked::NotAtAll) };
        let stems: BTreeSet<_> = self.store.session_stems()?.into_iter().collect();
        let before = Settled::read(&dir);
        let mut settled = before.clone();
        settled.0.retain(|stem, _| stems.contains(stem));
        let mut looked = Looked::Through;
        for stem in &stems {
            let Ok(bytes) = self.store.segment_bytes(stem) else { continue };
            if settled.0.get(stem) == Some(&bytes) {
                continue;
            }
            if deadline.is_over() {
                looked = Looked::InPart;
                break;
            }
            let found = guarded(|| Ok(self.record_one(stem).map_err(Failure::from)?));
            if matches!(found, Ok(Found::Nothing)) {
                settled.0.insert(stem.clone(), bytes);
            }
        }
        if settled != before {
            // What is not kept is looked at again.
            drop(settled.keep(&dir));
        }
        Ok(looked)
    }

    /// Looks at these sessions, whatever is known of them, until the time is over. `settle` gets those in
    /// which there is nothing to record.
    pub fn record_these<T>(
        &self,
        sessions: impl IntoIterator<Item = (SessionKey, T)>,
        deadline: Deadline<'_>,
        settle: &mut dyn FnMut(T),
    ) {
        for (key, session) in sessions {
            if deadline.is_over() {
                break;
            }
            let found = guarded(|| Ok(self.record(&key).map_err(Failure::from)?));
            if matches!(found, Ok(Found::Nothing)) {
                settle(session);
            }
        }
    }

    /// Until when the last event of a session must have been that may have been left.
    pub fn heard_before(&self) -> Timestamp {
        Timestamp::from_millis(self.clock.now().as_millis().saturating_sub(LEFT_MILLIS))
    }

    fn record_one(&self, stem: &str) -> Result<Found, StoreError> {
        match self.store.key_of(stem)? {
            Some(key) => self.record(&key),
            None => Ok(Found::Nothing),
        }
    }

    /// Records what was left in a session, if it was.
    pub fn record(&self, key: &SessionKey) -> Result<Found, StoreError> {
        let stem = key.file_stem();
        let session = self.store.folded::<State>(&stem)?.session;
        match Stage::of(&session, self.clock.now()) {
            Stage::GoesOn => return Ok(Found::GoesOn),
            Stage::Over => return Ok(Found::Nothing),
            Stage::Left { .. } => {}
        }
        let cwd = session.cwd.as_deref().map(Path::new);
        let LoadedSettings { settings, .. } = load_settings(self.home, cwd, self.environment);
        let is_off = settings.drift.mode.value == DriftMode::Off || !settings.record.enabled.value;
        if is_off {
            return Ok(Found::Off);
        }
        // Most are looked at without the lock, which whoever goes on with one would have to wait for.
        if records(&self.store.folded_beside(&stem, Track::NAME)?).is_empty() {
            return Ok(Found::Nothing);
        }
        let Some(turn) = self.store.open_if_free::<State>(key)? else { return Ok(Found::GoesOn) };
        let session = &turn.state().session;
        let Stage::Left { at } = Stage::of(session, self.clock.now()) else {
            return Ok(Found::GoesOn);
        };
        let recorder = Recorder { key, session, at, settings: &settings, clock: self.clock };
        let left = records(&*turn.beside(Track::NAME)?);
        let drafts: Vec<Draft> = left.iter().map(|record| recorder.draft(record.event())).collect();
        let count = drafts.len();
        turn.commit(drafts)?;
        Ok(Found::Recorded(count))
    }
}

/// What makes records of a session that was left.
struct Recorder<'a> {
    key: &'a SessionKey,
    session: &'a Session,
    /// When the work ended: that it was found later is no life of the session's.
    at: Timestamp,
    settings: &'a Settings,
    clock: &'a Clock,
}

impl Recorder<'_> {
    fn draft(&self, event: Event) -> Draft {
        let Self { key, session, at, settings, clock } = self;
        Draft {
            id: clock.next_id(),
            at: *at,
            origin: Origin {
                agent: key.agent.clone(),
                agent_version: session.agent_version.clone(),
                session: key.session.clone(),
                actor: Actor::Main { agent_type: None },
                user: session.user.clone(),
                role: settings.record.role.value.clone(),
                project: session.project.clone(),
                circumstance: Circumstance { cwd: session.cwd.clone(), ..Circumstance::default() },
            },
            standing: Standing { task: session.current_task(), ..Standing::default() },
            access: Access {
                scope: Scope::of(&event),
                readers: settings.record.readers.value.clone(),
            },
            event,
        }
    }
}

fn records(track: &Track) -> Vec<TaskRecord> {
    track.records_of_all(TaskEnding::SessionLeft, claims)
}

/// The sessions in which there is nothing to record, by the names of their segments, and how long these were then.
/// One that has grown since is looked at again.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct Settled(BTreeMap<String, u64>);

impl Settled {
    fn read(dir: &Path) -> Self {
        let text = read_beyond(MAX_SETTLED_BYTES, &dir.join("settled")).ok().flatten();
        let text = String::from_utf8(text.unwrap_or_default()).unwrap_or_default();
        let settled = text.lines().filter_map(|line| {
            let (stem, bytes) = line.split_once(' ')?;
            Some((stem.to_owned(), bytes.parse().ok()?))
        });
        Self(settled.collect())
    }

    fn keep(&self, dir: &Path) -> io::Result<()> {
        let mut text = vec![];
        for (stem, bytes) in &self.0 {
            writeln!(text, "{stem} {bytes}")?;
        }
        Stamp::make_place(dir)?;
        write(&dir.join("settled"), &text)
    }
}

/// What that process does.
pub fn look_in_background<S: Store>(
    open_store: impl FnOnce(&Path, Options) -> Result<S, StoreError> + Send + 'static,
) {
    begin_session();
    let environment = Environment::of_process();
    let Ok(home) = Home::locate(|name| environment.get(name)) else { return };
    let stamp = Stamp::looked_for_left(&home.left_sessions());
    let looked = within(2 * PATIENCE, move || {
        let clock = &Clock::of_process(&environment);
        let loaded = load_settings(&home, None, &environment);
        let store = &open_store(&home.data, loaded.store_options())?;
        let left = LeftSessions { home: &home, store, environment: &environment, clock };
        left.record_all(Deadline::after(PATIENCE))
    });
    if matches!(looked, Ok(Ok(Looked::InPart))) {
        // The next session goes on with it; where that cannot be said, tomorrow's does.
        drop(stamp.forget());
    }
}

#[cfg(test)]
mod tests;
