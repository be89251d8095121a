//! Japanese, which does not set its words apart: runs of one script stand for them.

use super::japanese_vocabulary as words;
use super::lexicon::Lexicon;
use super::said::{Connector, Kind, ORDINARY, Said, Turn, WEAK};
use super::stem::stem;

pub(super) fn is_cjk(c: char) -> bool {
    is_kanji(c) || is_katakana(c) || is_hiragana(c)
}

fn is_kanji(c: char) -> bool {
    matches!(c, '\u{4e00}'..='\u{9fff}' | '々' | '〆')
}

fn is_katakana(c: char) -> bool {
    matches!(c, '\u{30a0}'..='\u{30ff}') && c != '・'
}

fn is_hiragana(c: char) -> bool {
    matches!(c, '\u{3040}'..='\u{309f}')
}

/// What turns a sentence round is found in its text, because inflection hides it from words.
pub(super) fn note_turns(text: &str, said: &mut Said) {
    if !text.contains(is_cjk) {
        return;
    }
    let is_in = |list: &[&str], text: &str| list.iter().any(|word| text.contains(word));
    let is_conditional = is_in(words::CONDITIONS, text);
    let mut rest = text.to_owned();
    for duty in words::CONDITIONS.iter().chain(words::DUTIES) {
        rest = rest.replace(duty, "");
    }
    if !is_conditional {
        for negation in words::NEGATIONS {
            said.negations += rest.matches(negation).count();
            rest = rest.replace(negation, "　");
        }
    }
    if is_conditional || is_in(words::HARM, &rest) {
        said.turns.insert(Turn::Harm);
    }
    if is_in(words::CONTRASTS, text) {
        said.turns.insert(Turn::Contrast);
    }
}

/// Kanji in twos, as most words are, and katakana whole; hiragana are endings and particles.
pub(super) fn read(run: &str, follows_number: bool, lexicon: &Lexicon, said: &mut Said) {
    let mut rest = run;
    while let Some(first) = rest.chars().next() {
        let is_alike: fn(char) -> bool = match first {
            c if is_kanji(c) => is_kanji,
            c if is_katakana(c) => is_katakana,
            _ => |c| !is_kanji(c) && !is_katakana(c),
        };
        note_connector(rest, said);
        let end = rest.find(|c| !is_alike(c)).unwrap_or(rest.len());
        let (word, behind) = rest.split_at(end);
        if is_kanji(first) {
            read_kanji(word, follows_number && rest.len() == run.len(), said);
        } else if is_katakana(first) {
            read_katakana(word.trim_end_matches('ー'), lexicon, said);
        }
        rest = behind;
    }
}

fn note_connector(rest: &str, said: &mut Said) {
    let Some(place) = said.words.len().checked_sub(1) else { return };
    let starts = |words: &[&str]| words.iter().any(|word| rest.starts_with(word));
    if starts(&["してから", "てから", "た後"]) {
        said.connectors.push((Connector::JapaneseAfter, place));
    } else if starts(&["前に"]) {
        said.connectors.push((Connector::JapaneseBefore, place));
    }
}

fn read_kanji(run: &str, follows_number: bool, said: &mut Said) {
    let mut characters: Vec<char> = run.chars().collect();
    if let [numeral, counter, ..] = characters[..]
        && let Some(number) = words::NUMERALS.chars().position(|known| known == numeral)
        && words::COUNTERS.contains(counter)
    {
        let number = (number + 1).to_string();
        said.push(Kind::Number, ORDINARY, &number, number.clone());
        push(Kind::Unit, ORDINARY, &counter.to_string(), said);
        characters.drain(..2);
    } else if follows_number && !characters.is_empty() {
        push(Kind::Unit, ORDINARY, &characters.remove(0).to_string(), said);
    }
    for pair in characters.chunks(2) {
        let word: String = pair.iter().collect();
        let is_in = |list: &str| list.split(' ').any(|known| known == word);
        if !is_in(words::SILENT) {
            let is_weak = pair.len() == 1 || is_in(words::WEAK);
            push(Kind::Kanji, if is_weak { WEAK } else { ORDINARY }, &word, said);
        }
    }
}

/// Compounds are taken apart where they begin or end with a loan that is known.
fn read_katakana(word: &str, lexicon: &Lexicon, said: &mut Said) {
    if let Some(loan) = lexicon.loan(word) {
        return said.push(Kind::Plain, ORDINARY, loan, stem(loan));
    }
    let is_rest = |rest: &str| rest.chars().nth(1).is_some();
    let front = lexicon.loans().filter(|loan| word.strip_prefix(*loan).is_some_and(is_rest));
    if let Some(loan) = front.max_by_key(|loan| loan.len()) {
        read_katakana(loan, lexicon, said);
        let rest = word[loan.len()..].trim_matches('ー');
        return read_katakana(rest, lexicon, said);
    }
    let back = lexicon.loans().filter(|loan| word.strip_suffix(*loan).is_some_and(is_rest));
    if let Some(loan) = back.max_by_key(|loan| loan.len()) {
        read_katakana(word[..word.len() - loan.len()].trim_end_matches('ー'), lexicon, said);
        return read_katakana(loan, lexicon, said);
    }
    if !word.is_empty() {
        push(Kind::Katakana, ORDINARY, word, said);
    }
}

fn push(kind: Kind, weight: u32, word: &str, said: &mut Said) {
    said.push(kind, weight, word, word.to_owned());
}
