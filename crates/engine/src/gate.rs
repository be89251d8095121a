//! The trait that every gate implements.
//!
//! A gate is one module in `gates` and one line in [`crate::registry`]. It says which events it
//! handles, which facts it needs, and what it decides. Its stored state is a fold of the log
//! ([`GateState`]).

use crate::Home;
use verger_agent::{AgentSpec, Observed};
use verger_config::Settings;
use verger_event::{Draft, Event, Timestamp};
use verger_gate::{GateState, OwnCommand, Start};
use verger_shell::Script;

use crate::decision::Decision;
use crate::facts::{FactSet, Facts};
use crate::{Clock, Environment, Registered, State};

/// A gate or guard, set up for one event.
pub(crate) trait Gate<'a>: Sized {
    /// The gate's part of the session's state.
    type State: GateState;

    /// The part of an event that the gate handles.
    type Trigger;

    /// Sets the gate up from the settings.
    fn new(setup: Setup<'a>) -> Self;

    /// The part of an event that this gate handles. The session is not needed for this. `None` if
    /// the gate doesn't handle the event.
    fn trigger(&self, event: &EventView<'_>) -> Option<Self::Trigger>;

    /// The facts that the gate needs to decide. `None` if the session shows that the gate doesn't
    /// need to handle the event after all.
    fn facts(&self, _trigger: &Self::Trigger, _before: &Before<'_>) -> Option<FactSet> {
        Some(FactSet::default())
    }

    /// Facts about the start of a task. They are looked up before the task's first change,
    /// because later decisions compare the work with them.
    fn facts_at_first_change(&self, _before: &Before<'_>) -> FactSet {
        FactSet::default()
    }

    /// Events that follow from the looked-up facts. They are recorded before the event itself.
    fn found(&self, _facts: &Facts, _before: &State, _now: Timestamp) -> Vec<Event> {
        vec![]
    }

    /// Adds the gate's opinion, records and notices to the decision.
    fn decide(&self, trigger: &Self::Trigger, context: &Context<'_>, decision: &mut Decision);
}

/// The parts from which gates are set up.
#[derive(Clone, Copy)]
pub(crate) struct Setup<'a> {
    pub(crate) settings: &'a Settings,
    pub(crate) home: &'a Home,
    pub(crate) spec: &'static AgentSpec,
    pub(crate) registered: Registered,
    pub(crate) environment: &'a Environment,
}

/// An event, with all values that are derived from it without the session.
#[derive(Clone, Copy)]
pub(crate) struct EventView<'e> {
    pub(crate) observed: &'e Observed,
    /// The command line of a requested tool call, parsed.
    pub(crate) script: Option<&'e Script>,
    /// The verger command that the command line runs.
    pub(crate) own_command: &'e OwnCommand,
    /// Whether a guard rule allows the call.
    pub(crate) is_approved: bool,
}

impl EventView<'_> {
    pub(crate) fn event(&self) -> &Event {
        &self.observed.event
    }
}

/// The session before an event.
#[derive(Clone, Copy)]
pub(crate) struct Before<'b> {
    pub(crate) state: &'b State,
    pub(crate) observed: &'b Observed,
    pub(crate) now: Timestamp,
}

impl Before<'_> {
    /// Whether this event is about to make the task's first change.
    pub(crate) fn begins_task(&self) -> bool {
        self.state.work.start == Start::NotTaken && self.state.session.current_task().is_some()
    }
}

/// The input of a gate's decision.
pub(crate) struct Context<'c> {
    /// The session before the event.
    pub(crate) before: &'c State,
    /// The session after the event.
    pub(crate) state: &'c State,
    pub(crate) draft: &'c Draft,
    pub(crate) facts: &'c Facts,
    pub(crate) clock: &'c Clock,
}
