//! One hook call, from bytes to bytes.

use std::path::Path;
use std::time::Duration;

use verger_agent::{AgentSpec, Observed};
use verger_config::Settings;
use verger_event::{
    Access, Actor, Answer, Draft, Event, Interruption, Origin, Outcome, ProjectId, Scope,
    SessionKey, Standing,
};
use verger_store::{Store, Turn};
use verger_store_local::{Home, LocalStore, Options};
use verger_worktree::{Git, IdBasis, PathReason, project_facts, user_identity};

use crate::failure::{Failure, whole};
use crate::settings::{LoadedSettings, load_settings};
use crate::{Clock, Environment, State, input};

/// For all that is asked of git when a session starts. Nobody feels it once a session.
const GIT_TIME_LIMIT: Duration = Duration::from_millis(300);

/// What to print, if anything.
pub(crate) fn answer(
    agent: &str,
    event_name: &str,
    environment: &Environment,
    clock: &Clock,
) -> Result<Option<String>, Failure> {
    let spec =
        verger_agent::by_name(agent).ok_or_else(|| Failure::UnknownAgent(agent.to_owned()))?;
    let payload = input::read_value()?;
    let Some(observed) = (spec.decode)(event_name, &payload)? else { return Ok(None) };
    drop(payload);
    let home = Home::locate(|name| environment.get(name))?;
    let cwd = observed.circumstance.cwd.clone();
    let loaded = load_settings(&home, cwd.as_deref().map(Path::new), environment);
    if !loaded.settings.record.enabled.value {
        return Ok(None);
    }
    let call = Call { spec, environment, clock, loaded };
    let answer = call.record(&home, observed)?;
    Ok((spec.encode)(event_name, &answer))
}

/// What stays the same during one call.
struct Call<'a> {
    spec: &'static AgentSpec,
    environment: &'a Environment,
    clock: &'a Clock,
    loaded: LoadedSettings,
}

/// What is known about the place and the person, apart from the payload.
#[derive(Default)]
struct Ground {
    project: Option<ProjectId>,
    user: Option<String>,
}

impl Call<'_> {
    fn record(&self, home: &Home, observed: Observed) -> Result<Answer, Failure> {
        let Settings { store, redact, .. } = &self.loaded.settings;
        let options = Options {
            lock_wait: Duration::from_millis(store.lock_wait_ms.value),
            secret_names: redact.key_names.value.clone(),
        };
        let store = LocalStore::open(&home.data, options)?;
        let cwd = observed.circumstance.cwd.clone();
        // Asked before the lock is taken: nobody else has to wait for git.
        let is_start = matches!(observed.event, Event::SessionStarted { .. });
        let fresh = if is_start { self.ground(cwd.as_deref()) } else { Ground::default() };

        let agent =
            self.spec.name.parse().map_err(|_| Failure::UnknownAgent(self.spec.name.into()))?;
        let key = SessionKey { agent, session: observed.session.clone() };
        let turn = store.open::<State>(&key)?;
        let state = turn.state();
        let occurrence = observed.event.occurrence(observed.circumstance.prompt.as_ref());
        if occurrence.is_some_and(|occurrence| state.has_seen(occurrence)) {
            turn.commit(vec![])?;
            return Ok(Answer::default());
        }
        // A session whose start we did not see (we were installed in its middle) is placed by its
        // next prompt: often enough, and not on every tool call.
        let is_unplaced =
            matches!(observed.event, Event::PromptSubmitted { .. }) && state.project.is_none();
        let late = if is_unplaced { self.ground(cwd.as_deref()) } else { Ground::default() };
        let ground = Ground {
            project: fresh.project.or(late.project).or_else(|| state.project.clone()),
            user: fresh.user.or(late.user).or_else(|| state.user.clone()),
        };
        let mut drafts = vec![self.draft(state, &key, observed, ground)];
        if is_start {
            drafts.extend(self.config_warnings(&drafts[0].origin));
        }
        let origin = drafts[0].origin.clone();
        turn.commit(drafts)?;
        let unfinished = store.take_unfinished();
        if !unfinished.is_empty() {
            let message = unfinished.iter().map(|e| whole(e)).collect::<Vec<_>>().join("\n");
            let warning = Event::Warned { area: "store".to_owned(), message };
            // The records are safe; if the warning is not, the next call meets the same trouble.
            drop(store.open::<State>(&key)?.commit(vec![self.warning(origin, warning)]));
        }
        // No gate has an opinion yet: silence.
        Ok(Answer::default())
    }

    fn ground(&self, cwd: Option<&str>) -> Ground {
        let Some(cwd) = cwd.map(Path::new) else { return Ground::default() };
        let environment = self.environment.all().iter().cloned();
        let git = Git::new("git", environment, GIT_TIME_LIMIT);
        let facts = project_facts(cwd, &git);
        let configured = self.loaded.settings.user.name.value.clone();
        Ground {
            // A history too long for the time limit gives no lasting answer; the next start or
            // prompt asks again.
            project: (facts.basis != IdBasis::Path(PathReason::TimedOut)).then_some(facts.id),
            user: configured.or_else(|| user_identity(cwd, &git)),
        }
    }

    fn draft(&self, state: &State, key: &SessionKey, observed: Observed, ground: Ground) -> Draft {
        let Observed { session, actor, circumstance, event } = observed;
        let id = self.clock.next_id();
        let settings = &self.loaded.settings.record;
        Draft {
            id,
            at: self.clock.now(),
            standing: Standing {
                task: state.task_for(id, &event),
                outcome: outcome(&event),
                ..Standing::default()
            },
            access: Access {
                scope: if event.is_durable() { Scope::Project } else { Scope::Session },
                readers: settings.readers.value.clone(),
            },
            origin: Origin {
                agent: key.agent.clone(),
                agent_version: (self.spec.version)(&|name| self.environment.text(name))
                    .or_else(|| state.agent_version.clone()),
                session,
                actor,
                user: ground.user,
                role: settings.role.value.clone(),
                project: ground.project,
                circumstance,
            },
            event,
        }
    }

    /// Once a session, so that a bad line in a file does not fill the log.
    fn config_warnings(&self, origin: &Origin) -> Option<Draft> {
        if self.loaded.problems.is_empty() {
            return None;
        }
        let message = self.loaded.problems.join("\n");
        let warning = Event::Warned { area: "config".to_owned(), message };
        Some(self.warning(origin.clone(), warning))
    }

    fn warning(&self, origin: Origin, event: Event) -> Draft {
        Draft {
            id: self.clock.next_id(),
            at: self.clock.now(),
            origin: Origin { actor: Actor::Main { agent_type: None }, ..origin },
            standing: Standing::default(),
            access: Access::default(),
            event,
        }
    }
}

fn outcome(event: &Event) -> Option<Outcome> {
    match event {
        Event::ToolSucceeded { .. } => Some(Outcome::Succeeded),
        Event::ToolFailed { interruption: Interruption::ByPerson, .. } => {
            Some(Outcome::Interrupted)
        }
        Event::ToolFailed { .. } | Event::StopFailed { .. } => Some(Outcome::Failed),
        _ => None,
    }
}
