//! The list of all gates and guards, in the order in which they decide.
//!
//! A gate sees the opinions of those before it. The list expands to plain structs: the hook runs on every event and
//! pays for every indirection.

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

        /// The parts of an event that concern each gate; `None` for gates that it doesn't concern.
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

            /// Asks every gate whether the event concerns it.
            pub(crate) fn triggers(&self, event: &EventView<'_>) -> $Triggers {
                $Triggers { $($(#[cfg($condition)])? $gate: self.$gate.trigger(event)),* }
            }

            /// The facts that the gates need, without the triggers of gates that the session shows to have nothing to do
            /// with the event.
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

            /// Everything to be recorded before the event itself.
            pub(crate) fn found(&self, facts: &Facts, before: &State, now: Timestamp) -> Vec<Event> {
                let mut events = vec![];
                $($(#[cfg($condition)])? events.extend(self.$gate.found(facts, before, now));)*
                events
            }

            /// Asks every gate that the event concerns, in order.
            pub(crate) fn decide(&self, triggers: &$Triggers, context: &Context<'_>, decision: &mut Decision) {
                $($(#[cfg($condition)])? if let Some(trigger) = &triggers.$gate {
                    self.$gate.decide(trigger, context, decision);
                })*
            }
        }

        impl $Triggers {
            /// Whether the event concerns any gate.
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
    /// Everything that is known of a session, folded from its records.
    pub struct State, Gates, Triggers {
        /// The guard of permissions. It judges before the session is opened.
        guard: GuardGate,
        /// verger's own commands.
        own_commands: OwnCommands,
        /// The agent's settings keep verger's hooks on.
        hooks_off: HooksOff,
        /// "done" is checked. Before the review, because fixes for a verification have to be reviewed again.
        verification: VerificationGate,
        /// "done" is reviewed.
        review: ReviewGate,
        /// Learnings that the work uses without naming them.
        implicit_use: ImplicitUse,
        /// Finished work is reflected on.
        learning: LearningGate,
        /// Habits such as `git add -A`.
        habits: HabitGuard,
        /// Agents that lead others. Last of those that deny calls: a denied call does not count.
        delegation: DelegationGate,
        /// Learnings for the agent.
        recall: Recall,
        /// Earlier tasks for the agent, within the budget that recall leaves.
        earlier_tasks: EarlierTasks,
        /// Limits and circles. After all that may hold a stop: a held stop ends no task.
        drift: DriftGate,
        /// How to say that work is done.
        completion_marker: CompletionMarker,
        /// Gates that let earlier agents go unsatisfied, for the person.
        earlier_releases: EarlierReleases,
        /// Shows in tests that a gate is one file and one line.
        toy: ToyGate [if test],
    }
}

#[cfg(test)]
mod tests;
