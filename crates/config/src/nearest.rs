//! The nearest valid name to one that is not: what a person probably meant.

/// Longer names are nobody's typing error, and comparing them would cost.
const MAX_LENGTH: usize = 64;

/// The candidate with the fewest edits, if these are few for its length. The first of equals.
pub(crate) fn nearest<S: AsRef<str>>(
    name: &str,
    candidates: impl IntoIterator<Item = S>,
) -> Option<S> {
    if name.len() > MAX_LENGTH {
        return None;
    }
    let mut best = None;
    for candidate in candidates {
        let edits = edits(name, candidate.as_ref());
        let is_near = edits <= (candidate.as_ref().len() / 4).max(2);
        if is_near && best.as_ref().is_none_or(|(fewest, _)| edits < *fewest) {
            best = Some((edits, candidate));
        }
    }
    best.map(|(_, candidate)| candidate)
}

/// Insertions, deletions, replacements and swaps of neighbours (optimal string alignment), the
/// case of ASCII letters aside.
fn edits(one: &str, other: &str) -> usize {
    let one: Vec<char> = one.chars().map(|c| c.to_ascii_lowercase()).collect();
    let other: Vec<char> = other.chars().map(|c| c.to_ascii_lowercase()).collect();
    let mut two_rows_up: Vec<usize> = Vec::new();
    let mut row_up: Vec<usize> = (0..=other.len()).collect();
    for (i, left) in one.iter().enumerate() {
        let mut row = vec![i + 1];
        for (j, right) in other.iter().enumerate() {
            let replaced = row_up[j] + usize::from(left != right);
            let mut fewest = replaced.min(row_up[j + 1] + 1).min(row[j] + 1);
            if i > 0 && j > 0 && *left == other[j - 1] && one[i - 1] == *right {
                fewest = fewest.min(two_rows_up[j - 1] + 1);
            }
            row.push(fewest);
        }
        two_rows_up = std::mem::replace(&mut row_up, row);
    }
    row_up.last().copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edits_are_counted_as_people_make_them() {
        for (one, other, expected) in [
            ("", "", 0),
            ("", "abc", 3),
            ("abc", "", 3),
            ("enabeld", "enabled", 1),
            ("Enabled", "enabled", 0),
            ("enabled", "enable", 1),
            ("roel", "role", 1),
            ("kitten", "sitting", 3),
            ("é", "e", 1),
        ] {
            assert_eq!(edits(one, other), expected, "{one:?} {other:?}");
        }
    }

    #[test]
    fn only_a_near_name_is_offered() {
        let names = ["record.enabled", "record.role", "user.name"];
        for (name, expected) in [
            ("record.enabeld", Some("record.enabled")),
            ("recrod.roles", Some("record.role")),
            ("user.nam", Some("user.name")),
            ("proxy.port", None),
            ("", None),
        ] {
            assert_eq!(nearest(name, names), expected, "{name:?}");
        }
        assert_eq!(nearest(&"x".repeat(MAX_LENGTH + 1), ["x"]), None);
    }
}
