//! The fields of an entry: their names, and lines with several fields.

use super::quoting;

/// A field of an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Key {
    /// The subject area.
    Category,
    /// The audience.
    Scope,
    /// The confidence.
    Confidence,
    /// The reasons to keep it.
    Criteria,
    /// Words for searching.
    Tags,
    /// Files that it is about.
    Files,
    /// Names in code that it is about.
    Symbols,
    /// Learnings that it replaces.
    Supersedes,
    /// The time when it was made.
    Created,
    /// The session.
    Session,
    /// The ticket.
    Ticket,
    /// The records that it was drawn from.
    Events,
    /// The commit.
    Commit,
    /// Its id.
    Id,
}

/// The names of each field. The first name is used for writing; all are parsed.
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

/// Parses a line such as `- category: pitfall | tags: a, b`. Empty if the line has no fields.
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

/// The key at the start of a text, followed by a colon. The key may be in bold.
fn key_at_start(text: &str) -> Option<(Key, &str)> {
    let (name, value) = text.split_once(':')?;
    let value = value.strip_prefix("**").unwrap_or(value);
    Some((Key::read(name)?, value))
}

/// The index of the next field: a `|` before a key, outside of JSON strings.
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
