//! Records which agents of a session already got a message about which habits.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};
use verger_event::{Actor, Event};

use super::GUARD;
use crate::gate_state::{GateState, Seen};

/// The maximum number of pairs of agent and habit in the state. When it is reached, no agent gets a
/// message any more.
const MAX_TOLD: usize = 200;

/// The habits that each agent of a session got a message about. They are stored for each agent,
/// because a subagent doesn't see the main agent's messages.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Told(BTreeSet<(String, String)>);

impl GateState for Told {
    type Change = serde_json::Value;

    fn observe(&mut self, seen: &Seen<'_>) {
        self.take(&seen.record.draft.origin.actor, seen.event());
    }
}

impl Told {
    /// Whether the agent may get a message about the habit, because it got none yet.
    pub fn lacks(&self, actor: &Actor, habit: &str) -> bool {
        self.0.len() < MAX_TOLD && !self.0.contains(&(word(actor).to_owned(), habit.to_owned()))
    }

    pub(crate) fn take(&mut self, actor: &Actor, event: &Event) {
        let Event::ContextInjected { sources, grounds, .. } = event else { return };
        if let ([by], Some(habit)) = (&sources[..], grounds.rule())
            && by == GUARD
            && self.0.len() < MAX_TOLD
        {
            self.0.insert((word(actor).to_owned(), habit.to_owned()));
        }
    }
}

fn word(actor: &Actor) -> &str {
    match actor {
        Actor::Main { .. } => "",
        Actor::Subagent { id, .. } => id.as_str(),
    }
}
