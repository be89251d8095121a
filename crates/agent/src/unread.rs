//! Keeps a payload that is not valid JSON as text, in the session that it probably belongs to.

use serde_json::json;
use verger_event::{Actor, Circumstance, Event, SessionId};

use crate::payload::Payload;
use crate::spec::HookEvent;
use crate::{Malformed, Observed};

/// The session id for payloads of an unknown session.
pub(crate) const UNATTRIBUTED: &str = "unattributed";

const MAX_TEXT_BYTES: usize = 32 * 1024;

/// Maximum number of bytes that are searched for a session id. Programs send the id first.
const MAX_SEARCHED_BYTES: usize = 4 * 1024;

const MAX_FOUND_BYTES: usize = 64;

/// The payload as text, cut to the maximum size in a record.
pub(crate) fn unread(event_name: &str, payload: &[u8]) -> Event {
    // A character has at most four bytes, so three extra bytes are enough: a character that is
    // cut here is removed below.
    let head = &payload[..payload.len().min(MAX_TEXT_BYTES + 3)];
    let mut text = String::from_utf8_lossy(head).into_owned();
    let mut end = text.len().min(MAX_TEXT_BYTES);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    text.truncate(end);
    Event::Unknown {
        kind: "payload.unread".to_owned(),
        payload: json!({ "event": event_name, "bytes": payload.len(), "text": text }),
    }
}

/// The keys by which programs name the session.
const SESSION_KEYS: &[&[u8]] = &[b"session_id", b"sessionId"];

/// The value of the outermost object's session id, if it looks like an id.
///
/// Nested values come from the agent's work, which may name any session.
pub(crate) fn session_in(payload: &[u8]) -> Option<&str> {
    let mut rest = &payload[..payload.len().min(MAX_SEARCHED_BYTES)];
    let mut depth = 0_usize;
    while let Some((byte, after)) = rest.split_first() {
        rest = after;
        match byte {
            b'{' | b'[' => depth += 1,
            b'}' | b']' => depth = depth.saturating_sub(1),
            b'"' => {
                let (text, after) = split_string(rest)?;
                rest = after;
                if let Some(value) = string_value(rest)
                    && depth == 1
                    && SESSION_KEYS.contains(&text)
                {
                    return plain_id(split_string(value)?.0);
                }
            }
            _ => {}
        }
    }
    None
}

/// Where a payload comes from: what every event of an agent tells.
pub(crate) struct Place {
    pub(crate) session: SessionId,
    pub(crate) actor: Actor,
    pub(crate) circumstance: Circumstance,
}

impl Place {
    /// The event, observed in this place.
    pub(crate) fn observe(self, event: Event) -> Observed {
        let Self { session, actor, circumstance } = self;
        Observed { session, actor, circumstance, event }
    }
}

/// Reads the place of a payload whose other fields may be malformed.
pub(crate) type ReadPlace = fn(&Payload<'_>) -> Result<Place, Malformed>;

/// The payload as text, in its place, or else in the session that it seems to belong to.
pub(crate) fn salvaged(event: &HookEvent, payload: &[u8], place: ReadPlace) -> Observed {
    let read = Payload::new(event.name, payload).and_then(|payload| place(&payload));
    // The decoder already reported the fault.
    let place = read.unwrap_or_else(|_| Place {
        session: SessionId::new(session_in(payload).unwrap_or(UNATTRIBUTED)),
        actor: Actor::Main { agent_type: None },
        circumstance: Circumstance::default(),
    });
    place.observe(unread(event.name, payload))
}

/// The text after the opening quote of the string value, after its key was parsed.
fn string_value(after_key: &[u8]) -> Option<&[u8]> {
    let value = after_key.trim_ascii_start().strip_prefix(b":")?;
    value.trim_ascii_start().strip_prefix(b"\"")
}

/// The content of a string and the text after it. `text` starts after the opening quote.
fn split_string(text: &[u8]) -> Option<(&[u8], &[u8])> {
    let mut at = 0;
    loop {
        match text.get(at)? {
            b'"' => return Some((&text[..at], &text[at + 1..])),
            b'\\' => at += 2,
            _ => at += 1,
        }
    }
}

fn plain_id(text: &[u8]) -> Option<&str> {
    let is_plain = (1..=MAX_FOUND_BYTES).contains(&text.len())
        && text.iter().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_'));
    // Plain ASCII is always valid UTF-8.
    std::str::from_utf8(text).ok().filter(|_| is_plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(payload: &[u8], session: Option<&str>) {
        assert_eq!(session_in(payload), session, "{}", String::from_utf8_lossy(payload));
    }

    #[test]
    fn the_session_is_found_in_a_broken_text() {
        check(br#"{"session_id":"a-B_9","cwd":"/ho"#, Some("a-B_9"));
        check(b"\xef\xbb\xbf{ \"session_id\"\n:\t\"s\"", Some("s"));
        check(b"{\"x\":\"\xff\",\"session_id\":\"s\"}", Some("s"));
        check(br#"{"x":"session_id","y":{"session_id":"t"},"z":[1e400],"session_id":"s"#, None);
        check(
            br#"{"x":"session_id","y":{"session_id":"t"},"z":[1e400],"session_id":"s""#,
            Some("s"),
        );
        check(br#"{"prompt":"\"session_id\":\"t\"","session_id":"s"}"#, Some("s"));
    }

    #[test]
    fn only_a_plain_id_of_the_outermost_object_is_the_session() {
        check(b"", None);
        check(b"\"", None);
        check(b"\"\\", None);
        check(br#""session_id":"s""#, None);
        check(br#"{"session_id":""}"#, None);
        check(br#"{"session_id":7}"#, None);
        check(br#"{"session_id":"../s"}"#, None);
        check(br#"{"session_id":"s\u0031"}"#, None);
        check(br#"{"tool_input":{"session_id":"s"}}"#, None);
        check(br#"[[{"session_id":"s"}]]"#, None);
        check(format!(r#"{{"session_id":"{}"}}"#, "x".repeat(65)).as_bytes(), None);
        check(format!(r#"{{{}"session_id":"s"}}"#, " ".repeat(4096)).as_bytes(), None);
    }

    #[test]
    fn a_long_text_is_cut_between_two_characters() {
        for (payload, kept) in [
            ("é".repeat(20_000), "é".repeat(16_384)),
            (format!("x{}", "é".repeat(20_000)), format!("x{}", "é".repeat(16_383))),
            (format!("x{}", "😀".repeat(8_192)), format!("x{}", "😀".repeat(8_191))),
            ("x".repeat(32 * 1024), "x".repeat(32 * 1024)),
        ] {
            let Event::Unknown { kind, payload: found } = unread("Stop", payload.as_bytes()) else {
                panic!("a known event");
            };
            assert_eq!(kind, "payload.unread");
            assert_eq!(found, json!({ "event": "Stop", "bytes": payload.len(), "text": kept }));
        }
    }
}
