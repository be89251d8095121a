//! What says in English that work is done, and what takes it back.
//!
//! Where a rule can be said in general (a number of a larger one, a negation before a word for being
//! done), it is; the rest are lists of phrases.

mod words;

use super::sentence::{Place, Sentence, listed};
use words::{
    ASIDE, CONDITIONS, DONE, FAILED, GOES_ON, IRREGULAR_DEEDS, LOOKED, MISSING, NO_DEEDS, OFFERS,
    STATES,
};

/// Whether the sentence says that something is done.
pub(super) fn says_done(sentence: &Sentence) -> bool {
    let Some(at) = done_at(sentence) else { return false };
    let is_before = |phrase: &str| sentence.position(phrase).is_some_and(|word| word <= at);
    !sentence.asks() && !listed(CONDITIONS).any(is_before)
}

/// The word at which the sentence says so.
fn done_at(sentence: &Sentence) -> Option<usize> {
    let words = sentence.words();
    let begins = words.iter().position(|word| !INTERJECTIONS.contains(&word.as_str()))?;
    if sentence.place() != Place::Item && is_deed(&words[begins]) {
        return Some(begins);
    }
    let phrase = || listed(DONE).filter_map(|phrase| sentence.position(phrase)).min();
    if let Some(at) = deed_of_agent(words).or_else(phrase) {
        return Some(at);
    }
    if sentence.place() == Place::Item {
        return None;
    }
    state_at(words).or_else(|| now_at(words))
}

const INTERJECTIONS: [&str; 10] =
    ["ok", "okay", "sure", "great", "alright", "perfect", "good", "yes", "all", "successfully"];

fn is_deed(word: &str) -> bool {
    let is = |list| listed(list).any(|known| known == word);
    is(IRREGULAR_DEEDS) || (word.ends_with("ed") && word.len() > 3 && !is(NO_DEEDS))
}

/// "I added", "I've added", "I have now added".
fn deed_of_agent(words: &[String]) -> Option<usize> {
    let is_filler = |word: &str| {
        ["have", "also", "just", "now", "then", "already", "both", "successfully"].contains(&word)
    };
    words.iter().enumerate().find_map(|(at, word)| {
        let next = words[at + 1..].iter().find(|word| !is_filler(word))?;
        (["i", "i've", "we've"].contains(&word.as_str()) && is_deed(next)).then_some(at)
    })
}

/// "is fixed", "has been moved", "are all clean".
fn state_at(words: &[String]) -> Option<usize> {
    let is_filler = |word: &str| {
        ["now", "all", "both", "again", "been", "fully", "finally", "already"].contains(&word)
    };
    words.iter().enumerate().find_map(|(at, word)| {
        if !["is", "are", "has", "have", "it's"].contains(&word.as_str()) {
            return None;
        }
        let skipped = words[at + 1..].iter().take_while(|word| is_filler(word)).count();
        let rest = words.get(at + 1 + skipped..)?.join(" ");
        let is_state = |state: &str| {
            rest.strip_prefix(state).is_some_and(|more| more.is_empty() || more.starts_with(' '))
        };
        listed(STATES).any(is_state).then_some(at)
    })
}

/// "now redirects", "can now", "no longer panics": what is so since the work.
fn now_at(words: &[String]) -> Option<usize> {
    let now = words.iter().position(|word| word == "now").filter(|at| *at > 0);
    now.or_else(|| words.windows(2).position(|two| two == ["no", "longer"]))
}

/// Whether the sentence takes back what another one says.
pub(super) fn takes_back(sentence: &Sentence) -> bool {
    !sentence.has_any(ASIDE)
        && (sentence.contains_any(&["❌", "⏳", "🔄", "⬜", "[ ]", "🚧"])
            || [MISSING, FAILED, GOES_ON, LOOKED].iter().any(|list| sentence.has_any(list))
            || counts_a_part(sentence.words())
            || goes_on(sentence.words())
            || says_still(sentence.words())
            || denies_done(sentence.words())
            || could_not(sentence.words())
            || fails(sentence))
}

/// Whether a question is an offer.
pub(super) fn offers(sentence: &Sentence) -> bool {
    sentence.has_any(OFFERS)
}

/// "3 of 5", "41 of the 60", where it is not all of them.
fn counts_a_part(words: &[String]) -> bool {
    let number = |word: &String| word.replace(',', "").parse::<u64>().ok();
    words.iter().enumerate().any(|(at, word)| {
        let Some(part) = number(word) else { return false };
        let whole = match words.get(at + 1..) {
            Some([of, the, whole, ..]) if of == "of" && the == "the" => number(whole),
            Some([of, whole, ..]) if of == "of" => number(whole),
            _ => None,
        };
        whole.is_some_and(|whole| part < whole)
    })
}

/// "I'm working on", "Moving on to", and a sentence that begins with what is next.
fn goes_on(words: &[String]) -> bool {
    let is_going = |word: &String| word.ends_with("ing") && word.len() > 5;
    let is_of_agent = words.windows(2).any(|two| {
        matches!(two, [who, what] if ["i'm", "we're"].contains(&who.as_str())
            && (is_going(what) || ["still", "now", "about"].contains(&what.as_str())))
    }) || words
        .windows(3)
        .any(|three| matches!(three, [i, am, what] if i == "i" && am == "am" && is_going(what)));
    let begins = words.first().is_some_and(|first| {
        ["moving", "looking", "waiting", "working", "continuing", "starting", "running", "next"]
            .contains(&first.as_str())
    });
    is_of_agent || begins
}

/// "still", unless what still is so is well.
fn says_still(words: &[String]) -> bool {
    let is_well = |word: &String| {
        [
            "pass", "passes", "passing", "green", "work", "works", "compiles", "builds", "behaves",
            "valid",
        ]
        .contains(&word.as_str())
    };
    let at = words.iter().position(|word| word == "still");
    at.is_some_and(|at| !words[at + 1..].iter().take(2).any(is_well))
}

/// A negation shortly before a word for being done: "isn't fixed", "has not been merged".
fn denies_done(words: &[String]) -> bool {
    const ENDS: [&str; 19] = [
        "done",
        "complete",
        "completed",
        "finished",
        "finish",
        "fixed",
        "fix",
        "implemented",
        "working",
        "work",
        "started",
        "ready",
        "merged",
        "usable",
        "solved",
        "resolved",
        "hold",
        "begun",
        "addressed",
    ];
    words.iter().enumerate().any(|(at, word)| {
        let denies = word == "not" || word == "never" || word == "none" || word.ends_with("n't");
        let mut next = words[at + 1..].iter().take(4);
        denies && next.any(|word| ENDS.contains(&word.as_str()))
    })
}

/// What the agent could not do, unless it is only to look at what it did.
fn could_not(words: &[String]) -> bool {
    const LOOKS: [&str; 14] = [
        "run",
        "verify",
        "test",
        "reproduce",
        "check",
        "start",
        "measure",
        "try",
        "confirm",
        "compare",
        "tested",
        "verified",
        "reproduced",
        "checked",
    ];
    const FILLERS: [&str; 6] = ["be", "to", "actually", "able", "been", "fully"];
    let starts = [
        "i can't",
        "i cannot",
        "i couldn't",
        "i could not",
        "could not",
        "couldn't",
        "unable",
        "i wasn't able",
        "i was not able",
        "i haven't been able",
        "i haven't found",
        "i haven't managed",
    ];
    let text = words.join(" ");
    starts.iter().any(|start| {
        let Some((before, after)) = text.split_once(start) else { return false };
        let is_whole = before.is_empty() || before.ends_with(' ');
        let next = after.split(' ').find(|word| !word.is_empty() && !FILLERS.contains(word));
        is_whole && next.is_none_or(|next| !LOOKS.contains(&next))
    })
}

/// Something fails now, and is not said to have failed before.
fn fails(sentence: &Sentence) -> bool {
    sentence.has_any(
        "fail, fails, failing, is red, are red, is broken, are broken, don't pass, doesn't pass",
    ) && !sentence
        .has_any("before, without, previously, were, was, no, 0, which fails, that fails, used")
}
