//! A text for a command, from an argument or from standard input, of limited length.

use std::io::Read;

use crate::invocation::command_error::CommandError;

/// The maximum number of bytes of a UTF-8 character.
const MAX_CHAR_BYTES: usize = 4;

/// The name and the limit of a text.
pub(crate) struct TextInput {
    /// The name, such as `the note`.
    pub(crate) what: &'static str,
    pub(crate) max_chars: usize,
}

impl TextInput {
    /// Reads the argument, or standard input if the argument is missing or `-`.
    pub(crate) fn read(
        &self,
        argument: Option<&str>,
        input: impl Read,
    ) -> Result<String, CommandError> {
        match argument {
            None | Some("-") => self.checked(&self.input_text(input)?),
            Some(text) => self.checked(text),
        }
    }

    /// The text without surrounding white space. An error if it is empty or too long.
    pub(crate) fn checked(&self, text: &str) -> Result<String, CommandError> {
        let text = text.trim();
        if text.is_empty() {
            return Err(self.refused("is empty"));
        }
        if text.chars().nth(self.max_chars).is_some() {
            return Err(self.refused(&format!("has more than {} characters", self.max_chars)));
        }
        Ok(text.to_owned())
    }

    fn input_text(&self, input: impl Read) -> Result<String, CommandError> {
        // The limit leaves room for white space around the text.
        let max_bytes = 2 * self.max_chars * MAX_CHAR_BYTES;
        let mut bytes = vec![];
        input
            .take(max_bytes as u64 + 1)
            .read_to_end(&mut bytes)
            .map_err(|error| self.refused(&format!("cannot be read: {error}")))?;
        if bytes.len() > max_bytes {
            return Err(self.refused(&format!("has more than {} characters", self.max_chars)));
        }
        String::from_utf8(bytes).map_err(|_| self.refused("is not UTF-8"))
    }

    fn refused(&self, problem: &str) -> CommandError {
        CommandError::Usage {
            message: format!("{} {problem}", self.what),
            hint: format!("give {} in at most {} characters", self.what, self.max_chars),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_an_argument_or_standard_input_within_its_length() {
        let text = TextInput { what: "the note", max_chars: 3 };
        let check = |argument: Option<&str>, input: &[u8], expected: Result<&str, &str>| {
            let read = text.read(argument, input).map_err(|error| error.to_string());
            let read = read.as_deref().map_err(String::as_str);
            assert_eq!(read, expected, "{argument:?} {input:?}");
        };
        let (empty, long) = ("the note is empty", "the note has more than 3 characters");
        check(Some(" äöü\n"), b"", Ok("äöü"));
        check(Some("abcd"), b"", Err(long));
        check(Some(" "), b"abc", Err(empty));
        check(None, b" a\nb \n", Ok("a\nb"));
        check(Some("-"), b"abc", Ok("abc"));
        check(Some("-"), b"", Err(empty));
        check(None, &[b'a'; 25], Err(long));
        check(None, b"\xff", Err("the note is not UTF-8"));
    }
}
