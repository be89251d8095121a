//! Whether an agent's last message says that the work is done.
//!
//! A message claims completion by the marker, or by words in English or Japanese. The words are
//! looked for sentence by sentence, outside of code and of what is quoted: one sentence must say
//! that something is done, and none may take it back (something is missing, it failed, it goes on, a
//! question is open). Where it is in doubt, nothing is claimed: an agent that is held without need
//! costs more than one that is not held.

mod english;
mod japanese;
mod sentence;

use sentence::{Sentence, sentences};

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
    if said.iter().any(takes_back) {
        return None;
    }
    let claiming = said
        .iter()
        .find(|sentence| english::says_done(sentence) || japanese::says_done(sentence))?;
    Some(Claim::Words(claiming.text().to_owned()))
}

fn takes_back(sentence: &Sentence) -> bool {
    let is_open = sentence.asks() && !english::offers(sentence) && !japanese::offers(sentence);
    is_open || english::takes_back(sentence) || japanese::takes_back(sentence)
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
    fn a_long_message_is_looked_at_from_both_ends() {
        let middle = "テ".repeat(MAX_LOOKED_AT_BYTES);
        assert_eq!(words(&format!("{middle}\n{middle}\nFixed.")).as_deref(), Some("fixed."));
        assert_eq!(words(&format!("Fixed.\n{middle}\nIt is not done.\n{middle}")), words("Fixed."));
        assert_eq!(words(&format!("Fixed.\n{middle}\n{middle}\nIt is not done.")), None);
    }
}
