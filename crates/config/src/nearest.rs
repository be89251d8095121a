//! Finds the valid name that was probably meant by an invalid one.

/// Maximum length of a name that is compared. A longer name is hardly a typing error, and comparing
/// it takes time.
const MAX_LENGTH: usize = 64;

/// The candidate that needs the fewest edits. If several need equally few, the first one. `None` if
/// every candidate needs many edits for its length.
pub(crate) fn nearest<S: AsRef<str>>(
    name: &str,
    candidates: impl IntoIterator<Item = S>,
) -> Option<S> {
    let edited = candidates.into_iter().filter_map(|candidate| {
        let edits = few_edits(name, candidate.as_ref())?;
        Some((edits, candidate))
    });
    edited.min_by_key(|(edits, _)| *edits).map(|(_, candidate)| candidate)
}

/// The candidates that need few edits for their length, those with the fewest edits first.
/// Candidates with the same number of edits keep their order.
pub fn near<T>(
    name: &str,
    candidates: impl IntoIterator<Item = T>,
    text: impl Fn(&T) -> &str,
) -> Vec<T> {
    let edited = candidates.into_iter().filter_map(|candidate| {
        let edits = few_edits(name, text(&candidate))?;
        Some((edits, candidate))
    });
    let mut near: Vec<_> = edited.collect();
    near.sort_by_key(|(edits, _)| *edits);
    near.into_iter().map(|(_, candidate)| candidate).collect()
}

/// The number of edits between a name and a candidate. `None` if the number is too large for the
/// candidate's length, or if half of the name's letters or more are edited. One edit of a name with
/// two letters is allowed.
fn few_edits(name: &str, meant: &str) -> Option<usize> {
    if name.len() > MAX_LENGTH {
        return None;
    }
    let edits = edits(name, meant);
    let is_near = 2 * edits < name.len() || (edits == 1 && name.len() == 2) || edits == 0;
    (edits <= (meant.len() / 4).max(2) && is_near).then_some(edits)
}

/// The number of insertions, deletions, replacements and swaps of neighboring characters that turn
/// one text into the other (optimal string alignment). The case of ASCII letters is ignored.
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
        assert_eq!(nearest("ab", ["xy"]), None);
        assert_eq!(nearest("nope", ["npm"]), None);
        assert_eq!(near("rol", names, |name| &name[7..]), ["record.role"]);
        assert_eq!(near("abcd", ["abxx", "abce", "abcx"], |s| s), ["abce", "abcx"]);
    }
}
