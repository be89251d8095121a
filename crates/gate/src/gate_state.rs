//! The stored state of a gate, and the state of a session, which contains the states of all gates.
//!
//! Both are folds of the session's records, so they can be deleted and rebuilt.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use verger_event::{Actor, Event, Fold as _, Record, Session, Timestamp};

use crate::{Stops, Work};

/// The stored state of a gate: a fold of the session's records.
pub trait GateState: Default + Clone + PartialEq + Serialize + DeserializeOwned {
    /// The names under which the log stores changes of this gate.
    const NAMES: &'static [&'static str] = &[];

    /// The version of the state's stored form. It must be raised when `observe`, `apply` or the
    /// serialised form changes.
    const VERSION: u32 = 1;

    /// The type of the gate's changes. The log stores a change as the gate's name and a JSON value.
    type Change: DeserializeOwned;

    /// Updates the state for any record of the session.
    fn observe(&mut self, _seen: &Seen<'_>) {}

    /// Updates the state for a change of this gate.
    fn apply(&mut self, _change: &Self::Change, _stored: &StoredChange<'_>) {}
}

/// A record of the session, and its meaning in the session.
#[derive(Debug, Clone, Copy)]
pub struct Seen<'a> {
    /// The record in the log.
    pub record: &'a Record,
    /// Whether the record begins a task.
    pub begins_task: bool,
    /// Whether the record is a prompt that a person gave to the main agent.
    pub is_persons_prompt: bool,
}

impl Seen<'_> {
    /// The event in the record.
    pub fn event(&self) -> &Event {
        &self.record.draft.event
    }
}

/// The data about a gate's change that its record has in addition to the change itself.
#[derive(Debug, Clone, Copy)]
pub struct StoredChange<'a> {
    /// The name under which the change was recorded: one of [`GateState::NAMES`].
    pub gate: &'a str,
    /// The cause of the change, in a few words.
    pub cause: &'a str,
    /// The time of the change.
    pub at: Timestamp,
}

/// The state of a gate that stores nothing.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stateless;

impl GateState for Stateless {
    type Change = serde_json::Value;
}

/// Parses a change and applies it to the gate's state. Returns `false` if the change can't be
/// parsed.
#[doc(hidden)]
pub fn apply_change<S: GateState>(
    state: &mut S,
    value: &serde_json::Value,
    stored: &StoredChange<'_>,
) -> bool {
    let change = serde_json::from_value::<S::Change>(value.clone());
    change.map(|change| state.apply(&change, stored)).is_ok()
}

/// Whether a value is the default. `skip_serializing_if` uses it to keep the state small, because
/// every hook call reads and writes the state.
#[doc(hidden)]
pub fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

/// Combines several versions into one that grows if any of them grows.
#[doc(hidden)]
pub const fn combined_version(session: u32, gates: &[u32]) -> u32 {
    let mut version = 10_000 * session;
    let mut at = 0;
    while at < gates.len() {
        version += 100 + gates[at];
        at += 1;
    }
    version
}

/// Updates the parts of a session's state that belong to no gate, for one record.
#[doc(hidden)]
pub fn observe_session<'a>(
    session: &mut Session,
    work: &mut Work,
    stops: &mut Stops,
    record: &'a Record,
) -> Seen<'a> {
    let draft = &record.draft;
    let actor = &draft.origin.actor;
    let task = session.current_task();
    let is_persons_prompt = session.is_persons_prompt(actor, &draft.event);
    session.apply(record);
    let begins_task = session.current_task() != task;
    if begins_task {
        *work = Work::default();
    }
    if is_persons_prompt {
        stops.forget();
    }
    // A stop doesn't count while the agent waits for a subagent, because the agent will ask to stop
    // again later.
    let waits = match &draft.event {
        Event::StopRequested(request) => session.waits_for_subagents(request, draft.at),
        _ => false,
    };
    if matches!(actor, Actor::Main { .. }) && !waits {
        stops.apply(record);
    }
    match &draft.event {
        Event::StartTreeTaken(tree) => work.begin(tree, draft.origin.circumstance.cwd.as_deref()),
        Event::ToolRequested(call) => {
            for file in call.edited_files() {
                work.touched.add(file);
            }
        }
        _ => {}
    }
    Seen { record, begins_task, is_persons_prompt }
}

/// Declares the state of a session, with the stored states of the listed gates, and its fold. A
/// gate with `[if test]` exists only in test builds.
#[macro_export]
macro_rules! session_state {
    ($(#[$meta:meta])* $vis:vis struct $name:ident {
        $($(#[$doc:meta])* $gate:ident: $state:ty $([if $condition:meta])?),* $(,)?
    }) => {
        $(#[$meta])*
        #[derive(Debug, Clone, PartialEq, Default, ::serde::Serialize, ::serde::Deserialize)]
        $vis struct $name {
            /// The state of the session that belongs to no gate.
            pub session: ::verger_event::Session,
            /// The agent's work on the current task.
            #[serde(default, skip_serializing_if = "verger_gate::is_default")]
            pub work: $crate::Work,
            /// The refused stops of all gates.
            #[serde(default, skip_serializing_if = "verger_gate::is_default")]
            pub stops: $crate::Stops,
            /// The number of gate changes that couldn't be parsed, because a newer version wrote
            /// them.
            #[serde(default, skip_serializing_if = "verger_gate::is_default")]
            pub unread_changes: u64,
            $(
                $(#[cfg($condition)])?
                $(#[$doc])*
                #[serde(default, skip_serializing_if = "verger_gate::is_default")]
                pub $gate: $state,
            )*
        }

        impl ::std::borrow::Borrow<::verger_event::Session> for $name {
            fn borrow(&self) -> &::verger_event::Session {
                &self.session
            }
        }

        impl ::verger_event::Fold for $name {
            // If the version of any part changes, the snapshots of the whole state become unusable.
            const VERSION: u32 = {
                let gates: &[u32] = &[$($(#[cfg($condition)])? <$state as $crate::GateState>::VERSION),*];
                $crate::combined_version(<::verger_event::Session as ::verger_event::Fold>::VERSION, gates)
            };

            fn apply(&mut self, record: &::verger_event::Record) {
                let seen = $crate::observe_session(
                    &mut self.session, &mut self.work, &mut self.stops, record,
                );
                $($(#[cfg($condition)])? <$state as $crate::GateState>::observe(&mut self.$gate, &seen);)*
                let ::verger_event::Event::GateChanged { gate, cause, change: Some(change), .. } = &record.draft.event
                else { return };
                let stored = $crate::StoredChange { gate: gate.as_str(), cause, at: record.draft.at };
                let mut is_read = false;
                $(
                    $(#[cfg($condition)])?
                    if <$state as $crate::GateState>::NAMES.contains(&gate.as_str()) {
                        is_read |= $crate::apply_change(&mut self.$gate, change, &stored);
                    }
                )*
                if !is_read {
                    self.unread_changes = self.unread_changes.saturating_add(1);
                }
            }
        }
    };
}
