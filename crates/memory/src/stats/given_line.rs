//! A fast parser for the most frequent statistics line: an agent was given a learning. It takes a
//! tenth of the time of the JSON parser. This matters because the file grows with every session and
//! hooks read it. The JSON parser reads lines of any other form.

use verger_event::{SessionId, Timestamp};

use super::line::{StatsEvent, StatsLine};

/// Parses a line that says that an agent was given a learning. Returns `None` for any other line or
/// spelling.
pub(super) fn read(text: &str) -> Option<StatsLine> {
    let mut rest = Rest(text);
    rest.skip(r#"{"at":"#)?;
    let at = Timestamp::from_millis(rest.number()?);
    rest.skip(r#","event":"surfaced","id":"#)?;
    let id = rest.text()?.parse().ok()?;
    rest.skip(r#","learning":"#)?;
    let learning = rest.text()?.parse().ok()?;
    let score = rest.skip(r#","score":"#).map(|()| rest.number());
    let score = if let Some(score) = score { Some(score?) } else { None };
    let session = rest.skip(r#","session":"#).map(|()| rest.text());
    let session = if let Some(session) = session { Some(SessionId::new(session?)) } else { None };
    let mut tickets = vec![];
    if rest.skip(r#","tickets":["#).is_some() {
        tickets.push(rest.text()?.to_owned());
        while rest.skip(",").is_some() {
            tickets.push(rest.text()?.to_owned());
        }
        rest.skip("]")?;
    }
    rest.skip(r#","v":1}"#)?;
    let event = StatsEvent::Surfaced { learning, score };
    rest.0.is_empty().then_some(StatsLine { id, at, session, tickets, event })
}

/// The unparsed rest of a line.
struct Rest<'a>(&'a str);

impl<'a> Rest<'a> {
    fn skip(&mut self, expected: &str) -> Option<()> {
        self.0 = self.0.strip_prefix(expected)?;
        Some(())
    }

    fn number(&mut self) -> Option<u64> {
        let end = self.0.bytes().position(|byte| !byte.is_ascii_digit())?;
        let (digits, rest) = self.0.split_at(end);
        self.0 = rest;
        let is_plain = digits == "0" || !digits.starts_with('0');
        digits.parse().ok().filter(|_| is_plain)
    }

    /// Reads a string without escapes.
    fn text(&mut self) -> Option<&'a str> {
        self.skip("\"")?;
        let end = self.0.bytes().position(|byte| matches!(byte, b'"' | b'\\' | 0..0x20))?;
        let (text, rest) = self.0.split_at(end);
        self.0 = rest.strip_prefix('"')?;
        Some(text)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::line::render;
    use super::super::parsing::read_json;
    use super::super::samples::{all_kinds, any_line};
    use super::*;

    /// Whether the fast parser gives the same result as the JSON parser, or no result.
    fn agree(text: &str) -> bool {
        read(text).is_none_or(|line| read_json(text) == Ok(Some(line)))
    }

    #[test]
    fn a_given_learning_is_read_as_it_is_written() {
        let lines = all_kinds();
        let given = |line: &&StatsLine| matches!(line.event, StatsEvent::Surfaced { .. });
        let given: Vec<_> = lines.iter().filter(given).cloned().collect();
        assert_ne!(given, []);
        let read = render(&given).lines().map(read).collect::<Option<Vec<_>>>();
        assert_eq!(read, Some(given));
    }

    proptest! {
        #[test]
        fn it_is_never_read_as_something_else(
            line in any_line(),
            at in any::<prop::sample::Index>(),
            other in "[\\x00-\\x7f]{0,2}",
        ) {
            let text = render(std::slice::from_ref(&line));
            let text = text.trim_end();
            prop_assert!(agree(text), "{}", text);
            let at = at.index(text.len());
            if text.is_char_boundary(at) && text.is_char_boundary(at + 1) {
                let changed = [&text[..at], &other, &text[at + 1..]].concat();
                prop_assert!(agree(&changed), "{}", changed);
            }
        }
    }
}
