//! Checks all sessions once a day. Records the work of abandoned sessions, which have no end
//! event (the client was killed, its terminal closed, the machine switched off), and packs idle
//! sessions.
//!
//! If an abandoned session continues, the next record of its task replaces this one.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write as _};
use std::path::Path;
use std::time::Duration;

use crate::Home;
use crate::State;
use verger_config::Settings;
use verger_drift::{TaskRecord, Track};
use verger_event::{
    Access, Actor, Circumstance, Draft, Event, Life, Origin, Scope, Session, SessionKey, Standing,
    TaskEnding, Timestamp,
};
use verger_exec::{Deadline, begin_session};
use verger_gate::drift;
use verger_store::{Options, Retention, Store, StoreError, Turn};
use verger_store_local::OutsideLock;

use super::background::{start_process, within};
use super::idle_sessions::Packing;
use super::stamp::Stamp;
use crate::bounded_file::{read_beyond, write};
use crate::failure::Failure;
use crate::failure::guarded;
use crate::gates::drift::claimed;
use crate::settings::{LoadedSettings, load_settings};
use crate::{Clock, Environment};

/// The argument with which the hook program checks all sessions.
pub const LEFT_SESSIONS_WORD: &str = "--left-sessions";

/// A session counts as abandoned after this long without a record. A meal or a long command is
/// shorter, a night is longer.
const LEFT_MILLIS: u64 = 6 * 60 * 60 * 1000;

/// Time limit of the background process. The next one does the remaining work.
const PATIENCE: Duration = Duration::from_secs(30);

/// The file with the last check of each session. At most this many bytes are read, enough for
/// 100,000 sessions. Further sessions are checked every time.
const LOOKS: &str = "looks";
const MAX_LOOKS_BYTES: usize = 16 * 1024 * 1024;

/// Finds abandoned sessions in a log.
pub struct LeftSessions<'a, S> {
    /// verger's directories, for the settings of the sessions' projects.
    pub home: &'a Home,
    /// The log.
    pub store: &'a S,
    /// The environment, for the settings.
    pub environment: &'a Environment,
    /// The time, and the generator of ids.
    pub clock: &'a Clock,
}

/// The result of checking one session.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Found {
    /// The session may continue, or another process uses it.
    GoesOn,
    /// There is nothing to record unless the session continues.
    Nothing,
    /// The session's settings turn this record off.
    Off,
    /// Number of abandoned tasks that were recorded.
    Recorded(usize),
}

/// Whether all sessions were checked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Looked {
    /// All sessions were checked.
    Through,
    /// The time limit was reached before all sessions were checked.
    InPart,
    /// No session was checked, because another process is checking them.
    NotAtAll,
}

/// The state of a session: whether it was abandoned.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stage {
    GoesOn,
    /// The session was abandoned after its last event.
    Left {
        at: Timestamp,
    },
    /// The session ended, or has no project to which the record would belong.
    Over,
}

impl Stage {
    fn of(Session { life, last_at, project, .. }: &Session, now: Timestamp) -> Self {
        match (life, last_at, project) {
            (Life::Running, Some(at), Some(_)) => {
                // An event in the future was written before the clock was set back.
                let apart = now.as_millis().abs_diff(at.as_millis());
                if apart < LEFT_MILLIS { Self::GoesOn } else { Self::Left { at: *at } }
            }
            _ => Self::Over,
        }
    }
}

impl<S: Store> LeftSessions<'_, S> {
    /// Once a day, when the session `key` starts, starts a process that checks all sessions.
    pub(crate) fn look_daily(&self, key: &SessionKey) {
        let Self { home, store, environment, clock } = self;
        let stamp = Stamp::looked_for_left(&home.left_sessions());
        if stamp.is_of_today(clock.now()) || !store.has_other_sessions(key).unwrap_or(false) {
            return;
        }
        // If this fails, the first session of the next day tries again.
        if stamp.set(clock.now()).is_ok() {
            drop(start_process(&[LEFT_SESSIONS_WORD.as_ref()], environment, clock));
        }
    }

    /// Checks these sessions until the deadline, regardless of their last checks. `settle` is
    /// called with each session that has nothing to record.
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

    /// The time that separates running from abandoned sessions: a session whose last event is
    /// earlier may have been abandoned.
    pub fn heard_before(&self) -> Timestamp {
        Timestamp::from_millis(self.clock.now().as_millis().saturating_sub(LEFT_MILLIS))
    }

    /// Records the work of a session if the session was abandoned.
    pub fn record(&self, key: &SessionKey) -> Result<Found, StoreError> {
        let stem = key.file_stem();
        let state = self.store.folded::<State>(&stem)?;
        let session = &state.session;
        match Stage::of(session, self.clock.now()) {
            Stage::GoesOn => return Ok(Found::GoesOn),
            Stage::Over => return Ok(Found::Nothing),
            Stage::Left { .. } => {}
        }
        let cwd = session.cwd.as_deref().map(Path::new);
        let LoadedSettings { settings, .. } = load_settings(self.home, cwd, self.environment);
        let is_off =
            settings.drift.mode.value == drift::Mode::Off || !settings.record.enabled.value;
        if is_off {
            return Ok(Found::Off);
        }
        // The first check is done without the lock, so that a session that continues needn't wait
        // for it.
        if records(&self.store.folded_beside(&stem, Track::NAME)?, &state).is_empty() {
            return Ok(Found::Nothing);
        }
        let Some(turn) = self.store.open_if_free::<State>(key)? else { return Ok(Found::GoesOn) };
        let session = &turn.state().session;
        let Stage::Left { at } = Stage::of(session, self.clock.now()) else {
            return Ok(Found::GoesOn);
        };
        let own = OwnRecords { key, session, at, settings, clock: self.clock };
        let left = records(&*turn.beside(Track::NAME)?, turn.state());
        let drafts: Vec<Draft> = left.iter().map(|record| own.draft(record.event())).collect();
        let count = drafts.len();
        turn.commit(drafts)?;
        Ok(Found::Recorded(count))
    }
}

impl<S: Store + Retention> LeftSessions<'_, S> {
    /// Checks all sessions that are due. An unreadable session is skipped.
    pub fn look_at_all(&self, deadline: Deadline<'_>) -> Result<Looked, StoreError> {
        let dir = self.home.left_sessions();
        let lock = OutsideLock::acquire(&self.home.data, &dir, Duration::ZERO)?;
        let Some(_lock) = lock else { return Ok(Looked::NotAtAll) };
        let stems: BTreeSet<_> = self.store.session_stems()?.into_iter().collect();
        let before = Looks::read(&dir);
        let mut looks = before.clone();
        looks.0.retain(|stem, _| stems.contains(stem));
        let mut looked = Looked::Through;
        for stem in &stems {
            let Ok(bytes) = self.store.segment_bytes(stem) else { continue };
            if looks.0.get(stem).is_some_and(|look| !look.is_due(bytes, self.clock.now())) {
                continue;
            }
            if deadline.is_over() {
                looked = Looked::InPart;
                break;
            }
            let next = guarded(|| Ok(self.look_at(stem).map_err(Failure::from)?));
            if let (Ok(Some(next)), Ok(bytes)) = (next, self.store.segment_bytes(stem)) {
                looks.0.insert(stem.clone(), Look { bytes, next });
            }
        }
        if looks != before {
            // If the file can't be saved, the same sessions are checked again.
            drop(looks.keep(&dir));
        }
        Ok(looked)
    }

    /// Checks one session. Returns when the next check is due. `None` means the next round.
    fn look_at(&self, stem: &str) -> Result<Option<NextLook>, StoreError> {
        let Some(key) = self.store.key_of(stem)? else { return Ok(Some(NextLook::IfItGrows)) };
        let found = self.record(&key)?;
        if !matches!(found, Found::Nothing | Found::Off) {
            return Ok(None);
        }
        Ok(match self.pack(&key)? {
            Packing::Done | Packing::Impossible => Some(NextLook::IfItGrows),
            Packing::NotBefore(due) if found == Found::Nothing => Some(NextLook::At(due)),
            Packing::NotBefore(_) | Packing::InUse => None,
        })
    }
}

/// Creates verger's own records for a session that no agent is using.
pub(super) struct OwnRecords<'a> {
    key: &'a SessionKey,
    session: &'a Session,
    /// The time of the session's last record. The new records have the same time, because a later
    /// one would look like activity.
    at: Timestamp,
    settings: Box<Settings>,
    clock: &'a Clock,
}

impl<'a> OwnRecords<'a> {
    pub(super) fn of(
        key: &'a SessionKey,
        session: &'a Session,
        at: Timestamp,
        sessions: &LeftSessions<'a, impl Store>,
    ) -> Self {
        let cwd = session.cwd.as_deref().map(Path::new);
        let loaded = load_settings(sessions.home, cwd, sessions.environment);
        Self { key, session, at, settings: loaded.settings, clock: sessions.clock }
    }

    pub(super) fn draft(&self, event: Event) -> Draft {
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

fn records(track: &Track, state: &State) -> Vec<TaskRecord> {
    track.records_of_all(TaskEnding::SessionLeft, claimed(state))
}

/// When a session is checked again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum NextLook {
    /// Not before this time.
    At(Timestamp),
    /// Only after its segment grows.
    IfItGrows,
}

/// The last check of a session.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Look {
    /// The length of the session's segment at that time.
    bytes: u64,
    next: NextLook,
}

impl Look {
    fn is_due(self, bytes: u64, now: Timestamp) -> bool {
        let is_time = match self.next {
            NextLook::At(due) => now >= due,
            NextLook::IfItGrows => false,
        };
        is_time || self.bytes != bytes
    }

    fn parse(text: &str) -> Option<Self> {
        let (bytes, next) = text.split_once(' ')?;
        let next = match next {
            "-" => NextLook::IfItGrows,
            millis => NextLook::At(Timestamp::from_millis(millis.parse().ok()?)),
        };
        Some(Self { bytes: bytes.parse().ok()?, next })
    }
}

/// The last check of each session, by the name of its segment.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct Looks(BTreeMap<String, Look>);

/// Deletes the file of last checks, so that every session is due. For rebuilds, which create
/// snapshots that idle sessions must not keep.
pub fn forget_looks(home: &Home) -> io::Result<()> {
    match std::fs::remove_file(home.left_sessions().join(LOOKS)) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

impl Looks {
    fn read(dir: &Path) -> Self {
        let text = read_beyond(MAX_LOOKS_BYTES, &dir.join(LOOKS)).ok().flatten();
        let text = String::from_utf8(text.unwrap_or_default()).unwrap_or_default();
        let looks = text.lines().filter_map(|line| {
            let (stem, look) = line.split_once(' ')?;
            Some((stem.to_owned(), Look::parse(look)?))
        });
        Self(looks.collect())
    }

    fn keep(&self, dir: &Path) -> io::Result<()> {
        let mut text = vec![];
        for (stem, Look { bytes, next }) in &self.0 {
            match next {
                NextLook::At(due) => writeln!(text, "{stem} {bytes} {}", due.as_millis())?,
                NextLook::IfItGrows => writeln!(text, "{stem} {bytes} -")?,
            }
        }
        Stamp::make_place(dir)?;
        write(&dir.join(LOOKS), &text)
    }
}

/// The main function of the background process.
pub fn look_in_background<S: Store + Retention>(
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
        left.look_at_all(Deadline::after(PATIENCE))
    });
    if matches!(looked, Ok(Ok(Looked::InPart))) {
        // The next session start tries again. If the stamp can't be removed, the first session of
        // the next day does.
        drop(stamp.forget());
    }
}

#[cfg(test)]
mod tests;
