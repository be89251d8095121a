//! Splits a message into statements, without code and quoted text.

use super::MARKER;

/// A statement of a message: one sentence, heading or list item.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Statement {
    /// The text of the statement in lower case. Code and quotations are replaced by placeholders.
    pub(super) text: String,
    pub(super) place: Place,
}

/// The position of a statement in the message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    /// The statement is in running text or in a heading.
    Text,
    /// The statement is in a list.
    Item,
}

/// The placeholder for inline code. With it, the structure of the sentence stays.
const CODE: &str = "code";
/// The placeholder for quoted text.
const QUOTE: &str = "quote";
/// The maximum number of bytes between the opening and the closing mark of code, a quotation or the
/// address of a link. Marks further apart are unrelated.
const MAX_SPAN_BYTES: usize = 400;

/// Splits a message into statements. Code blocks, block quotes, tables, JSON, markup and directives
/// are left out.
pub(super) fn statements(message: &str) -> Vec<Statement> {
    let mut statements = vec![];
    let mut fence: Option<&str> = None;
    for line in message.lines() {
        let line = line.trim();
        if let Some(mark) = fence {
            if line.starts_with(mark) {
                fence = None;
            }
            continue;
        }
        fence = ["```", "~~~"].into_iter().find(|mark| line.starts_with(mark));
        if fence.is_some() || line.starts_with(['>', '|', '{', '}', '<']) || line.starts_with("::")
        {
            continue;
        }
        let (line, place) = placed(line);
        let line = plain(line);
        for sentence in sentences(&line) {
            let is_decoration = |c: char| !c.is_alphanumeric() && c != '[';
            let text = sentence.trim().trim_start_matches(is_decoration).to_owned();
            if !text.is_empty() {
                statements.push(Statement { text, place });
            }
        }
    }
    statements
}

/// The text of a line without the marks of lists and headings, and the position of its statements.
fn placed(line: &str) -> (&str, Place) {
    let unnumbered = line.trim_start_matches(|c: char| c.is_ascii_digit());
    let numbered = [". ", ") "].into_iter().find_map(|mark| unnumbered.strip_prefix(mark));
    let numbered = numbered.filter(|_| unnumbered.len() < line.len());
    let bullets = ["- ", "* ", "+ ", "• ", "・"];
    match bullets.into_iter().find_map(|mark| line.strip_prefix(mark)).or(numbered) {
        Some(item) => (item, Place::Item),
        None => (line, Place::Text),
    }
}

/// The line in lower case, without emphasis and link addresses, with placeholders for code and
/// quotations.
fn plain(line: &str) -> String {
    let mut plain = String::with_capacity(line.len());
    let mut rest = line;
    while let Some(first) = rest.chars().next() {
        if let Some(after) = rest.strip_prefix(MARKER) {
            plain.push_str(MARKER);
            rest = after;
            continue;
        }
        let after = &rest[first.len_utf8()..];
        let closing = match first {
            '`' => Some(("`", CODE)),
            '"' => Some(("\"", QUOTE)),
            '“' => Some(("”", QUOTE)),
            '「' => Some(("」", QUOTE)),
            _ => None,
        };
        if let Some((close, stands_for)) = closing
            && let Some(end) = find_near(after, close)
        {
            plain.push_str(stands_for);
            rest = &after[end + close.len()..];
            continue;
        }
        if first == ']'
            && after.starts_with('(')
            && let Some(end) = find_near(after, ")")
        {
            rest = &after[end + 1..];
            continue;
        }
        match first {
            '*' | '[' => {}
            '’' => plain.push('\''),
            other => plain.extend(other.to_lowercase()),
        }
        rest = after;
    }
    plain
}

/// The offset of the closing mark within [`MAX_SPAN_BYTES`]. The limit keeps the time linear for a
/// line with many opening marks.
fn find_near(text: &str, close: &str) -> Option<usize> {
    text[..text.floor_char_boundary(MAX_SPAN_BYTES)].find(close)
}

/// Splits a line into sentences. A full stop ends a sentence if a space or the end of the line
/// follows.
fn sentences(line: &str) -> impl Iterator<Item = &str> {
    let mut rest = line;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let mut chars = rest.char_indices().peekable();
        while let Some((at, c)) = chars.next() {
            let is_end = match c {
                '。' | '！' | '？' => true,
                '.' | '!' | '?' => chars.peek().is_none_or(|(_, next)| next.is_whitespace()),
                _ => false,
            };
            if is_end {
                let (sentence, after) = rest.split_at(at + c.len_utf8());
                rest = after;
                return Some(sentence);
            }
        }
        Some(std::mem::take(&mut rest))
    })
}
