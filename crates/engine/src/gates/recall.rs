//! Recall: gives an agent learnings when its session starts and with a prompt. If no prompt was
//! recorded, they are given with the first call. If something fails, nothing is given and the
//! agent continues.

mod correcting;
mod preview;
mod question;
mod selection;

use std::collections::BTreeMap;

use crate::Home;
use verger_agent::Observed;
use verger_config::Settings;
use verger_event::{
    Actor, Correction, Draft, Event, Fold as _, Grounds, Record, StartSource, TaskState, Timestamp,
    ToolCall,
};
use verger_gate::Stateless;
use verger_gate::learning::Ticket;
use verger_library::{Backend, Catalogue, Effort, Filed, Filter, Outcome, Statistics, weighed};
use verger_memory::LearningId;
use verger_memory::injection::Budget;
use verger_memory::stats::{StatsLine, lines_of};
use verger_recall::{Hit, RecallError};
use verger_store::with_causes;

use crate::State;
use crate::decision::{Decision, Injection, with_settings};
use crate::facts::{Fact, FactSet};
use crate::gate::{Before, Context, EventView, Gate, Setup};
use crate::project_library::LearningsPlace;
pub use preview::{Found, Preview, PreviewOf, Previewed, TaskSelection};
use question::Asked;
use selection::Limits;
pub use selection::{LeftOut, Selection};

/// The limit for refreshing the index while an agent waits. Background upkeep does the rest.
const HURRIED: Effort = Effort::AtMost { bytes: 256 * 1024 };
/// Maximum number of bytes of the statistics that are read while an agent waits.
const MAX_STATISTICS_BYTES: u64 = 256 * 1024;
/// Maximum number of learnings from the index that are ranked.
const LOOKED_AT: usize = 30;
/// Minimum number of characters of a prompt that is searched for. A shorter prompt doesn't name
/// its subject.
const MIN_PROMPT_CHARS: usize = 11;

/// A moment at which an agent can use learnings.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Occasion<'a> {
    /// The session starts or continues.
    Start,
    /// A prompt that names the subject of the work.
    Prompt(&'a str),
    /// The first call of a session whose prompt was not recorded.
    Call(&'a ToolCall),
    /// A prompt that doesn't name the subject of the work.
    Word,
}

impl<'a> Occasion<'a> {
    fn of(prompt: &'a str) -> Option<Self> {
        let is_about_something = prompt.trim().chars().count() >= MIN_PROMPT_CHARS;
        is_about_something.then_some(Self::Prompt(prompt))
    }
}

/// Whether an event may be an occasion, as far as that is known without the session.
fn may_be_occasion(observed: &Observed, settings: &Settings) -> bool {
    let is_kind = matches!(
        observed.event,
        Event::SessionStarted { .. } | Event::PromptSubmitted { .. } | Event::ToolRequested(_)
    );
    is_kind && settings.recall.enabled.value && matches!(observed.actor, Actor::Main { .. })
}

/// The occasion of an event, given the session's state before it.
pub(crate) fn occasion<'a>(
    observed: &'a Observed,
    state: &State,
    settings: &Settings,
) -> Option<Occasion<'a>> {
    if !may_be_occasion(observed, settings) {
        return None;
    }
    match &observed.event {
        Event::SessionStarted { .. } => Some(Occasion::Start),
        // Some clients send the reason of a refused stop as the next prompt.
        Event::PromptSubmitted { prompt, .. }
            if state.session.is_persons_prompt(&observed.actor, &observed.event) =>
        {
            // Learnings that were given earlier may be outdated, so they are checked with any
            // prompt.
            let was_given = || state.learning.shown.current().next().map(|_| Occasion::Word);
            Occasion::of(prompt).or_else(was_given)
        }
        Event::ToolRequested(call) => {
            let is_first = state.session.task == TaskState::None && !state.learning.has_begun;
            is_first.then_some(Occasion::Call(call))
        }
        _ => None,
    }
}

/// The inputs of recall, except for the occasion.
pub(crate) struct Recaller<'a> {
    pub(crate) home: &'a Home,
    pub(crate) settings: &'a Settings,
    pub(crate) place: &'a LearningsPlace,
    /// The current ticket.
    pub(crate) ticket: Option<&'a Ticket>,
    pub(crate) session: &'a str,
    pub(crate) now: Timestamp,
    /// Maximum number of characters that the agent's client accepts without cutting them.
    pub(crate) max_chars: usize,
    pub(crate) answer: Wanted,
}

/// Which of the found learnings are returned.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Wanted {
    /// Only the learnings to give. Nothing that takes extra time is done.
    Given,
    /// Also the learnings that are left out, with reasons.
    Reasons,
}

/// The result of recall.
#[derive(Debug, Default)]
pub(crate) struct Recalled {
    pub(crate) injected: Option<Injection>,
    /// The text that withdraws learnings given earlier.
    pub(crate) corrected: Option<Injection>,
    /// An event for each backend that has learnings.
    pub(crate) backends: Vec<Event>,
    /// Whether updating the index or the statistics takes longer than an agent can wait.
    pub(crate) is_behind: bool,
    pub(crate) problem: Option<String>,
}

impl Recaller<'_> {
    pub(crate) fn recall(&self, occasion: Occasion<'_>, state: &State) -> Recalled {
        let mut recalled = Recalled::default();
        match self.look(occasion, state, &mut recalled) {
            Ok(selection) => {
                recalled.injected = selection.and_then(|selection| self.injected(selection));
            }
            Err(error) => {
                recalled.is_behind = true;
                recalled.problem = Some(format!("cannot {}", with_causes(&error)));
            }
        }
        recalled
    }

    fn look(
        &self,
        occasion: Occasion<'_>,
        state: &State,
        recalled: &mut Recalled,
    ) -> Result<Option<Selection>, RecallError> {
        let LearningsPlace { ground, kept } = self.place;
        let places: Vec<_> = kept.library.places().collect();
        if let Occasion::Start = occasion {
            let used = places.iter().filter(|place| !place.sources().is_empty());
            recalled.backends = used.map(|place| backend_found(*place)).collect();
        }
        if places.iter().all(|place| place.sources().is_empty()) {
            return Ok(None);
        }
        let asked = Asked::new(occasion, self.ticket, state, &ground.root);
        let has_given = state.learning.shown.current().next().is_some();
        if asked.is_empty() && !has_given {
            return Ok(None);
        }
        let dir = self.home.recall(&ground.root);
        let statistics = Statistics::read_at_most(&dir, ground, MAX_STATISTICS_BYTES);
        recalled.is_behind = statistics.is_behind;
        let catalogue = Catalogue::new(dir);
        let refreshed = catalogue.refresh(&places, &statistics, HURRIED)?;
        recalled.is_behind |= matches!(refreshed.outcome, Outcome::TooMuch { .. });
        let mut limits = self.limits();
        if has_given {
            let corrected = correcting::find(&catalogue, &statistics, state)?;
            recalled.corrected = correcting::tell(&corrected, state, limits.budget);
        }
        if asked.is_empty() || matches!(occasion, Occasion::Word) {
            return Ok(None);
        }
        let taken_back = recalled.corrected.as_ref();
        limits.budget = limits.budget.without(taken_back.map_or("", |one| one.text.as_str()));
        let is_wanted = |hit: &Hit| self.answer == Wanted::Reasons || hit.fits();
        let found = catalogue.search(&asked.query(), &Filter::in_use(), LOOKED_AT, is_wanted)?;
        let is_told = |id: &LearningId| {
            let is_named = |one: &Injection| one.sources.iter().any(|source| source == id.as_str());
            state.learning.shown.contains(id.as_str()) || taken_back.is_some_and(is_named)
        };
        let is_wanted =
            |filed: &Filed| self.answer == Wanted::Reasons || !is_told(&filed.learning.id);
        let found = weighed(found, &statistics, self.now, is_wanted).collect();
        Ok(Some(limits.select(asked.words(), found, is_told)))
    }

    fn limits(&self) -> Limits<'_> {
        let recall = &self.settings.recall;
        let number = |setting: u64| usize::try_from(setting).unwrap_or(usize::MAX);
        Limits {
            strategy: recall.strategy.value,
            most: number(recall.max_injections.value),
            budget: Budget { tokens: number(recall.budget_tokens.value), chars: self.max_chars },
            session: self.session,
        }
    }

    fn injected(&self, selection: Selection) -> Option<Injection> {
        let Selection { asked, text, given, .. } = selection;
        let mut grounds = Grounds::of_rule("learnings that fit what the agent is about to do")
            .fact("asked with", asked);
        let mut scores = BTreeMap::new();
        for one in &given {
            let (id, score) = (one.filed.learning.id.as_str(), one.merits.score());
            grounds = grounds.fact(id, format!("score {score:.2}"));
            scores.insert(id.to_owned(), thousandths(score));
        }
        let keys = ["recall.max_injections", "recall.strategy", "recall.budget_tokens"];
        let grounds = with_settings(grounds, self.settings, &keys);
        let ids = given.iter().map(|one| one.filed.learning.id.as_str().to_owned());
        let (sources, text) = (ids.collect(), text?);
        Some(Injection { scores, ..Injection::new(sources, text, grounds) })
    }
}

pub(crate) struct Recall<'a> {
    settings: &'a Settings,
}

impl<'a> Gate<'a> for Recall<'a> {
    type State = Stateless;
    type Trigger = ();

    fn new(setup: Setup<'a>) -> Self {
        Self { settings: setup.settings }
    }

    fn trigger(&self, event: &EventView<'_>) -> Option<()> {
        may_be_occasion(event.observed, self.settings).then_some(())
    }

    fn facts(&self, (): &(), before: &Before<'_>) -> Option<FactSet> {
        let occasion = occasion(before.observed, before.state, self.settings);
        occasion.map(|_| FactSet::of([Fact::Recall]))
    }

    /// Gives the agent the found learnings, unless a concurrent call has given them.
    fn decide(&self, (): &(), context: &Context<'_>, decision: &mut Decision) {
        let Some(recalled) = &context.facts.recalled else { return };
        let starts = matches!(
            &context.draft.event,
            Event::SessionStarted { source, .. } if *source != StartSource::Compact
        );
        if starts {
            decision.events.extend(recalled.backends.iter().cloned());
        }
        let shown = &context.before.learning.shown;
        let is_current = |one: &Correction| shown.current().any(|id| id == one.learning);
        let corrected = recalled.corrected.iter();
        let corrected = corrected.filter(|injected| injected.corrections.iter().all(is_current));
        let is_new = |injected: &&Injection| !injected.sources.iter().any(|id| shown.contains(id));
        let given = corrected.chain(recalled.injected.iter().filter(is_new));
        decision.injections.extend(given.cloned());
    }
}

/// The statistics lines for a call's records. Each line has the tickets that were current at its
/// record. `state` is the state before the records.
pub(crate) fn statistics_lines(state: &State, drafts: &[Draft]) -> Vec<StatsLine> {
    let tells = |draft: &Draft| !lines_of(draft, &[]).is_empty();
    if !drafts.iter().any(tells) {
        return vec![];
    }
    let mut state = state.clone();
    let lines = drafts.iter().flat_map(|draft| {
        let lines = lines_of(draft, &state.learning.ticket_ids());
        state.apply(&Record { seq: 0, draft: draft.clone() });
        lines
    });
    lines.collect()
}

fn backend_found(place: &dyn Backend) -> Event {
    Event::BackendFound { backend: place.kind(), location: place.location().display().to_string() }
}

fn thousandths(score: f64) -> u64 {
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "casts saturate")]
    let thousandths = (score * 1000.0).round() as u64;
    thousandths
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_learning_that_helped_before_may_score_more_than_a_new_one() {
        let scores = [1.25, 0.8314, -1.0, f64::NAN];
        assert_eq!(scores.map(thousandths), [1250, 831, 0, 0]);
    }
}
