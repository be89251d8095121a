//! When a hook keeps things in order: at once where little is to be done, and otherwise by a process
//! of its own, so that no agent waits.

use std::ffi::OsStr;
use std::io;
use std::path::{Path, PathBuf};

use verger_config::Settings;
use verger_exec::{begin_session, leave_behind};
use verger_library::{Backend, Effort};
use verger_store_local::Home;

use super::stamp::Stamp;
use super::{Round, Upkeep};
use crate::project_library::LearningsPlace;
use crate::settings::load_settings;
use crate::{Clock, Environment};

/// The word by which the hook program is started for this, before the project's root.
pub(crate) const WORD: &str = "--upkeep";

/// What is read while an agent waits, once a day.
const LITTLE_BYTES: u64 = 256 * 1024;

/// A hook call, as far as it keeps things in order.
pub(crate) struct Keeper<'a> {
    pub(crate) home: &'a Home,
    pub(crate) place: &'a LearningsPlace,
    pub(crate) settings: &'a Settings,
    pub(crate) environment: &'a Environment,
    pub(crate) clock: &'a Clock,
}

impl Keeper<'_> {
    /// A session starts. What goes wrong is no matter of the session: `verger maintain` says it.
    pub(crate) fn at_start(&self) {
        let sources: Vec<_> = self.sources();
        if sources.is_empty() || Stamp::looked_through(&self.dir()).is_of_today(self.clock.now()) {
            return;
        }
        let stats = [&self.place.kept.stats, &self.place.kept.personal_stats];
        let stats = stats.map(|log| log.file().path());
        let size = |path: &PathBuf| path.metadata().map_or(0, |metadata| metadata.len());
        if sources.iter().chain(&stats).map(size).sum::<u64>() > LITTLE_BYTES {
            return self.start();
        }
        let upkeep = upkeep(self.home, self.place, self.settings, (self.environment, self.clock));
        drop(upkeep.run(Round::Daily, Effort::AtMost { bytes: LITTLE_BYTES }));
    }

    /// Starts a process that does all there is to do, unless one was started just now. Without one,
    /// the next hook tries again.
    pub(crate) fn start(&self) {
        let stamp = Stamp::started(&self.dir());
        if !stamp.is_of_this_minute(self.clock.now()) && stamp.set(self.clock.now()).is_ok() {
            drop(start_process(&self.place.ground.root, self.environment));
        }
    }

    fn sources(&self) -> Vec<PathBuf> {
        self.place.kept.library.places().flat_map(Backend::sources).collect()
    }

    fn dir(&self) -> PathBuf {
        self.home.recall(&self.place.ground.root)
    }
}

/// This program again, whether it is the hook program or the one that people run.
fn start_process(root: &Path, environment: &Environment) -> io::Result<()> {
    let program = std::env::current_exe()?;
    let is_for_people = program.file_name() == Some(OsStr::new("verger"));
    let command = is_for_people.then_some(OsStr::new("hook"));
    let arguments = command.into_iter().chain([OsStr::new(WORD), root.as_os_str()]);
    let variables = environment.all().iter().map(|(name, value)| (name, value));
    leave_behind(&program, arguments, variables)
}

/// What that process does. Nobody is there to be told how it went.
pub(crate) fn run_in_background(root: &OsStr) {
    begin_session();
    let environment = Environment::of_process();
    let clock = Clock::of_process(&environment);
    let Ok(home) = Home::locate(|name| environment.get(name)) else { return };
    let settings = load_settings(&home, Some(Path::new(root)), &environment).settings;
    let place = LearningsPlace::new(&home, root.into(), &settings, clock.now());
    drop(upkeep(&home, &place, &settings, (&environment, &clock)).run(Round::Daily, Effort::Whole));
}

fn upkeep<'a>(
    home: &'a Home,
    place: &'a LearningsPlace,
    settings: &'a Settings,
    (environment, clock): (&'a Environment, &'a Clock),
) -> Upkeep<'a> {
    Upkeep { home, ground: &place.ground, kept: &place.kept, settings, environment, clock }
}
