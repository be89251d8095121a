//! Finds archive programs that write protected files, as unpacked files or as the archive itself.

use verger_shell::Word;

use super::option_text;
use crate::permission::atoms::operands;
use crate::permission::paths::{Ground, is_of_class};

/// Whether the program writes a protected file by packing or unpacking.
pub(super) fn puts(program: &str, words: &[Word], ground: &Ground<'_>) -> bool {
    matches!(program, "tar" | "gtar" | "bsdtar") && tar_puts(words, ground)
}

fn tar_puts(words: &[Word], ground: &Ground<'_>) -> bool {
    let Some(first) = words.first().map(Word::text) else { return false };
    // The first word of `tar` may be options without a dash: `tar xzf a.tar` is `tar -xzf a.tar`.
    let is_old = !first.starts_with('-');
    let letters = words.iter().enumerate().filter_map(|(at, word)| {
        let text = word.text();
        let is_letters = (at == 0 && is_old) || (text.starts_with('-') && !text.starts_with("--"));
        is_letters.then(|| text.trim_start_matches('-'))
    });
    let has = |wanted: &[char], long: &[&str]| {
        letters.clone().any(|letters| letters.starts_with(wanted) || is_among(letters, wanted))
            || words.iter().any(|word| long.contains(&word.text()))
    };
    let is_own = |word: &Word| is_of_class("own", word, ground);
    let is_place = |text: &str| {
        let word = Word::Literal(text.to_owned());
        is_own(&word) || is_of_class("own-folder", &word, ground)
    };
    if has(&['x'], &["--extract", "--get"]) {
        let directory = option_text(words, 'C', "--directory").is_some_and(is_place);
        return directory || operands(words).any(is_own);
    }
    if words.iter().any(|word| word.text() == "--remove-files")
        && operands(words).any(|word| is_own(word) || is_place(word.text()))
    {
        return true;
    }
    if !has(&['c', 'r', 'u', 'A'], &["--create", "--append", "--update", "--catenate"]) {
        return false;
    }
    let old = words.get(1).filter(|_| is_old && first.contains('f')).map(Word::text);
    let file = old.or_else(|| option_text(words, 'f', "--file"));
    file.is_some_and(|file| is_own(&Word::Literal(file.to_owned())))
}

/// Whether one of the letters in `wanted` comes before the first letter that takes the rest of the
/// word as its value.
fn is_among(letters: &str, wanted: &[char]) -> bool {
    let end = letters.find(['f', 'C', 'I', 'T', 'X']).unwrap_or(letters.len());
    letters[..end].contains(wanted)
}
