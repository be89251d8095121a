//! The fields of an entry in `learnings.md`: their names, and the parsing of lines with several
//! fields.

use super::quoting;

/// A field of an entry in `learnings.md`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Key {
    /// The subject area of the learning.
    Category,
    /// The audience of the learning.
    Scope,
    /// The confidence in the learning.
    Confidence,
    /// The criteria by which the learning is worth keeping.
    Criteria,
    /// Tags by which searches find the learning.
    Tags,
    /// Files that the learning is about.
    Files,
    /// Names in code that the learning is about.
    Symbols,
    /// Learnings that the learning replaces.
    Supersedes,
    /// The time when the learning was made.
    Created,
    /// The session that made the learning.
    Session,
    /// The ticket that the session worked on.
    Ticket,
    /// The log records that the learning was drawn from.
    Events,
    /// The commit that was checked out when the learning was made.
    Commit,
    /// The learning's id.
    Id,
}

/// The names of each field. The first name is written; all names are parsed.
const NAMES: &[(&str, Key)] = &[
    ("category", Key::Category),
    ("scope", Key::Scope),
    ("confidence", Key::Confidence),
    ("criteria", Key::Criteria),
    ("criteria_met", Key::Criteria),
    ("tags", Key::Tags),
    ("files", Key::Files),
    ("context_files", Key::Files),
    ("symbols", Key::Symbols),
    ("supersedes", Key::Supersedes),
    ("created", Key::Created),
    ("timestamp", Key::Created),
    ("session", Key::Session),
    ("session_id", Key::Session),
    ("ticket", Key::Ticket),
    ("ticket_id", Key::Ticket),
    ("events", Key::Events),
    ("commit", Key::Commit),
    ("id", Key::Id),
];

impl Key {
    pub(super) fn name(self) -> &'static str {
        NAMES.iter().find(|(_, key)| *key == self).map_or("", |(name, _)| name)
    }

    fn read(name: &str) -> Option<Self> {
        let name = name.trim().trim_matches('*').trim();
        let plain = |byte: u8| if b"- ".contains(&byte) { b'_' } else { byte.to_ascii_lowercase() };
        let is_same = |known: &str| known.bytes().eq(name.bytes().map(plain));
        NAMES.iter().find(|(known, _)| is_same(known)).map(|(_, key)| *key)
    }
}

/// Parses the fields of a line such as `- category: pitfall | tags: a, b`. Returns nothing if the
/// line has no fields.
pub(super) fn fields(line: &str) -> Vec<(Key, &str)> {
    let line = line.trim();
    let line = line.strip_prefix("- ").or_else(|| line.strip_prefix("* ")).unwrap_or(line);
    let mut fields = Vec::new();
    let mut rest = Some(line);
    while let Some((key, behind)) = rest.and_then(key_at_start) {
        let end = next_field(behind);
        fields.push((key, behind[..end].trim()));
        rest = behind[end..].strip_prefix('|');
    }
    fields
}

/// Parses a field name and a colon at the start of a text. Returns the field and the rest of the
/// text. The name may be in bold.
fn key_at_start(text: &str) -> Option<(Key, &str)> {
    let (name, value) = text.split_once(':')?;
    let value = value.strip_prefix("**").unwrap_or(value);
    Some((Key::read(name)?, value))
}

/// The position at which the next field begins: a `|` before a field name, outside of JSON strings.
fn next_field(text: &str) -> usize {
    let mut at = 0;
    let mut may_begin_item = true;
    while let Some(next) = text[at..].chars().next() {
        if may_begin_item
            && next == '"'
            && let Some((_, length)) = quoting::string(&text[at..])
        {
            at += length;
            may_begin_item = false;
            continue;
        }
        if next == '|' && key_at_start(&text[at + 1..]).is_some() {
            return at;
        }
        may_begin_item = next == ',' || (may_begin_item && next.is_whitespace());
        at += next.len_utf8();
    }
    at
}
