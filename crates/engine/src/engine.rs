//! Handles one observed event: decides, records, answers.

use std::time::Duration;

use verger_agent::{AgentSpec, Malformed, Observed, Part};
use verger_event::{Answer, Event, GuardMode, Session, SessionKey, WarningArea};
use verger_exec::Deadline;
use verger_gate::LeftLine;
use verger_shell::Script;
use verger_store::{OpenStore, Store, Turn};

use crate::call::{Call, NewEvent};
use crate::client_process;
use crate::facts::TREE_TIME_LIMIT;
use crate::failure::{Failed, Failure, caught};
use crate::find_facts::Wanted;
use crate::gate::Setup;
use crate::gates::guard::Judged;
use crate::left_commands::left_by;
use crate::locate::Located;
use crate::registered::Registered;
use crate::registry::{Gates, Triggers};
use crate::{Clock, Environment};

/// Time limit for git to identify the project and the person. A session asks git for them at most
/// twice.
pub const GIT_TIME_LIMIT: Duration = Duration::from_millis(200);

/// The application, set up for one agent and its registration. The hook and the commands pass
/// events to [`handle`](Self::handle) and take its answers.
pub struct Engine<'a, S> {
    /// The agent that reports the events.
    pub spec: &'static AgentSpec,
    /// The registration through which the agent reports events.
    pub registered: Registered,
    /// The guard's mode, if the registration sets it.
    pub guard_mode: Option<GuardMode>,
    /// The environment of the process.
    pub environment: &'a Environment,
    /// Time and ids.
    pub clock: &'a Clock,
    /// The store that keeps the log.
    pub open_store: OpenStore<'a, S>,
}

/// One event to decide about.
pub struct Input<'a> {
    /// The event's name, as the agent writes it.
    pub event_name: &'a str,
    /// The event.
    pub observed: Observed,
    /// The reason why the payload could not be read. `observed` then contains the raw payload.
    pub malformed: Option<Malformed>,
}

impl<S: Store> Engine<'_, S> {
    /// Decides about an event, records it, and returns the answer for the agent.
    ///
    /// The guard judges first. If a later step fails, [`Failed::answer`] has the guard's answer.
    pub fn handle(&self, input: Input<'_>) -> Result<Answer, Failed> {
        let session = input.observed.session.clone();
        let tree_time = Deadline::after(TREE_TIME_LIMIT);
        let place = self.locate(&input.observed);
        let (guard, script) = self.judge(&place, &input);
        let mut triggers = Triggers { guard, ..Triggers::default() };
        let handled =
            caught(|| self.decide_and_record(place, input, (script, tree_time), &mut triggers));
        handled.and_then(|handled| handled).map_err(|failure| Failed {
            session: Some(session),
            failure,
            answer: triggers.guard.as_ref().map(|judged| Box::new(judged.answer())),
        })
    }

    fn decide_and_record(
        &self,
        place: Located,
        input: Input<'_>,
        (script, tree_time): (Option<Script>, Deadline<'static>),
        triggers: &mut Triggers,
    ) -> Result<Answer, Failure> {
        let Input { event_name, observed, malformed } = input;
        let home = place.home?;
        let Some(settings) = place.loaded.filter(|loaded| loaded.settings.record.enabled.value)
        else {
            return Ok(guard_answer(triggers));
        };
        let store = (self.open_store)(&home.data, settings.store_options())?;
        let agent = self.spec.name.parse().map_err(|_| Failure::AgentName(self.spec.name))?;
        let key = SessionKey { agent, session: observed.session.clone() };
        let (loaded, store, key) = (&settings, &store, &key);
        let hook_event = self.spec.event(event_name);
        let carries_context = hook_event.is_some_and(|event| event.proof(Part::Context).is_some());
        let call =
            Call { engine: self, home: &home, loaded, store, key, tree_time, carries_context };
        let gates = Gates::new(Setup {
            settings: &settings.settings,
            home: &home,
            spec: self.spec,
            registered: self.registered,
            environment: self.environment,
        });
        let script = call.find_triggers(&gates, &observed, script, triggers);
        let left = left_by(&observed, gates.learning.skip());
        let ground = call.fresh_ground(&observed)?;
        let wanted = Wanted { gates: &gates, observed: &observed, script: script.as_ref() };
        let Some((turn, mut facts)) = call.load(&wanted, triggers, ground.project.as_ref())? else {
            return Ok(guard_answer(triggers));
        };
        facts.loss = call.loss(&turn, &observed);
        let saved_on = facts.saved.as_ref().map(|saved| saved.on);
        let reserved = saved_on.or(triggers.guard.as_ref().and_then(Judged::reserved_id));
        let id = reserved.unwrap_or_else(|| self.clock.next_id());
        let observed = with_client(observed, &turn.state().session);
        let unread = malformed.map(|malformed| unread(event_name, &malformed));
        let records =
            call.records(&gates, turn.state(), facts, NewEvent { id, observed, ground, unread });
        let decision = call.decide(&gates, triggers, turn.state(), &records);
        let appended = call.append(turn, records, decision, left != LeftLine::None)?;
        call.follow_up(&appended)?;
        call.do_left(&left, appended)
    }
}

/// The start of a session, with the process that sent it as the session's client. A client that
/// is known and still running is not replaced.
fn with_client(mut observed: Observed, session: &Session) -> Observed {
    if let Event::SessionStarted { client, .. } = &mut observed.event {
        let known = session.client.as_deref();
        *client = client_process::sender().filter(|sender| {
            known.is_none_or(|known| known == sender || !client_process::is_running(known))
        });
    }
    observed
}

fn guard_answer(triggers: &Triggers) -> Answer {
    triggers.guard.as_ref().map(Judged::answer).unwrap_or_default()
}

fn unread(event_name: &str, malformed: &Malformed) -> Event {
    Event::Warned { area: WarningArea::Hook(event_name.to_owned()), message: malformed.to_string() }
}
