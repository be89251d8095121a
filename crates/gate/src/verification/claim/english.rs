//! What a sentence says about the work in English.
//!
//! The rules are grammar where they can be: a participle behind "has been", a deed after "I", a number of
//! a larger one. The lists hold what grammar does not tell, such as which verbs only look.

mod claims;
mod failure;
mod missing;
mod onward;
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
        (Signal::Advised, sentence.has_any(ADVICE)),
        (Signal::Looked, looked),
        (Signal::Explained, sentence.has_any(EXPLAINS) || answers(sentence)),
        (Signal::Reported, reports(sentence) || (claim.is_none() && sentence.has_any(SAYS))),
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
fn reports(sentence: &Sentence) -> bool {
    let words = sentence.words();
    let says = words.iter().position(|word| is_in(SAY_VERBS, word));
    says.is_some_and(|at| {
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
        && !any_in("i, i've, we, i'm, now, is, are", sentence.words())
}

#[cfg(test)]
mod tests {
    use super::super::sentence::sentences;
    use super::*;
    use Signal::*;

    fn said(text: &str) -> Vec<Signal> {
        sentences(text).iter().flat_map(signals).collect()
    }

    #[track_caller]
    fn check(rule: &str, cases: &[(&str, &[Signal])]) {
        for (text, expected) in cases {
            assert_eq!(said(text), *expected, "{rule}: {text}");
        }
    }

    #[test]
    fn what_was_made_is_a_deed_and_what_was_looked_at_is_none() {
        let cases: &[(&str, &[Signal])] = &[
            ("Added a retry.", &[Deed]),
            ("Quietly rewrote the lexer.", &[Deed]),
            ("I've also just moved it.", &[Deed]),
            ("The helpers have been inlined.", &[Deed]),
            ("Pull request opened: #12", &[Deed]),
            ("Found it and patched the guard.", &[Deed]),
            ("The socket closes after the token has been revoked.", &[Described]),
            ("The sidebar remembers whether it was open.", &[Described]),
            ("I looked at both and compared them.", &[Looked]),
            ("Searched the whole tree.", &[Looked]),
            ("I measured it.", &[]),
        ];
        check("deed", cases);
    }

    #[test]
    fn a_word_for_being_finished_counts_where_nothing_binds_it() {
        let cases: &[(&str, &[Signal])] = &[
            ("Done.", &[Finished]),
            ("Okay, all set!", &[Finished]),
            ("Migration complete", &[Finished]),
            ("The crash is gone for good.", &[Finished]),
            ("The validation is in: three rules.", &[Finished]),
            ("The size is in the sixth column.", &[]),
            ("If CI is green, it is done.", &[]),
            ("It would be finished by then.", &[Advised]),
            ("Definition of done: green tests.", &[]),
            ("The colleague says it is fixed.", &[]),
        ];
        check("finished", cases);
    }

    #[test]
    fn what_is_so_since_the_work_became_so() {
        let cases: &[(&str, &[Signal])] = &[
            ("The page now redirects.", &[Became]),
            ("It no longer panics.", &[Became]),
            ("Typing can't block the editor any more.", &[Became]),
            ("The legend wraps instead of overflowing.", &[Became]),
            ("Cold start takes 320 ms (was 1.9 s).", &[Became]),
            ("It is enough for now.", &[Missing]),
            ("The app no longer starts.", &[Became, Failed]),
        ];
        check("became", cases);
    }

    #[test]
    fn what_was_run_and_went_well_is_a_proof() {
        let cases: &[(&str, &[Signal])] = &[
            ("All tests pass.", &[Proof]),
            ("Unit tests: 203/203", &[Proof]),
            ("1,204 specs, 0 failures", &[Proof]),
            ("Voting works, including the undo.", &[Proof]),
            ("It passes when the cache is cold.", &[Described]),
            ("It only works in release builds.", &[Described]),
            ("The order of work for the swap", &[]),
            ("- all checks passed", &[Described]),
        ];
        check("proof", cases);
    }

    #[test]
    fn something_that_is_left_is_missing() {
        let cases: &[(&str, &[Signal])] = &[
            ("The export is missing.", &[Missing]),
            ("Two of the three boards boot.", &[Missing]),
            ("Three out of three boards boot.", &[]),
            ("Two out of the three boards boot.", &[Missing]),
            ("Keys that are missing get the default.", &[]),
            ("It is FIFO rather than the LRU you asked for.", &[Became, Missing]),
            ("Step 2 is complete.", &[Finished, Missing]),
            ("The API part is finished.", &[Finished, Missing]),
            ("Seven to go.", &[Missing]),
            ("Everything is converted except the grid.", &[Finished, Missing]),
            ("The printer still drops comments.", &[Missing]),
            ("All tests still pass.", &[Proof]),
            ("No import remains.", &[]),
            ("It was called while the caller still held the lock.", &[]),
            ("The login form shows the remaining attempts now.", &[Became]),
            ("- [ ] docs", &[Missing]),
            ("Open: deleting a file", &[Missing]),
        ];
        check("missing", cases);
    }

    #[test]
    fn what_is_said_not_to_be_so_is_denied() {
        let cases: &[(&str, &[Signal])] = &[
            ("This isn't fixed.", &[Denied]),
            ("The tests haven't been migrated.", &[Denied]),
            ("The parser is tested, the evaluator isn't.", &[Denied]),
            ("I haven't tested it.", &[]),
            ("There's no compiler in this environment, so I haven't built it.", &[]),
        ];
        check("denied", cases);
    }

    #[test]
    fn what_could_not_be_done_counts_and_what_could_not_be_looked_at_does_not() {
        let cases: &[(&str, &[Signal])] = &[
            ("I couldn't push the branch.", &[CouldNot]),
            ("Unable to install the driver.", &[CouldNot]),
            ("I couldn't run the app.", &[]),
            ("I wasn't able to reproduce the crash.", &[]),
            ("I couldn't call the real API from here.", &[]),
            ("Clients can't disagree.", &[]),
        ];
        check("could not", cases);
    }

    #[test]
    fn what_fails_now_failed_and_what_failed_before_did_not() {
        let cases: &[(&str, &[Signal])] = &[
            ("The build fails.", &[Failed]),
            ("Three tests now fail.", &[Failed]),
            ("The driver compiles, but it doesn't detect anything.", &[Proof, Failed]),
            ("It exits at once, though.", &[Described, Failed, Doubtful]),
            ("I wouldn't merge that.", &[Failed]),
            ("I haven't worked out why.", &[Failed]),
            ("One total is off.", &[Doubtful]),
            ("It prints a hint whenever a key is broken.", &[]),
            ("The form has 41 errors.", &[Failed]),
            ("The upload test fails on main too.", &[]),
            ("The test failed before the change.", &[]),
            ("The step now fails early on bad input.", &[Became]),
            ("A failed delivery is retried.", &[Described]),
        ];
        check("failed", cases);
    }

    #[test]
    fn what_comes_next_goes_on_and_an_offer_does_not() {
        let cases: &[(&str, &[Signal])] = &[
            ("I'll convert the rest.", &[GoesOn]),
            ("I'm going to wire it up.", &[GoesOn]),
            ("Moving on to the views.", &[GoesOn]),
            ("Now for the printer.", &[GoesOn]),
            ("Let me add the timeout.", &[GoesOn]),
            ("Let me know if the tone is off.", &[]),
            ("Here's my plan.", &[GoesOn]),
            ("Shall I continue?", &[Asks]),
            ("Which one wins?", &[Asks]),
            ("Should I open a ticket for that?", &[]),
            ("Do you want me to add it to the list as well?", &[]),
        ];
        check("goes on", cases);
    }

    #[test]
    fn advice_reasons_and_the_words_of_others_frame_a_message() {
        let cases: &[(&str, &[Signal])] = &[
            ("I'd suggest a mutex.", &[Advised]),
            ("That's why you see it twice.", &[Explained]),
            ("The banner says \"Saved\".", &[Reported]),
            ("I didn't change any code.", &[Looked]),
        ];
        check("frames", cases);
    }
}
