//! What says in English that work is done.

use super::super::sentence::{Place, Sentence, begins_with, is_in, listed};
use super::super::signal::Signal;
use super::words::{
    BAD_COUNTS, CHANGED, CONDITIONS, DESCRIBED, FINISHED, INTERJECTIONS, LOOKED, OTHERS, STATES,
    UNCHANGED, WENT_WELL,
};
use super::{after_fillers, any_in, is_deed, reports_at};

/// The strongest of what the sentence says for the work being done.
pub(super) fn claim(sentence: &Sentence) -> Option<Signal> {
    let words = sentence.words();
    let is_of_others = sentence.has_any(OTHERS) && !any_in("i, i've", words);
    if sentence.asks() || sentence.has_any(LOOKED) || is_of_others {
        return None;
    }
    let bound = sentence.first_of(CONDITIONS).or(reports_at(words)).unwrap_or(words.len());
    let rules = [
        (Signal::Finished, finished_at(sentence)),
        (Signal::Deed, deed_at(sentence)),
        (Signal::Became, became_at(sentence)),
        (Signal::Proof, proof_at(words)),
        (Signal::Described, described_at(sentence)),
    ];
    let holds = |at: Option<usize>| at.is_some_and(|at| at < bound);
    let (signal, _) = rules.into_iter().find(|(_, at)| holds(*at))?;
    let is_checked =
        sentence.contains_any(&["✅", "✔", "☑"]) && words.iter().any(|word| is_deed(word));
    Some(match (signal, sentence.place()) {
        (Signal::Described, _) if is_checked => Signal::Deed,
        // "Completed: the run ended" may tell what a word means.
        (Signal::Finished | Signal::Proof, Place::Item) => Signal::Described,
        _ => signal,
    })
}

/// The first word that counts.
fn first_at(words: &[String]) -> Option<usize> {
    words.iter().position(|word| !is_in(INTERJECTIONS, word) && !word.ends_with("ly"))
}

/// How many words come before one of these marks.
fn words_before(sentence: &Sentence, marks: &[char]) -> usize {
    let part = sentence.text().split(marks).next().unwrap_or_default();
    part.split_whitespace().count().min(sentence.words().len())
}

/// "Done.", "All set", "Migration complete", "is fixed".
fn finished_at(sentence: &Sentence) -> Option<usize> {
    let words = sentence.words();
    let begins = first_at(words).filter(|at| {
        is_in("done, finished, completed, complete, fixed, solved, resolved", &words[*at])
            || (words[*at] == "sorted" && at + 1 == words.len())
            || listed("that's all, that's it, that's everything, that is everything")
                .any(|all| begins_with(&words[*at..], all))
    });
    let ends = || {
        let last = words_before(sentence, &[':', ',', '(', '—', '–']).checked_sub(1)?;
        let is_end = is_in("done, finished, completed, complete, ready", &words[last]);
        (last > 0 && is_end && words[0] != "after").then_some(last)
    };
    begins.or_else(|| state_at(sentence)).or_else(|| sentence.first_of(FINISHED)).or_else(ends)
}

/// "is fixed", "are all clean", "has been finished".
fn state_at(sentence: &Sentence) -> Option<usize> {
    let words = sentence.words();
    (0..words.len()).find(|at| {
        let is_perfect = is_in("has, have", &words[*at]);
        let is_verb =
            is_perfect || is_in("is, are, it's, they're, that's, am, i'm, got", &words[*at]);
        let is_then = words.get(at + 1).is_some_and(|next| is_in("then, already", next));
        let rest = after_fillers(words, *at);
        let there = words.len() - rest.len();
        let is_there = rest.first().is_some_and(|first| is_in("in, out, back, up, on", first))
            && rest.get(1).is_none_or(|next| {
                is_in("and, as, along, again, too, with", next)
                    || sentence.before_in_clause(there + 1).is_empty()
            });
        is_verb && !is_then && !(is_perfect && is_late(words, *at)) && (is_there || is_state(rest))
    })
}

/// A state that holds now: not "is released when", which tells how it always is.
fn is_state(words: &[String]) -> bool {
    listed(STATES).filter(|state| begins_with(words, state)).any(|state| {
        let next = words.get(state.split(' ').count());
        next.is_none_or(|next| {
            !is_in("when, whenever, if, after, before, until, unless, once", next)
        })
    })
}

/// "Added", "I've added", "has been moved", "Pull request opened".
fn deed_at(sentence: &Sentence) -> Option<usize> {
    let words = sentence.words();
    let first = first_at(words)?;
    if is_deed(&words[first]) {
        return Some(first);
    }
    let title = &words[..words_before(sentence, &[':', '('])];
    if let [before @ .., last] = title
        && (1..5).contains(&before.len())
        && is_deed(last)
        && !any_in("is, are, was, were, the, no, not", before)
    {
        return Some(before.len());
    }
    // "Fix: narrowed the pattern".
    let of_title = title.len();
    if (1..4).contains(&of_title)
        && words.get(of_title).is_some_and(|next| is_deed(next))
        && sentence.text().contains(':')
    {
        return Some(of_title);
    }
    let found = is_in("found, ran, tracked, traced", &words[first]);
    (0..words.len()).find(|at| {
        let is_joined =
            words[*at] == "and" && (found || any_in("i, i've, we, we've", near(words, *at)));
        let is_passive = is_in("has, have", &words[*at])
            && words[at + 1..].iter().take(3).any(|word| word == "been")
            && words[at + 1] != "already"
            && !is_late(words, *at);
        (is_in("i, i've, we've", &words[*at]) || is_joined || is_passive)
            && after_fillers(words, *at).first().is_some_and(|next| is_deed(next))
    })
}

/// The words before one, as far back as they say something of it.
fn near(words: &[String], at: usize) -> &[String] {
    &words[at.saturating_sub(30)..at]
}

/// Whether a verb stands in a clause that only tells when or which: "after it has been changed".
fn is_late(words: &[String], at: usize) -> bool {
    any_in("after, that, which, whose, who, how", near(words, at))
}

/// "now redirects", "no longer panics", "wraps instead of": what is so since the work.
fn became_at(sentence: &Sentence) -> Option<usize> {
    let words = sentence.words();
    let now = (1..words.len()).find(|at| {
        words[*at] == "now"
            && !is_in("for, right, until, by, just", &words[at - 1])
            && words.get(at + 1).is_none_or(|next| !is_in("there's, there, fail, failing", next))
    });
    // The "not" of "not any more" stands before it, so that no place in the sentence is asked for.
    let is_over = || {
        let is_of_agent = any_in("i, we", words);
        (!is_of_agent && sentence.has_any("any more, anymore, any longer")).then_some(0)
    };
    let was =
        || sentence.contains_any(&["(was ", "(from ", "(before:", "(previously "]).then_some(0);
    let is_none = || begins_with(words, "no more").then_some(0);
    now.or_else(is_none).or_else(|| sentence.first_of(CHANGED)).or_else(was).or_else(is_over)
}

/// "all tests pass", "0 failures", "the build is green", "voting works".
fn proof_at(words: &[String]) -> Option<usize> {
    (0..words.len()).find(|at| {
        let (before, word, after) = (&words[..*at], &words[*at], &words[at + 1..]);
        let last = before.last().map_or("", String::as_str);
        let next = after.first().map_or("", String::as_str);
        let is_bound =
            || any_in("when, if, since, because, follows, like", &after[..after.len().min(3)]);
        let goes_well = is_in("works, work, runs, builds, starts, behaves, behave", word)
            && !any_in("only", near(words, *at))
            && !is_in("of, the, this, that, its, my, your, our, a, some, more, which, all", last)
            && !before.is_empty()
            && (after.is_empty()
                || is_in(
                    "again, fine, and, in, on, end, including, with, both, as, for, without",
                    next,
                ));
        let counts_none = is_in("no, 0, zero, without", word) && is_in(BAD_COUNTS, next);
        (goes_well || counts_none || is_in(WENT_WELL, word) || is_all_of_it(word)) && !is_bound()
    })
}

/// "203/203".
fn is_all_of_it(word: &str) -> bool {
    word.split_once('/').is_some_and(|(part, whole)| part == whole && part.parse::<u64>().is_ok())
}

/// How something is, without a word that says since when.
fn described_at(sentence: &Sentence) -> Option<usize> {
    let words = sentence.words();
    let is_passive = |at: &usize| {
        is_in("is, are, gets, get, it's", &words[*at])
            && after_fillers(words, *at)
                .first()
                .is_some_and(|next| is_deed(next) || is_in(DESCRIBED, next))
    };
    let checked = sentence.contains_any(&["✅", "✔", "☑", "[x]", "🎉"]).then_some(0);
    checked
        .or_else(|| (0..words.len()).find(is_passive))
        .or_else(|| sentence.first_of(UNCHANGED))
        .or_else(|| behaves_at(words))
}

/// "The sidebar remembers whether", "`GET /health` answers with": what something does, as one tells of
/// what was made. A verb is told from a noun by what stands around it.
pub(super) fn behaves_at(words: &[String]) -> Option<usize> {
    const AFTER: &str = "a, an, the, with, for, to, from, in, on, at, by, whether, when, up, down, back, out, all, \
         every, each, its, it, their, them, your, over, into, through, as, and, both, only, per, before, \
         after, without, code, quote, one, two, three, under, across, until, instead, which, what, how";
    const DETERMINERS: &str = "the, a, an, all, these, those, your, our, my, its, their, no, any, some, other, \
         both, few, many, more, new, old, two, three, four, five, six, of, and, with, in, to";
    let is_after = |at: usize| {
        let next = words.get(at + 1);
        next.is_some_and(|next| {
            is_in(AFTER, next)
                || next.ends_with("ing")
                || next.starts_with(|c: char| c.is_ascii_digit())
        })
    };
    let is_of_many = |at: usize| {
        let (last, word) = (&words[at - 1], &words[at]);
        at < 4
            && last.len() > 3
            && last.ends_with('s')
            && !last.ends_with("ss")
            && word.len() > 2
            && !word.ends_with('s')
            && !word.ends_with("ed")
            && !word.ends_with("ing")
            && !is_in(AFTER, word)
            && !is_in(
                "are, were, have, had, that, who, can, will, would, should, must, may, not, but, fail",
                word,
            )
            && is_after(at)
    };
    let is_verb = |at: usize| {
        let (last, word) = (&words[at - 1], &words[at]);
        word.len() > 3
            && word.ends_with('s')
            && !word.ends_with("ss")
            && !word.ends_with("us")
            && !is_in("this, does, always, perhaps, fails, seems, looks", word)
            && !is_in(DETERMINERS, last)
            && !last.starts_with(|c: char| c.is_ascii_digit())
            && is_after(at)
    };
    let starts = words.first().is_some_and(|first| {
        !is_in("so, yes, no, that, this, it's, there, you, you're, what", first)
    });
    (1..words.len().min(8)).find(|at| starts && (is_verb(*at) || is_of_many(*at)))
}
