//! Schedules upkeep in a hook. A small amount of work is done at once. A background process does
//! the rest, so that the agent doesn't wait.

use std::ffi::OsStr;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::Duration;

use crate::Home;
use verger_config::Settings;
use verger_exec::{Deadline, begin_session, leave_behind};
use verger_library::{Backend, Effort};
use verger_store::{Options, Store, StoreError, with_causes};
use verger_worktree::{Git, project_facts};

use super::stamp::Stamp;
use super::trouble::Trouble;
use super::{Log, Round, Upkeep, UpkeepError, Upkept};
use crate::clock::seed_of_child;
use crate::project_library::LearningsPlace;
use crate::settings::load_settings;
use crate::unstored::Waiting;
use crate::{Clock, Environment};

/// The argument with which the hook program runs upkeep. The project's root follows it.
pub const UPKEEP_WORD: &str = "--upkeep";

/// Limits in bytes and time for upkeep while an agent waits, which is done once a day. A
/// background process does the rest.
const LITTLE_BYTES: u64 = 256 * 1024;
const LITTLE_TIME: Duration = Duration::from_millis(500);

/// Time limits of the background process and of each git run in it.
const PATIENCE: Duration = Duration::from_mins(1);
const GIT_PATIENCE: Duration = Duration::from_secs(5);

/// The upkeep of one hook call.
pub(crate) struct Keeper<'a, S> {
    pub(crate) home: &'a Home,
    pub(crate) place: &'a LearningsPlace,
    pub(crate) settings: &'a Settings,
    pub(crate) environment: &'a Environment,
    pub(crate) clock: &'a Clock,
    pub(crate) log: Option<Log<'a, S>>,
}

impl<S: Store> Keeper<'_, S> {
    /// The upkeep when a session starts. Returns the errors of this and earlier rounds as a text
    /// for the log. The agent doesn't get them, because they aren't about its session.
    pub(crate) fn at_start(&self) -> Option<String> {
        let dir = self.dir();
        let earlier = Trouble::of(&dir).take();
        let sources = self.sources();
        let is_of_today = Stamp::looked_through(&dir).is_of_today(self.clock.now());
        if !Waiting::of(&dir).is_noted() && (sources.is_empty() || is_of_today) {
            return earlier;
        }
        let stats = [&self.place.kept.stats, &self.place.kept.personal_stats];
        let stats = stats.map(|log| log.file().path());
        let size = |path: &PathBuf| path.metadata().map_or(0, |metadata| metadata.len());
        let logged = self.log.and_then(|log| log.store.project_bytes(log.project).ok());
        let bytes = sources.iter().chain(&stats).map(size).sum::<u64>() + logged.unwrap_or(0);
        if bytes > LITTLE_BYTES {
            self.start();
            return earlier;
        }
        let effort = Effort::AtMost { bytes: LITTLE_BYTES };
        match self.upkeep(Deadline::after(LITTLE_TIME)).run(Round::Daily, effort) {
            Ok(_) => earlier,
            Err(UpkeepError::OutOfTime) => {
                self.start();
                earlier
            }
            Err(error) => Some(told(&error)),
        }
    }

    fn upkeep<'u>(&'u self, deadline: Deadline<'u>) -> Upkeep<'u, S> {
        Upkeep {
            home: self.home,
            ground: &self.place.ground,
            kept: &self.place.kept,
            settings: self.settings,
            environment: self.environment,
            clock: self.clock,
            log: self.log,
            deadline,
        }
    }

    /// Starts a background process for upkeep, unless one was started within the last minute. If
    /// that fails, the next hook tries again.
    pub(crate) fn start(&self) {
        let stamp = Stamp::started(&self.dir());
        if !stamp.is_of_this_minute(self.clock.now()) && stamp.set(self.clock.now()).is_ok() {
            let arguments = [OsStr::new(UPKEEP_WORD), self.place.ground.root.as_os_str()];
            drop(start_process(&arguments, self.environment, self.clock));
        }
    }

    fn sources(&self) -> Vec<PathBuf> {
        self.place.kept.library.places().flat_map(Backend::sources).collect()
    }

    fn dir(&self) -> PathBuf {
        self.home.recall(&self.place.ground.root)
    }
}

/// Starts the current executable again, which is the hook program or `verger`.
pub(super) fn start_process(
    arguments: &[&OsStr],
    environment: &Environment,
    clock: &Clock,
) -> io::Result<()> {
    let program = std::env::current_exe()?;
    let is_for_people = program.file_name() == Some(OsStr::new("verger"));
    let command = is_for_people.then_some(OsStr::new("hook"));
    let arguments = command.iter().chain(arguments);
    let variables = environment.all().iter().map(|(name, value)| (&**name, &**value));
    let seed = seed_of_child(clock);
    let seed = seed.iter().map(|(name, value)| (OsStr::new(name), OsStr::new(value)));
    leave_behind(&program, arguments, variables.chain(seed))
}

/// Runs `work` on a thread and waits at most `limit`. If `work` doesn't finish, the thread ends
/// with the process. That is safe because files on disk are complete at any moment.
pub(super) fn within<T: Send + 'static>(
    limit: Duration,
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, RecvTimeoutError> {
    let (done, outcome) = mpsc::channel();
    std::thread::spawn(move || done.send(work()));
    outcome.recv_timeout(limit)
}

/// The main function of the background process. It saves its errors for the next session start.
pub fn run_in_background<S: Store>(
    root: &OsStr,
    open_store: impl FnOnce(&Path, Options) -> Result<S, StoreError> + Send + 'static,
) {
    begin_session();
    let environment = Environment::of_process();
    let Ok(home) = Home::locate(|name| environment.get(name)) else { return };
    let trouble = Trouble::of(&home.recall(Path::new(root)));
    let root = root.to_owned();
    match within(2 * PATIENCE, move || keep_in_order(&home, &root, &environment, open_store)) {
        Ok(Ok(_)) => {}
        Ok(Err(error)) => trouble.keep(&told(&error)),
        Err(RecvTimeoutError::Timeout) => trouble.keep(&told(&UpkeepError::OutOfTime)),
        Err(RecvTimeoutError::Disconnected) => trouble.keep("a bug in verger: it panicked"),
    }
}

fn keep_in_order<S: Store>(
    home: &Home,
    root: &OsStr,
    environment: &Environment,
    open_store: impl FnOnce(&Path, Options) -> Result<S, StoreError>,
) -> Result<Option<Upkept>, UpkeepError> {
    let clock = &Clock::of_process(environment);
    let loaded = load_settings(home, Some(Path::new(root)), environment);
    let settings = &loaded.settings;
    let place = &LearningsPlace::new(home, root.into(), settings, clock.now());
    let git = Git::new("git", environment.all().iter().cloned(), GIT_PATIENCE);
    let project = project_facts(Path::new(root), &git).id;
    // If the log can't be opened, the next round stores the learnings that only the log has.
    let store = open_store(&home.data, loaded.store_options()).ok();
    let log = store.as_ref().map(|store| Log { store, project: &project });
    let keeper = Keeper { home, place, settings, environment, clock, log };
    keeper.upkeep(Deadline::after(PATIENCE)).run(Round::Daily, Effort::Whole)
}

fn told(error: &UpkeepError) -> String {
    format!(
        "cannot {}; `verger learn archive --unused` does it in the foreground",
        with_causes(error)
    )
}
