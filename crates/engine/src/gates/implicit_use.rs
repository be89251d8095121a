//! Finds learnings that a session was given and uses without naming them. The use shows in the
//! agent's last message and in the text that it wrote into files. A session that was given no
//! learnings is skipped.

use std::marker::PhantomData;

use verger_event::{Event, Fate, Reference};
use verger_gate::Stateless;
use verger_library::Catalogue;
use verger_memory::implicit::Work;
use verger_recall::RecallError;

use crate::State;
use crate::decision::Decision;
use crate::facts::{Fact, FactSet};
use crate::gate::{Before, Context, EventView, Gate, Setup};

/// Maximum number of learnings that one call checks.
const MAX_LEARNINGS: usize = 32;

/// The given learnings that the work uses.
pub(crate) fn find(
    catalogue: &Catalogue,
    event: &Event,
    state: &State,
) -> Result<Vec<String>, RecallError> {
    let given = catalogue.find(state.learning.shown.unused().take(MAX_LEARNINGS))?;
    let work = Work::pieces(said(event), state.learning.inserted.iter());
    let used = given.iter().filter(|filed| work.iter().any(|piece| piece.uses(&filed.learning)));
    Ok(used.map(|filed| filed.learning.id.to_string()).collect())
}

pub(crate) struct ImplicitUse<'a>(PhantomData<Setup<'a>>);

impl<'a> Gate<'a> for ImplicitUse<'a> {
    type State = Stateless;
    type Trigger = ();

    fn new(_setup: Setup<'a>) -> Self {
        Self(PhantomData)
    }

    fn trigger(&self, event: &EventView<'_>) -> Option<()> {
        let is_end = matches!(
            event.event(),
            Event::StopRequested(_)
                | Event::SubagentStopRequested { .. }
                | Event::SessionEnded { .. }
        );
        is_end.then_some(())
    }

    fn facts(&self, (): &(), before: &Before<'_>) -> Option<FactSet> {
        let learning = &before.state.learning;
        let has_work = || {
            !said(&before.observed.event).is_empty() || learning.inserted.iter().next().is_some()
        };
        let is_asked = learning.shown.unused().next().is_some() && has_work();
        is_asked.then(|| FactSet::of([Fact::Uses]))
    }

    /// Records the uses, unless the session has named the learning in the meantime.
    fn decide(&self, (): &(), context: &Context<'_>, decision: &mut Decision) {
        let unused = context.state.learning.shown.unused();
        let found = unused.filter(|id| context.facts.used.iter().any(|used| used == id));
        decision.events.extend(found.map(|learning| Event::LearningSeen {
            learning: learning.to_owned(),
            fate: Fate::Referenced,
            how: Some(Reference::Implicit),
        }));
    }
}

/// The agent's last message.
fn said(event: &Event) -> &str {
    let (Event::StopRequested(request) | Event::SubagentStopRequested { stop: request, .. }) =
        event
    else {
        return "";
    };
    request.last_message.as_deref().unwrap_or_default()
}
