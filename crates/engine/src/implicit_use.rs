//! Learnings that a session was given, did not speak of and used all the same: what it said last and
//! what it put into files shows it. Whoever was given nothing is not looked at.

use verger_agent::Observed;
use verger_event::{Event, Fate, Reference};
use verger_gate::State;
use verger_library::Catalogue;
use verger_memory::implicit::Work;
use verger_recall::RecallError;

use crate::gates::Told;
use crate::spoken::Spoken;

/// How many learnings are looked at in one call.
const MAX_LEARNINGS: usize = 32;

/// Whether an event is a moment to look; `state` is that before it.
pub(crate) fn is_asked(observed: &Observed, state: &State) -> bool {
    let has_work = match &observed.event {
        Event::StopRequested(_)
        | Event::SubagentStopRequested { .. }
        | Event::SessionEnded { .. } => {
            !said(&observed.event).is_empty() || state.learning.inserted.iter().next().is_some()
        }
        _ => false,
    };
    has_work && state.learning.shown.unused().next().is_some()
}

/// Those that the work shows in use.
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

/// Keeps what was found, unless the session said more of it meanwhile.
pub(crate) fn speak(told: &Told<'_>, spoken: &mut Spoken) {
    let unused = told.state.learning.shown.unused();
    let found = unused.filter(|id| told.facts.used.iter().any(|used| used == id));
    spoken.events.extend(found.map(|learning| Event::LearningSeen {
        learning: learning.to_owned(),
        fate: Fate::Referenced,
        how: Some(Reference::Implicit),
    }));
}

/// What an agent said last.
fn said(event: &Event) -> &str {
    let (Event::StopRequested(request) | Event::SubagentStopRequested { stop: request, .. }) =
        event
    else {
        return "";
    };
    request.last_message.as_deref().unwrap_or_default()
}
