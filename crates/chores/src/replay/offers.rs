//! Finds the offers of earlier tasks that an agent gets with a prompt.

use std::fmt::Write as _;

use serde_json::{Value, json};

use crate::replay::percentile::{percentile, share};
use crate::replay::run::Seen;

/// An offer of earlier tasks that an agent got with a prompt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Offer {
    pub(crate) session: String,
    /// The prompt's text with placeholders, as in the session file.
    pub(crate) prompt: String,
    pub(crate) text: String,
}

impl Offer {
    fn characters(&self) -> usize {
        self.text.chars().count()
    }

    fn decisions(&self) -> usize {
        self.text.lines().filter(|line| line.trim_start().starts_with("decided:")).count()
    }
}

/// The offers in all replayed sessions.
#[derive(Debug, Default)]
pub(crate) struct Offers {
    pub(crate) prompts: usize,
    pub(crate) offers: Vec<Offer>,
}

impl Offers {
    pub(crate) fn observe(&mut self, seen: &Seen<'_>) {
        if seen.event != "UserPromptSubmit" {
            return;
        }
        self.prompts += 1;
        let offers = seen.records.iter().filter_map(|record| offered(record, seen.answer));
        let prompt = seen.text("prompt");
        let offers = offers.map(|text| Offer {
            session: seen.session.to_owned(),
            prompt: prompt.to_owned(),
            text: text.to_owned(),
        });
        self.offers.extend(offers);
    }

    pub(crate) fn add(&mut self, other: Self) {
        self.prompts += other.prompts;
        self.offers.extend(other.offers);
    }

    pub(crate) fn sort(&mut self) {
        self.offers.sort_by(|one, other| one.session.cmp(&other.session));
    }

    fn figures(&self) -> Figures {
        let characters: Vec<_> = self.offers.iter().map(Offer::characters).collect();
        Figures {
            p50: percentile(&characters, 50),
            max: percentile(&characters, 100),
            decisions: self.offers.iter().map(Offer::decisions).sum(),
        }
    }

    pub(crate) fn text(&self) -> String {
        let Figures { p50, max, decisions } = self.figures();
        let mut text = String::from("tasks offered\n");
        let offers = share(self.offers.len(), self.prompts);
        // Writing to a String cannot fail.
        writeln!(text, "  prompts with an offer  {offers}").unwrap_or_default();
        writeln!(text, "  characters per offer   p50 {p50}, max {max}").unwrap_or_default();
        writeln!(text, "  \"decided:\" lines       {decisions}").unwrap_or_default();
        text
    }

    pub(crate) fn json(&self) -> Value {
        let Figures { p50, max, decisions } = self.figures();
        let offers = self.offers.iter().map(
            |offer| json!({ "session": offer.session, "prompt": offer.prompt, "text": offer.text }),
        );
        json!({
            "prompts": self.prompts,
            "characters": { "p50": p50, "max": max },
            "decided_lines": decisions,
            "offers": offers.collect::<Vec<_>>(),
        })
    }
}

struct Figures {
    p50: usize,
    max: usize,
    decisions: usize,
}

/// The text of an offer in a record. `None` if the record is not an offer. The text of a long offer
/// is taken from the answer, because the record doesn't contain it.
fn offered<'a>(record: &'a Value, answer: Option<&'a Value>) -> Option<&'a str> {
    if record.get("kind")?.as_str()? != "context.injected" {
        return None;
    }
    let mut sources = record.pointer("/payload/sources")?.as_array()?.iter();
    if !sources.any(|source| source.as_str().is_some_and(|source| source.starts_with("task "))) {
        return None;
    }
    let text = record.pointer("/payload/text").and_then(Value::as_str);
    let context = || answer?.pointer("/hookSpecificOutput/additionalContext")?.as_str();
    text.or_else(context)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn offers_are_counted_with_their_decisions() {
        let injected = |source: &str, text: &str| {
            let payload = json!({ "sources": [source], "text": text });
            json!({ "kind": "context.injected", "payload": payload })
        };
        let text = "<verger-tasks>\n  decided: sqlite: it is small\n</verger-tasks>";
        let records = [injected("task 01X", text), injected("learning-1", "use rg")];
        let payload = json!({ "prompt": "mend the store" });
        let mut offers = Offers::default();
        for event in ["UserPromptSubmit", "PostToolUse"] {
            let records = &records[..];
            let seen = Seen { session: "s1", event, payload: &payload, answer: None, records };
            offers.observe(&seen);
        }
        let offer = Offer {
            session: "s1".to_owned(),
            prompt: "mend the store".to_owned(),
            text: text.to_owned(),
        };
        assert_eq!((offers.prompts, &offers.offers[..]), (1, &[offer][..]));
        let expected = "tasks offered\n  prompts with an offer  1 of 1 (100.0 %)\n  \
                        characters per offer   p50 61, max 61\n  \"decided:\" lines       1\n";
        assert_eq!(offers.text(), expected);
    }
}
