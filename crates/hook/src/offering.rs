//! Which tasks of other sessions an agent is told of: with a person's prompt, those that really fit it, each
//! once. Whatever goes wrong, the agent is told of none and goes on.

use verger_agent::{AgentSpec, Observed};
use verger_config::{DriftMode, Settings};
use verger_drift::shelf::{Offer, Shelf, Sought};
use verger_event::{Grounds, SessionKey};
use verger_gate::State;
use verger_gate::course::Watch;
use verger_gate::course::message::{Offered, Reader, offer};
use verger_memory::injection::Budget;
use verger_store::StoreError;

use crate::gates::Told;
use crate::recalling::{Occasion, occasion};
use crate::spoken::{BETWEEN_TEXTS, Injected, Spoken, with_settings};
use crate::upkeep::Log;

/// Whether an event is a moment to look; `state` is that before it.
pub(crate) fn is_asked(observed: &Observed, state: &State, settings: &Settings) -> bool {
    is_wanted(settings) && matches!(occasion(observed, state, settings), Some(Occasion::Prompt(_)))
}

/// Whether agents are to be told of any.
pub(crate) fn is_wanted(settings: &Settings) -> bool {
    settings.recall.tasks.value && settings.drift.mode.value != DriftMode::Off
}

/// Those that fit and that the session was not told of yet.
pub(crate) fn find(
    log: &Log<'_>,
    key: &SessionKey,
    at: (Occasion<'_>, Option<&str>),
    state: &State,
) -> Result<Vec<Offer>, StoreError> {
    let mut offers = fitting(log, Some(key), at, state)?;
    offers.retain(|offer| !was_offered(&state.course, offer));
    Ok(offers)
}

/// Those that fit, whether the session was told of them or not. Where none was ever recorded, the prompt is
/// not even read.
pub(crate) fn fitting(
    log: &Log<'_>,
    key: Option<&SessionKey>,
    (occasion, cwd): (Occasion<'_>, Option<&str>),
    state: &State,
) -> Result<Vec<Offer>, StoreError> {
    let Occasion::Prompt(prompt) = occasion else { return Ok(vec![]) };
    let shelf: Shelf = log.store.project_fold(log.project, Shelf::NAME)?;
    if shelf.is_empty() {
        return Ok(vec![]);
    }
    let Some(sought) = Sought::in_prompt(prompt, cwd) else { return Ok(vec![]) };
    let touched = state.work.touched.files.iter().map(String::as_str);
    Ok(shelf.fitting(&sought.beside(touched, cwd), key))
}

/// Tells the agent of them, within what is left of the budget, unless another call was faster.
pub(crate) fn speak(
    told: &Told<'_>,
    (settings, spec): (&Settings, &AgentSpec),
    spoken: &mut Spoken,
) {
    let watch = &told.before.course;
    let offers = told.facts.offers.iter().filter(|offer| !was_offered(watch, offer));
    let offers: Vec<Offer> = offers.cloned().collect();
    if offers.is_empty() {
        return;
    }
    let tokens = usize::try_from(settings.recall.budget_tokens.value).unwrap_or(usize::MAX);
    let whole = Budget { tokens, chars: spec.context_limit_chars };
    let left = left_of(whole, spoken.injected.iter().map(|before| before.text.as_str()));
    let user = told.draft.origin.user.as_deref();
    let reader = Reader { now: told.clock.now(), user };
    let Some(Offered { text, records }) = offer(&offers, &reader, |text| left.has_room_for(text))
    else {
        return;
    };
    let rule = "tasks that were done in the project before and fit what the person asks for";
    let mut grounds = Grounds::of_rule(rule);
    for Offer { task, common } in offers.iter().filter(|one| records.contains(&one.task.record)) {
        let source = Watch::source_of_offer(&task.record.to_string());
        grounds = grounds.fact(&*source, format!("in common: {}", common.join(" ")));
    }
    let keys = ["recall.tasks", "recall.budget_tokens", "drift.mode"];
    let grounds = with_settings(grounds, settings, &keys);
    let sources = records.iter().map(|record| Watch::source_of_offer(&record.to_string()));
    let (sources, kept) = (sources.collect(), text.clone());
    spoken.injected.push(Injected { text, kept, sources, grounds, ..Injected::default() });
}

/// What other texts for the agent leave.
pub(crate) fn left_of<'a>(whole: Budget, before: impl Iterator<Item = &'a str>) -> Budget {
    before.fold(whole, |left, text| left.without(text).without(BETWEEN_TEXTS))
}

/// Whether the session was told of it.
pub(crate) fn was_offered(watch: &Watch, offer: &Offer) -> bool {
    watch.was_offered(&offer.task.record.to_string())
}
