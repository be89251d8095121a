//! Words that say what a text is about.
//!
//! A person writes "retries" where the file is `retry_policy.rs`, or 削除 where the code says
//! `delete`. Words are therefore cut to a short stem, Japanese terms of the trade come with their English
//! ones, and what every program and every instruction contains is left out.

mod frequent;
mod japanese;
mod sorted;

use std::collections::BTreeSet;

/// Longer words are told apart by their beginning.
const MAX_STEM: usize = 6;
/// So many words of one text.
const MAX_WORDS: usize = 600;
/// So much of a text is read for its topic.
const MAX_TOPIC: usize = 16 * 1024;

/// The words of a text, each once, that tell it from others.
pub(crate) fn words(text: &str) -> BTreeSet<String> {
    chosen(text, |word| !frequent::is_silent(word) && !frequent::is_weak(word))
}

/// The words of a text that say a little: what is in every project, and yet may be meant.
pub(crate) fn weak_words(text: &str) -> BTreeSet<String> {
    chosen(text, frequent::is_weak)
}

/// The words of a text, each once, that say anything of what it is about.
pub(crate) fn topic(text: &str) -> BTreeSet<String> {
    let text = &text[..text.floor_char_boundary(MAX_TOPIC.min(text.len()))];
    chosen(text, |word| !frequent::is_silent(word) && !frequent::is_of_any_work(word))
}

/// The words of a text, each once.
pub(crate) fn all_words(text: &str) -> BTreeSet<String> {
    chosen(text, |_| true)
}

/// The words of a text, those together that come from one place of it: a single 削除 is `delete` and
/// `destroy`, and who counts what two texts have in common must not take that for two.
pub(crate) fn words_by_place(text: &str) -> Vec<BTreeSet<String>> {
    let mut left = words(text);
    let mut places = vec![];
    let mut others = String::new();
    for run in runs(text) {
        match run {
            Run::Japanese(run) => {
                let of_run = words(run);
                places.push(of_run.into_iter().filter(|word| left.remove(word)).collect());
            }
            Run::Latin(run) | Run::Number(run) => {
                others.push(' ');
                others.push_str(run);
            }
        }
    }
    for word in words(&others) {
        if left.remove(&word) {
            places.push(BTreeSet::from([word]));
        }
    }
    // Terms of more than one writing, as 問い合わせ.
    places.push(left);
    places.retain(|place| !place.is_empty());
    places
}

/// The words of a path: its ending is one only where it says what the file is about.
pub(crate) fn path_words(path: &str) -> BTreeSet<String> {
    // The name of `.dockerignore` is no ending.
    let is_ending = |(before, _): &(&str, &str)| !before.is_empty() && !before.ends_with('/');
    let (before, ending) = path.rsplit_once('.').filter(is_ending).unwrap_or((path, ""));
    let mut found = all_words(before);
    if matches!(ending, "css" | "scss" | "toml" | "yaml" | "yml" | "sql" | "proto" | "xml" | "svg")
    {
        found.extend(Stem::of(if ending == "yml" { "yaml" } else { ending }));
    }
    found
}

fn chosen<'a>(text: &'a str, is_chosen: impl Fn(&str) -> bool) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let mut stem = Stem::default();
    let mut met_words = Met::default();
    let mut note = |word: &'a str| {
        if met_words.again(word.as_bytes()) || found.len() >= MAX_WORDS || !stem.take(word) {
            return;
        }
        // Most words of a text were there before: what is known costs no memory.
        if !found.contains(stem.as_str()) && is_chosen(&stem.word) {
            found.insert(stem.as_str().to_owned());
        }
    };
    let mut is_japanese = false;
    let mut met = Met::default();
    for run in runs(text) {
        match run {
            Run::Latin(run) | Run::Number(run) if met.again(run.as_bytes()) => {}
            Run::Latin(run) => parts(run).for_each(&mut note),
            Run::Number(run) => note(run),
            Run::Japanese(_) => is_japanese = true,
        }
    }
    if is_japanese {
        for term in japanese::terms(text) {
            note(term);
        }
        let kept = runs(text).filter_map(|run| match run {
            Run::Japanese(run) if japanese::is_a_term(run) => {
                Some(run.chars().take(2 * MAX_STEM).collect())
            }
            _ => None,
        });
        found.extend(kept.filter(|word: &String| is_chosen(word)).take(MAX_WORDS));
    }
    found
}

/// The words of a text as they are spelled, in small letters: `2gi`, `fermentation`, 購入する.
pub(crate) fn spelled(text: &str) -> impl Iterator<Item = String> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let is_of_word = |c: char| c.is_alphanumeric() || c == 'ー';
        rest = &rest[rest.find(is_of_word)?..];
        let is_plain = rest.as_bytes().first().is_some_and(u8::is_ascii);
        let goes_on = |c: char| {
            if is_plain {
                c.is_ascii_alphanumeric() || "._".contains(c)
            } else {
                !c.is_ascii() && is_of_word(c)
            }
        };
        let (word, after) = rest.split_at(rest.find(|c| !goes_on(c)).unwrap_or(rest.len()));
        rest = after;
        Some(word.trim_end_matches(['.', '_']).to_lowercase())
    })
}

/// Whether it is the stem of a word that is in every project.
pub(crate) fn is_common_stem(stem: &str) -> bool {
    frequent::is_stem(stem)
}

/// Whether it is the stem of a word that says nothing of where something is.
pub(crate) fn is_placeless(stem: &str) -> bool {
    frequent::is_placeless(stem) || japanese::is_placeless(stem)
}

/// What was met of late. Code says the same names again and again, and to know most of them again is
/// cheaper than to know them all: each has one place, from which the next that belongs there drives it out.
#[derive(Default)]
pub(crate) struct Met<'a>([&'a [u8]; 32]);

impl<'a> Met<'a> {
    /// Whether it is surely not new.
    pub(crate) fn again(&mut self, name: &'a [u8]) -> bool {
        let letter = |b: Option<&u8>| b.map_or(0, |b| usize::from(*b));
        let place = name.len() + 5 * letter(name.first()) + 11 * letter(name.last());
        let places = self.0.len();
        std::mem::replace(&mut self.0[place % places], name) == name
    }
}

/// A word in small letters, and what it is compared by. One serves for all words of a text.
struct Stem {
    word: String,
    stem: String,
}

impl Default for Stem {
    /// With room for most words.
    fn default() -> Self {
        Self { word: String::with_capacity(32), stem: String::with_capacity(32) }
    }
}

impl Stem {
    fn of(word: &str) -> Option<String> {
        let mut stem = Self::default();
        stem.take(word).then_some(stem.stem)
    }

    fn as_str(&self) -> &str {
        &self.stem
    }

    /// Takes the next word, unless it is too short to be one.
    fn take(&mut self, word: &str) -> bool {
        self.word.clear();
        self.stem.clear();
        if word.as_bytes().first().is_some_and(u8::is_ascii_digit) {
            let digits = word.trim_end_matches('.');
            self.word.push_str(word);
            self.stem.extend(digits.chars().take(2 * MAX_STEM));
            return digits.contains('.') || digits.len() >= 3;
        }
        if word.is_ascii() {
            self.word.push_str(word);
            self.word.make_ascii_lowercase();
        } else {
            self.word.push_str(&word.to_lowercase());
        }
        // `f1` and `s3` are names of things; `ok` is none.
        let is_name = self.word.len() == 2 && self.word.ends_with(|c: char| c.is_ascii_digit());
        if !has_letters(&self.word, 3) && !is_name {
            return false;
        }
        cut(&self.word, &mut self.stem);
        true
    }
}

/// A word without the ending that is cut off where four letters are left.
fn without_ending(word: &str) -> &str {
    let len = match word.as_bytes() {
        [.., b'i', b'n', b'g'] | [.., b'i', b'o', b'n'] => 3,
        [.., b'e', b'd'] | [.., b'e' | b'o', b'r'] | [.., b'a', b'l'] => 2,
        [.., b'e' | b'y'] => 1,
        _ => 0,
    };
    let rest = &word[..word.len() - len];
    if has_letters(rest, 4) { rest } else { word }
}

/// Whether a word has as many letters.
fn has_letters(word: &str, letters: usize) -> bool {
    let begins_one = |b: &u8| b & 0xc0 != 0x80;
    word.bytes().filter(begins_one).nth(letters - 1).is_some()
}

/// Writes the stem of a word in small letters.
fn cut(word: &str, stem: &mut String) {
    // Several are called like one of them: `folders` and `folder` are the same, whatever else is cut off.
    if let Some(rest) = word.strip_suffix("ies").filter(|rest| has_letters(rest, 3)) {
        stem.push_str(rest);
        if !has_letters(rest, 4) {
            stem.push('y');
        }
    } else {
        let is_several = word.as_bytes().ends_with(b"s") && !word.as_bytes().ends_with(b"ss");
        let one = &word[..word.len() - usize::from(is_several)];
        stem.push_str(without_ending(if has_letters(one, 3) { one } else { word }));
    }
    let mut last = stem.chars().rev();
    if stem.len() > 4
        && let (Some(a), Some(b)) = (last.next(), last.next())
        && a == b
    {
        stem.pop();
    }
    if stem.len() > MAX_STEM
        && let Some((end, _)) = stem.char_indices().nth(MAX_STEM)
    {
        stem.truncate(end);
    }
}

/// A stretch of text in one writing.
enum Run<'a> {
    Latin(&'a str),
    Number(&'a str),
    Japanese(&'a str),
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Writing {
    Latin,
    Number,
    Katakana,
    Kanji,
    Other,
}

fn writing(c: char) -> Writing {
    match c {
        'a'..='z' | 'A'..='Z' | '_' => Writing::Latin,
        '0'..='9' => Writing::Number,
        '\u{30a1}'..='\u{30fa}' | 'ー' => Writing::Katakana,
        '\u{4e00}'..='\u{9fff}' | '々' => Writing::Kanji,
        _ if c.is_alphabetic() && !is_hiragana(c) => Writing::Latin,
        _ => Writing::Other,
    }
}

/// What a byte is, as bits: it is asked of every byte of a text. Nothing for what stands between names in ASCII.
pub(crate) type ByteClass = u8;
/// A letter, a digit or `_`.
pub(crate) const OF_NAME: ByteClass = 1;
/// One that stands between the words of a name: `_`, or a capital.
pub(crate) const JOINS: ByteClass = 2;
/// `/`
pub(crate) const SLASH: ByteClass = 4;
/// A part of a character that is not ASCII.
pub(crate) const WIDE: ByteClass = 8;

const CLASSES: [ByteClass; 256] = {
    let mut classes = [WIDE; 256];
    let mut b = 0u8;
    while b < 128 {
        let is_joining = b == b'_' || b.is_ascii_uppercase();
        classes[b as usize] = match b {
            b'/' => SLASH,
            _ if is_joining => OF_NAME | JOINS,
            _ if b.is_ascii_alphanumeric() => OF_NAME,
            _ => 0,
        };
        b += 1;
    }
    classes
};

/// What a byte is.
pub(crate) fn class(b: u8) -> ByteClass {
    CLASSES[usize::from(b)]
}

/// How many bytes at the beginning of a text are of a name in ASCII.
pub(crate) fn name_len(text: &str) -> usize {
    text.bytes().position(|b| class(b) & OF_NAME == 0).unwrap_or(text.len())
}

fn is_hiragana(c: char) -> bool {
    ('\u{3041}'..='\u{309f}').contains(&c)
}

fn runs(text: &str) -> impl Iterator<Item = Run<'_>> {
    let mut rest = text;
    std::iter::from_fn(move || {
        loop {
            // Most of a text is ASCII, and is told by its bytes.
            rest = &rest[rest.bytes().position(|b| class(b) & (OF_NAME | WIDE) != 0)?..];
            let plain = name_len(rest);
            let is_whole = plain > 0 && rest.as_bytes().get(plain).is_none_or(u8::is_ascii);
            if is_whole && !rest.as_bytes()[0].is_ascii_digit() {
                let (run, after) = rest.split_at(plain);
                rest = after;
                return Some(Run::Latin(run));
            }
            let first = rest.chars().next()?;
            let kind = writing(first);
            let goes_on = |c: char| match kind {
                Writing::Number => c.is_ascii_digit() || c == '.',
                Writing::Latin => matches!(writing(c), Writing::Latin | Writing::Number),
                kind => writing(c) == kind,
            };
            let len = rest.find(|c| !goes_on(c)).unwrap_or(rest.len());
            let (run, after) = rest.split_at(len.max(first.len_utf8()));
            rest = after;
            match kind {
                Writing::Latin => return Some(Run::Latin(run)),
                Writing::Number => return Some(Run::Number(run)),
                Writing::Katakana | Writing::Kanji => return Some(Run::Japanese(run)),
                Writing::Other => {}
            }
        }
    })
}

/// The words of a name: `userName`, `user_name` and `HTTPServer` have two.
fn parts(run: &str) -> impl Iterator<Item = &str> {
    let mut rest = run;
    std::iter::from_fn(move || {
        rest = rest.trim_start_matches('_');
        let (part, after) = rest.split_at(first_part(rest));
        rest = after;
        Some(part).filter(|part| !part.is_empty())
    })
}

/// Where the first word of a name ends.
fn first_part(name: &str) -> usize {
    // Most names are small letters in ASCII up to their first `_`.
    let small = name.bytes().position(|b| !b.is_ascii_lowercase()).unwrap_or(name.len());
    if small > 0 && name.as_bytes().get(small).is_none_or(|b| *b == b'_') {
        return small;
    }
    let mut chars = name.chars().peekable();
    let Some(mut before) = chars.next() else { return 0 };
    let mut at = before.len_utf8();
    while let Some(c) = chars.next() {
        let mut next_is_small = || chars.peek().copied().is_some_and(char::is_lowercase);
        let is_hump = c.is_uppercase()
            && (before.is_lowercase() || before.is_ascii_digit() || next_is_small());
        if is_hump || c == '_' {
            break;
        }
        before = c;
        at += c.len_utf8();
    }
    at
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_what_its_words_say() {
        let cases = [
            ("Fix the retries of `HttpClient`", "retr"),
            ("retry_policy.rs configuration config", "config polic retr"),
            ("wrapping a wrapper, wrapped", "wrap"),
            ("viewers, a viewer; settings, a setting of headers", "head view"),
            ("問い合わせの削除機能", "contac delet destro inquir 削除機能"),
            ("Go 1.23, port 8080, page 3", "1.23 8080 port"),
            ("", ""),
        ];
        for (text, expected) in cases {
            let found: Vec<String> = words(text).into_iter().collect();
            assert_eq!(found.join(" "), expected, "{text}");
        }
    }

    #[test]
    fn what_is_met_again_is_known_until_another_takes_its_place() {
        let mut met = Met::default();
        let again = ["let", "comment", "let", "commit", "caught", "let", "commit"]
            .map(|name| met.again(name.as_bytes()));
        assert_eq!(again, [false, false, true, false, false, true, false]);
    }

    #[test]
    fn lists_are_in_their_order() {
        for list in [frequent::SILENT, frequent::WEAK, frequent::PLACELESS] {
            assert!(sorted::is_in_order(list, ' '));
        }
        assert!(sorted::is_in_order(japanese::TERMS, '\n'));
    }

    #[test]
    fn common_stems_are_those_of_common_words() {
        let stems = ["repo", "reposi", "reposit", "depend", "querie", "quer", "query", "retr", ""];
        let found: Vec<&str> = stems.into_iter().filter(|stem| is_common_stem(stem)).collect();
        assert_eq!(found, ["repo", "reposi", "quer", "query"]);
    }

    #[test]
    fn a_topic_is_told_by_all_but_the_words_of_any_task() {
        let cases = [
            ("Please fix the login bug", "bug login"),
            ("parseDuration accepts units now", "accept durat pars unit"),
            ("update the tests of the user page", "page user"),
            ("", ""),
        ];
        for (text, expected) in cases {
            let found: Vec<String> = topic(text).into_iter().collect();
            assert_eq!(found.join(" "), expected, "{text}");
        }
    }

    #[test]
    fn what_one_place_says_in_several_words_is_together() {
        let cases = [
            ("Fix the retry_policy", "polic | retr"),
            ("問い合わせの削除機能", "delet destro 削除機能 | contac inquir"),
            ("delete 削除", "delet destro 削除"),
            ("ok", ""),
        ];
        for (text, expected) in cases {
            let places = words_by_place(text).into_iter();
            let places = places.map(|place| place.into_iter().collect::<Vec<_>>().join(" "));
            assert_eq!(places.collect::<Vec<_>>().join(" | "), expected, "{text}");
        }
    }
}
