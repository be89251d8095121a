//! A message cut into sentences, without code and without what is quoted.

use super::MARKER;

/// One sentence, heading, or item of a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Sentence {
    text: String,
    words: Vec<String>,
    /// For each word the clause that it stands in: a comma, a colon, a bracket or a dash begins another.
    clauses: Vec<usize>,
    /// How its words begin, so that most phrases need not be looked for.
    beginnings: u64,
    place: Place,
    asks: bool,
}

/// Where it stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    /// In running text.
    Text,
    /// In a list or a table.
    Item,
    /// Alone on its line, as a title of what follows.
    Heading,
    /// In a block of code, all of which is one sentence.
    Output,
}

/// Marks of what is open or under way.
pub(super) const OPEN_MARKS: &[&str] = &["❌", "⏳", "🔄", "⬜", "[ ]", "🚧", "☐", "✗"];

/// Stands for code, so that a sentence keeps its shape.
const CODE: &str = "code";
/// Stands for what is quoted.
const QUOTE: &str = "quote";

impl Sentence {
    fn new(text: &str, place: Place) -> Option<Self> {
        let text = joined(&text.trim().to_lowercase().replace('’', "'"));
        let asks = text.ends_with(['?', '？']) || asks_in_japanese(&text);
        let (mut words, mut clauses, mut clause) = (vec![], vec![], 0);
        let is_of_word = |c: char| c.is_alphanumeric() || "'-/%,".contains(c);
        for piece in text.split_inclusive(|c| !is_of_word(c)) {
            let (word, after) = piece.split_at(piece.trim_end_matches(|c| !is_of_word(c)).len());
            let known = word.trim_matches(['\'', '-', ',', '/']);
            let is_contracted = known == "not" && words.last_mut().is_some_and(contract);
            if !known.is_empty() && !is_contracted {
                words.push(known.to_owned());
                clauses.push(clause);
            }
            let is_break =
                word.ends_with([',', '-']) || after.contains([':', '(', ')', '—', '–', '|', '→']);
            clause += usize::from(is_break);
        }
        let beginnings = words.iter().fold(0, |all, word: &String| all | beginning(word));
        (!text.is_empty()).then_some(Self { text, words, clauses, beginnings, place, asks })
    }

    pub(super) fn text(&self) -> &str {
        &self.text
    }

    pub(super) fn words(&self) -> &[String] {
        &self.words
    }

    pub(super) fn place(&self) -> Place {
        self.place
    }

    /// Whether it is a question.
    pub(super) fn asks(&self) -> bool {
        self.asks
    }

    pub(super) fn has_marker(&self) -> bool {
        self.place != Place::Output && self.text.contains(&MARKER.to_lowercase())
    }

    /// The words of a clause that stand before one of its words, as far back as a reader remembers.
    pub(super) fn before_in_clause(&self, at: usize) -> &[String] {
        const REMEMBERED: usize = 30;
        let first = self.clauses.partition_point(|clause| *clause < self.clauses[at]);
        &self.words[first.max(at.saturating_sub(REMEMBERED))..at]
    }

    /// Whether these words follow each other somewhere.
    pub(super) fn has(&self, phrase: &str) -> bool {
        self.position(phrase).is_some()
    }

    /// Whether it has one of the phrases in a list.
    pub(super) fn has_any(&self, list: &str) -> bool {
        listed(list).any(|phrase| self.has(phrase))
    }

    /// The first word at which a phrase of a list begins.
    pub(super) fn first_of(&self, list: &str) -> Option<usize> {
        listed(list).filter_map(|phrase| self.position(phrase)).min()
    }

    /// The word at which these words begin.
    pub(super) fn position(&self, phrase: &str) -> Option<usize> {
        if self.beginnings & beginning(phrase) == 0 {
            return None;
        }
        let first = phrase.as_bytes().first();
        (0..self.words.len()).find(|at| {
            self.words[*at].as_bytes().first() == first && begins_with(&self.words[*at..], phrase)
        })
    }

    /// Whether the text has one of these, wherever: for a language without spaces.
    pub(super) fn contains_any(&self, pieces: &[&str]) -> bool {
        pieces.iter().any(|piece| self.text.contains(piece))
    }
}

/// The phrases of a list: they stand between commas.
pub(super) fn listed(list: &str) -> impl Iterator<Item = &str> {
    list.split(',').map(|phrase| phrase.strip_prefix(' ').unwrap_or(phrase))
}

/// Whether words begin with those of a phrase.
pub(super) fn begins_with(words: &[String], phrase: &str) -> bool {
    let mut left = Some(phrase);
    for word in words {
        match left.and_then(|left| left.strip_prefix(word.as_str())) {
            Some("") => return true,
            Some(after) => left = after.strip_prefix(' '),
            None => return false,
        }
    }
    false
}

/// One bit for how a word or a phrase begins.
fn beginning(phrase: &str) -> u64 {
    match phrase.as_bytes() {
        [first, second, ..] if *second != b' ' => {
            1 << (first.wrapping_mul(31).wrapping_add(*second) % 64)
        }
        [first, ..] => 1 << (first % 64),
        [] => 0,
    }
}

/// Whether a word is one of a list.
pub(super) fn is_in(list: &str, word: &str) -> bool {
    let mut known = list.as_bytes().split(|byte| *byte == b',');
    known.any(|known| known.strip_prefix(b" ").unwrap_or(known) == word.as_bytes())
}

/// Makes "is" of "is not" an "isn't", so that rules need not know both.
fn contract(word: &mut String) -> bool {
    let is_before_not =
        is_in("is, are, was, were, do, does, did, has, have, had, could, would, should", word);
    if is_before_not {
        word.push_str("n't");
    }
    is_before_not
}

/// Without the spaces that some put between Japanese and other characters: "3 件" is "3件".
fn joined(text: &str) -> String {
    if text.is_ascii() {
        return text.to_owned();
    }
    let mut kept = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        let is_wide = |c: char| ('\u{3000}'..='\u{9fff}').contains(&c);
        let is_between = c == ' '
            && (kept.chars().next_back().is_some_and(is_wide)
                || chars.peek().is_some_and(|next| is_wide(*next)));
        if !is_between {
            kept.push(c);
        }
    }
    kept
}

/// A question in Japanese often ends with a full stop.
fn asks_in_japanese(text: &str) -> bool {
    let end = text.trim_end_matches(['。', '」', '）', ' ']);
    ["ですか", "ますか", "でしょうか", "ませんか", "ましょうか"]
        .iter()
        .any(|ask| end.ends_with(ask))
}

/// The sentences of a message, in order.
pub(super) fn sentences(message: &str) -> Vec<Sentence> {
    let mut found = vec![];
    let mut fence = None;
    let mut output = String::new();
    for line in message.lines() {
        let line = line.trim();
        let opened = ["```", "~~~"].into_iter().find(|mark| line.starts_with(mark));
        match (fence, opened) {
            (Some(open), Some(mark)) if open == mark => {
                found.extend(Sentence::new(&output, Place::Output));
                output.clear();
                fence = None;
            }
            (None, Some(mark)) => fence = Some(mark),
            (Some(_), _) => {
                output.push_str(line);
                output.push('\n');
            }
            (None, None) if line.starts_with('>') => {}
            (None, None) => {
                let (place, line) = placed(line);
                found.extend(
                    split(&without_quotes(line))
                        .iter()
                        .filter_map(|text| Sentence::new(text, place)),
                );
            }
        }
    }
    found
}

/// Where a line stands, and what of it is text.
fn placed(line: &str) -> (Place, &str) {
    let title = line.trim_start_matches('#');
    if title.len() < line.len() {
        return (Place::Heading, title);
    }
    if let Some(bold) = line.strip_prefix("**").and_then(|rest| rest.strip_suffix("**"))
        && !bold.contains("**")
    {
        return (Place::Heading, bold);
    }
    let number = line.trim_start_matches(|c: char| c.is_ascii_digit());
    let after_number = number.strip_prefix(". ").or_else(|| number.strip_prefix(") "));
    let item = ["- ", "* ", "• ", "・", "| ", "|"].iter().find_map(|mark| line.strip_prefix(mark));
    match item.or(after_number.filter(|_| number.len() < line.len())) {
        Some(item) => (Place::Item, item),
        None => (Place::Text, line),
    }
}

/// The line with words in place of code and quotes. What does not end on its line is no quote.
fn without_quotes(line: &str) -> String {
    const PAIRS: [(char, char, &str); 5] = [
        ('`', '`', CODE),
        ('"', '"', QUOTE),
        ('“', '”', QUOTE),
        ('「', '」', QUOTE),
        ('『', '』', QUOTE),
    ];
    let mut kept = String::with_capacity(line.len());
    let mut rest = line;
    while let Some(first) = rest.chars().next() {
        let after = &rest[first.len_utf8()..];
        let pair = PAIRS.iter().find(|(open, _, _)| *open == first);
        let end = pair.and_then(|(_, close, word)| Some((after.find(*close)?, close, word)));
        if let Some((end, close, word)) = end {
            kept.push_str(word);
            rest = &after[end + close.len_utf8()..];
        } else {
            if first != '*' {
                kept.push(first);
            }
            rest = after;
        }
    }
    kept
}

/// At full stops that end a sentence, and at semicolons.
fn split(line: &str) -> Vec<String> {
    let mut found = vec![String::new()];
    let mut chars = line.chars().peekable();
    while let Some(c) = chars.next() {
        if let Some(last) = found.last_mut() {
            last.push(c);
        }
        let is_end = match c {
            '。' | '！' | '？' | ';' => true,
            '.' | '!' | '?' | '🎉' | '✨' | '🚀' | '👍' => {
                chars.peek().is_none_or(|next| next.is_whitespace())
            }
            _ => false,
        };
        if is_end {
            found.push(String::new());
        }
    }
    found
}
