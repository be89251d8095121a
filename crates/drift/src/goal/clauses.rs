//! Sentences and the parts of them that say one thing.

/// So many sentences are looked at.
const MAX_SENTENCES: usize = 100;

/// Something said.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Sentence {
    /// As it was written.
    pub(super) text: String,
    /// In small letters, with plain apostrophes.
    pub(super) lower: String,
}

impl Sentence {
    fn new(text: &str) -> Self {
        let lower = text.to_lowercase().replace(['’', '‘'], "'");
        Self { text: text.to_owned(), lower }
    }

    /// Its parts, as commas, brackets and the like divide it.
    pub(super) fn clauses(&self) -> Vec<Self> {
        let mut parts = Vec::new();
        let mut rest = self.text.as_str();
        while let Some((at, len)) = next_divide(rest) {
            parts.push(&rest[..at]);
            rest = &rest[at + len..];
        }
        parts.push(rest);
        let parts = parts.into_iter().map(str::trim).filter(|part| !part.is_empty());
        parts.map(Self::new).collect()
    }
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
    " -- ",
    " – ",
    " — ",
    "が、",
    ": ",
];

fn next_divide(text: &str) -> Option<(usize, usize)> {
    DIVIDES.iter().filter_map(|divide| Some((text.find(divide)?, divide.len()))).min()
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
                    && !is_abbreviation(&text[start..at])
            }
            _ => false,
        };
        if is_end {
            let end = at + c.len_utf8();
            push(&mut found, &text[start..end]);
            start = end;
        }
        if found.len() >= MAX_SENTENCES {
            return found;
        }
    }
    push(&mut found, &text[start..]);
    found
}

fn push(found: &mut Vec<Sentence>, text: &str) {
    let text = text.trim().trim_start_matches(['-', '*', '•', '・', '#', ' ']);
    let digits = text.trim_start_matches(|c: char| c.is_ascii_digit());
    let numbered = digits.strip_prefix(['.', ')']).filter(|_| digits.len() < text.len());
    let text = numbered.unwrap_or(text).trim_start();
    let text = text.trim_end_matches(['.', '。', ';', '!', '！']);
    if !text.is_empty() {
        found.push(Sentence::new(text));
    }
}

fn is_abbreviation(before: &str) -> bool {
    ["e.g", "i.e", "etc", "vs"].iter().any(|short| before.ends_with(short))
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
        ];
        for (text, expected) in cases {
            let found: Vec<String> = sentences(text).into_iter().map(|one| one.text).collect();
            assert_eq!(found.join("|"), expected, "{text}");
        }
    }
}
