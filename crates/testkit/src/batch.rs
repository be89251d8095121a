//! Which of the labelled examples were written together.

/// Who wrote an example: those whose positions begin with the same letters were written together, by an
/// author who did not see the others. Rules that do well on one batch only are written for that batch.
pub(crate) fn batch(id: &str) -> &str {
    let position = id.rsplit('-').next().unwrap_or_default();
    match position.trim_end_matches(|c: char| c.is_ascii_digit()) {
        "" => "plain",
        letters => letters,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_letters_of_a_position_name_its_batch() {
        let cases = [
            ("en-done-001", "plain"),
            ("ja-tests-pass-h03", "h"),
            ("side-work-n02", "n"),
            ("12", "plain"),
            ("p07", "p"),
        ];
        for (id, expected) in cases {
            assert_eq!(batch(id), expected, "{id}");
        }
    }
}
