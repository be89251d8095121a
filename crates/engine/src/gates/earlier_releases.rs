//! Shows the person, when a session starts, which gates released earlier agents of the project
//! without being satisfied. Each release is shown once. `verger status` lists it until the person
//! runs that command with `--seen` or the gate is satisfied.

use std::marker::PhantomData;

use verger_event::{Event, Grounds, SeenBy, StartSource, Verdict};
use verger_gate::{Stateless, let_go};

use crate::decision::Decision;
use crate::facts::{Fact, FactSet};
use crate::gate::{Before, Context, EventView, Gate, Setup};

/// The gate. It needs no settings.
pub(crate) struct EarlierReleases<'a>(PhantomData<&'a ()>);

impl<'a> Gate<'a> for EarlierReleases<'a> {
    type State = Stateless;
    type Trigger = ();

    fn new(_setup: Setup<'a>) -> Self {
        Self(PhantomData)
    }

    /// Handles session starts. A start after a compaction is left out, because the person
    /// continues the same session.
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
