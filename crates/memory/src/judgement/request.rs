//! Checks whether a person made the request that a candidate claims.
//!
//! The comparison is by words: one prompt of the session must have at least half of the words of
//! the candidate's summary, or of its detail. Stop words and the words that introduce a request
//! don't count. A request in a language other than the candidate's isn't found.

use std::collections::HashSet;

use verger_text::{stem, words};

use super::form::Sound;

/// Words that introduce a request, such as `user`. The comparison ignores them.
const ASKING: &[&str] = &[
    "user",
    "person",
    "ask",
    "tell",
    "want",
    "request",
    "prefer",
    "please",
    "say",
    "explicitly",
    "instruct",
    "remember",
    "always",
    "learn",
];

pub(super) const NOT_ASKED: &str = "explicit_request is not accepted: no prompt of this session \
                                    has half of the words of the summary or of the detail; use \
                                    the person's words, or claim another criterion";

/// Whether one of the prompts has at least half of the words of the candidate's summary or detail.
pub(super) fn is_asked_for(sound: &Sound, prompts: &[String]) -> bool {
    let wanted = [&sound.summary, &sound.detail].map(|text| stems(text));
    prompts.iter().any(|prompt| {
        let said = stems(prompt);
        wanted.iter().any(|wanted| {
            let found = wanted.intersection(&said).count();
            found > 0 && found * 2 >= wanted.len()
        })
    })
}

fn stems(text: &str) -> HashSet<String> {
    let asking: Vec<_> = ASKING.iter().map(|word| stem(word)).collect();
    words(text).map(|word| word.stem).filter(|stem| !asking.contains(stem)).collect()
}
