//! The parts of a command that a rule asks for.
//!
//! A rule's `with` is a list of atoms, all of which have to be there; `|` separates alternatives:
//!
//! | atom | is there when |
//! |---|---|
//! | `-f`, `--force` | the option is given: alone, among other letters, or shortened |
//! | `--prune=now` | the option is given with this value; `*` stands for any text |
//! | `<root>`, `<home>`, ... | an operand is such a path; see [`super::paths`] |
//! | `~drop+table` | the words occur in this order in some argument, in any case |
//! | `force*`, `:*` | an operand is this text; `*` stands for any text |
//! | `!ATOM` | the atom is not there |

use verger_shell::{Glob, Word};

use super::paths::{Ground, is_of_class};

/// Whether all atoms are there among the words.
pub(super) fn all_there(with: &str, words: &[Word], ground: &Ground<'_>) -> bool {
    with.split_whitespace().all(|alternatives| match alternatives.strip_prefix('!') {
        Some(unwanted) => !any_there(unwanted, words, ground),
        None => any_there(alternatives, words, ground),
    })
}

fn any_there(alternatives: &str, words: &[Word], ground: &Ground<'_>) -> bool {
    alternatives.split('|').any(|atom| is_there(atom, words, ground))
}

fn is_there(atom: &str, words: &[Word], ground: &Ground<'_>) -> bool {
    if let Some(class) = atom.strip_prefix('<').and_then(|rest| rest.strip_suffix('>')) {
        return operands(words).any(|word| is_of_class(class, word, ground));
    }
    if let Some(phrase) = atom.strip_prefix('~') {
        return words.iter().any(|word| says(word.text(), phrase));
    }
    if atom.starts_with("--") {
        return given(words).any(|text| is_long_option(atom, text));
    }
    match atom.strip_prefix('-') {
        Some(letters) if letters.chars().count() == 1 => {
            given(words).any(|text| has_letter(text, letters))
        }
        // One dash and a whole word, as `find` and `java` have it.
        Some(_) => given(words).any(|text| text == atom),
        None => operands(words).any(|word| Glob::new(atom).matches(word.text())),
    }
}

/// What may be an option: everything before `--` that begins with a dash.
fn given(words: &[Word]) -> impl Iterator<Item = &str> {
    words
        .iter()
        .map(Word::text)
        .take_while(|text| *text != "--")
        .filter(|text| text.starts_with('-'))
}

fn operands(words: &[Word]) -> impl Iterator<Item = &Word> {
    let end = words.iter().position(|word| word.text() == "--").unwrap_or(words.len());
    words.iter().enumerate().filter_map(move |(at, word)| {
        (at > end || (at != end && !word.text().starts_with('-'))).then_some(word)
    })
}

fn is_long_option(atom: &str, text: &str) -> bool {
    let (wanted, value) = match atom.split_once('=') {
        Some((wanted, value)) => (wanted, Some(value)),
        None => (atom, None),
    };
    let (name, given) = text.split_once('=').unwrap_or((text, ""));
    // Long options may be shortened. Two letters could be too many things.
    let is_it = name == wanted || (name.len() >= 5 && wanted.starts_with(name));
    is_it && value.is_none_or(|value| Glob::new(value).matches(given))
}

fn has_letter(text: &str, letter: &str) -> bool {
    !text.starts_with("--") && text[1..].contains(letter)
}

/// Whether the phrase's words, joined by `+`, occur in this order, in capitals or not.
fn says(text: &str, phrase: &str) -> bool {
    let text = text.to_ascii_lowercase();
    let mut left = text.as_str();
    phrase.split('+').all(|word| {
        let found = left.match_indices(word).find(|(at, _)| {
            let is_word = |c: char| c.is_alphanumeric() || c == '_';
            let before = left[..*at].chars().next_back();
            let after = left[at + word.len()..].chars().next();
            let starts_open = !word.starts_with(is_word) || !before.is_some_and(is_word);
            let ends_open = !word.ends_with(is_word) || !after.is_some_and(is_word);
            starts_open && ends_open
        });
        match found {
            Some((at, _)) => {
                left = &left[at + word.len()..];
                true
            }
            None => false,
        }
    })
}
