//! The shared context of commands: the environment, the time, the working directory, and the paths
//! and settings derived from them.

use std::path::{Path, PathBuf};
use std::time::Duration;

use verger_agent::AgentSpec;
use verger_config::Settings;
use verger_engine::Home;
use verger_engine::{Clock, Environment, LeftSessions, LoadedSettings, load_settings};
use verger_event::ProjectId;
use verger_library::Ground;
use verger_store::{Store, with_causes};
use verger_store_local::LocalStore;
use verger_worktree::{Git, project_facts, root_without_git, user_identity};

use crate::install::places::{OwnPlaces, Places, project_root};
use crate::invocation::ancestry::variables_of_agent;
use crate::invocation::command_error::{CommandError, NoDirectory, RelativeHome};
use crate::render::output::{Output, Ui};
use crate::render::progress::showing_updates;

/// The time limit of each call of git. It is longer than a hook's, because a person waits.
const GIT_TIME_LIMIT: Duration = Duration::from_secs(2);

/// The maximum time to wait for the lock of each file that several processes write. Many processes
/// may write it, each for a moment.
const SHARED_FILE_WAIT: Duration = Duration::from_secs(10);

/// The inputs of the process, read once.
pub(crate) struct Context {
    pub(crate) environment: Environment,
    pub(crate) clock: Clock,
    /// `None` if the directory was removed.
    directory: Option<PathBuf>,
}

impl Context {
    #[expect(clippy::disallowed_methods, reason = "the one place that reads the directory")]
    pub(crate) fn of_process() -> Self {
        let environment = Environment::of_process();
        let clock = Clock::of_process(&environment);
        Self { environment, clock, directory: std::env::current_dir().ok() }
    }

    /// A context with another environment and directory, such as the demo's.
    pub(crate) fn of_place(environment: Environment, directory: PathBuf) -> Self {
        Self { clock: Clock::of_process(&environment), environment, directory: Some(directory) }
    }

    /// The same context with the environment of the agent's client, if a client is among the
    /// ancestors. The agent may have changed the environment of its own shell.
    pub(crate) fn of_client(&self) -> Self {
        let client = variables_of_agent(&self.environment);
        let environment = client.unwrap_or_else(|| self.environment.clone());
        Self {
            clock: self.clock.again(&environment),
            environment,
            directory: self.directory.clone(),
        }
    }

    /// The same context with the current time, for use after a wait.
    pub(crate) fn later(&self) -> Self {
        Self {
            environment: self.environment.clone(),
            clock: self.clock.again(&self.environment),
            directory: self.directory.clone(),
        }
    }

    /// The directory in which the command was started.
    pub(crate) fn directory(&self) -> Result<&Path, CommandError> {
        Ok(self.directory.as_deref().ok_or(NoDirectory)?)
    }

    /// The project's directory, which contains its `.verger`.
    pub(crate) fn project_root(&self) -> Result<PathBuf, CommandError> {
        Ok(self.root_of(self.directory()?).ok_or(NoDirectory)?)
    }

    /// The root of the project that contains this directory. `None` if the directory no longer
    /// exists.
    pub(crate) fn root_of(&self, directory: &Path) -> Option<PathBuf> {
        let home = self.environment.get("HOME").map(PathBuf::from);
        Some(root_without_git(&directory.canonicalize().ok()?, home.as_deref()))
    }

    /// The location of the learnings of the project at this root.
    pub(crate) fn ground(&self, root: &Path) -> Result<Ground, CommandError> {
        let (root, data) = (root.to_owned(), self.home()?.data);
        Ok(Ground { root, data, lock_wait: SHARED_FILE_WAIT })
    }

    /// The id of the project in which the command was started.
    pub(crate) fn project_id(&self) -> Option<ProjectId> {
        Some(project_facts(self.directory.as_deref()?, &self.git()).id)
    }

    /// The user's name for a session that begins here.
    pub(crate) fn user(&self, settings: &Settings) -> Option<String> {
        let configured = settings.user.name.value.clone();
        configured.or_else(|| user_identity(self.directory.as_deref()?, &self.git()))
    }

    fn git(&self) -> Git {
        Git::new("git", self.environment.all().iter().cloned(), GIT_TIME_LIMIT)
    }

    /// The directories where verger keeps its files.
    pub(crate) fn home(&self) -> Result<Home, CommandError> {
        if let Some(value) = self.environment.get("VERGER_HOME")
            && !Path::new(&value).is_absolute()
        {
            return Err(RelativeHome { value }.into());
        }
        Ok(Home::locate(|name| self.environment.get(name))?)
    }

    /// The paths that installing uses for every agent.
    pub(crate) fn own_places(&self) -> Result<OwnPlaces, CommandError> {
        Ok(OwnPlaces::of(&self.home()?))
    }

    /// All paths that installing for this agent uses.
    pub(crate) fn places(&self, agent: &'static AgentSpec) -> Result<Places, CommandError> {
        let project = self.directory.as_deref().map(project_root);
        Ok(Places::new(agent, &self.home()?, |name| self.environment.get(name), project)?)
    }

    /// Replaces the user's home in a text by `~`.
    pub(crate) fn with_tilde(&self, text: &str) -> String {
        match self.environment.text("HOME").filter(|home| home.len() > 1) {
            Some(home) => text.replace(&format!("{}/", home.trim_end_matches('/')), "~/"),
            None => text.to_owned(),
        }
    }

    /// The settings in this directory, with their problems.
    pub(crate) fn settings(&self, home: &Home) -> LoadedSettings {
        load_settings(home, self.directory.as_deref(), &self.environment)
    }

    /// Opens the log of the user who runs the command, and warns about problems in the user's
    /// settings.
    pub(crate) fn open_store(&self, ui: &Ui) -> Result<LocalStore, CommandError> {
        let home = self.home()?;
        let loaded = load_settings(&home, None, &self.environment);
        if ui.output() == Output::Text {
            for problem in &loaded.problems {
                ui.warn(problem);
            }
        }
        Ok(showing_updates(ui, LocalStore::open(&home.data, loaded.store_options())?))
    }

    /// The sessions of this log. Used to record tasks that ended without a record.
    pub(crate) fn left_sessions<'a>(
        &'a self,
        home: &'a Home,
        store: &'a LocalStore,
    ) -> LeftSessions<'a, LocalStore> {
        LeftSessions { home, store, environment: &self.environment, clock: &self.clock }
    }
}

/// Warns about the parts of the log that could not be read, and returns their number.
pub(crate) fn tell_passed_over(ui: &Ui, store: &impl Store) -> usize {
    let problems = store.take_unfinished();
    for problem in &problems {
        ui.warn(&format!("skipped: cannot {}", with_causes(problem)));
    }
    problems.len()
}
