//! What says in English that a part of the work is left.

use super::super::sentence::{OPEN_MARKS, Place, Sentence, is_in, listed};
use super::words::{MAYBE_MISSING, MISSING, OPEN_HEADINGS, STILL_WELL};
use super::{any_in, is_bound, is_none_of, is_of_before};

/// Whether something is left. What only may be of the work counts if the sentence is about it.
pub(super) fn is_missing(sentence: &Sentence, is_of_work: bool) -> bool {
    let words = sentence.words();
    let maybe = listed(MAYBE_MISSING).filter(|_| is_of_work);
    let mut told = listed(MISSING).chain(maybe).filter_map(|phrase| sentence.position(phrase));
    let is_kept = |at: usize| {
        is_in("remain, remains", &words[at])
            && words.get(at + 1).is_some_and(|next| is_in("until, as, valid, available, the", next))
    };
    let told_now = told.any(|at| !is_none_of(words, at) && !is_bound(sentence, at) && !is_kept(at))
        || says_still(sentence);
    (told_now && !is_of_before(sentence))
        || is_title(sentence)
        || sentence.contains_any(OPEN_MARKS)
        || counts_a_part(words)
        || is_part(words)
        || leaves_out(sentence)
        || says_to_go(words)
        || ends_open(sentence)
        || says_yet(words)
        || sentence.has("so far")
        || counts_more(words)
        || is_most(words)
        || is_first(words)
        || (is_of_work && is_for_the_moment(sentence))
        || is_other_than_asked(words)
}

/// "Open: delete", "## Not finished".
fn is_title(sentence: &Sentence) -> bool {
    let place = sentence.place();
    listed(OPEN_HEADINGS).filter_map(|title| sentence.text().strip_prefix(title)).any(|rest| {
        rest.starts_with(':')
            || (place != Place::Item && (rest.is_empty() || rest.starts_with('.')))
            || (place == Place::Heading && rest.starts_with(' '))
    })
}

/// "Phase 1 complete", "the API part is done", "steps 1 to 3": one of several.
fn is_part(words: &[String]) -> bool {
    const PARTS: &str = "phase, step, stage, part, round, checkpoint, milestone, batch";
    const RANGES: &str = "steps, chapters, phases, sections, parts, items, points, tasks, stages";
    const ENDS: &str = "done, complete, completed, finished, ready, reached, works, in";
    let is_number = |word: &str| word.starts_with(|c: char| c.is_ascii_digit());
    let numbered = words.windows(2).any(|two| is_in(PARTS, &two[0]) && is_number(&two[1]));
    let named = words.windows(3).any(|three| {
        is_in("part, side, half, portion", &three[0])
            && is_in("is, are, has", &three[1])
            && is_in(ENDS, &three[2])
    });
    let ranged = words.windows(4).any(|four| {
        is_in(RANGES, &four[0])
            && is_number(&four[1])
            && is_in("to, and, through", &four[2])
            && is_number(&four[3])
    });
    let was_asked_for = words.windows(2).any(|two| two == ["asked", "for"]);
    !was_asked_for && (named || ranged || (numbered && any_in(ENDS, words)))
}

/// "3 of 5", "41 of the 60", "two out of three", where it is not all of them.
fn counts_a_part(words: &[String]) -> bool {
    const ITS: &str = "the, my, your, these, all, those, our, its, their";
    let is_fraction = |word: &String| {
        word.split_once('/').and_then(|(part, whole)| Some(number(part)? < number(whole)?))
            == Some(true)
    };
    let is_of_tasks = any_in(
        "task, step, phase, part, done, complete, completed, passed, pass, tests, files",
        words,
    );
    (is_of_tasks && words.iter().any(is_fraction))
        || words.iter().enumerate().any(|(at, part)| {
            let whole = match &words[at + 1..] {
                [out, of, the, whole, ..] if out == "out" && of == "of" && is_in(ITS, the) => whole,
                [out, of, whole, ..] if out == "out" && of == "of" => whole,
                [of, the, whole, ..] if of == "of" && is_in(ITS, the) => whole,
                [of, whole, ..] if of == "of" => whole,
                _ => return false,
            };
            number(part).zip(number(whole)).is_some_and(|(part, whole)| part < whole)
        })
}

fn number(word: &str) -> Option<usize> {
    const NUMBERS: &str =
        "zero, one, two, three, four, five, six, seven, eight, nine, ten, eleven, twelve";
    let spelled = || listed(NUMBERS).position(|number| number == word);
    word.replace(',', "").parse().ok().or_else(spelled)
}

/// "All tests pass except two", "everything apart from the undo stack".
fn leaves_out(sentence: &Sentence) -> bool {
    const WHOLES: &str = "all, every, everything, done, complete, each, pass, passes";
    let before = |phrase| sentence.position(phrase).map(|at| &sentence.words()[..at]);
    before("except").is_some_and(|words| any_in(WHOLES, words))
        || before("apart from").is_some_and(|words| any_in("everything, all, done", words))
}

/// "Seven to go", "a few more files to go".
fn says_to_go(words: &[String]) -> bool {
    let goes = words.windows(2).position(|two| two == ["to", "go"]);
    goes.is_some_and(|at| {
        let before = &words[at.saturating_sub(4)..at];
        before
            .iter()
            .any(|word| number(word).is_some() || is_in("more, few, some, lot, still", word))
    })
}

/// "Frontend pending", "one failing test left".
fn ends_open(sentence: &Sentence) -> bool {
    let words = sentence.words();
    let last = words.len().saturating_sub(1);
    let is_open = words
        .last()
        .is_some_and(|last| is_in("pending, left, open, missing, next, follows, later", last));
    is_open && !is_none_of(words, last) && !is_bound(sentence, last)
}

/// "still", unless what still is so is well, or it is the person who still has to.
fn says_still(sentence: &Sentence) -> bool {
    let words = sentence.words();
    let Some(at) = words.iter().position(|word| word == "still") else { return false };
    let is_relative = at > 0 && is_in("that, which, who, whoever, you", &words[at - 1]);
    let next = &words[at + 1..];
    !is_relative && !is_bound(sentence, at) && !any_in(STILL_WELL, &next[..next.len().min(3)])
}

/// "Most of it works", "Mostly done".
fn is_most(words: &[String]) -> bool {
    words.first().is_some_and(|first| is_in("most, mostly, half", first))
        && any_in("is, are, works, work, working, done, pass", words)
}

/// "The first two are done": not "after the first 100 px".
fn is_first(words: &[String]) -> bool {
    const PREPOSITIONS: &str =
        "after, within, in, into, for, on, during, of, to, at, than, from, with, by, until";
    words.windows(3).enumerate().any(|(at, three)| {
        three[..2] == ["the", "first"]
            && (number(&three[2]).is_some() || three[2] == "of")
            && (at == 0 || !is_in(PREPOSITIONS, &words[at - 1]))
    })
}

/// "Logout currently leaves the cookie": it is not to stay so. "Green at the moment" is well.
fn is_for_the_moment(sentence: &Sentence) -> bool {
    sentence.has_any("currently, at the moment, for the moment, for the time being, as it stands")
        && !sentence.has_any("as before, as it was, green, pass, passes")
}

/// "There are four more".
fn counts_more(words: &[String]) -> bool {
    words.windows(4).any(|four| {
        is_in("there, there's, leaves", &four[0])
            && four[1..]
                .iter()
                .any(|word| number(word).is_some() || is_in("several, some, few", word))
            && four[1..].iter().any(|word| is_in("more, others, left", word))
    })
}

/// "not yet", "hasn't been started yet".
fn says_yet(words: &[String]) -> bool {
    let is_negation = |word: &String| {
        word.ends_with("n't") || is_in("not, never, none, nothing, no, cannot", word)
    };
    let at = words.iter().position(|word| word == "yet");
    at.is_some_and(|at| words[..at].iter().any(is_negation))
}

/// "FIFO rather than the LRU you asked for".
fn is_other_than_asked(words: &[String]) -> bool {
    const ASKED: [&str; 6] =
        ["you asked", "you wanted", "you requested", "was asked", "the spec", "the ticket"];
    let turn = words.iter().position(|word| is_in("than, instead, not", word));
    turn.is_some_and(|at| {
        let after = words[at + 1..].join(" ");
        !after.contains("as you") && ASKED.iter().any(|asked| after.contains(asked))
    })
}
