//! The fields of an entry: how they are called, and several of them in a line.

use super::quoting;

/// A field of an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Key {
    /// What it is about.
    Category,
    /// Whom it is for.
    Scope,
    /// How sure we are.
    Confidence,
    /// Why it is kept.
    Criteria,
    /// Words to find it by.
    Tags,
    /// Files it speaks of.
    Files,
    /// Names in code it speaks of.
    Symbols,
    /// Learnings it replaces.
    Supersedes,
    /// When it was made.
    Created,
    /// In which session.
    Session,
    /// For which ticket.
    Ticket,
    /// From which records.
    Events,
    /// At which commit.
    Commit,
    /// Its name.
    Id,
}

/// The first name of each is the one that is written.
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

/// The fields of a line such as `- category: pitfall | tags: a, b`; none if it is another line.
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

/// A key with its colon, also in bold letters.
fn key_at_start(text: &str) -> Option<(Key, &str)> {
    let (name, value) = text.split_once(':')?;
    let value = value.strip_prefix("**").unwrap_or(value);
    Some((Key::read(name)?, value))
}

/// Where the next field begins: at a `|` that a key follows, outside of JSON strings.
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
