//! Locates an event: the home, the settings with their trust, and the project. Also holds the
//! guard's judgement, which needs no more than that.

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

/// The place of an event, and the settings in force there.
pub(crate) struct Located {
    pub(crate) home: Result<Home, NoHome>,
    pub(crate) surroundings: Surroundings,
    /// `None` without a home.
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

    /// The guard's judgement, and the command line parsed for it. If the call will run or be asked
    /// about, files that it may destroy are saved.
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

/// The settings without a home. Cold path, not inlined: settings are large.
#[cold]
fn default_settings() -> Box<Settings> {
    Box::default()
}

impl<S: Store> Call<'_, S> {
    /// The project and the person, looked up when a session starts. The first prompt asks again if
    /// the start was not seen or git had no answer. The lock is free meanwhile.
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
            // A lookup of the history that timed out gives no lasting id.
            project: (facts.basis != IdBasis::Path(PathReason::TimedOut)).then_some(facts.id),
            user: configured.or_else(|| user_identity(cwd, &git)),
        }
    }
}
