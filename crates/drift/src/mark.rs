//! A short mark by which texts are told apart.

/// FNV-1a: a mark may be stored and must be the same in every release.
pub(crate) fn mark(bytes: impl Iterator<Item = u8>) -> u64 {
    bytes.fold(0xcbf2_9ce4_8422_2325, |hash: u64, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}
