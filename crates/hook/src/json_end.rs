//! Finds the end of a stream's first JSON value while the data arrives.
//!
//! Some agents don't close the pipe, so the hook can't wait for the end of the stream. This code
//! only tracks strings and brackets. The parser decides later whether the value is valid.

/// Tracks the strings and brackets of one JSON value.
#[derive(Debug, Default)]
pub(crate) struct JsonEnd {
    state: State,
    depth: u64,
}

#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
enum State {
    /// Only white space or a byte order mark was read so far.
    #[default]
    Before,
    /// Inside brackets, outside strings.
    Between,
    InString,
    AfterBackslash,
    /// Inside a number or word at the top level. It ends with white space or with the stream.
    InWord,
}

const BYTE_ORDER_MARK: [u8; 3] = [0xef, 0xbb, 0xbf];

impl JsonEnd {
    /// Reads the next bytes. When the value is complete, returns how many of these bytes belong
    /// to it.
    pub(crate) fn push(&mut self, bytes: &[u8]) -> Option<usize> {
        bytes.iter().position(|&byte| self.ends_after(byte)).map(|at| at + 1)
    }

    fn ends_after(&mut self, byte: u8) -> bool {
        self.state = match (self.state, byte) {
            (State::Before, b' ' | b'\t' | b'\n' | b'\r') => State::Before,
            (State::Before, byte) if BYTE_ORDER_MARK.contains(&byte) => State::Before,
            (State::InWord, b' ' | b'\t' | b'\n' | b'\r') => return true,
            (State::Before | State::Between, b'"') => State::InString,
            (State::Before | State::Between, b'{' | b'[') => {
                self.depth += 1;
                State::Between
            }
            (State::Before | State::Between, b'}' | b']') => {
                self.depth = self.depth.saturating_sub(1);
                if self.depth == 0 {
                    return true;
                }
                State::Between
            }
            (State::Before | State::InWord, _) => State::InWord,
            (State::InString, b'\\') => State::AfterBackslash,
            (State::InString, b'"') if self.depth == 0 => return true,
            (State::Between, _) | (State::InString, b'"') => State::Between,
            (State::InString | State::AfterBackslash, _) => State::InString,
        };
        false
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::Value;

    use super::*;

    #[track_caller]
    fn check(stream: &str, value: Option<&str>) {
        let whole = JsonEnd::default().push(stream.as_bytes()).map(|end| &stream[..end]);
        assert_eq!(whole, value);
        let mut end = JsonEnd::default();
        let drip = (0..stream.len()).find(|&at| end.push(&stream.as_bytes()[at..=at]).is_some());
        assert_eq!(drip.map(|at| &stream[..=at]), value, "byte by byte");
    }

    #[test]
    fn a_value_is_complete_with_its_last_byte() {
        check(r#"{"a":1}"#, Some(r#"{"a":1}"#));
        check(r#"  {"a":[{}]} {"b":2}"#, Some(r#"  {"a":[{}]}"#));
        check(r#"{"a":"}\"]"}x"#, Some(r#"{"a":"}\"]"}"#));
        check(r#"{"a":"\\"}x"#, Some(r#"{"a":"\\"}"#));
        check("\u{feff}{}", Some("\u{feff}{}"));
        check(r#""text" "#, Some(r#""text""#));
        check("null ", Some("null "));
        check("]", Some("]"));
    }

    #[test]
    fn a_value_that_goes_on_is_not_complete() {
        check("", None);
        check(" \n", None);
        check(r#"{"a":1"#, None);
        check(r#"{"a":"}"#, None);
        check(r#"{"a":"\"}"#, None);
        check("12", None);
    }

    proptest! {
        #[test]
        fn any_object_is_found_whatever_follows(key: String, text: String, rest: Vec<u8>) {
            let value = serde_json::json!({ key: [text, { "deep": [1, "]}"] }] }).to_string();
            let stream = [value.as_bytes(), &rest].concat();
            prop_assert_eq!(JsonEnd::default().push(&stream), Some(value.len()));
            let parsed: Value = serde_json::from_slice(&stream[..value.len()]).unwrap();
            prop_assert!(parsed.is_object());
        }
    }
}
