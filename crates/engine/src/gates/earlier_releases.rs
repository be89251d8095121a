//! Shows the person, as a session starts, which gates released earlier agents of the project
//! unsatisfied. Each release is shown once; it stays in `verger status` until a person looks.

use std::marker::PhantomData;

use verger_event::{Event, Grounds, SeenBy, StartSource, Verdict};
use verger_gate::{Stateless, let_go};

use crate::decision::Decision;
use crate::facts::{Fact, FactSet};
use crate::gate::{Before, Context, EventView, Gate, Setup};

/// The gate. It uses no part of the setup.
pub(crate) struct EarlierReleases<'a>(PhantomData<&'a ()>);

impl<'a> Gate<'a> for EarlierReleases<'a> {
    type State = Stateless;
    type Trigger = ();

    fn new(_setup: Setup<'a>) -> Self {
        Self(PhantomData)
    }

    /// A compaction starts no session for the person.
    fn trigger(&self, event: &EventView<'_>) -> Option<()> {
        match event.event() {
            Event::SessionStarted { source, .. } => (*source != StartSource::Compact).then_some(()),
            _ => None,
        }
    }

    fn facts(&self, (): &(), _before: &Before<'_>) -> Option<FactSet> {
        Some(FactSet::of([Fact::Releases]))
    }

    fn decide(&self, (): &(), context: &Context<'_>, decision: &mut Decision) {
        let releases = &context.facts.releases;
        let Some(last) = releases.last() else { return };
        decision.notices.push(let_go::notice(releases));
        let grounds = Grounds::of_rule(
            "an earlier agent stopped although a gate was not \
                                        satisfied",
        );
        decision.opinion(let_go::NAME, Verdict::NoOpinion, grounds);
        let until = last.release.at;
        decision.events.push(Event::ReleasesSeen { until, by: SeenBy::Notice });
    }
}
