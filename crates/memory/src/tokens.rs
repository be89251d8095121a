//! Estimates the number of tokens of a text. The estimate is an upper limit that holds for all
//! models, not the count of one model.

/// Estimates the number of tokens. Prose and code have 3.5 to 4.5 ASCII characters per token. A
/// character of another script may be one or two tokens.
pub fn estimate(text: &str) -> usize {
    let (mut ascii, mut other) = (0, 0);
    for c in text.chars() {
        if c.is_ascii() {
            ascii += 1;
        } else {
            other += 1;
        }
    }
    usize::div_ceil(ascii, 3) + usize::div_ceil(other * 3, 2)
}

#[cfg(test)]
mod tests {
    use super::estimate;

    #[test]
    fn the_estimate_is_on_the_safe_side() {
        assert_eq!(estimate(""), 0);
        assert_eq!(estimate("a"), 1);
        assert_eq!(estimate("The key is made per attempt."), 10);
        assert_eq!(estimate("設定を検索する"), 11);
    }
}
