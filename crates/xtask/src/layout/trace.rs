//! The addresses in a trace of callgrind.

/// A line that begins with a number is about one instruction. Its address is written in full, as the
/// distance from the line before, or as a star when it is the same.
pub(super) fn addresses(text: &str) -> impl Iterator<Item = u64> {
    let mut last = 0_u64;
    text.lines().filter_map(move |line| {
        let word = line.split(' ').next().unwrap_or_default();
        let distance = |digits: &str| digits.parse::<u64>().ok();
        last = if let Some(digits) = word.strip_prefix("0x") {
            u64::from_str_radix(digits, 16).ok()?
        } else if let Some(digits) = word.strip_prefix('+') {
            last.wrapping_add(distance(digits)?)
        } else if let Some(digits) = word.strip_prefix('-') {
            last.wrapping_sub(distance(digits)?)
        } else {
            return None;
        };
        Some(last)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_read_in_all_their_forms() {
        let text = "positions: instr line\nfn=(1) main\n0x2bb480 0 5\n+3 +0 1\ncalls=1 0x300000 0\n\
            * * 7\n-2 0 1\n\nfl=(2)\n0x300000 0 1\n";
        let found: Vec<_> = addresses(text).collect();
        assert_eq!(found, [0x002b_b480, 0x002b_b483, 0x002b_b481, 0x0030_0000]);
    }
}
