//! Shortens a text that may be long to an excerpt for a reviewer.

use serde::Serialize;
use sha2::{Digest, Sha256};
use verger_event::hex;

/// The maximum number of bytes of an excerpt. Prompts and tool inputs are cut to this length before
/// a reviewer gets them.
pub const MAX_EXCERPT_BYTES: usize = 10 * 1024;

/// The beginning of a text, with the length and the hash of the whole text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Excerpt {
    /// The beginning of the text, cut at a character boundary.
    pub text: String,
    /// The length of the whole text in bytes.
    pub bytes: usize,
    /// The SHA-256 of the whole text.
    pub sha256: String,
}

impl Excerpt {
    /// An excerpt of the first [`MAX_EXCERPT_BYTES`] of a text.
    pub fn of(whole: &str) -> Self {
        Self {
            text: whole[..whole.floor_char_boundary(MAX_EXCERPT_BYTES)].to_owned(),
            bytes: whole.len(),
            sha256: hex(&Sha256::digest(whole)),
        }
    }

    /// The number of bytes of the whole text that the excerpt lacks.
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
