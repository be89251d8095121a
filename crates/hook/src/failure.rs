//! The fail policy: the hook's answer if something fails.
//!
//! Gates fail open: the agent continues, and a warning for the person is recorded in the log. If
//! a stop could not be checked by the gates, the hook's answer also shows the person a notice.
//!
//! The guard of tool calls never fails to "allow". If it judged the call before the failure, its
//! answer is used. Otherwise, if the guard enforces, the call counts as hidden: a person is
//! asked, or the call is denied. If the guard only observes, the hook prints nothing, and the
//! agent's own rules decide.

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

/// The session id for a warning if the payload's session could not be read.
const UNATTRIBUTED: &str = "unattributed";

/// The kind of event that an agent sends to report that it is done.
const STOP: &str = "stop.requested";

/// The reason why a hook call failed.
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

/// Applies the fail policy. Returns the guard's answer, if there is one, and tries to record a
/// warning. For a stop, the answer tells the person that no gate checked it.
pub(crate) fn on_failure(
    invocation: Invocation<'_>,
    failed: Failed,
    environment: &Environment,
    clock: &Clock,
) -> Option<String> {
    // The answer is made first, because recording the warning may also fail or panic. The warning
    // is lost then.
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

/// The guard's answer to a call that it could not judge.
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
        // The session's own log may be the problem. If this fails too, the warning is lost.
        let session = SessionId::new(UNATTRIBUTED);
        drop(warn(agent, session, &warning, environment, clock));
    }
}

/// The notice for the person about a stop that no gate checked, because verger failed.
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

/// The error and its causes. The causes of a malformed payload are left out, because they quote
/// it.
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
