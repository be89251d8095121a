//! What says in English that work goes on, or has only been thought of.

use super::super::sentence::{Place, Sentence, is_in};
use super::claims::behaves_at;
use super::words::{GOES_ON, OFFERS, PLANS};

/// Whether a question is an offer of more, and the work does not wait for its answer.
pub(super) fn offers(sentence: &Sentence) -> bool {
    const WAITS: &str =
        "continue, go on, go ahead, proceed, start, begin, carry on, next, first, which, how, or";
    sentence.has_any(OFFERS) && !sentence.has_any(WAITS)
}

/// "I'll", "I'm working on", "Moving on to", and a sentence that begins with what is next.
pub(super) fn goes_on(sentence: &Sentence) -> bool {
    const BEGINNINGS: &str = "next, then, moving, looking, waiting, working, continuing, starting, stopping, \
         picking, going, turning, switching, investigating, proceeding, carrying";
    let words = sentence.words();
    let is_going = |word: &str| word.ends_with("ing") && word.len() > 4;
    let is_of_agent = words.windows(2).any(|two| {
        let is_at = is_in("still, now, about, currently, on, at, halfway", &two[1]);
        let is_aside = is_in("assuming, leaving, keeping, hoping", &two[1]);
        is_in("i'm, we're, am", &two[0]) && (is_going(&two[1]) || is_at) && !is_aside
    });
    let lets = words.windows(3).any(|three| three[..2] == ["let", "me"] && three[2] != "know");
    let begins = match words {
        [now, next, ..] if now == "now" && next == "the" => words.len() < 5,
        [now, next, ..] if now == "now" => is_going(next) || is_in("for, on, to, onto", next),
        [first, .., last] if is_going(first) && is_in("now, next", last) => {
            sentence.place() != Place::Item
        }
        [first, ..] => {
            let is_subject =
                behaves_at(words).is_some_and(|at| sentence.before_in_clause(at).len() == at);
            sentence.place() != Place::Item && is_in(BEGINNINGS, first) && !is_subject
        }
        [] => false,
    };
    let onto = sentence.position("on to").is_some_and(|at| sentence.before_in_clause(at).len() < 2);
    is_of_agent || lets || onto || begins || sentence.has_any(GOES_ON)
}

/// A title or a beginning such as "Here's my plan".
pub(super) fn plans(sentence: &Sentence) -> bool {
    let words = sentence.words();
    if sentence.place() == Place::Item {
        return false;
    }
    let near = if sentence.place() == Place::Heading { words.len() } else { 4 };
    words.iter().take(near).any(|word| is_in(PLANS, word))
}
