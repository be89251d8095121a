//! Bytes with a checksum behind them, and the numbers in them.
//!
//! Every part of a file that is read on its own has its own checksum. It also covers what the part is
//! (`salt`), so that an intact part in the wrong place is not taken for the right one.

/// The bytes of a checksum.
pub(crate) const CHECKSUM_BYTES: usize = 4;

pub(crate) fn checksum(salt: u64, bytes: &[u8]) -> u32 {
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(&salt.to_le_bytes());
    hasher.update(bytes);
    hasher.finalize()
}

/// Puts the checksum behind the bytes.
pub(crate) fn seal(salt: u64, bytes: &mut Vec<u8>) {
    let sum = checksum(salt, bytes);
    bytes.extend_from_slice(&sum.to_le_bytes());
}

/// The bytes without their checksum, if it holds.
pub(crate) fn open(salt: u64, sealed: &[u8]) -> Option<&[u8]> {
    let (bytes, sum) = sealed.split_last_chunk::<CHECKSUM_BYTES>()?;
    (checksum(salt, bytes) == u32::from_le_bytes(*sum)).then_some(bytes)
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

    pub(crate) fn u8(&mut self) -> Option<u8> {
        self.take::<1>().map(|[byte]| byte)
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

    /// Seven bits a byte, the lowest first.
    pub(crate) fn varint(&mut self) -> Option<u32> {
        let mut value = 0u32;
        for shift in (0..32).step_by(7) {
            let byte = self.u8()?;
            value |= u32::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Some(value);
            }
        }
        None
    }
}

pub(crate) fn put_varint(bytes: &mut Vec<u8>, mut value: u32) {
    while value >= 0x80 {
        bytes.push((value & 0x7f) as u8 | 0x80);
        value >>= 7;
    }
    #[expect(clippy::cast_possible_truncation, reason = "seven bits are left")]
    bytes.push(value as u8);
}

/// Says whether the bytes fit: their number is put in front of them in four bytes.
#[must_use]
pub(crate) fn put_bytes(target: &mut Vec<u8>, bytes: &[u8]) -> bool {
    let Ok(length) = u32::try_from(bytes.len()) else { return false };
    target.extend_from_slice(&length.to_le_bytes());
    target.extend_from_slice(bytes);
    true
}
