//! Japanese, which does not set its words apart: runs of one script stand for them.

use super::lexicon::Lexicon;
use super::said::{Kind, Said};
use super::vocabulary as words;

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
    let mut text = text.to_owned();
    for duty in words::JAPANESE_DUTIES {
        text = text.replace(duty, "");
    }
    for negation in words::JAPANESE_NEGATIONS {
        said.negations += text.matches(negation).count();
        text = text.replace(negation, "");
    }
    said.has_harm |= words::JAPANESE_HARM.iter().any(|word| text.contains(word));
    said.has_contrast |= words::JAPANESE_CONTRASTS.iter().any(|word| text.contains(word));
}

/// Kanji in twos, as most words are, and katakana whole; hiragana are endings and particles.
pub(super) fn read(run: &str, lexicon: &Lexicon, said: &mut Said) {
    let mut rest = run;
    while let Some(first) = rest.chars().next() {
        let is_alike: fn(char) -> bool = match first {
            c if is_kanji(c) => is_kanji,
            c if is_katakana(c) => is_katakana,
            _ => |c| !is_kanji(c) && !is_katakana(c),
        };
        let end = rest.find(|c| !is_alike(c)).unwrap_or(rest.len());
        let (word, behind) = rest.split_at(end);
        if is_kanji(first) {
            read_kanji(word, said);
        } else if is_katakana(first) {
            read_katakana(word, lexicon, said);
        }
        rest = behind;
    }
}

fn read_kanji(run: &str, said: &mut Said) {
    let characters: Vec<char> = run.chars().collect();
    for pair in characters.chunks(2) {
        let word: String = pair.iter().collect();
        let is_use = words::JAPANESE_USE.contains(&word.as_str());
        let word = if is_use { "使" } else { word.as_str() };
        let is_weak = pair.len() == 1 || is_use || words::JAPANESE_WEAK.contains(&word);
        if !words::JAPANESE_SILENT.contains(&word) {
            said.push_character_word(Kind::Kanji, is_weak, word);
        }
    }
}

fn read_katakana(run: &str, lexicon: &Lexicon, said: &mut Said) {
    let word = run.trim_end_matches('ー');
    match lexicon.loan(word) {
        Some(loan) => said.push_loan(loan, lexicon),
        None if word.is_empty() => (),
        None => said.push_character_word(Kind::Katakana, false, word),
    }
}
