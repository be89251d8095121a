//! The frame of a line: the checksum at its end, and the hash by which the next line refers to the
//! line.

use sha2::{Digest, Sha256};

use crate::id::hex;

/// The length of the end of each line, `,"crc":"01234567"}`.
const TRAILER_LEN: usize = 18;

/// Adds the checksum and the newline to a serialized JSON object.
///
/// Panics if the bytes don't end with `}`.
pub fn seal(mut object: Vec<u8>) -> Vec<u8> {
    assert_eq!(object.pop(), Some(b'}'), "a record is a JSON object");
    let crc = crc32fast::hash(&object);
    object.extend_from_slice(br#","crc":""#);
    object.extend_from_slice(hex(&crc.to_be_bytes()).as_bytes());
    object.extend_from_slice(b"\"}\n");
    object
}

/// Whether the checksum of a line is right. The line is given without its newline.
pub fn is_intact(line: &[u8]) -> bool {
    let Some(body_len) = line.len().checked_sub(TRAILER_LEN) else { return false };
    let (body, trailer) = line.split_at(body_len);
    let crc = hex(&crc32fast::hash(body).to_be_bytes());
    trailer.starts_with(br#","crc":""#)
        && trailer.ends_with(b"\"}")
        && trailer[8..16] == *crc.as_bytes()
}

/// Whether a line has the hash `before` as its last field. The line is given without its newline,
/// and its own checksum is not checked.
pub fn follows(line: &[u8], before: &LineHash) -> bool {
    let body = line.len().checked_sub(TRAILER_LEN).map(|len| &line[..len]);
    let named = body.and_then(|body| body.strip_suffix(b"\""));
    let begin = named.and_then(|named| named.strip_suffix(before.0.as_bytes()));
    begin.is_some_and(|begin| begin.ends_with(br#","prev":""#))
}

/// The hash of a line without its newline: the first 128 bits of its SHA-256.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(transparent)]
pub struct LineHash(String);

impl LineHash {
    /// The hash of a line, given without its newline.
    pub fn of(line: &[u8]) -> Self {
        Self(hex(&Sha256::digest(line)[..16]))
    }

    /// The hash as 32 hexadecimal digits.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}
