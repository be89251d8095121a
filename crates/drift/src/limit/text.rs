//! The parts of a person's words in which limits are looked for.

use crate::paths::{self, PathPattern};
use crate::phrases::contains_any;

/// Longer texts are plans or pasted.
const MAX_CHARS: usize = 2_000;
/// Longer prompts are not looked at, however much of them is code.
const MAX_BYTES: usize = 64 * 1024;
/// Longer texts in angle brackets are no tags.
const MAX_TAG: usize = 200;
/// A line of this length that ends without a mark goes on in the next one.
const WRAPPED: usize = 60;

/// The paragraphs, list items and lines that a person typed, one after another. Fenced code, quoted lines and
/// tables are left out, and so is everything from the first heading on. A long text has none.
pub(super) fn typed_blocks(words: &str) -> Vec<String> {
    let mut blocks: Vec<String> = vec![];
    if words.len() > MAX_BYTES {
        return blocks;
    }
    let mut is_code = false;
    let mut goes_on = false;
    for line in without_tags(words).lines() {
        let line = line.trim();
        if line.starts_with("```") || line.starts_with("~~~") {
            is_code = !is_code;
            goes_on = false;
            continue;
        }
        if is_code || line.is_empty() || line.starts_with(['>', '|', '❯', '$']) {
            goes_on = false;
            continue;
        }
        if is_heading(line) {
            break;
        }
        let item = list_item(line);
        match blocks.last_mut().filter(|_| goes_on && item.is_none()) {
            Some(block) => {
                block.push(' ');
                block.push_str(line);
            }
            None => blocks.push(item.unwrap_or(line).to_owned()),
        }
        goes_on = line.chars().count() >= WRAPPED
            && !line.ends_with(['.', '!', '?', ':', ';', '。', '！', '？']);
    }
    for block in blocks.iter_mut().filter(|block| !contains_any(block, "**/|/**")) {
        *block = block.replace("**", "");
    }
    let length: usize = blocks.iter().map(|block| block.chars().count()).sum();
    if length > MAX_CHARS { vec![] } else { blocks }
}

/// Lines that head a part of a document.
fn is_heading(line: &str) -> bool {
    let hashes = line.trim_start_matches('#');
    let is_rule = line.len() >= 3 && line.chars().all(|c| "-=_*─━".contains(c));
    (hashes.len() < line.len() && hashes.starts_with(' ')) || line.starts_with("**") || is_rule
}

/// The text of a list item.
fn list_item(line: &str) -> Option<&str> {
    if let Some(rest) = ["- ", "* ", "• ", "・"].iter().find_map(|mark| line.strip_prefix(mark))
    {
        return Some(rest.trim_start());
    }
    let rest = line.trim_start_matches(|c: char| c.is_ascii_digit());
    let is_numbered = rest.len() < line.len() && line.len() - rest.len() <= 2;
    let rest = rest.strip_prefix(". ").or_else(|| rest.strip_prefix(") "))?;
    is_numbered.then(|| rest.trim_start())
}

/// The text with every tag such as `<task>` replaced by the end of a line.
fn without_tags(words: &str) -> String {
    let mut kept = String::with_capacity(words.len());
    let mut rest = words;
    while let Some(at) = rest.find('<') {
        let (before, from) = rest.split_at(at);
        kept.push_str(before);
        let end = from.bytes().take(MAX_TAG).position(|b| matches!(b, b'>' | b'\n'));
        let end = end.filter(|end| from[*end..].starts_with('>'));
        let name = end.map(|end| from[1..end].trim_start_matches('/'));
        let is_tag = name.is_some_and(|name| name.starts_with(|c: char| c.is_ascii_lowercase()));
        let (sign, length) = end.filter(|_| is_tag).map_or(('<', 1), |end| ('\n', end + 1));
        kept.push(sign);
        rest = &from[length..];
    }
    kept.push_str(rest);
    kept
}

const WRITING: &str = " write | write-up | put | save | record | document | summarize | report to ";
const WRITING_JAPANESE: &str = "置いて|書いて|まとめて|保存して|出力して";

/// The paths that the person asks to write: those behind a verb of writing in the same sentence.
pub(super) fn written_paths(block: &str, root: Option<&str>) -> Vec<PathPattern> {
    let sentences = block.split_inclusive(". ").flat_map(|part| part.split(['。', '!', '?', '？']));
    let writing = sentences.filter_map(|sentence| {
        // The space before the first word keeps "output" from being "put".
        let lower = format!(" {}", sentence.to_ascii_lowercase());
        match WRITING.split('|').filter_map(|verb| lower.find(verb)).min() {
            Some(at) => (!contains_any(&lower, "n't|not |never ")).then(|| &sentence[at..]),
            None => contains_any(sentence, WRITING_JAPANESE).then_some(sentence),
        }
    });
    let paths = writing.flat_map(|text| paths::named_in(text, root));
    paths.map(|path| PathPattern::new(&path)).collect()
}

/// A word or a mark of an English sentence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Token {
    /// In small letters beside it, because verbs are looked up and paths are not.
    Word { text: String, lower: String },
    /// A text in backticks.
    Code(String),
    /// A text in quotes that is more than one word.
    Quote,
    /// One of `,;:-()`.
    Mark(char),
}

impl Token {
    fn word(text: &str) -> Self {
        let text = text.replace('’', "'");
        let lower = text.to_lowercase();
        Self::Word { text, lower }
    }

    /// A word in small letters; nothing for everything else.
    pub(super) fn lower(&self) -> &str {
        match self {
            Self::Word { lower, .. } => lower,
            _ => "",
        }
    }

    /// A word or a text in backticks.
    pub(super) fn text(&self) -> Option<&str> {
        match self {
            Self::Word { text, .. } | Self::Code(text) => Some(text),
            Self::Quote | Self::Mark(_) => None,
        }
    }

    pub(super) fn is_mark(&self) -> bool {
        matches!(self, Self::Mark(_))
    }
}

/// The sentences of a block that are no questions. A dot within a word, as in `README.md`, ends none.
pub(super) fn sentences(block: &str) -> Vec<Vec<Token>> {
    let mut found = vec![];
    let mut tokens: Vec<Token> = vec![];
    let mut rest = block;
    while let Some(first) = rest.chars().next() {
        let after = &rest[first.len_utf8()..];
        if first.is_whitespace() {
            rest = after;
        } else if let Some((inside, behind)) = quoted(first, after) {
            tokens.push(match first {
                '`' => Token::Code(inside.trim().to_owned()),
                _ if inside.contains(char::is_whitespace) => Token::Quote,
                _ => Token::word(inside.trim_end_matches(['.', ','])),
            });
            rest = behind;
        } else if ",;:()—–".contains(first) {
            tokens.push(Token::Mark(if "—–".contains(first) { '-' } else { first }));
            rest = after;
        } else {
            let is_end = |c: char| c.is_whitespace() || ",;()—–`\"“”".contains(c);
            let end = rest.find(is_end).unwrap_or(rest.len()).max(first.len_utf8());
            let (text, behind) = rest.split_at(end);
            rest = behind;
            let word = text.trim_end_matches(['.', '!', '?', '…', ':']);
            let marks = &text[word.len()..];
            let plain = word.trim_matches(['"', '“', '”', '`']);
            if matches!(word, "-" | "--" | "->" | "=>" | "→" | "+") {
                tokens.push(Token::Mark('-'));
            } else if !plain.is_empty() {
                tokens.push(Token::word(plain));
            }
            let is_short = matches!(word, "e.g" | "i.e" | "etc" | "vs" | "eg" | "ie");
            if marks == ":" {
                tokens.push(Token::Mark(':'));
            } else if !marks.is_empty() && (!is_short || marks.contains('?')) {
                let sentence = std::mem::take(&mut tokens);
                if !marks.contains('?') {
                    found.push(sentence);
                }
            }
        }
    }
    found.push(tokens);
    found.retain(|sentence| !sentence.is_empty());
    found
}

/// A quote that begins with this sign: its inside, and the rest of the text.
fn quoted(first: char, after: &str) -> Option<(&str, &str)> {
    let close = match first {
        '`' | '"' | '\'' => first,
        '“' => '”',
        _ => return None,
    };
    // An apostrophe within a word closes nothing.
    let is_apostrophe = |at: usize| at == 0 || after[at + 1..].starts_with(char::is_alphanumeric);
    let mut ends = after.match_indices(close).map(|(at, _)| at);
    let at = ends.find(|at| close != '\'' || !is_apostrophe(*at))?;
    Some((&after[..at], &after[at + close.len_utf8()..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_typed_text_is_looked_at() {
        let cases = [
            ("fix it\ndon't push", vec!["fix it", "don't push"]),
            ("- one\n2. two\n* three", vec!["one", "two", "three"]),
            ("see:\n```\ndon't push\n```\nok", vec!["see:", "ok"]),
            ("> never push\nwhy?", vec!["why?"]),
            ("Implement it:\n# Plan\nDo not push", vec!["Implement it:"]),
            ("do\n**Rules** x\nDo not push", vec!["do"]),
            ("<task>Do it.</task> a < b", vec!["Do it.", "a < b"]),
            (
                "this line is wrapped by an editor because it is too long and\ndon't push is part of it",
                vec![
                    "this line is wrapped by an editor because it is too long and don't push is part of it",
                ],
            ),
        ];
        for (words, blocks) in cases {
            assert_eq!(typed_blocks(words), blocks, "{words}");
        }
        assert_eq!(typed_blocks(&"word ".repeat(500)), Vec::<String>::new());
    }

    #[test]
    fn sentences_end_at_marks_and_not_in_names() {
        let written = |block: &str| -> Vec<String> {
            let token = |token: &Token| match token {
                Token::Word { text, .. } => text.clone(),
                Token::Code(text) => format!("`{text}`"),
                Token::Quote => "QUOTE".to_owned(),
                Token::Mark(mark) => mark.to_string(),
            };
            let sentence =
                |tokens: &Vec<Token>| tokens.iter().map(token).collect::<Vec<_>>().join(" ");
            sentences(block).iter().map(sentence).collect()
        };
        let cases = [
            ("Edit README.md. Don’t push!!", vec!["Edit README.md", "Don't push"]),
            ("Use `a b`, \"x y\" and \"z\". Or c?", vec!["Use `a b` , QUOTE and z"]),
            ("e.g. this: one—two", vec!["e.g this : one - two"]),
            ("it's 'a.rs' and 'b c' (d)", vec!["it's a.rs and QUOTE ( d )"]),
            ("an \"open quote", vec!["an open quote"]),
        ];
        for (block, expected) in cases {
            assert_eq!(written(block), expected, "{block}");
        }
    }
}
