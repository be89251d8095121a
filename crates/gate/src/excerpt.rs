//! A text that may be long, as much of it as somebody is shown.

use serde::Serialize;
use sha2::{Digest, Sha256};
use verger_event::hex;

/// How much of a prompt, or of a tool's input, a reviewer is shown.
pub const MAX_EXCERPT_BYTES: usize = 10 * 1024;

/// The beginning of a text, and what tells the whole of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Excerpt {
    /// The text, cut on the boundary of a character.
    pub text: String,
    /// How long the whole is.
    pub bytes: usize,
    /// The SHA-256 of the whole.
    pub sha256: String,
}

impl Excerpt {
    /// At most [`MAX_EXCERPT_BYTES`] of a text.
    pub fn of(whole: &str) -> Self {
        Self {
            text: whole[..whole.floor_char_boundary(MAX_EXCERPT_BYTES)].to_owned(),
            bytes: whole.len(),
            sha256: hex(&Sha256::digest(whole)),
        }
    }

    /// How much is left out.
    pub fn left_out_bytes(&self) -> usize {
        self.bytes - self.text.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_cut_between_characters_and_known_as_a_whole() {
        let short = Excerpt::of("abc");
        assert_eq!((short.text.as_str(), short.bytes, short.left_out_bytes()), ("abc", 3, 0));
        let sha256 = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!(short.sha256, sha256);
        let long = Excerpt::of(&format!("a{}", "é".repeat(MAX_EXCERPT_BYTES)));
        assert_eq!(long.text.len(), MAX_EXCERPT_BYTES - 1);
        assert_eq!((long.bytes, long.left_out_bytes()), (20_481, 10_242));
    }
}
