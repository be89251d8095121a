//! Short hashes for comparing texts. The hashes are stored, so they must be the same in every
//! release.

/// The 64-bit FNV-1a hash of a sequence of bytes.
pub(crate) fn mark(bytes: impl Iterator<Item = u8>) -> u64 {
    let add = |mark: u64, byte| (mark ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    bytes.fold(0xcbf2_9ce4_8422_2325, add)
}
