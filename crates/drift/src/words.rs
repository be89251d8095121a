//! Words that say what a text is about.
//!
//! A person writes "retries" where the file is `retry_policy.rs`, or 削除 where the code says
//! `delete`. Words are therefore cut to a short stem, Japanese terms of the trade come with their English
//! ones, and what every program and every instruction contains is left out.

mod frequent;
mod japanese;

use std::borrow::Cow;
use std::collections::{BTreeSet, HashSet};
use std::sync::LazyLock;

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
    let (before, ending) = path.rsplit_once('.').unwrap_or((path, ""));
    let mut found = all_words(before);
    if matches!(ending, "css" | "scss" | "toml" | "yaml" | "yml" | "sql" | "proto" | "xml" | "svg")
    {
        found.extend(stem(if ending == "yml" { "yaml" } else { ending }));
    }
    found
}

fn chosen(text: &str, is_chosen: impl Fn(&str) -> bool) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let mut note = |word: &str| {
        if found.len() < MAX_WORDS
            && let Some(stem) = stem(word)
            && is_chosen(&word.to_lowercase())
        {
            found.insert(stem);
        }
    };
    let mut is_japanese = false;
    for run in runs(text) {
        match run {
            Run::Latin(run) => parts(run).for_each(&mut note),
            Run::Number(run) => note(run),
            Run::Japanese(_) => is_japanese = true,
        }
    }
    if is_japanese {
        japanese::terms(text).for_each(&mut note);
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

/// What a word is compared by; none for what is too short to be one.
fn stem(word: &str) -> Option<String> {
    let is_number = word.starts_with(|first: char| first.is_ascii_digit());
    if is_number {
        let digits = word.trim_end_matches('.');
        let says_something = digits.contains('.') || digits.len() >= 3;
        return says_something.then(|| digits.chars().take(2 * MAX_STEM).collect());
    }
    let word = word.to_lowercase();
    if word.chars().count() < 3 {
        return None;
    }
    Some(without_ending(&word).chars().take(MAX_STEM).collect())
}

/// Whether it is the stem of a word that is in every project.
pub(crate) fn is_common_stem(stem: &str) -> bool {
    static STEMS: LazyLock<HashSet<String>> = LazyLock::new(|| {
        let stems = frequent::all().flat_map(|word| [word.to_owned(), without_ending(word)]);
        stems.map(|word| word.chars().take(MAX_STEM).collect()).collect()
    });
    STEMS.contains(stem)
}

/// Endings, and how much must be left without them.
const ENDINGS: [(&str, usize); 8] =
    [("ing", 4), ("ion", 4), ("ed", 4), ("er", 4), ("or", 4), ("al", 4), ("e", 4), ("y", 4)];

fn without_ending(word: &str) -> String {
    let one = singular(word);
    let rest = ENDINGS.iter().find_map(|(ending, least)| {
        let rest = one.strip_suffix(ending)?;
        (rest.chars().count() >= *least).then_some(rest)
    });
    let mut stem = rest.unwrap_or(&one).to_owned();
    let mut last = stem.chars().rev();
    if let (Some(a), Some(b)) = (last.next(), last.next())
        && a == b
        && stem.len() > 4
    {
        stem.pop();
    }
    stem
}

/// Several are called like one of them: `folders` and `folder` are the same, whatever else is cut off.
fn singular(word: &str) -> Cow<'_, str> {
    if let Some(rest) = word.strip_suffix("ies").filter(|rest| rest.chars().count() >= 3) {
        return Cow::Owned(format!("{rest}y"));
    }
    let rest = word.strip_suffix('s');
    let one = rest.filter(|rest| rest.chars().count() >= 3 && !rest.ends_with('s'));
    Cow::Borrowed(one.unwrap_or(word))
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
        '0'..='9' => Writing::Number,
        '\u{30a1}'..='\u{30fa}' | 'ー' => Writing::Katakana,
        '\u{4e00}'..='\u{9fff}' | '々' => Writing::Kanji,
        '_' => Writing::Latin,
        _ if c.is_alphabetic() && !is_hiragana(c) => Writing::Latin,
        _ => Writing::Other,
    }
}

fn is_hiragana(c: char) -> bool {
    ('\u{3041}'..='\u{309f}').contains(&c)
}

fn runs(text: &str) -> impl Iterator<Item = Run<'_>> {
    let mut rest = text;
    std::iter::from_fn(move || {
        loop {
            let first = rest.chars().next()?;
            let kind = writing(first);
            let goes_on = |c: char| match kind {
                Writing::Number => c.is_ascii_digit() || c == '.',
                Writing::Latin => matches!(writing(c), Writing::Latin | Writing::Number),
                kind => writing(c) == kind,
            };
            let end = rest.find(|c| !goes_on(c)).unwrap_or(rest.len()).max(first.len_utf8());
            let (run, after) = rest.split_at(end);
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
    run.split('_').flat_map(|part| {
        let chars: Vec<(usize, char)> = part.char_indices().collect();
        let mut starts = vec![0];
        for (n, &(at, c)) in chars.iter().enumerate().skip(1) {
            let (_, before) = chars[n - 1];
            let next_is_small = chars.get(n + 1).is_some_and(|(_, next)| next.is_lowercase());
            if c.is_uppercase()
                && (before.is_lowercase() || before.is_ascii_digit() || next_is_small)
            {
                starts.push(at);
            }
        }
        starts.push(part.len());
        let pieces: Vec<&str> = starts.windows(2).map(|ends| &part[ends[0]..ends[1]]).collect();
        pieces.into_iter().filter(|piece| !piece.is_empty())
    })
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
