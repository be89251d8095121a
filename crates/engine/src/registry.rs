//! The list of all gates and guards, in the order in which they decide.
//!
//! A gate can read the opinions of the gates before it. The macro expands to plain structs
//! without dynamic dispatch, because the hook runs on every event.

use crate::decision::Decision;
use crate::facts::{FactSet, Facts};
use crate::gate::{Before, Context, EventView, Gate, Setup};
use crate::gates::completion_marker::CompletionMarker;
use crate::gates::delegation::DelegationGate;
use crate::gates::drift::DriftGate;
use crate::gates::earlier_releases::EarlierReleases;
use crate::gates::earlier_tasks::EarlierTasks;
use crate::gates::guard::GuardGate;
use crate::gates::habits::HabitGuard;
use crate::gates::hooks_off::HooksOff;
use crate::gates::implicit_use::ImplicitUse;
use crate::gates::learning::LearningGate;
use crate::gates::own_commands::OwnCommands;
use crate::gates::recall::Recall;
use crate::gates::review::ReviewGate;
#[cfg(test)]
use crate::gates::toy::ToyGate;
use crate::gates::verification::VerificationGate;
use verger_event::{Event, Timestamp};

/// Declares the registry: the gates, their triggers, and the state of a session.
macro_rules! registry {
    ($(#[$doc:meta])* $vis:vis struct $State:ident, $Gates:ident, $Triggers:ident {
        $($(#[$gate_doc:meta])* $gate:ident: $Gate:ident $([if $condition:meta])?),* $(,)?
    }) => {
        verger_gate::session_state! {
            $(#[$doc])*
            $vis struct $State {
                $(
                    $(#[$gate_doc])*
                    $gate: <$Gate<'static> as Gate<'static>>::State $([if $condition])?
                ),*
            }
        }

        /// The gates, set up for one event.
        pub(crate) struct $Gates<'a> {
            $($(#[cfg($condition)])? pub(crate) $gate: $Gate<'a>),*
        }

        /// The parts of an event that each gate handles; `None` for a gate that doesn't handle
        /// the event.
        #[derive(Default)]
        pub(crate) struct $Triggers {
            $(
                $(#[cfg($condition)])?
                pub(crate) $gate: Option<<$Gate<'static> as Gate<'static>>::Trigger>
            ),*
        }

        impl<'a> $Gates<'a> {
            pub(crate) fn new(setup: Setup<'a>) -> Self {
                Self { $($(#[cfg($condition)])? $gate: $Gate::new(setup)),* }
            }

            /// Asks every gate whether it handles the event.
            pub(crate) fn triggers(&self, event: &EventView<'_>) -> $Triggers {
                $Triggers { $($(#[cfg($condition)])? $gate: self.$gate.trigger(event)),* }
            }

            /// The facts that the gates need. Removes the trigger of each gate that, according to
            /// the session, doesn't handle the event after all.
            pub(crate) fn facts(&self, triggers: &mut $Triggers, before: &Before<'_>) -> FactSet {
                let mut facts = FactSet::default();
                $($(#[cfg($condition)])? match triggers.$gate.as_ref().map(|trigger| self.$gate.facts(trigger, before)) {
                    Some(Some(wanted)) => facts = facts.with(wanted),
                    Some(None) => triggers.$gate = None,
                    None => {}
                })*
                facts
            }

            /// The facts about the start of a task that the gates need.
            pub(crate) fn facts_at_first_change(&self, before: &Before<'_>) -> FactSet {
                let facts = FactSet::default();
                $($(#[cfg($condition)])? let facts = facts.with(self.$gate.facts_at_first_change(before));)*
                facts
            }

            /// The events to record before the event itself.
            pub(crate) fn found(&self, facts: &Facts, before: &State, now: Timestamp) -> Vec<Event> {
                let mut events = vec![];
                $($(#[cfg($condition)])? events.extend(self.$gate.found(facts, before, now));)*
                events
            }

            /// Asks every gate that handles the event, in order.
            pub(crate) fn decide(&self, triggers: &$Triggers, context: &Context<'_>, decision: &mut Decision) {
                $($(#[cfg($condition)])? if let Some(trigger) = &triggers.$gate {
                    self.$gate.decide(trigger, context, decision);
                })*
            }
        }

        impl $Triggers {
            /// Whether no gate handles the event.
            pub(crate) fn is_empty(&self) -> bool {
                $($(#[cfg($condition)])? if self.$gate.is_some() {
                    return false;
                })*
                true
            }
        }
    };
}

registry! {
    /// The state of a session: a fold of its records.
    pub struct State, Gates, Triggers {
        /// The guard of tool calls. It judges before the session is opened.
        guard: GuardGate,
        /// Allows or denies verger's own commands.
        own_commands: OwnCommands,
        /// Keeps an agent from turning verger's hooks off in its settings.
        hooks_off: HooksOff,
        /// Verifies finished work. Runs before the review, because fixes after a failed
        /// verification must be reviewed again.
        verification: VerificationGate,
        /// Has finished work reviewed.
        review: ReviewGate,
        /// Detects learnings that the work uses without naming them.
        implicit_use: ImplicitUse,
        /// Asks for a reflection on finished work.
        learning: LearningGate,
        /// Denies or rewrites habits such as `git add -A`.
        habits: HabitGuard,
        /// Makes lead agents delegate. Last of the gates that deny calls, because a denied call
        /// must not count.
        delegation: DelegationGate,
        /// Gives learnings to the agent.
        recall: Recall,
        /// Offers earlier tasks to the agent, within the budget that recall leaves.
        earlier_tasks: EarlierTasks,
        /// Tracks the person's limits and repetition. Runs after all gates that may refuse a
        /// stop, because a refused stop ends no task.
        drift: DriftGate,
        /// Tells the agent how to mark work as done.
        completion_marker: CompletionMarker,
        /// Shows the person gates that released earlier agents without being satisfied.
        earlier_releases: EarlierReleases,
        /// Shows in tests that one file and one line are enough for a gate.
        toy: ToyGate [if test],
    }
}

#[cfg(test)]
mod tests;
