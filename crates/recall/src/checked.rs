//! Bytes with a checksum behind them, and the numbers in them.
//!
//! Every part of a file that is read on its own has its own checksum. It also covers what the part is
//! (`salt`), so that an intact part in the wrong place is not taken for the right one.

/// The bytes of a checksum.
pub(crate) const CHECKSUM_BYTES: usize = 8;

const STEP: u64 = 0x9e37_79b9_7f4a_7c15;

/// Every step can be undone, so that one damaged word always changes the sum; several do with the odds
/// of 64 bits. Not a CRC, because a search checks a megabyte: without asking the processor for its
/// instructions, which a short call cannot afford, a CRC takes four times as long.
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

/// Puts the checksum behind the bytes.
pub(crate) fn seal(salt: u64, bytes: &mut Vec<u8>) {
    let sum = checksum(salt, bytes);
    bytes.extend_from_slice(&sum.to_le_bytes());
}

/// The bytes without their checksum, if it holds.
pub(crate) fn open(salt: u64, sealed: &[u8]) -> Option<&[u8]> {
    let (bytes, sum) = sealed.split_last_chunk::<CHECKSUM_BYTES>()?;
    (checksum(salt, bytes) == u64::from_le_bytes(*sum)).then_some(bytes)
}

/// Reads numbers from the front of some bytes.
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

    /// Bytes with their number in front of them.
    pub(crate) fn bytes(&mut self) -> Option<&'a [u8]> {
        let length = usize::try_from(self.u32()?).ok()?;
        let (bytes, rest) = self.0.split_at_checked(length)?;
        self.0 = rest;
        Some(bytes)
    }
}

/// Says whether the bytes fit: their number is put in front of them in four bytes.
#[must_use]
pub(crate) fn put_bytes(target: &mut Vec<u8>, bytes: &[u8]) -> bool {
    let Ok(length) = u32::try_from(bytes.len()) else { return false };
    target.extend_from_slice(&length.to_le_bytes());
    target.extend_from_slice(bytes);
    true
}
