//! The fail policy: what the hook answers when something fails.
//!
//! Gates fail open: the agent goes on, and the person gets a warning in the log. If no gate was
//! asked when an agent stops, the person is told at once.
//!
//! The guard of permissions never fails to "allow". If it had judged the call, its answer stands.
//! Otherwise, if it enforces, the call counts as hidden: a person has to look, or it is denied. If
//! it only observes, no output leaves the decision to the agent's own rules.

use verger_agent::Malformed;
use verger_engine::Home;
use verger_engine::{
    Clock, Environment, State, answer_unseen, caught, guard_mode, load_settings, warning_draft,
};
use verger_event::GuardMode;
use verger_event::{
    Actor, Answer, Circumstance, Event, Origin, SessionId, SessionKey, WarningArea, tamed,
};
use verger_store::{Sessions, StoreError, Turn, with_causes};
use verger_store_local::LocalStore;

use crate::input::InputError;
use crate::invocation::Invocation;

/// The session of warnings without a known session, because the payload could not be read.
const UNATTRIBUTED: &str = "unattributed";

/// The kind of event with which an agent reports that it is done.
const STOP: &str = "stop.requested";

/// Why a hook call could not do its work.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Failure {
    #[error("unknown agent {0:?}; `verger-hook` knows: {known}", known = known_agents())]
    UnknownAgent(String),
    #[error("read the payload")]
    Input(#[from] InputError),
    #[error(transparent)]
    Payload(#[from] Malformed),
    #[error(transparent)]
    Engine(#[from] verger_engine::Failure),
}

fn known_agents() -> String {
    verger_agent::AGENTS.iter().map(|spec| spec.name).collect::<Vec<_>>().join(", ")
}

/// A failure, and its session if that is known.
#[derive(Debug)]
pub(crate) struct Failed {
    pub(crate) session: Option<SessionId>,
    pub(crate) failure: Failure,
    /// The guard's answer, if the guard judged before the failure.
    pub(crate) answer: Option<Box<Answer>>,
}

impl From<Failure> for Failed {
    fn from(failure: Failure) -> Self {
        Self { session: None, failure, answer: None }
    }
}

impl From<verger_engine::Failed> for Failed {
    fn from(failed: verger_engine::Failed) -> Self {
        let verger_engine::Failed { session, failure, answer } = failed;
        Self { session, failure: failure.into(), answer }
    }
}

/// Applies the fail policy: returns the guard's answer, if there is one, and records a warning if
/// possible. If the agent stops, the answer tells the person that no gate was asked.
pub(crate) fn on_failure(
    invocation: Invocation<'_>,
    failed: Failed,
    environment: &Environment,
    clock: &Clock,
) -> Option<String> {
    // The answer comes first. Recording the warning may fail or panic too; then the warning is
    // lost.
    let answer = caught(|| answer(invocation, &failed, environment));
    let answer = answer.unwrap_or_else(|_| unseen(invocation, invocation.guard, &failed));
    drop(caught(|| leave_warning(invocation, failed, environment, clock)));
    answer
}

fn answer(
    invocation: Invocation<'_>,
    failed: &Failed,
    environment: &Environment,
) -> Option<String> {
    let Invocation { agent, event, guard: registered, .. } = invocation;
    let stop = unguarded_stop(agent, event, &failed.failure);
    if stop.is_some() {
        return stop;
    }
    if let Some(answer) = &failed.answer {
        return (verger_agent::by_name(agent)?.encode)(event, answer);
    }
    let home = Home::locate(|name| environment.get(name)).ok();
    let loaded = home.map(|home| load_settings(&home, None, environment));
    unseen(invocation, Some(guard_mode(loaded.as_ref(), registered)), failed)
}

/// The guard's answer to a call that it did not judge.
fn unseen(
    Invocation { agent, event, .. }: Invocation<'_>,
    mode: Option<GuardMode>,
    failed: &Failed,
) -> Option<String> {
    let spec = verger_agent::by_name(agent)?;
    let why = tamed(&describe(&failed.failure));
    let answer = answer_unseen(spec, event, mode?, &format!("cannot {why}"))?;
    (spec.encode)(event, &answer)
}

fn leave_warning(
    Invocation { agent, event, .. }: Invocation<'_>,
    Failed { session, failure, .. }: Failed,
    environment: &Environment,
    clock: &Clock,
) {
    let warning =
        Event::Warned { area: WarningArea::Hook(event.to_owned()), message: describe(&failure) };
    let is_told =
        session.is_some_and(|session| warn(agent, session, &warning, environment, clock).is_ok());
    if !is_told {
        // The session itself may be broken. If this fails too, the warning is lost.
        let session = SessionId::new(UNATTRIBUTED);
        drop(warn(agent, session, &warning, environment, clock));
    }
}

/// The notice for the person when a fault of verger lets an agent stop.
fn unguarded_stop(agent: &str, event: &str, failure: &Failure) -> Option<String> {
    let Failure::Engine(_) = failure else { return None };
    let spec = verger_agent::by_name(agent)?;
    let is_stop = spec.event(event)?.kinds.contains(&STOP);
    let notice = format!(
        "verger could not check this stop, so no gate ran: {}\n`verger doctor` shows what to do",
        tamed(&describe(failure)),
    );
    is_stop.then(|| (spec.encode)(event, &Answer { notice: Some(notice), ..Answer::default() }))?
}

/// The error with its causes. A malformed payload's causes are left out, because they quote it.
fn describe(failure: &Failure) -> String {
    match failure {
        Failure::Payload(malformed) => malformed.to_string(),
        other => with_causes(other),
    }
}

fn warn(
    agent: &str,
    session: SessionId,
    warning: &Event,
    environment: &Environment,
    clock: &Clock,
) -> Result<(), Failure> {
    let home = Home::locate(|name| environment.get(name)).map_err(verger_engine::Failure::from)?;
    let loaded = load_settings(&home, None, environment);
    if !loaded.settings.record.enabled.value {
        return Ok(());
    }
    let Ok(agent) = agent.parse() else { return Err(Failure::UnknownAgent(agent.to_owned())) };
    let key = SessionKey { agent, session };
    let origin = Origin {
        agent: key.agent.clone(),
        agent_version: None,
        session: key.session.clone(),
        actor: Actor::Main { agent_type: None },
        user: None,
        role: None,
        project: None,
        circumstance: Circumstance::default(),
    };
    let draft = warning_draft(clock, origin, warning.clone(), None);
    let record = || -> Result<(), StoreError> {
        let store = LocalStore::open(&home.data, loaded.store_options())?;
        store.open::<State>(&key)?.commit(vec![draft])?;
        Ok(())
    };
    Ok(record().map_err(verger_engine::Failure::from)?)
}
