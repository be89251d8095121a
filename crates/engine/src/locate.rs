//! Locates an event: verger's directories, the settings with their trust, and the project. Also
//! runs the guard, which needs no more than that.

use std::path::Path;

use crate::home::{Home, NoHome};
use verger_agent::Observed;
use verger_config::Settings;
use verger_event::{Event, ProjectId, TaskState};
use verger_exec::Deadline;
use verger_exec::detached::{JOB_VARIABLE, job_above};
use verger_shell::Script;
use verger_store::{Store, Turn};
use verger_worktree::{Git, IdBasis, PathReason, Surroundings, project_facts, user_identity};

use crate::State;
use crate::call::Call;
use crate::engine::{Engine, GIT_TIME_LIMIT, Input};
use crate::failure::Failure;
use crate::gates::guard::{Guard, Judged, guard_mode};
use crate::settings::{LoadedSettings, load_settings_in};
use crate::undo::Saver;

/// The directories, the project and the settings of an event.
pub(crate) struct Located {
    pub(crate) home: Result<Home, NoHome>,
    pub(crate) surroundings: Surroundings,
    /// `None` if verger's directories are unknown.
    pub(crate) loaded: Option<LoadedSettings>,
}

/// The project and the person of an event.
#[derive(Default)]
pub(crate) struct Ground {
    pub(crate) project: Option<ProjectId>,
    pub(crate) user: Option<String>,
}

impl<S: Store> Engine<'_, S> {
    pub(crate) fn locate(&self, observed: &Observed) -> Located {
        let home = Home::locate(|name| self.environment.get(name));
        let cwd = observed.circumstance.cwd.as_deref().map(Path::new);
        let surroundings = self.environment.surroundings(cwd);
        let loaded = home.as_ref().ok().map(|home| {
            let loaded = load_settings_in(&surroundings, home, self.environment);
            match job_above(self.environment.all(), &home.data) {
                Some(_) => loaded.inside_run(JOB_VARIABLE),
                None => loaded,
            }
        });
        Located { home, surroundings, loaded }
    }

    /// Runs the guard. Returns its judgement and the command line that it parsed. Unless the call
    /// is denied, the files that the call may destroy are saved.
    pub(crate) fn judge(
        &self,
        place: &Located,
        Input { event_name, observed, malformed }: &Input<'_>,
    ) -> (Option<Judged>, Option<Script>) {
        let Located { home, surroundings, loaded } = place;
        let defaults;
        let settings = if let Some(loaded) = loaded {
            &*loaded.settings
        } else {
            defaults = default_settings();
            &*defaults
        };
        let home = home.as_ref().ok();
        let guard = Guard {
            spec: self.spec,
            event_name,
            environment: self.environment,
            home,
            surroundings,
            settings,
            mode: guard_mode(loaded.as_ref(), self.guard_mode),
        };
        let (judged, script) = match malformed {
            Some(malformed) => (guard.hidden(&malformed.to_string(), observed), None),
            None => guard.judge(observed),
        };
        let (environment, clock) = (self.environment, self.clock);
        let saver = Saver { environment, home, settings, clock };
        let judged = judged.map(|judged| judged.saved_by(&saver, observed, script.as_ref()));
        (judged, script)
    }
}

/// The settings to use if verger's directories are unknown. Cold path, not inlined: settings are
/// large.
#[cold]
fn default_settings() -> Box<Settings> {
    Box::default()
}

impl<S: Store> Call<'_, S> {
    /// The project and the person. They are looked up when a session starts, without the
    /// session's lock. The first prompt looks them up if the start was not recorded or git timed
    /// out.
    pub(crate) fn fresh_ground(&self, observed: &Observed) -> Result<Ground, Failure> {
        let is_wanted = match observed.event {
            Event::SessionStarted { .. } => true,
            Event::PromptSubmitted { .. } => {
                let turn = self.store.open::<State>(self.key)?;
                let session = &turn.state().session;
                session.project.is_none() && session.task == TaskState::None
            }
            _ => false,
        };
        let cwd = observed.circumstance.cwd.as_deref().map(Path::new);
        Ok(match cwd.filter(|cwd| is_wanted && cwd.is_absolute()) {
            Some(cwd) => self.ground(cwd),
            None => Ground::default(),
        })
    }

    fn ground(&self, cwd: &Path) -> Ground {
        let environment = self.engine.environment.all().iter().cloned();
        let end = Deadline::after(GIT_TIME_LIMIT);
        let git = Git::new("git", environment, GIT_TIME_LIMIT).until(end);
        let facts = project_facts(cwd, &git);
        let configured = self.loaded.settings.user.name.value.clone();
        Ground {
            // If git timed out, the id is made from the path. It isn't recorded, because a later
            // lookup would find another one.
            project: (facts.basis != IdBasis::Path(PathReason::TimedOut)).then_some(facts.id),
            user: configured.or_else(|| user_identity(cwd, &git)),
        }
    }
}
