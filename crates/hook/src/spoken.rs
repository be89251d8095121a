//! What gates and guards say about one event, before it is put into records and an answer.

use verger_config::Settings;
use verger_event::{Answer, Event, EventId, Grounds, Opinion, Verdict};

/// What all of them say together.
#[derive(Debug, Default)]
pub(crate) struct Spoken {
    /// What each one thinks.
    pub(crate) opinions: Vec<Opinion>,
    /// What the log keeps of it beside that.
    pub(crate) events: Vec<Event>,
    /// Text for the agent to know.
    pub(crate) injected: Option<Injected>,
    /// Text for the person.
    pub(crate) notices: Vec<String>,
}

/// Text for the agent to know.
#[derive(Debug)]
pub(crate) struct Injected {
    pub(crate) text: String,
    /// As the log keeps it: without what must not be kept.
    pub(crate) kept: String,
    pub(crate) source: &'static str,
    pub(crate) grounds: Grounds,
}

impl Spoken {
    pub(crate) fn opinion(&mut self, by: &str, verdict: Verdict, grounds: Grounds) {
        self.opinions.push(Opinion { by: by.to_owned(), verdict, grounds });
    }

    /// The answer to the agent, and the events that the log keeps, in order.
    pub(crate) fn into_answer(self, on: EventId, moment: &str) -> (Answer, Vec<Event>) {
        let Self { opinions, mut events, injected, notices } = self;
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
        let context = injected.map(|Injected { text, kept, source, grounds }| {
            events.push(Event::ContextInjected {
                moment: moment.to_owned(),
                on: Some(on),
                sources: vec![source.to_owned()],
                text: kept,
                grounds,
            });
            text
        });
        (Answer { verdict, context, notice }, events)
    }
}

/// The grounds with these settings, as they are now.
pub(crate) fn with_settings(mut grounds: Grounds, settings: &Settings, keys: &[&str]) -> Grounds {
    for listed in settings.list().filter(|listed| keys.contains(&listed.path.as_str())) {
        grounds = grounds.setting(listed.path, listed.value, listed.origin.to_string());
    }
    grounds
}
