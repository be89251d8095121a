//! Splits a person's words into the parts that are searched for limits.

use crate::paths;
use crate::phrases::contains_any;

/// The maximum number of characters that a person types. A longer text is a plan or was pasted, so
/// it is skipped.
const MAX_CHARS: usize = 2_000;
/// The maximum number of bytes of a prompt. A longer prompt is skipped, even if most of it is code.
const MAX_BYTES: usize = 64 * 1024;
/// The maximum number of bytes of a tag. A longer text in angle brackets isn't a tag.
const MAX_TAG: usize = 200;
/// The number of characters from which a line counts as wrapped. Without a mark at its end, such a
/// line continues in the next line.
const WRAPPED: usize = 60;

/// The paragraphs, list items and lines that a person typed. Leaves out fenced code, quoted lines,
/// tables, and everything after the first heading. Empty for a text that is too long.
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
        let text = line.trim_start_matches(|c: char| "-*•・.) ".contains(c) || c.is_ascii_digit());
        match blocks.last_mut().filter(|_| goes_on && text == line) {
            Some(block) => block.extend([" ", line]),
            None => blocks.push(text.to_owned()),
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

/// Whether a line is the heading of a section.
fn is_heading(line: &str) -> bool {
    let hashes = line.trim_start_matches('#');
    let is_rule = line.len() >= 3 && line.chars().all(|c| "-=_*─━".contains(c));
    (hashes.len() < line.len() && hashes.starts_with(' ')) || line.starts_with("**") || is_rule
}

/// The text with a line break in place of every tag such as `<task>`.
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

const WRITING: &str = " write | put | save | record | document | summarize | report to ";
const WRITING_JAPANESE: &str = "置いて|書いて|まとめて|保存して|出力して";

/// Whether the person asks for a file to be written: a sentence has a verb of writing and names a
/// path.
pub(super) fn asks_to_write(block: &str) -> bool {
    let mut sentences = block.split_inclusive(". ").flat_map(|part| part.split(['。', '!', '?']));
    sentences.any(|sentence| {
        // The space before the first word makes sure that "output" doesn't match " put".
        let lower = format!(" {}", sentence.to_ascii_lowercase());
        let is_negated = contains_any(&lower, "n't|not |never ");
        let is_english = contains_any(&lower, WRITING) && !is_negated;
        let writes = is_english || contains_any(sentence, WRITING_JAPANESE);
        writes && !paths::named_in(sentence, None).is_empty()
    })
}

/// The character that replaces a space in backticks, so that the code in them is one word.
pub(super) const IN_CODE: &str = "\u{a0}";

/// The sentences of a block without its questions. Each sentence is a list of words and of the
/// marks `,`, `:` and `-`.
pub(super) fn sentences(block: &str) -> Vec<Vec<String>> {
    let mut found = vec![];
    let mut words: Vec<String> = vec![];
    for text in plain(block).split_ascii_whitespace() {
        let text = if matches!(text, "--" | "->" | "→") { "-" } else { text };
        let (word, end) = text.split_at(text.trim_end_matches(['.', '!', '?', ';', '…']).len());
        let (name, mark) = word.split_at(word.trim_end_matches([',', ':']).len());
        words.extend([name, mark].into_iter().filter(|word| !word.is_empty()).map(str::to_owned));
        if !end.is_empty() {
            let sentence = std::mem::take(&mut words);
            found.extend((!end.contains('?')).then_some(sentence));
        }
    }
    found.push(words);
    found
}

/// The text without quotations and brackets. A quotation is replaced by a sign that isn't a word.
fn plain(block: &str) -> String {
    let mut plain = String::new();
    let mut rest = block;
    while let Some(at) = rest.find(['`', '"', '“', '(']) {
        let (before, from) = rest.split_at(at);
        plain.push_str(before);
        let mut chars = from.chars();
        let close = match chars.next() {
            Some('“') => '”',
            Some('(') => ')',
            Some(same) => same,
            None => break,
        };
        let Some((inside, after)) = chars.as_str().split_once(close) else {
            rest = chars.as_str();
            continue;
        };
        match close {
            '`' => plain.extend(["`", &inside.trim().replace(' ', IN_CODE), "`"]),
            ')' => {}
            _ => plain.push('"'),
        }
        rest = after;
    }
    plain.push_str(rest);
    plain.replace('’', "'").replace(['—', '–'], " - ")
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
            let found = sentences(block).into_iter().map(|words| words.join(" "));
            found.filter(|sentence| !sentence.is_empty()).collect()
        };
        let cases = [
            ("Edit README.md. Don’t push!!", vec!["Edit README.md", "Don't push"]),
            ("Use `a b`, \"x y\" and z. Or c?", vec!["Use `a\u{a0}b` , \" and z"]),
            ("note: this; one—two (three).", vec!["note : this", "one - two"]),
            ("an \"open quote", vec!["an open quote"]),
        ];
        for (block, expected) in cases {
            assert_eq!(written(block), expected, "{block}");
        }
    }
}
