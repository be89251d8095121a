//! Sentences and the parts of them that say one thing.

use super::forbidding::{self, addressee, condition, exception};

/// So many sentences, and so many parts of one, are looked at: the first ones and the last ones, where people say what they want.
const MAX_FIRST: usize = 60;
const MAX_LAST: usize = 40;

/// Something said.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Sentence {
    /// As it was written, with plain apostrophes.
    pub(super) text: String,
    /// In small letters.
    pub(super) lower: String,
}

impl Sentence {
    pub(super) fn new(text: &str) -> Self {
        let text = text.replace(['’', '‘', '´', '＇'], "'").replace("n`t", "n't");
        Self { lower: text.to_lowercase(), text }
    }

    /// Without what it says that others say: several words between quotation marks.
    pub(super) fn without_speech(&self) -> Self {
        const MARKS: [(char, char); 4] = [('"', '"'), ('“', '”'), ('「', '」'), ('\'', '\'')];
        let mut kept = String::with_capacity(self.text.len());
        let mut rest = self.text.as_str();
        while let Some(at) = rest.find(|c| MARKS.iter().any(|(open, _)| *open == c)) {
            let (before, from) = rest.split_at(at);
            kept.push_str(before);
            let mut chars = from.chars();
            let open = chars.next().unwrap_or_default();
            let inside = chars.as_str();
            let close =
                MARKS.iter().find(|(mark, _)| *mark == open).map_or(open, |(_, close)| *close);
            // An apostrophe opens nothing.
            let opens = open != '\'' || before.is_empty() || before.ends_with([' ', '(']);
            let speech = inside.split_once(close).filter(|(said, _)| {
                opens && (said.trim().contains(' ') || (open == '「' && said.chars().count() > 4))
            });
            rest = if let Some((_, after)) = speech {
                kept.push('…');
                after
            } else {
                kept.push(open);
                inside
            };
        }
        kept.push_str(rest);
        Self::new(&kept)
    }

    /// Its parts, as commas, brackets and the like divide it.
    pub(super) fn clauses(&self) -> Vec<Self> {
        let text = self.text.as_str();
        let (mut parts, mut start) = (Vec::new(), 0);
        for (at, _) in text.char_indices() {
            if at >= start
                && let Some(len) = divide_at(&text[at..])
                && !is_joined(&text[start..at], &text[at..at + len], &text[at + len..])
            {
                parts.push(&text[start..at]);
                start = at + len;
            }
        }
        parts.push(&text[start..]);
        let parts = parts.into_iter().map(str::trim).filter(|part| !part.is_empty());
        let parts = first_and_last(parts.collect()).into_iter().map(Self::new).collect();
        below_their_heading(parts)
    }
}

/// A list behind a colon says of its first thing what the heading says: "do not touch: src/b.rs".
fn below_their_heading(parts: Vec<Sentence>) -> Vec<Sentence> {
    let mut parts = parts.into_iter().peekable();
    let mut clauses = Vec::new();
    while let Some(part) = parts.next() {
        let item = parts.next_if(|item| forbidding::is_listed(&part, item));
        clauses.push(item.map_or(part.clone(), |item| forbidding::under_heading(&part, &item)));
    }
    clauses
}

const DIVIDES: &[&str] = &[
    ", ",
    "、",
    "(",
    ")",
    "（",
    "）",
    " but ",
    " and please ",
    "ただし",
    " - ",
    " -- ",
    " – ",
    " — ",
    "が、",
    ": ",
    "：",
];

/// What begins a part of its own behind an "and": a limit, or what is wanted instead.
const LIMITING: &[&str] =
    &["no ", "not ", "don't ", "dont ", "do not ", "never ", "leave ", "instead "];

/// Whether what divides these two parts leaves them one: an exception and a condition belong to what they are of.
fn is_joined(before: &str, divide: &str, after: &str) -> bool {
    match divide {
        // All behind it is part of a text that is to be written.
        ": " if addressee::is_written_down(&format!("{before}{divide}")) => true,
        ", " if addressee::is_of_a_text(before) => true,
        " but " => exception::is_exception(before, after),
        // `load(user)` is one name.
        "(" if before.ends_with(|c: char| c.is_ascii_alphanumeric()) => true,
        ")" if before.contains('(') => true,
        "（" if stands_for_what_is_before(after, '）') => true,
        "）" if before.contains('（') => true,
        "(" if stands_for_what_is_before(after, ')') => true,
        ", " if forbidding::is_interrupted(before) => true,
        ", " | "、" if condition::trails(before, after) => true,
        ", " | "(" | " - " | " -- " | " – " | " — " => {
            exception::belongs_to_what_came_before(after)
        }
        _ => false,
    }
}

/// Whether brackets say by another name what the sentence goes on about: "generated files (gen/) are".
fn stands_for_what_is_before(within: &str, close: char) -> bool {
    const GOES_ON: &[&str] = &["is ", "are ", "以外", "だけ", "のみ", "を除", "は", "を", "に"];
    let behind = within.split_once(close).map(|(_, behind)| behind.trim_start());
    behind.is_some_and(|behind| GOES_ON.iter().any(|goes_on| behind.starts_with(goes_on)))
}

/// The length of what divides there, the shortest if several do.
fn divide_at(text: &str) -> Option<usize> {
    let before_a_limit = text.strip_prefix(" and ").and_then(|rest| {
        LIMITING.iter().any(|limit| rest.starts_with(limit)).then_some(" and ".len())
    });
    let divides = DIVIDES.iter().filter(|divide| text.starts_with(**divide));
    divides.map(|divide| divide.len()).min().or(before_a_limit)
}

/// A text without fenced code.
pub(super) fn prose(text: &str) -> String {
    text.split("```").step_by(2).collect::<Vec<_>>().join("\n")
}

/// The fenced code of a text.
pub(super) fn fenced(text: &str) -> String {
    text.split("```").skip(1).step_by(2).collect::<Vec<_>>().join("\n")
}

/// The sentences of a text, in their order.
pub(super) fn sentences(text: &str) -> Vec<Sentence> {
    let mut found = Vec::new();
    let mut start = 0;
    let mut chars = text.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        let is_end = match c {
            '\n' | '。' | '！' | '？' | '!' | '?' | ';' => true,
            '.' => {
                chars.peek().is_none_or(|(_, next)| next.is_whitespace())
                    && !is_abbreviation(&text[start..at], &text[at + 1..])
            }
            _ => false,
        };
        if is_end {
            let end = at + c.len_utf8();
            push(&mut found, &text[start..end]);
            start = end;
        }
    }
    push(&mut found, &text[start..]);
    first_and_last(with_headings(found))
}

/// A list of what is forbidden under one heading, as if each was forbidden in a sentence of its own.
fn with_headings(found: Vec<Listed>) -> Vec<Sentence> {
    let mut heading: Option<Sentence> = None;
    let mut sentences = Vec::new();
    for Listed { sentence, is_item } in found {
        let is_heading = sentence.text.ends_with([':', '：']);
        match &heading {
            Some(heading) if is_item && !is_heading => {
                // What is listed says it all.
                sentences.pop_if(|last| last == heading);
                sentences.push(forbidding::under_heading(heading, &sentence));
            }
            _ => {
                let forbids = is_heading && forbidding::is_heading(&sentence);
                heading = forbids.then(|| sentence.clone());
                sentences.push(sentence);
            }
        }
    }
    sentences
}

/// A sentence, and whether it is an item of a list.
struct Listed {
    sentence: Sentence,
    is_item: bool,
}

fn first_and_last<T>(mut found: Vec<T>) -> Vec<T> {
    if found.len() > MAX_FIRST + MAX_LAST {
        found.drain(MAX_FIRST..found.len() - MAX_LAST);
    }
    found
}

fn push(found: &mut Vec<Listed>, text: &str) {
    const MARKS: [char; 4] = ['-', '*', '•', '・'];
    let text = text.trim();
    let is_marked = text.starts_with(MARKS) && !text.starts_with("**");
    let text = text.trim_start_matches(MARKS).trim_start_matches(['#', ' ']);
    let digits = text.trim_start_matches(|c: char| c.is_ascii_digit());
    let numbered = digits.strip_prefix(['.', ')']).filter(|_| digits.len() < text.len());
    let text = numbered.unwrap_or(text).trim_start();
    let text = text.trim_end_matches(['.', '。', ';', '!', '！']);
    if !text.is_empty() {
        let is_item = is_marked || numbered.is_some();
        found.push(Listed { sentence: Sentence::new(text), is_item });
    }
}

/// Whether a point is of an abbreviation, and ends nothing. Behind an "etc." a sentence may begin.
fn is_abbreviation(before: &str, after: &str) -> bool {
    let begins_anew = || after.trim_start().starts_with(char::is_uppercase);
    ["e.g", "i.e", "vs"].iter().any(|short| before.ends_with(short))
        || (before.ends_with("etc") && !begins_anew())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_divided_where_people_pause() {
        let cases = [
            ("Fix a.rs. Don't touch b.rs, please!", "Fix a.rs|Don't touch b.rs, please"),
            ("- one\n- two", "one|two"),
            ("テストは変更しないで。次は翻訳", "テストは変更しないで|次は翻訳"),
            ("use 1.5 e.g. now", "use 1.5 e.g. now"),
            ("no mocks etc. If it fails, ask", "no mocks etc|If it fails, ask"),
            ("mocks, fakes etc. are fine", "mocks, fakes etc. are fine"),
            ("read e.g. RFC 2308", "read e.g. RFC 2308"),
        ];
        for (text, expected) in cases {
            let found: Vec<String> = sentences(text).into_iter().map(|one| one.text).collect();
            assert_eq!(found.join("|"), expected, "{text}");
        }
    }
}
