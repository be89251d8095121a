//! What says in English that work went wrong, or is not as it should be.

use super::super::sentence::{Place, Sentence, begins_with, is_in, listed};
use super::words::{BAD_STATES, BREAKS, ENDS_OF_WORK, FAILED, LOOKS, OF_LOOK, OPERATED, STATES};
use super::{after_fillers, any_in, is_bound, is_deed, is_filler, is_none_of, is_of_before};

/// What the agent could not do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Lack {
    /// A part of the work.
    OfWork,
    /// To look at what it did: what it did stands.
    OfLook,
}

/// "I couldn't push", "I wasn't able to run it".
pub(super) fn could_not(words: &[String]) -> Option<Lack> {
    const STARTS: [&str; 10] = [
        "can't",
        "cannot",
        "couldn't",
        "unable",
        "wasn't able",
        "was only able",
        "haven't been able",
        "haven't managed",
        "failed to",
        "didn't manage",
    ];
    const FILLERS: &str = "be, to, able, been, have, a, the, managed";
    let text = words.join(" ");
    STARTS.iter().find_map(|start| {
        let (before, after) = text.split_once(start)?;
        let is_of_agent = before.is_empty()
            || before.ends_with("i ")
            || before.ends_with("we ")
            || (before.ends_with(' ') && is_in("unable, couldn't", start));
        let is_skipped =
            |word: &&str| word.is_empty() || word.ends_with("ly") || is_in(FILLERS, word);
        let verb = after.split(' ').find(|word| !is_skipped(word));
        let is_look = any_in(OF_LOOK, words) || verb.is_some_and(|verb| is_in(LOOKS, verb));
        is_of_agent.then_some(if is_look { Lack::OfLook } else { Lack::OfWork })
    })
}

/// A negation shortly before a word for being done: "isn't fixed", "hasn't been migrated".
pub(super) fn denies_done(sentence: &Sentence) -> bool {
    let words = sentence.words();
    let ends = |at: usize| {
        let is_end = at + 1 == words.len()
            || sentence.before_in_clause(at + 1).is_empty()
            || is_in("because, since, either", &words[at + 1]);
        is_end && is_in("don't, doesn't, isn't, aren't, won't, hasn't, haven't", &words[at])
    };
    if (0..words.len()).any(ends) {
        return true;
    }
    let is_of_look = could_not(words) == Some(Lack::OfLook)
        || any_in("environment, sandbox, container, here, locally", words);
    let denies = |at: usize| {
        let next = &words[at + 1..words.len().min(at + 5)];
        let is_perfect =
            is_in("hasn't, haven't", &words[at]) || (at > 0 && is_in("has, have", &words[at - 1]));
        let verb = next.iter().find(|word| !is_filler(word));
        (words[at].ends_with("n't") || is_in("not, never, none", &words[at]))
            && !any_in(OPERATED, next)
            && (any_in(ENDS_OF_WORK, next)
                || is_not_there(sentence, at)
                || listed(STATES).any(|state| begins_with(next, state))
                || (is_perfect && verb.is_some_and(|verb| is_deed(verb))))
    };
    (!is_of_look || any_in("possible", words))
        && !is_of_before(sentence)
        && (0..words.len()).any(|at| denies(at) && !is_bound(sentence, at))
}

/// "Those aren't in: ...".
fn is_not_there(sentence: &Sentence, at: usize) -> bool {
    let words = sentence.words();
    let is_end = at + 2 >= words.len() || sentence.before_in_clause(at + 2).is_empty();
    is_end && words.get(at + 1).is_some_and(|next| is_in("in, there, up, out, on, live", next))
}

/// Something fails now, and is not said to have failed before.
pub(super) fn fails(sentence: &Sentence, is_of_work: bool) -> bool {
    const BEFORE: &str = "before, without, previously, were, was, which fails, that fails, used to, after, if, \
         when, longer, until, whenever, would";
    let words = sentence.words();
    let is_worse = words.windows(3).any(|three| {
        three[..2] == ["no", "longer"]
            && is_in("starts, works, builds, compiles, passes, runs, responds, loads", &three[2])
    });
    let fails_now = words.windows(2).any(|two| two[0] == "now" && is_in("fail, failing", &two[1]));
    let fails_somehow = is_of_work
        && sentence.place() != Place::Item
        && (0..words.len()).any(|at| tells_failure(words, at) && !is_bound(sentence, at))
        && !sentence.has_any(BEFORE)
        && !fails_elsewhere(words);
    is_worse
        || fails_now
        || counts_errors(words)
        || (is_turned(words) && !fails_elsewhere(words))
        || warns_off(words)
        || does_not_know(words)
        || (sentence.has_any(FAILED) && !is_of_before(sentence))
        || fails_somehow
}

/// "fails on main and passes here", "they fail on a clean checkout as well": not because of the work.
fn fails_elsewhere(words: &[String]) -> bool {
    let fails = words.iter().position(|word| is_in("fail, fails, failing, failed", word));
    fails.is_some_and(|at| {
        let after = words[at..].join(" ");
        [
            "passes",
            "pass ",
            "as well",
            " too",
            "same way",
            "either way",
            "also ",
            "as they do",
            "as it does",
        ]
        .iter()
        .any(|other| after.contains(other))
    })
}

/// "fails", "is broken", "failed with": not "a failed delivery".
fn tells_failure(words: &[String], at: usize) -> bool {
    let last = at.checked_sub(1).map_or("", |last| &words[last]);
    let next = words.get(at + 1).map_or("", String::as_str);
    let is_state = is_in("red, broken, failing", &words[at])
        && is_in("is, are, still, now, currently, stays", last);
    let is_past = words[at] == "failed"
        && (next.is_empty() || is_in("with, at, on, to, again", next))
        && !any_in("because, since, as", &words[at..]);
    (is_in("fail, fails, crashes, hangs", &words[at]) || is_state || is_past)
        && !is_none_of(words, at)
        && !last.ends_with("n't")
}

/// "has 41 errors".
fn counts_errors(words: &[String]) -> bool {
    words.windows(3).any(|three| {
        is_in("has, have, with, are, leaves, is", &three[0])
            && three[1].parse::<u64>().is_ok_and(|count| count > 0)
            && is_in("errors, failures, failing, problems, error, failure", &three[2])
    })
}

/// "..., but it doesn't": what comes after the turn says no.
fn is_turned(words: &[String]) -> bool {
    if words.iter().skip(1).any(|word| word == "though") {
        return !any_in(OF_LOOK, words);
    }
    let turn = words.iter().rposition(|word| is_in("but, however, though, although, yet", word));
    turn.is_some_and(|at| {
        let after = &words[at + 1..];
        let denies = |at: usize| {
            let last = at.checked_sub(1).map_or("", |last| &after[last]);
            let is_negation = after[at].ends_with("n't") || after[at] == "not";
            (is_negation && !is_in("i, we, you", last))
                || (is_in(BAD_STATES, &after[at])
                    && is_in("is, are, was, stays, comes, still", last))
                || is_in("never, nothing, rejected, refused, lacks, ignored, lost", &after[at])
        };
        let breaks = |at: usize| {
            is_in(BREAKS, &after[at]) || is_status(after, at) || tells_failure(after, at)
        };
        let is_of_agent = after.first().is_some_and(|first| is_in("i, i've, we", first))
            && after_fillers(after, 0).first().is_some_and(|next| is_deed(next));
        !is_of_agent
            && ((0..after.len()).any(breaks)
                || ((0..after.len()).any(denies) && !any_in(OF_LOOK, after)))
    })
}

/// "answers with 503", "leads to a 404".
fn is_status(words: &[String], at: usize) -> bool {
    at > 0
        && is_in("401, 403, 404, 500, 501, 502, 503, 504", &words[at])
        && is_in("a, an, with, returns, answers, gets, get, for", &words[at - 1])
}

/// "I wouldn't merge that", "don't deploy this".
fn warns_off(words: &[String]) -> bool {
    const USES: &str =
        "merge, ship, deploy, release, rely, trust, use, call, count, consider, close";
    words
        .windows(2)
        .any(|two| is_in("wouldn't, don't, shouldn't, not", &two[0]) && is_in(USES, &two[1]))
}

/// "I haven't worked out why".
fn does_not_know(words: &[String]) -> bool {
    let is_negation = |word: &String| word.ends_with("n't") || is_in("not, no, cannot", word);
    let asked = words.iter().position(|word| is_in("why, where, what", word));
    asked.is_some_and(|at| words[at.saturating_sub(5)..at].iter().any(is_negation))
        && any_in("i, i'm, i've, we, idea, clear", words)
}

/// Something is not as it should be: "one number is off", "for Apple there's only the button".
pub(super) fn is_doubtful(sentence: &Sentence) -> bool {
    let words = sentence.words();
    let is_state = |at: usize| {
        is_in(BAD_STATES, &words[at])
            && at > 0
            && (is_in("is, are, stays, remains, comes, looks", &words[at - 1])
                || (at > 1 && is_in("is, are", &words[at - 2])))
    };
    let breaks = |at: usize| {
        let is_of_many = at > 0 && words[at - 1].len() > 3 && words[at - 1].ends_with('s');
        (at > 0 && is_in(BREAKS, &words[at]))
            || (is_of_many
                && is_in("break, crash, hang, trip, leak, flicker, freeze, lag", &words[at]))
    };
    let may_break = words.windows(2).any(|two| {
        is_in("will, may, might, can", &two[0])
            && is_in("trip, fail, break, crash, hang, choke, leak, freeze", &two[1])
    });
    let only = words.first().is_some_and(|first| first == "only") || sentence.has("there's only");
    let holds = |at: usize| {
        (is_state(at) || breaks(at)) && !is_bound(sentence, at) && !is_none_of(words, at)
    };
    !any_in(OF_LOOK, words)
        && !is_of_before(sentence)
        && (only || may_break || (0..words.len()).any(holds))
}
