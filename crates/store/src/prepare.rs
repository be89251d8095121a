//! Prepares records for writing: redacts the secrets in all texts of a record.

use verger_event::Draft;
use verger_event::stored::{EncodeError, event_from, payload_json};

/// A function that redacts the secrets in a text. It returns `None` if the text has no secrets.
pub type Redact<'a> = &'a dyn Fn(&str) -> Option<String>;

/// Maximum size of a path or name in the envelope of a record, including JSON escapes. With this
/// limit, every envelope fits into a line.
const MAX_ENVELOPE_TEXT_BYTES: usize = 4096;
/// Maximum size of the names of all readers of a record together.
const MAX_READERS_BYTES: usize = 8192;
const CUT: &str = "[cut]";

/// A record in the form in which it is written, with its secrets redacted.
#[derive(Debug, Clone, PartialEq)]
pub struct Prepared {
    /// The record, with its secrets redacted.
    pub draft: Draft,
    /// The payload of the event as JSON text, with its secrets redacted.
    pub payload: String,
}

/// Redacts the secrets in a record.
///
/// The event is decoded from its redacted text. So folding the event now and folding it from the
/// log later give the same state.
pub fn prepare(mut draft: Draft, redact: Redact<'_>) -> Result<Prepared, EncodeError> {
    for text in draft.envelope_texts() {
        // Secrets are redacted before the text is cut, because a part of a secret would not be
        // recognized.
        if let Some(clean) = redact(text) {
            *text = clean;
        }
        cut(text);
    }
    let mut room = MAX_READERS_BYTES;
    // Readers are removed if their names exceed the limit. So fewer people may read the record than
    // intended, but never more.
    draft.access.readers.retain(|reader| {
        let rest = room.checked_sub(escaped_bytes(reader));
        room = rest.unwrap_or_default();
        rest.is_some()
    });
    let mut payload = payload_json(&draft.event).map_err(EncodeError::Payload)?;
    if let Some(clean) = redact(&payload) {
        draft.event = event_from(draft.event.kind(), &clean);
        payload = clean;
    }
    Ok(Prepared { draft, payload })
}

fn cut(text: &mut String) {
    let mut room = MAX_ENVELOPE_TEXT_BYTES;
    for (at, c) in text.char_indices() {
        let Some(rest) = room.checked_sub(escaped(c)) else {
            text.truncate(at);
            text.push_str(CUT);
            return;
        };
        room = rest;
    }
}

fn escaped_bytes(text: &str) -> usize {
    text.chars().map(escaped).sum()
}

/// The number of bytes that a character needs in a JSON string.
fn escaped(c: char) -> usize {
    match c {
        '"' | '\\' | '\n' | '\r' | '\t' | '\u{8}' | '\u{c}' => 2,
        '\0'..='\u{1f}' => 6,
        _ => c.len_utf8(),
    }
}

#[cfg(all(test, feature = "conformance"))]
mod tests {
    use serde_json::json;
    use verger_event::Actor;
    use verger_event::stored::{Body, MAX_LINE_BYTES, encode};

    use super::*;
    use crate::conformance::{SECRET, draft, key, tool};

    #[test]
    fn a_text_is_cut_by_the_room_that_it_takes_in_the_line() {
        let cases = [
            ("x".repeat(4096), "x".repeat(4096)),
            ("x".repeat(4097), "x".repeat(4096) + CUT),
            ("\"".repeat(4096), "\"".repeat(2048) + CUT),
            ("\u{1}".repeat(4096), "\u{1}".repeat(682) + CUT),
            ("é".repeat(2049), "é".repeat(2048) + CUT),
        ];
        for (before, after) in cases {
            let mut text = before;
            cut(&mut text);
            assert_eq!(text, after);
        }
    }

    #[test]
    fn the_envelope_fits_into_a_line_whatever_comes_from_outside() {
        let hostile = || "\u{1}\"é".repeat(10_000);
        let mut draft = draft(&key(&hostile()), tool("t", json!(null)));
        draft.origin.agent_version = Some(hostile());
        draft.origin.user = Some(hostile());
        draft.origin.role = Some(hostile());
        draft.origin.actor =
            Actor::Subagent { id: verger_event::SubagentId::new(hostile()), agent_type: hostile() };
        draft.origin.circumstance.cwd = Some(hostile());
        draft.origin.circumstance.prompt = Some(verger_event::PromptId::new(hostile()));
        draft.origin.circumstance.permission_mode = Some(hostile());
        draft.origin.circumstance.effort = Some(hostile());
        draft.access.readers = vec![hostile(); 100];
        let grows = |text: &str| Some(text.replace('é', "[redacted:kind:01234567]"));
        let prepared = prepare(draft, &grows).unwrap();
        let line = encode(&prepared.draft, u64::MAX, None, &Body::Inline("null".into())).unwrap();
        assert!(line.len() < MAX_LINE_BYTES - 1024, "{} bytes", line.len());
    }

    #[test]
    fn a_secret_that_the_cut_would_halve_is_taken_out_whole() {
        let mut draft = draft(&key("s"), tool("t", json!(null)));
        draft.origin.user = Some("x".repeat(4090) + SECRET);
        let redact = |text: &str| text.contains(SECRET).then(|| text.replace(SECRET, "[redacted]"));
        let prepared = prepare(draft, &redact).unwrap();
        assert_eq!(prepared.draft.origin.user, Some("x".repeat(4090) + "[redac" + CUT));
    }
}
