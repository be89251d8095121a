//! Which learnings an agent is given, and when: as its session starts, with a prompt, and with its
//! first call where no prompt was seen. Whatever goes wrong, the agent is given nothing and goes on.

mod question;

use std::collections::BTreeMap;

use verger_agent::Observed;
use verger_config::{RecallStrategy, Settings};
use verger_event::{
    Actor, Draft, Event, Fold as _, Grounds, PromptOrigin, Record, TaskState, Timestamp, ToolCall,
};
use verger_gate::State;
use verger_gate::learning::Ticket;
use verger_library::{Catalogue, Effort, Filed, Filter, Outcome, Standing, Statistics, weighed};
use verger_memory::LearningId;
use verger_memory::injection::{Budget, Injection, Told, injection};
use verger_memory::ranking::{Strategy, best};
use verger_memory::stats::{StatsLine, lines_of};
use verger_recall::{Hit, RecallError};
use verger_store::with_causes;
use verger_store_local::Home;

use crate::gates::Told as GatesTold;
use crate::project_library::LearningsPlace;
use crate::spoken::{Injected, Spoken, with_settings};
use question::Asked;

/// What the index is brought up to date with while an agent waits; more is left to others.
const HURRIED: Effort = Effort::AtMost { bytes: 256 * 1024 };
/// How much of the statistics is read while an agent waits.
const MAX_STATISTICS_BYTES: u64 = 256 * 1024;
/// How many that fit are looked at more closely.
const LOOKED_AT: usize = 30;
/// A shorter prompt says nothing of what it is about.
const MIN_PROMPT_CHARS: usize = 11;

/// A moment at which an agent can use learnings.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Occasion<'a> {
    /// Its session begins or goes on.
    Start,
    /// It is asked for something.
    Prompt(&'a str),
    /// It begins without having been seen asked.
    Call(&'a ToolCall),
}

/// Whether an event is such a moment; `state` is that before it.
pub(crate) fn occasion<'a>(
    observed: &'a Observed,
    state: &State,
    settings: &Settings,
) -> Option<Occasion<'a>> {
    if !settings.recall.enabled.value || !matches!(observed.actor, Actor::Main { .. }) {
        return None;
    }
    match &observed.event {
        Event::SessionStarted { .. } => Some(Occasion::Start),
        Event::PromptSubmitted { origin: PromptOrigin::Person, prompt } => {
            let is_about_something = prompt.trim().chars().count() >= MIN_PROMPT_CHARS;
            is_about_something.then_some(Occasion::Prompt(prompt))
        }
        Event::ToolRequested(call) => {
            let is_first = state.session.task == TaskState::None && !state.learning.has_begun;
            is_first.then_some(Occasion::Call(call))
        }
        _ => None,
    }
}

/// What recall needs beside the occasion.
pub(crate) struct Recaller<'a> {
    pub(crate) home: &'a Home,
    pub(crate) settings: &'a Settings,
    pub(crate) place: &'a LearningsPlace,
    /// The ticket in hand.
    pub(crate) ticket: Option<&'a Ticket>,
    pub(crate) session: &'a str,
    pub(crate) now: Timestamp,
    /// What the agent's client takes whole.
    pub(crate) max_chars: usize,
}

/// What was found.
#[derive(Debug, Default)]
pub(crate) struct Recalled {
    pub(crate) injected: Option<Injected>,
    /// The index or the statistics are behind by more than an agent can wait for.
    pub(crate) is_behind: bool,
    pub(crate) problem: Option<String>,
}

impl Recaller<'_> {
    pub(crate) fn recall(&self, occasion: Occasion<'_>, state: &State) -> Recalled {
        let mut recalled = Recalled::default();
        match self.look(occasion, state, &mut recalled) {
            Ok(injected) => recalled.injected = injected,
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
    ) -> Result<Option<Injected>, RecallError> {
        let LearningsPlace { ground, kept } = self.place;
        let places: Vec<_> = kept.library.places().collect();
        if places.iter().all(|place| place.sources().is_empty()) {
            return Ok(None);
        }
        let asked = Asked::new(occasion, (self.ticket, state), &ground.root);
        if asked.is_empty() {
            return Ok(None);
        }
        let dir = self.home.recall(&ground.root);
        let statistics = if Statistics::unread(&dir, ground) <= MAX_STATISTICS_BYTES {
            Statistics::read(&dir, ground)
        } else {
            recalled.is_behind = true;
            Statistics::of_table(&dir)
        };
        let catalogue = Catalogue::new(dir);
        let refreshed = catalogue.refresh(&places, &statistics, HURRIED)?;
        recalled.is_behind |= matches!(refreshed.outcome, Outcome::TooMuch { .. });
        let found = catalogue.search(&asked.query(), &Filter::in_use(), LOOKED_AT)?;
        let chosen = self.choose(found, state, &statistics);
        Ok(self.tell(&chosen, &asked))
    }

    /// Those that fit and that the session was not given yet, best first.
    fn choose(
        &self,
        found: Vec<(Hit, Filed)>,
        state: &State,
        statistics: &Statistics,
    ) -> Vec<(f64, Filed)> {
        let is_new = |id: &LearningId| !state.learning.shown.contains(id.as_str());
        let fitting = weighed(found, statistics, self.now)
            .filter(|one| one.hit.fits() && is_new(&one.filed.learning.id));
        let scored = fitting.map(|one| (one.merits.score(), one.filed));
        let recall = &self.settings.recall;
        let most = usize::try_from(recall.max_injections.value).unwrap_or(usize::MAX);
        best(scored.collect(), strategy(recall.strategy.value), most).0
    }

    fn tell(&self, chosen: &[(f64, Filed)], asked: &Asked<'_>) -> Option<Injected> {
        let told: Vec<_> = chosen
            .iter()
            .map(|(_, Filed { learning, standing })| Told {
                learning,
                is_suspect: *standing == Standing::Suspect,
            })
            .collect();
        let tokens = usize::try_from(self.settings.recall.budget_tokens.value);
        let budget = Budget { tokens: tokens.unwrap_or(usize::MAX), chars: self.max_chars };
        let Injection { text, learnings } = injection(&told, self.session, budget)?;
        let mut grounds = Grounds::of_rule("learnings that fit what the agent is about to do")
            .fact("asked with", asked.words());
        let mut scores = BTreeMap::new();
        for (score, filed) in chosen.iter().filter(|(_, one)| learnings.contains(&one.learning.id))
        {
            let id = filed.learning.id.as_str();
            grounds = grounds.fact(id, format!("score {score:.2}"));
            scores.insert(id.to_owned(), thousandths(*score));
        }
        let keys = ["recall.max_injections", "recall.strategy", "recall.budget_tokens"];
        let grounds = with_settings(grounds, self.settings, &keys);
        let sources = learnings.iter().map(|id| id.as_str().to_owned()).collect();
        Some(Injected { kept: text.clone(), text, sources, grounds, scores })
    }
}

/// Gives the agent what was found, unless another call was faster.
pub(crate) fn speak(told: &GatesTold<'_>, spoken: &mut Spoken) {
    let found = told.facts.recalled.as_ref().and_then(|recalled| recalled.injected.as_ref());
    let is_new = |injected: &&Injected| {
        !injected.sources.iter().any(|id| told.before.learning.shown.contains(id))
    };
    spoken.injected.extend(found.filter(is_new).cloned());
}

/// What the records of a call tell the statistics, each with the tickets that were in hand then;
/// `state` is that before them.
pub(crate) fn told_statistics(state: &State, drafts: &[Draft]) -> Vec<StatsLine> {
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

fn thousandths(score: f64) -> u64 {
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped")]
    let thousandths = (score.clamp(0.0, 1.0) * 1000.0).round() as u64;
    thousandths
}

fn strategy(setting: RecallStrategy) -> Strategy {
    match setting {
        RecallStrategy::Conservative => Strategy::Conservative,
        RecallStrategy::Moderate => Strategy::Moderate,
        RecallStrategy::Aggressive => Strategy::Aggressive,
    }
}
