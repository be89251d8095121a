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
            Run::Word(run) | Run::Name(run) => {
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

fn chosen(text: &str, is_chosen: impl Fn(&str) -> bool) -> BTreeSet<String> {
    let mut found = Gathered::default();
    found.gather(text, 1, is_chosen, |_| {});
    found.into_iter().map(|(word, _)| word).collect()
}

/// The words of some texts in their order, each with a bit for every text that has it.
#[derive(Default)]
pub(crate) struct Gathered(Vec<Entry>);

struct Entry {
    /// What the word begins with, as a number: it tells most words apart.
    begin: u64,
    word: String,
    texts: u8,
}

impl Gathered {
    /// Adds all words of a text, and tells of its names on the way.
    pub(crate) fn add<'a>(&mut self, text: &'a str, bit: u8, tell: impl FnMut(Name<'a>)) {
        self.gather(text, bit, |_| true, tell);
    }

    pub(crate) fn into_iter(self) -> impl ExactSizeIterator<Item = (String, u8)> {
        self.0.into_iter().map(|entry| (entry.word, entry.texts))
    }

    fn gather<'a>(
        &mut self,
        text: &'a str,
        bit: u8,
        is_chosen: impl Fn(&str) -> bool,
        mut tell: impl FnMut(Name<'a>),
    ) {
        let mut stem = Stem::default();
        let mut len = 0;
        let mut note = |word: &str| {
            if len < MAX_WORDS && stem.take(word) {
                len += usize::from(self.put(&stem.stem, bit, || is_chosen(&stem.word)));
            }
        };
        let mut is_japanese = false;
        let mut met = Met::default();
        let mut runs_of_text = Runs::of(text);
        while let Some(run) = runs_of_text.next(&mut tell) {
            match run {
                // Most of what is left out is a single letter or digit, which is not worth to be remembered.
                Run::Word(word) if word.len() == 1 || met.again(word) => {}
                Run::Word(word) => note(word),
                Run::Name(name) if met.again(name) => {}
                Run::Name(name) => {
                    // A name of one word was met just now.
                    let mut is_new = |part: &'a str| part.len() == name.len() || !met.again(part);
                    parts(name).filter(|part| part.len() > 1 && is_new(part)).for_each(&mut note);
                }
                Run::Japanese(_) => is_japanese = true,
            }
        }
        if is_japanese {
            for term in japanese::terms(text) {
                note(term);
            }
            let kept = runs(text).filter_map(|run| match run {
                Run::Japanese(run) if japanese::is_a_term(run) => {
                    Some(beginning(run, 2 * MAX_STEM))
                }
                _ => None,
            });
            for word in kept.filter(|word| is_chosen(word)).take(MAX_WORDS) {
                self.put(word, bit, || true);
            }
        }
    }

    /// Says whether the text had it not yet.
    fn put(&mut self, word: &str, bit: u8, is_chosen: impl FnOnce() -> bool) -> bool {
        let mut begin = [0; 8];
        let len = word.len().min(begin.len());
        begin[..len].copy_from_slice(&word.as_bytes()[..len]);
        let begin = u64::from_be_bytes(begin);
        let found = self.0.binary_search_by(|entry| {
            entry.begin.cmp(&begin).then_with(|| entry.word.as_str().cmp(word))
        });
        match found {
            Ok(at) => {
                let texts = &mut self.0[at].texts;
                let is_new = *texts & bit == 0;
                *texts |= bit;
                is_new
            }
            Err(at) if is_chosen() => {
                self.0.insert(at, Entry { begin, word: word.to_owned(), texts: bit });
                true
            }
            Err(_) => false,
        }
    }
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
pub(crate) struct Met<'a>([&'a str; 64]);

impl Default for Met<'_> {
    fn default() -> Self {
        Self([""; 64])
    }
}

impl<'a> Met<'a> {
    /// Whether it is surely not new.
    pub(crate) fn again(&mut self, name: &'a str) -> bool {
        let letter = |b: Option<&u8>| b.map_or(0, |b| usize::from(*b));
        let bytes = name.as_bytes();
        let place = name.len() + 5 * letter(bytes.first()) + 11 * letter(bytes.last());
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

    /// Takes the next word, unless it is too short to be one.
    fn take(&mut self, word: &str) -> bool {
        self.word.clear();
        self.stem.clear();
        if word.as_bytes().first().is_some_and(u8::is_ascii_digit) {
            let digits = word.trim_end_matches('.');
            let is_one = digits.len() >= 3 || digits.contains('.');
            if is_one {
                self.word.push_str(word);
                self.stem.push_str(beginning(digits, 2 * MAX_STEM));
            }
            return is_one;
        }
        let is_ascii = word.is_ascii();
        if is_ascii {
            self.word.push_str(word);
            self.word.make_ascii_lowercase();
        } else {
            self.word.push_str(&word.to_lowercase());
        }
        // `f1` and `s3` are names of things; `ok` is none.
        let is_name = matches!(self.word.as_bytes(), [_, b'0'..=b'9']);
        let letters = |word: &str| if is_ascii { word.len() } else { word.chars().count() };
        if letters(&self.word) < 3 && !is_name {
            return false;
        }
        cut(&self.word, letters, &mut self.stem);
        true
    }
}

/// A word without the ending that is cut off where four letters are left.
fn without_ending(word: &str, letters: impl Fn(&str) -> usize) -> &str {
    let len = match word.as_bytes() {
        [.., b'i', b'n', b'g'] | [.., b'i', b'o', b'n'] => 3,
        [.., b'e', b'd'] | [.., b'e' | b'o', b'r'] | [.., b'a', b'l'] => 2,
        [.., b'e' | b'y'] => 1,
        _ => 0,
    };
    let rest = &word[..word.len() - len];
    if letters(rest) >= 4 { rest } else { word }
}

/// Writes the stem of a word in small letters.
fn cut(word: &str, letters: impl Fn(&str) -> usize, stem: &mut String) {
    // Several are called like one of them: `folders` and `folder` are the same, whatever else is cut off.
    if let Some(rest) = word.strip_suffix("ies").filter(|rest| letters(rest) >= 3) {
        stem.push_str(rest);
        if letters(rest) < 4 {
            stem.push('y');
        }
    } else {
        let is_several = word.as_bytes().ends_with(b"s") && !word.as_bytes().ends_with(b"ss");
        let one = &word[..word.len() - usize::from(is_several)];
        stem.push_str(without_ending(if letters(one) >= 3 { one } else { word }, letters));
    }
    let ends_twice_alike = match stem.as_bytes() {
        [.., before, last] if last.is_ascii() => before == last,
        _ => {
            let mut last = stem.chars().rev();
            last.next() == last.next()
        }
    };
    if stem.len() > 4 && ends_twice_alike {
        stem.pop();
    }
    stem.truncate(beginning(stem, MAX_STEM).len());
}

/// The first letters of a word.
fn beginning(word: &str, letters: usize) -> &str {
    match word.as_bytes().get(..letters) {
        None => word,
        Some(bytes) if bytes.is_ascii() => &word[..letters],
        Some(_) => word.char_indices().nth(letters).map_or(word, |(end, _)| &word[..end]),
    }
}

/// A stretch of text in one writing.
enum Run<'a> {
    /// A word that has no parts, or a number.
    Word(&'a str),
    /// What may have several words.
    Name(&'a str),
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
/// A letter or a digit.
pub(crate) const OF_WORD: ByteClass = 16;
/// `$`
pub(crate) const DOLLAR: ByteClass = 32;
/// The end of a line.
pub(crate) const LINE_END: ByteClass = 64;

const CLASSES: [ByteClass; 256] = {
    let mut classes = [WIDE; 256];
    let mut b = 0u8;
    while b < 128 {
        classes[b as usize] = match b {
            b'/' => SLASH,
            b'$' => DOLLAR,
            b'\n' => LINE_END,
            b'_' => OF_NAME | JOINS,
            b'A'..=b'Z' => OF_NAME | JOINS | OF_WORD,
            b'a'..=b'z' | b'0'..=b'9' => OF_NAME | OF_WORD,
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

fn is_hiragana(c: char) -> bool {
    ('\u{3041}'..='\u{309f}').contains(&c)
}

fn runs(text: &str) -> impl Iterator<Item = Run<'_>> {
    let mut runs = Runs::of(text);
    std::iter::from_fn(move || runs.next(&mut |_| {}))
}

struct Runs<'a> {
    text: &'a str,
    at: usize,
    /// All names that begin before it were told of.
    told: usize,
}

/// Letters, digits and `_` in ASCII that stand together.
pub(crate) struct Name<'a> {
    text: &'a str,
    begin: usize,
    end: usize,
    /// The classes of its bytes.
    pub(crate) met: ByteClass,
}

impl<'a> Name<'a> {
    /// The first one that begins between two places.
    fn between(text: &'a str, from: usize, to: usize) -> Option<Self> {
        let bytes = text.as_bytes().get(from..to)?;
        let begin = from + bytes.iter().position(|b| class(*b) & OF_NAME != 0)?;
        Some(Self::at(text, begin))
    }

    /// The one that begins there; it is empty if there is none.
    fn at(text: &'a str, begin: usize) -> Self {
        let (mut end, mut met) = (begin, 0);
        while let Some(b) = text.as_bytes().get(end)
            && class(*b) & OF_NAME != 0
        {
            met |= class(*b);
            end += 1;
        }
        Self { text, begin, end, met }
    }

    pub(crate) fn as_str(&self) -> &'a str {
        &self.text[self.begin..self.end]
    }

    pub(crate) fn before(&self) -> &'a [u8] {
        &self.text.as_bytes()[..self.begin]
    }

    pub(crate) fn next_byte(&self) -> Option<u8> {
        self.text.as_bytes().get(self.end).copied()
    }
}

impl<'a> Runs<'a> {
    fn of(text: &'a str) -> Self {
        Self { text, at: 0, told: 0 }
    }

    /// The next run. It tells of the names on the way: a second walk would cost as much as the first.
    fn next(&mut self, tell: &mut impl FnMut(Name<'a>)) -> Option<Run<'a>> {
        let (text, bytes) = (self.text, self.text.as_bytes());
        loop {
            // Most of a text is ASCII, and is told by its bytes.
            let to_next =
                bytes[self.at..].iter().position(|b| class(*b) & (OF_NAME | WIDE) != 0)?;
            let begin = self.at + to_next;
            let name = Name::at(text, begin);
            let (run, end) = if bytes[begin].is_ascii_digit() {
                let is_of_number = |b: &u8| b.is_ascii_digit() || *b == b'.';
                let end = begin + bytes[begin..].iter().take_while(|b| is_of_number(b)).count();
                (Some(Run::Word(&text[begin..end])), end)
            } else if name.end > begin && name.next_byte().is_none_or(|b| b.is_ascii()) {
                let run = &text[begin..name.end];
                let is_word = name.met & JOINS == 0;
                (Some(if is_word { Run::Word(run) } else { Run::Name(run) }), name.end)
            } else {
                let (run, len) = wide_run(&text[begin..]);
                (run, begin + len)
            };
            self.at = end;
            if name.end == end && begin >= self.told {
                self.told = end;
                tell(name);
            } else {
                // A run may have several names in it, or be a part of one.
                while let Some(name) = Name::between(text, self.told, end) {
                    self.told = name.end;
                    tell(name);
                }
                self.told = self.told.max(end);
            }
            if run.is_some() {
                return run;
            }
        }
    }
}

/// The run that a text begins with that is not all ASCII, and how long it is. There is none where it says nothing.
fn wide_run(text: &str) -> (Option<Run<'_>>, usize) {
    let kind = text.chars().next().map_or(Writing::Other, writing);
    let goes_on = |c: char| match kind {
        Writing::Latin => matches!(writing(c), Writing::Latin | Writing::Number),
        kind => writing(c) == kind,
    };
    let (run, _) = text.split_at(text.find(|c| !goes_on(c)).unwrap_or(text.len()));
    let found = match kind {
        Writing::Latin => Some(Run::Name(run)),
        Writing::Katakana | Writing::Kanji => Some(Run::Japanese(run)),
        Writing::Number | Writing::Other => None,
    };
    (found, run.len())
}

/// The words of a name: `userName`, `user_name` and `HTTPServer` have two.
fn parts(run: &str) -> impl Iterator<Item = &str> {
    let mut rest = run;
    std::iter::from_fn(move || {
        rest = &rest[rest.bytes().take_while(|b| *b == b'_').count()..];
        let (part, after) = rest.split_at(first_part(rest));
        rest = after;
        Some(part).filter(|part| !part.is_empty())
    })
}

/// Where the first word of a name ends.
fn first_part(name: &str) -> usize {
    // Most names are small letters in ASCII up to their first `_`.
    let is_small = |b: &u8| class(*b) & (OF_NAME | JOINS) == OF_NAME;
    let small = name.bytes().position(|b| !is_small(&b)).unwrap_or(name.len());
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
            .map(|name| met.again(name));
        assert_eq!(again, [false, false, true, false, false, true, false]);
    }

    #[test]
    fn names_are_told_of_whatever_runs_they_are_in() {
        let text = "let a_b = 2fa_token(größe_liste, 1.2abc_def, 1.23.4) + lib/x12; ログin 7";
        let mut names = vec![];
        Gathered::default().add(text, 1, |name| names.push(name.as_str()));
        let expected = "let a_b 2fa_token gr e_liste 1 2abc_def 1 23 4 lib x12 in 7";
        assert_eq!(names.join(" "), expected);
    }

    #[test]
    fn words_know_the_texts_that_have_them() {
        let mut words = Gathered::default();
        for (text, bit) in [("parse retries", 1), ("retry the parser of 2048", 2), ("a retry", 4)] {
            words.add(text, bit, |_| {});
        }
        let found: Vec<(String, u8)> = words.into_iter().collect();
        let expected = [("2048", 2), ("pars", 3), ("retr", 7), ("the", 2)];
        assert_eq!(found, expected.map(|(word, texts)| (word.to_owned(), texts)));
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
