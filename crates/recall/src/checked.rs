//! Appends a checksum to bytes and checks it, and encodes numbers as bytes.
//!
//! Every part of a file that is read separately has its own checksum. The checksum also covers the
//! part's identity (`salt`), so that an intact part in the wrong place isn't accepted.

/// The number of bytes of a checksum.
pub(crate) const CHECKSUM_BYTES: usize = 8;

const STEP: u64 = 0x9e37_79b9_7f4a_7c15;

/// Computes the checksum of bytes. Every step is invertible, so a single damaged word always
/// changes the checksum. Damage in several words goes undetected with a probability of 2⁻⁶⁴. A CRC
/// would be too slow, because a search checks a megabyte. Without special processor instructions a
/// CRC takes four times as long, and detecting these instructions takes too long in a short call.
pub(crate) fn checksum(salt: u64, bytes: &[u8]) -> u64 {
    let mut lanes = [salt, STEP, !salt, !STEP];
    let (blocks, rest) = bytes.as_chunks::<32>();
    for block in blocks {
        mix(&mut lanes, block);
    }
    let mut last = [0; 32];
    last[..rest.len()].copy_from_slice(rest);
    mix(&mut lanes, &last);
    let length = (bytes.len() as u64).wrapping_mul(STEP);
    lanes.into_iter().fold(length, |sum, lane| {
        let sum = (sum ^ lane).wrapping_mul(STEP);
        sum ^ sum >> 29
    })
}

fn mix(lanes: &mut [u64; 4], block: &[u8; 32]) {
    for (lane, word) in lanes.iter_mut().zip(block.as_chunks::<8>().0) {
        *lane = (*lane ^ u64::from_le_bytes(*word)).wrapping_mul(STEP).rotate_left(29);
    }
}

/// Appends the checksum of bytes to them.
pub(crate) fn seal(salt: u64, bytes: &mut Vec<u8>) {
    let sum = checksum(salt, bytes);
    bytes.extend_from_slice(&sum.to_le_bytes());
}

/// The bytes before the checksum at the end. `None` if the checksum is wrong.
pub(crate) fn open(salt: u64, sealed: &[u8]) -> Option<&[u8]> {
    let (bytes, sum) = sealed.split_last_chunk::<CHECKSUM_BYTES>()?;
    (checksum(salt, bytes) == u64::from_le_bytes(*sum)).then_some(bytes)
}

/// Reads numbers from the front of a byte slice.
#[derive(Debug, Clone)]
pub(crate) struct Fields<'a>(pub(crate) &'a [u8]);

impl<'a> Fields<'a> {
    fn take<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (first, rest) = self.0.split_first_chunk::<N>()?;
        self.0 = rest;
        Some(*first)
    }

    pub(crate) fn u32(&mut self) -> Option<u32> {
        self.take().map(u32::from_le_bytes)
    }

    pub(crate) fn u64(&mut self) -> Option<u64> {
        self.take().map(u64::from_le_bytes)
    }

    /// Reads bytes that follow their length.
    pub(crate) fn bytes(&mut self) -> Option<&'a [u8]> {
        let length = usize::try_from(self.u32()?).ok()?;
        let (bytes, rest) = self.0.split_at_checked(length)?;
        self.0 = rest;
        Some(bytes)
    }
}

/// Appends bytes after their length in four bytes. Returns `false` if the length doesn't fit.
#[must_use]
pub(crate) fn put_bytes(target: &mut Vec<u8>, bytes: &[u8]) -> bool {
    let Ok(length) = u32::try_from(bytes.len()) else { return false };
    target.extend_from_slice(&length.to_le_bytes());
    target.extend_from_slice(bytes);
    true
}
