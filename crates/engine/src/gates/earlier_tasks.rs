//! Offers earlier tasks: with a person's prompt, the agent gets one task of another session that
//! fits the prompt. Each task is offered once per session. If something fails, nothing is offered
//! and the agent continues.

use verger_agent::AgentSpec;
use verger_config::Settings;
use verger_drift::shelf::{Offer, Shelf, Sought};
use verger_event::{Event, Grounds, SessionKey};
use verger_gate::Stateless;
use verger_gate::drift::offer::{Offered, Reader, offer};
use verger_gate::drift::{Mode, Watch};
use verger_memory::injection::Budget;
use verger_store::{ReadLog, StoreError};

use crate::State;
use crate::decision::{BETWEEN_TEXTS, Decision, with_settings};
use crate::facts::{Fact, FactSet};
use crate::gate::{Before, Context, EventView, Gate, Setup};
use crate::gates::recall::{Occasion, occasion};
use crate::upkeep::Log;

/// Whether the settings want offers.
pub(crate) fn is_wanted(settings: &Settings) -> bool {
    settings.recall.tasks.value && settings.drift.mode.value != Mode::Off
}

/// The tasks that fit and that the session was not offered yet.
pub(crate) fn find(
    log: &Log<'_, impl ReadLog>,
    key: &SessionKey,
    occasion: Occasion<'_>,
    cwd: Option<&str>,
    state: &State,
) -> Result<Vec<Offer>, StoreError> {
    let mut offers = fitting(log, Some(key), occasion, cwd)?;
    offers.retain(|offer| !was_offered(&state.drift, offer));
    Ok(offers)
}

/// All tasks that fit. If no task was recorded, the prompt is not parsed.
pub(crate) fn fitting(
    log: &Log<'_, impl ReadLog>,
    key: Option<&SessionKey>,
    occasion: Occasion<'_>,
    cwd: Option<&str>,
) -> Result<Vec<Offer>, StoreError> {
    let Occasion::Prompt(prompt) = occasion else { return Ok(vec![]) };
    let shelf: Shelf = log.store.project_fold(log.project, Shelf::NAME)?;
    if shelf.is_empty() {
        return Ok(vec![]);
    }
    let Some(sought) = Sought::in_prompt(prompt, cwd) else { return Ok(vec![]) };
    Ok(shelf.fitting(&sought, key))
}

pub(crate) struct EarlierTasks<'a> {
    settings: &'a Settings,
    spec: &'static AgentSpec,
}

impl<'a> Gate<'a> for EarlierTasks<'a> {
    type State = Stateless;
    type Trigger = ();

    fn new(setup: Setup<'a>) -> Self {
        Self { settings: setup.settings, spec: setup.spec }
    }

    fn trigger(&self, event: &EventView<'_>) -> Option<()> {
        let is_prompt = matches!(event.event(), Event::PromptSubmitted { .. });
        (is_prompt && is_wanted(self.settings)).then_some(())
    }

    fn facts(&self, (): &(), before: &Before<'_>) -> Option<FactSet> {
        let occasion = occasion(before.observed, before.state, self.settings);
        matches!(occasion, Some(Occasion::Prompt(_))).then(|| FactSet::of([Fact::EarlierTasks]))
    }

    /// Offers the first task that fits into the budget, unless a concurrent call has offered it.
    fn decide(&self, (): &(), context: &Context<'_>, decision: &mut Decision) {
        let watch = &context.before.drift;
        let offers = context.facts.offers.iter().filter(|offer| !was_offered(watch, offer));
        let offers: Vec<Offer> = offers.cloned().collect();
        if offers.is_empty() {
            return;
        }
        let tokens =
            usize::try_from(self.settings.recall.budget_tokens.value).unwrap_or(usize::MAX);
        let whole = Budget { tokens, chars: self.spec.context_limit_chars };
        let left = left_of(whole, decision.injections.iter().map(|before| before.text.as_str()));
        let user = context.draft.origin.user.as_deref();
        let reader = Reader { now: context.clock.now(), user };
        let Some(Offered { text, record }) =
            offer(&offers, &reader, |text| left.has_room_for(text))
        else {
            return;
        };
        let source = Watch::source_of_offer(&record.to_string());
        let common =
            offers.iter().find(|one| one.task.record == record).map(|one| one.common.join(" "));
        let grounds =
            Grounds::of_rule("an earlier task shares a file or a rare name with the prompt")
                .fact(&*source, format!("in common: {}", common.unwrap_or_default()));
        let keys = ["recall.tasks", "recall.budget_tokens", "drift.mode"];
        let grounds = with_settings(grounds, self.settings, &keys);
        decision.inject(&source, text, grounds);
    }
}

/// The budget that remains after the texts in `before`.
pub(crate) fn left_of<'a>(whole: Budget, before: impl Iterator<Item = &'a str>) -> Budget {
    before.fold(whole, |left, text| left.without(text).without(BETWEEN_TEXTS))
}

/// Whether the session was offered the task before.
pub(crate) fn was_offered(watch: &Watch, offer: &Offer) -> bool {
    watch.was_offered(&offer.task.record.to_string())
}
