//! Finding phrases in sentences.

/// Where one of the phrases stands, as whole words: its place and its length. The first that is found,
/// the longest at one place.
pub(super) fn find(text: &str, phrases: &[&str]) -> Option<(usize, usize)> {
    let places = phrases.iter().filter_map(|phrase| Some((place(text, phrase)?, phrase.len())));
    places.min_by_key(|(at, len)| (*at, std::cmp::Reverse(*len)))
}

/// Whether one of the phrases is there, as whole words.
pub(super) fn has(text: &str, phrases: &[&str]) -> bool {
    phrases.iter().any(|phrase| place(text, phrase).is_some())
}

/// Whether it begins with one of the phrases, as whole words.
pub(super) fn begins(text: &str, phrases: &[&str]) -> bool {
    phrases.iter().any(|phrase| place(text, phrase) == Some(0))
}

fn place(text: &str, phrase: &str) -> Option<usize> {
    let is_latin = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let begins_latin = phrase.starts_with(is_latin);
    let ends_latin = phrase.ends_with(is_latin);
    text.match_indices(phrase).map(|(at, _)| at).find(|&at| {
        let before = text[..at].chars().next_back();
        let after = text[at + phrase.len()..].chars().next();
        let goes_on_before = begins_latin && before.is_some_and(is_latin);
        let goes_on_after = ends_latin && after.is_some_and(is_latin);
        !goes_on_before && !goes_on_after
    })
}

/// What stands in backticks.
pub(super) fn quoted(text: &str) -> impl Iterator<Item = &str> {
    text.split('`').skip(1).step_by(2).filter(|quoted| !quoted.is_empty() && quoted.len() < 80)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn phrases_are_whole_words_in_latin_only() {
        assert_eq!(find("i cannot add", &["not", "cannot", "can"]), Some((2, 6)));
        assert_eq!(find("nothing", &["not"]), None);
        assert_eq!(find("スキーマは変更禁止です", &["禁止"]), Some((21, 6)));
    }
}
