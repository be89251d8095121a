//! Whether two words stand for the same.

use super::lexicon::Lexicon;
use super::said::{Kind, Word};
use super::token::has_particle;

pub(super) fn are_alike(one: &Word, other: &Word, lexicon: &Lexicon) -> bool {
    if one.stem == other.stem {
        return true;
    }
    let (a, b) = (one.stem.as_str(), other.stem.as_str());
    match (one.kind, other.kind) {
        (Kind::Name | Kind::Number, _) | (_, Kind::Name | Kind::Number) => {
            one.written == other.written
        }
        _ if lexicon.are_synonyms(a, b) => true,
        (Kind::Katakana, Kind::Katakana) => {
            is_long(a, 4) && is_long(b, 4) && differ_by_a_slip(a, b)
        }
        (Kind::Kanji, Kind::Kanji) => a.len() != b.len() && a.chars().next() == b.chars().next(),
        (Kind::Plain, Kind::Plain) => {
            !lexicon.are_opposite(a, b)
                && (is_slip(one, other)
                    || !(lexicon.is_known(a) && lexicon.is_known(b))
                        && are_forms_of_one(one, other))
        }
        _ => false,
    }
}

/// The same word in another form, not a synonym of it.
pub(super) fn is_repeated(one: &Word, other: &Word, lexicon: &Lexicon) -> bool {
    let is_synonym = lexicon.is_known(&one.stem) && lexicon.is_known(&other.stem);
    match one.kind {
        Kind::Plain => one.stem == other.stem || (!is_synonym && are_alike(one, other, lexicon)),
        Kind::Kanji | Kind::Katakana => one.written == other.written,
        Kind::Name | Kind::Number | Kind::Unit => false,
    }
}

/// A slip of the pen in a word that is long enough to be known all the same.
fn is_slip(one: &Word, other: &Word) -> bool {
    let (a, b) = (&one.stem, &other.stem);
    let is_long_enough = is_long(a, 5) && is_long(b, 5) && (is_long(a, 6) || is_long(b, 6));
    let begin_alike = a.chars().take(2).eq(b.chars().take(2));
    (is_long_enough && begin_alike && differ_by_a_slip(a, b))
        || (is_long(&one.written, 5) && are_exchanged(&one.written, &other.written))
}

/// Endings that make a word of another, as they stand behind what both have.
const DERIVED: &[&str] = &[
    "er", "or", "r", "ion", "ation", "ition", "ing", "ed", "abl", "ibl", "abiliti", "ibiliti",
    "iti", "ness", "atur", "es", "s", "iv",
];
const EXCHANGED: &[(&str, &str)] = &[
    ("t", "c"),
    ("t", "ci"),
    ("i", "ication"),
    ("abl", "abiliti"),
    ("ion", "iv"),
    ("er", "ion"),
    ("or", "ion"),
    ("i", "ation"),
];
/// With `-er` these are other things.
const NO_AGENTS: &[&str] = &[
    "custom", "contain", "head", "fold", "foot", "numb", "serv", "work", "lay", "form", "post",
    "ord", "mast", "lett", "pap", "pow", "charact", "own", "build",
];

fn are_forms_of_one(one: &Word, other: &Word) -> bool {
    let (short, long) = if one.stem.len() < other.stem.len() { (one, other) } else { (other, one) };
    if has_particle(&long.written, &short.written) || has_particle(&long.stem, &short.stem) {
        return true;
    }
    let common = short.stem.chars().zip(long.stem.chars()).take_while(|(a, b)| a == b);
    let length: usize = common.clone().map(|(c, _)| c.len_utf8()).sum();
    let (left, right) = (&short.stem[length..], &long.stem[length..]);
    let is_agent = ["er", "or", "r"].contains(&right) && NO_AGENTS.contains(&short.stem.as_str());
    common.count() >= 4
        && !is_agent
        && (left.is_empty() && DERIVED.contains(&right)
            || EXCHANGED.contains(&(left, right))
            || left.is_empty() && right == "al" && short.stem.ends_with("ic"))
}

fn is_long(text: &str, characters: usize) -> bool {
    text.chars().nth(characters - 1).is_some()
}

/// One character more, less, other, or two exchanged.
fn differ_by_a_slip(one: &str, other: &str) -> bool {
    let (a, b): (Vec<char>, Vec<char>) = (one.chars().collect(), other.chars().collect());
    let at = a.iter().zip(&b).take_while(|(a, b)| a == b).count();
    let behind = |text: &[char], from: usize| text.get(from..).unwrap_or_default().to_vec();
    let is_other = a.len() == b.len() && behind(&a, at + 1) == behind(&b, at + 1);
    let is_added = behind(&a, at) == behind(&b, at + 1) || behind(&a, at + 1) == behind(&b, at);
    is_other || is_added || are_exchanged(one, other)
}

fn are_exchanged(one: &str, other: &str) -> bool {
    let (a, b): (Vec<char>, Vec<char>) = (one.chars().collect(), other.chars().collect());
    let at = a.iter().zip(&b).take_while(|(a, b)| a == b).count();
    a.len() == b.len()
        && at + 1 < a.len()
        && (a[at], a[at + 1]) == (b[at + 1], b[at])
        && a[at + 2..] == b[at + 2..]
}
