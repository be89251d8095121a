//! The decision of all gates and guards about one event, before it becomes records and an answer.

use std::collections::BTreeMap;

use serde_json::Value;
use verger_config::Settings;
use verger_event::{Answer, Correction, Event, EventId, Grounds, Opinion, Verdict};

/// The separator between two texts for the agent.
pub(crate) const BETWEEN_TEXTS: &str = "\n\n";

/// The combined decision of all gates and guards.
#[derive(Debug, Default)]
pub(crate) struct Decision {
    /// The opinion of each gate and guard.
    pub(crate) opinions: Vec<Opinion>,
    /// Further events for the log.
    pub(crate) events: Vec<Event>,
    /// Text for the agent.
    pub(crate) injections: Vec<Injection>,
    /// Text for the person.
    pub(crate) notices: Vec<String>,
    /// A changed input for the call.
    pub(crate) rewriting: Option<Rewriting>,
    /// Whether the agent stops although a required verification of its work is not green.
    pub(crate) is_unverified: bool,
}

/// A changed input for a call. It is used unless a gate or guard denies the call.
#[derive(Debug)]
pub(crate) struct Rewriting {
    pub(crate) by: &'static str,
    pub(crate) rules: Vec<String>,
    pub(crate) changes: Vec<String>,
    pub(crate) input: Value,
    pub(crate) grounds: Grounds,
    /// Texts that tell the agent about the change.
    pub(crate) told: Vec<Injection>,
}

/// Text for the agent.
#[derive(Debug, Clone)]
pub(crate) struct Injection {
    pub(crate) text: String,
    /// The text as the log stores it, without the parts that must not be stored.
    pub(crate) kept: String,
    /// The names of the gate or the ids of the learnings that the text comes from.
    pub(crate) sources: Vec<String>,
    pub(crate) grounds: Grounds,
    /// The score of each learning for its fit to the query, in thousandths.
    pub(crate) scores: BTreeMap<String, u64>,
    /// Learnings that were given to the agent earlier and that this text withdraws.
    pub(crate) corrections: Vec<Correction>,
}

impl Injection {
    /// An injection whose text is stored in the log unchanged.
    pub(crate) fn new(sources: Vec<String>, text: String, grounds: Grounds) -> Self {
        let kept = text.clone();
        Self { text, kept, sources, grounds, scores: BTreeMap::new(), corrections: vec![] }
    }
}

impl Decision {
    pub(crate) fn inject(&mut self, source: &str, text: String, grounds: Grounds) {
        self.injections.push(Injection::new(vec![source.to_owned()], text, grounds));
    }

    pub(crate) fn opinion(&mut self, by: &'static str, verdict: Verdict, grounds: Grounds) {
        self.opinions.push(Opinion { by: by.into(), verdict, grounds });
    }

    /// Whether a gate or guard denies the call.
    pub(crate) fn denies(&self) -> bool {
        self.opinions.iter().any(|opinion| matches!(opinion.verdict, Verdict::Deny { .. }))
    }

    /// The answer to the agent, and the events that the log keeps, in order.
    pub(crate) fn into_answer(self, on: EventId, moment: &str) -> (Answer, Vec<Event>) {
        let Self { opinions, mut events, mut injections, notices, rewriting, is_unverified: _ } =
            self;
        let opinion = |opinion: &Opinion| opinion.verdict.clone();
        let verdict = opinions.iter().map(opinion).fold(Verdict::NoOpinion, Verdict::join);
        let notice = (!notices.is_empty()).then(|| notices.join("\n"));
        if !opinions.is_empty() {
            events.push(Event::VerdictGiven {
                verdict: verdict.clone(),
                on,
                by: opinions,
                notice: notice.clone(),
            });
        }
        // A denied call doesn't run, so it gets no changed input.
        let is_denied = matches!(verdict, Verdict::Deny { .. });
        let rewritten = rewriting.filter(|_| !is_denied).map(|rewriting| {
            let Rewriting { by, rules, changes, input, grounds, told } = rewriting;
            let by = by.into();
            let (kept, input) = (input.clone(), input);
            events.push(Event::CallRewritten { on, by, rules, changes, input: kept, grounds });
            injections.extend(told);
            input
        });
        let mut texts = vec![];
        for Injection { text, kept, sources, grounds, scores, corrections } in injections {
            let moment = moment.to_owned();
            let (on, text_kept) = (Some(on), kept);
            events.push(Event::ContextInjected {
                moment,
                on,
                sources,
                text: text_kept,
                grounds,
                scores,
                corrections,
            });
            texts.push(text);
        }
        let context = (!texts.is_empty()).then(|| texts.join(BETWEEN_TEXTS));
        (Answer { verdict, context, notice, rewritten }, events)
    }
}

/// Adds these settings, with their effective values and origins, to the grounds.
pub(crate) fn with_settings(mut grounds: Grounds, settings: &Settings, keys: &[&str]) -> Grounds {
    for listed in settings.list_of(keys) {
        grounds = grounds.setting(listed.path, listed.value, listed.origin.to_string());
    }
    grounds
}
