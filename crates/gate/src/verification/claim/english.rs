//! What a sentence says about the work in English.
//!
//! The rules are grammar where they can be: a participle behind "has been", a deed after "I", a number of
//! a larger one. The lists hold what grammar does not tell, such as which verbs only look.

mod claims;
mod failure;
mod missing;
mod onward;
#[cfg(test)]
mod tests;
mod words;

use super::sentence::{Sentence, is_in};
use super::signal::Signal;
use words::{
    ADVICE, ASIDE, CAUSES, EXPLAINS, IRREGULAR_DEEDS, LOOKED, NO_DEEDS, NOTHING_MADE, ONLY_LOOKED,
    SAY_VERBS, SAYS,
};

/// What the sentence says.
pub(super) fn signals(sentence: &Sentence) -> Vec<Signal> {
    let claim = claims::claim(sentence);
    claim.into_iter().chain(against(sentence, claim)).collect()
}

/// Whether a heading says that what follows tells of what was wrong.
pub(super) fn heads_cause(sentence: &Sentence) -> bool {
    sentence.has_any(CAUSES)
}

/// "Root cause: ..." in one line.
pub(super) fn begins_cause(sentence: &Sentence) -> bool {
    sentence.text().split_once(':').is_some_and(|(title, _)| is_in(CAUSES, title))
}

/// What the sentence says against the work being done, beside what it claims.
fn against(sentence: &Sentence, claim: Option<Signal>) -> Vec<Signal> {
    if sentence.asks() {
        return if onward::offers(sentence) { vec![] } else { vec![Signal::Asks] };
    }
    if sentence.has_any(ASIDE) {
        return vec![];
    }
    let is_strong = matches!(claim, Some(Signal::Finished | Signal::Deed | Signal::Became));
    // In a sentence that claims, "remaining attempts" and "fails early" tell of what was made.
    let is_of_work =
        !is_strong || sentence.has_any("but, however, though, although, except, still");
    let looked = sentence.has_any(LOOKED)
        || sentence.has_any(NOTHING_MADE)
        || (!is_strong && only_looked(sentence.words()));
    let rules = [
        (Signal::Missing, missing::is_missing(sentence, is_of_work)),
        (Signal::Denied, failure::denies_done(sentence)),
        (Signal::GoesOn, onward::goes_on(sentence) || (claim.is_none() && onward::plans(sentence))),
        (Signal::Failed, failure::fails(sentence, is_of_work)),
        (Signal::CouldNot, failure::could_not(sentence.words()) == Some(failure::Lack::OfWork)),
        (Signal::Doubtful, is_of_work && failure::is_doubtful(sentence)),
        (Signal::Advised, sentence.first_of(ADVICE).is_some_and(|at| !is_bound(sentence, at))),
        (Signal::Looked, looked),
        (Signal::Explained, sentence.has_any(EXPLAINS) || answers(sentence)),
        (
            Signal::Reported,
            reports_at(sentence.words()).is_some() || (claim.is_none() && sentence.has_any(SAYS)),
        ),
    ];
    rules.into_iter().filter(|(_, is_so)| *is_so).map(|(signal, _)| signal).collect()
}

/// "Read through the diff", "I've compared both": what looks, and makes nothing.
fn only_looked(words: &[String]) -> bool {
    let of_agent = words.first().is_some_and(|first| is_in("i, i've, we, we've", first));
    let verb = words.iter().skip(usize::from(of_agent)).find(|word| !is_filler(word));
    verb.is_some_and(|verb| is_in(ONLY_LOOKED, verb))
}

/// "The banner says QUOTE": the words of somebody else.
fn reports_at(words: &[String]) -> Option<usize> {
    let says = words.iter().position(|word| is_in(SAY_VERBS, word));
    says.filter(|at| {
        let next = &words[at + 1..];
        next.first().is_some_and(|next| next == "that")
            || next.iter().take(3).any(|word| word == "quote")
    })
}

/// "Yes, it's thread-safe", "So no".
fn answers(sentence: &Sentence) -> bool {
    ["yes,", "no,", "yes:", "no:", "so yes", "so no", "yes.", "no."]
        .iter()
        .any(|start| sentence.text().starts_with(start))
}

/// A word that tells what was made: "added", "written".
fn is_deed(word: &str) -> bool {
    let word = word.strip_prefix("re-").unwrap_or(word);
    let is_regular = word.ends_with("ed") && word.len() > 3 && !is_in(NO_DEEDS, word);
    is_regular || is_in(IRREGULAR_DEEDS, word)
}

/// What may stand between a verb and what it says.
fn is_filler(word: &str) -> bool {
    const FILLERS: &str = "have, also, just, now, then, already, both, all, again, been, therefore, each, \
         since, had, and";
    word.ends_with("ly") || is_in(FILLERS, word)
}

fn after_fillers(words: &[String], at: usize) -> &[String] {
    let after = &words[at + 1..];
    let skipped = after.iter().take_while(|word| is_filler(word)).count();
    &after[skipped..]
}

fn any_in(list: &str, words: &[String]) -> bool {
    words.iter().any(|word| is_in(list, word))
}

/// Whether nothing or none comes shortly before a word: "no import remains".
fn is_none_of(words: &[String], at: usize) -> bool {
    const NONE: &str = "no, nothing, none, without, neither, zero, 0, never, nobody";
    any_in(NONE, &words[at.saturating_sub(5)..at])
}

/// Whether a word stands in a clause that only tells when, if or which: "whenever a key is missing".
fn is_bound(sentence: &Sentence, at: usize) -> bool {
    const BINDS: &str = "if, when, whenever, unless, where, wherever, which, who, whose, while, whether, until, \
         what, how, why, once";
    const TELLS: &str = "found, find, see, saw, noticed, note, noted, shows, means, so, is, was, confirm, \
         confirmed, know, think, believe, mind, aware, sure, afraid, fact, suspect, turns, given, meaning";
    let before = sentence.before_in_clause(at);
    let is_relative = |at: usize| before[at] == "that" && at > 0 && !is_in(TELLS, &before[at - 1]);
    any_in(BINDS, before) || (0..before.len()).any(is_relative)
}

/// It is told how it was before the work: "was called while it still held the lock".
fn is_of_before(sentence: &Sentence) -> bool {
    sentence.has_any("was, were, had, used to, came from, came down to, happened, because of")
        && !any_in("i, i've, we, i'm, now, is, are, isn't, aren't", sentence.words())
}
