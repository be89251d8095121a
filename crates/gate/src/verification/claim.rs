//! Whether an agent's last message says that the work is done.
//!
//! A message claims completion by the marker, or by words in English or Japanese. The words are weighed: each
//! sentence, outside of code and of what is quoted, gives [signals](signal) for the work being done (something was
//! made, a proof went well) and against it (something is missing, it failed, it goes on, a question is open); so does
//! the [output] of a run that is shown. The strongest claim counts, with a little more for others beside it and for
//! standing first; of each sentence the strongest reason against it is subtracted, less in a list behind a claim.
//! Where it is in doubt, nothing is claimed: an agent that is held without need costs more than one that is not held.

mod english;
mod japanese;
mod output;
mod sentence;
mod signal;

use sentence::{Place, Sentence, sentences};
use signal::{
    LEAST_SCORE, STRONG, Signal, WEIGHT_IN_LIST, WEIGHT_OF_ANOTHER, WEIGHT_OF_FIRST,
    WEIGHT_OF_FRAME,
};

/// An agent that wants to be verified says so with it.
pub const MARKER: &str = "[[VERIFY:done]]";

/// How much of a message is looked at, from its beginning and from its end.
const MAX_LOOKED_AT_BYTES: usize = 16 * 1024;

/// What in a message says that the work is done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Claim {
    /// The marker.
    Marker,
    /// This sentence, in small letters and without code.
    Words(String),
}

/// Whether a message says that the work is done.
pub fn claim(message: &str) -> Option<Claim> {
    let said = sentences(&looked_at(message));
    if said.iter().any(Sentence::has_marker) {
        return Some(Claim::Marker);
    }
    let said = weighed(&said);
    if score(&said) < LEAST_SCORE {
        return None;
    }
    let claiming = said.iter().rev().max_by_key(|said| said.claim)?;
    Some(Claim::Words(claiming.sentence.text().to_owned()))
}

/// A sentence with what it says.
struct Said<'a> {
    sentence: &'a Sentence,
    signals: Vec<Signal>,
    /// How much it says that the work is done.
    claim: i32,
}

/// What each sentence says. What stands under a heading for what was wrong says nothing of the work.
fn weighed(sentences: &[Sentence]) -> Vec<Said<'_>> {
    let mut is_of_cause = false;
    let weigh = |sentence| {
        let is_japanese = japanese::is_japanese(sentence);
        if sentence.place() == Place::Heading {
            is_of_cause = english::heads_cause(sentence) || japanese::heads_cause(sentence);
        }
        let signals = match is_japanese {
            _ if sentence.place() == Place::Output => output::signals(sentence),
            _ if is_of_cause || english::begins_cause(sentence) => vec![],
            true => japanese::signals(sentence),
            false => english::signals(sentence),
        };
        let claim = signals.iter().map(|signal| signal.weight()).max().unwrap_or(0).max(0);
        Said { sentence, signals, claim }
    };
    sentences.iter().map(weigh).collect()
}

/// How much the message says that the work is done.
fn score(said: &[Said]) -> i32 {
    let strongest = said.iter().map(|said| said.claim).max().unwrap_or(0);
    let others =
        said.iter().filter(|said| said.claim > 0).skip(1).take(2).map(|_| WEIGHT_OF_ANOTHER);
    let first = said.first().filter(|said| said.claim >= STRONG).map(|_| WEIGHT_OF_FIRST);
    let mut is_claimed = false;
    let mut against = 0;
    for Said { signals, claim, sentence } in said {
        let weight = |signal: &Signal| match sentence.place() {
            _ if is_claimed && signal.frames() => WEIGHT_OF_FRAME,
            Place::Item if is_claimed => signal.weight().max(WEIGHT_IN_LIST),
            _ => signal.weight(),
        };
        against += signals.iter().map(weight).min().unwrap_or(0).min(0);
        is_claimed |= *claim >= STRONG;
    }
    strongest + others.sum::<i32>() + first.unwrap_or(0) + against
}

/// A message that is too long is looked at from both of its ends.
fn looked_at(message: &str) -> String {
    if message.len() <= 2 * MAX_LOOKED_AT_BYTES {
        return message.to_owned();
    }
    let first = &message[..message.floor_char_boundary(MAX_LOOKED_AT_BYTES)];
    let last = &message[message.ceil_char_boundary(message.len() - MAX_LOOKED_AT_BYTES)..];
    format!("{first}\n{last}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(message: &str) -> Option<String> {
        match claim(message)? {
            Claim::Words(words) => Some(words),
            Claim::Marker => Some("the marker".to_owned()),
        }
    }

    #[test]
    fn the_marker_counts_whatever_else_is_said_unless_it_is_quoted() {
        assert_eq!(claim("Two tests still fail.\n\n[[VERIFY:done]]"), Some(Claim::Marker));
        assert_eq!(claim("End with `[[VERIFY:done]]` and the gate looks."), None);
        assert_eq!(claim("```\n[[VERIFY:done]]\n```"), None);
        assert_eq!(claim("> [[VERIFY:done]]"), None);
    }

    #[test]
    fn one_sentence_says_it_and_none_takes_it_back() {
        for (message, expected) in [
            ("Sure. The parser is fixed. It was a typo.", Some("the parser is fixed.")),
            ("I've now added `retry`.", Some("i've now added code.")),
            ("The parser is fixed. The printer still drops comments.", None),
            ("The parser is fixed. All tests still pass.", Some("the parser is fixed.")),
            ("3 of 5 modules are converted.", None),
            ("5 of 5 modules are converted.", Some("5 of 5 modules are converted.")),
            ("Fixed. I couldn't run the app here.", Some("fixed.")),
            ("Fixed. I couldn't push the branch.", None),
            ("Fixed. Shall I go on with the printer?", None),
            ("Fixed. Would you like me to add a test?", Some("fixed.")),
            ("If the tests pass, it is done.", None),
            ("The log says \"done\".", None),
            ("修正しました。", Some("修正しました。")),
            ("修正しました。テストはまだです。", None),
            ("修正しました。ついでに名前も変えましょうか？", Some("修正しました。")),
            ("修正してよろしいでしょうか。", None),
            ("", None),
        ] {
            assert_eq!(words(message).as_deref(), expected, "{message}");
        }
    }

    #[test]
    fn what_a_message_says_is_weighed_as_a_whole() {
        for (message, expected) in [
            ("Moved the helpers. I'd rename the file, too.", Some("moved the helpers.")),
            ("I'd rename the file. The helpers are green.", None),
            ("I read the diff. Every test passes.", None),
            ("Old rows are pruned. The rest stays sorted.", Some("old rows are pruned.")),
            ("The job is called at night.", None),
            ("All tests pass. The cache means that nothing runs twice.", None),
            ("## Cause\nTwo tests fail.\n## Fix\nReset the clock.", Some("reset the clock.")),
            ("Two tests fail.\n## Fix\nReset the clock.", None),
            ("Step 1 is done. Tests pass. Docs are updated. Step 2 is next.", None),
        ] {
            assert_eq!(words(message).as_deref(), expected, "{message}");
        }
    }

    #[test]
    fn a_long_message_is_looked_at_from_both_ends() {
        let middle = "テ".repeat(MAX_LOOKED_AT_BYTES);
        assert_eq!(words(&format!("{middle}\n{middle}\nFixed.")).as_deref(), Some("fixed."));
        assert_eq!(words(&format!("Fixed.\n{middle}\nIt is not done.\n{middle}")), words("Fixed."));
        assert_eq!(words(&format!("Fixed.\n{middle}\n{middle}\nIt is not done.")), None);
    }
}
