//! Short marks by which texts are told apart. They may be stored, and must be the same in every release.

/// The mark of no bytes.
pub(crate) const NONE: u64 = 0xcbf2_9ce4_8422_2325;

/// FNV-1a.
pub(crate) fn mark(bytes: impl Iterator<Item = u8>) -> u64 {
    bytes.fold(NONE, mark_with)
}

/// The mark of what has this one, and of one byte more.
pub(crate) fn mark_with(mark: u64, byte: u8) -> u64 {
    (mark ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
}

/// Another mark than that of its bytes: the texts of an edit are marked whole, so that eight bytes are taken at once.
pub(crate) fn mark_of_text(text: &str) -> u64 {
    // A product carries upwards only: without the shift, what differs in the last of eight bytes would hardly count.
    let add = |hash: u64, bytes: u64| {
        let product = (hash ^ bytes).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        product ^ (product >> 32)
    };
    let (eights, rest) = text.as_bytes().as_chunks();
    let hash = eights.iter().fold(NONE, |hash, eight| add(hash, u64::from_le_bytes(*eight)));
    rest.iter().fold(hash, |hash, byte| add(hash, u64::from(*byte)))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn texts_that_differ_in_two_bytes_have_marks_of_their_own() {
        let text = |a: u8, b: u8| {
            let mut bytes = [b'-'; 20];
            (bytes[7], bytes[15]) = (a, b);
            String::from_utf8_lossy(&bytes).into_owned()
        };
        let pairs = (0..128u8).flat_map(|a| (0..128u8).map(move |b| (a, b)));
        let marks: BTreeSet<u64> = pairs.map(|(a, b)| mark_of_text(&text(a, b))).collect();
        assert_eq!(marks.len(), 128 * 128);
        assert_ne!(mark_of_text(""), mark_of_text("\0"));
    }
}
