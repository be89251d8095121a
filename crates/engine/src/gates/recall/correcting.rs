//! Finds learnings that a session was given and that are outdated: they were replaced or
//! archived. The session is told once.

use crate::State;
use verger_event::{Correction, Grounds};
use verger_library::{Catalogue, Filed, Statistics};
use verger_memory::LearningId;
use verger_memory::injection::{Budget, Corrected, Now, correction};
use verger_recall::RecallError;

use crate::decision::Injection;

/// An outdated learning and its replacement, if there is one.
pub(super) type Found = (LearningId, Option<Filed>);

/// The outdated learnings that the session was given and that it was not told about yet.
pub(super) fn find(
    catalogue: &Catalogue,
    statistics: &Statistics,
    state: &State,
) -> Result<Vec<Found>, RecallError> {
    let given = state.learning.shown.current().filter_map(|id| id.parse().ok());
    let given: Vec<LearningId> = given.collect();
    let mut successors = catalogue.successors(&given)?;
    let found = given.into_iter().filter_map(|id| {
        let by = successors.iter().position(|(old, _)| *old == id);
        match by.map(|at| successors.swap_remove(at).1) {
            Some(by) => Some((id, Some(by).filter(|by| by.standing.is_in_use()))),
            None if statistics.usage(&id).is_active() => None,
            None => Some((id, None)),
        }
    });
    Ok(found.collect())
}

/// The text for the agent about outdated learnings.
pub(super) fn tell(found: &[Found], state: &State, budget: Budget) -> Option<Injection> {
    let is_known = |id: &LearningId| state.learning.shown.contains(id.as_str());
    let corrected = found.iter().map(|(old, by)| {
        let now = match by {
            Some(Filed { learning, .. }) if is_known(&learning.id) => Now::Known(&learning.id),
            Some(Filed { learning, .. }) => Now::New(learning),
            None => Now::Nothing,
        };
        Corrected { old, now }
    });
    let corrected: Vec<_> = corrected.collect();
    let told = correction(&corrected, budget)?;
    let grounds = Grounds::of_rule("learnings given earlier are no longer valid");
    let mut injected = Injection::new(vec![], told.text, grounds);
    for (old, by) in found.iter().filter(|(old, _)| told.learnings.contains(old)) {
        let by = by.as_ref().map(|by| by.learning.id.to_string());
        injected.sources.extend(by.clone().filter(|by| !injected.sources.contains(by)));
        injected.corrections.push(Correction { learning: old.to_string(), by });
    }
    Some(injected)
}
