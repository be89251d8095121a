//! A toy gate for tests: a session may feed the toy twice. If no ticket system is found, it may
//! never feed it.

use std::marker::PhantomData;

use serde::{Deserialize, Serialize};
use verger_event::{Event, Grounds, Verdict};
use verger_gate::{GateState, Seen, StoredChange};

use crate::decision::Decision;
use crate::facts::{Fact, FactSet};
use crate::gate::{Before, Context, EventView, Gate, Setup};

const NAME: &str = "toy";
const MEALS: u32 = 2;

/// How often the toy was fed.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Toy {
    pub(crate) meals: u32,
    pub(crate) prompts: u32,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(tag = "is", rename_all = "snake_case")]
pub(crate) enum Change {
    Fed { portions: u32 },
}

impl GateState for Toy {
    const NAMES: &'static [&'static str] = &[NAME];
    type Change = Change;

    fn observe(&mut self, seen: &Seen<'_>) {
        self.prompts += u32::from(seen.is_persons_prompt);
    }

    fn apply(&mut self, Change::Fed { portions }: &Change, _stored: &StoredChange<'_>) {
        self.meals += portions;
    }
}

pub(crate) struct ToyGate<'a>(PhantomData<Setup<'a>>);

impl<'a> Gate<'a> for ToyGate<'a> {
    type State = Toy;
    type Trigger = ();

    fn new(_setup: Setup<'a>) -> Self {
        Self(PhantomData)
    }

    fn trigger(&self, event: &EventView<'_>) -> Option<()> {
        let script = event.script?;
        script.commands.iter().any(|command| command.program() == Some("feed-toy")).then_some(())
    }

    fn facts(&self, (): &(), _before: &Before<'_>) -> Option<FactSet> {
        Some(FactSet::of([Fact::Tickets]))
    }

    fn decide(&self, (): &(), context: &Context<'_>, decision: &mut Decision) {
        let meals = context.before.toy.meals;
        let grounds = Grounds::of_rule("the toy is full").fact("meals", meals.to_string());
        if context.facts.tickets.is_some() && meals < MEALS {
            let (from, to) = (meals.to_string(), (meals + 1).to_string());
            let change = serde_json::to_value(Change::Fed { portions: 1 }).ok();
            let (gate, cause) = (NAME.into(), "it was fed".to_owned());
            decision.events.push(Event::GateChanged { gate, from, to, cause, change });
        } else {
            let reason = "the toy is full".to_owned();
            decision.opinion(NAME, Verdict::Deny { reason }, grounds);
        }
    }
}
