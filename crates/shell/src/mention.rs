//! Decides whether a text mentions a program. Used for texts that can't be parsed.

/// Whether the text contains `word` as a whole word. Quotes and backslashes inside it are ignored:
/// `g""h` mentions `gh`, while `high`, `gh_token` and `gh-pages` do not.
pub(crate) fn occurs(text: &str, word: &str) -> bool {
    occur_in_order(text, [word])
}

/// Whether the text contains all of the words in this order.
pub(crate) fn occur_in_order<'a, W>(text: &str, words: W) -> bool
where
    W: IntoIterator<Item = &'a str> + Clone,
{
    // The text is also searched with its backslashes. Without them, the `\n` of a string would
    // become a letter of the next word.
    stand_in(text, words.clone()) || stand_in(&without_quotes(text), words)
}

fn stand_in<'a>(mut text: &str, words: impl IntoIterator<Item = &'a str>) -> bool {
    words.into_iter().all(|word| match position(text, word) {
        Some(end) => {
            text = &text[end..];
            true
        }
        None => false,
    })
}

/// The end of the first occurrence of `word` as a whole word.
fn position(text: &str, word: &str) -> Option<usize> {
    if word.is_empty() {
        return Some(0);
    }
    text.match_indices(word).map(|(start, _)| (start, start + word.len())).find_map(
        |(start, end)| {
            let is_alone = !ends_in_word(&text[..start]) && !starts_in_word(&text[end..]);
            is_alone.then_some(end)
        },
    )
}

/// Whether the text ends inside a word. A hyphen after a word belongs to that word: `foo-gh` is one
/// word. In `:-gh`, the hyphen begins a default value.
fn ends_in_word(before: &str) -> bool {
    let mut last = before.chars().rev();
    match last.next() {
        Some('-') => last.next().is_some_and(is_word),
        Some(c) => is_word(c),
        None => false,
    }
}

fn starts_in_word(after: &str) -> bool {
    after.chars().next().is_some_and(|c| is_word(c) || c == '-')
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

fn without_quotes(text: &str) -> String {
    text.chars().filter(|c| !matches!(c, '"' | '\'' | '\\')).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_is_found_by_itself_only() {
        for text in ["gh", "/usr/bin/gh x", "${X:-gh}", "g\"\"h", "g\\h", "(gh)", "a|gh", "a\\n'gh"]
        {
            assert!(occurs(text, "gh"), "{text}");
        }
        for text in ["", "high", "gh-pages", "foo-gh", "gh_token", "github", "ügh"] {
            assert!(!occurs(text, "gh"), "{text}");
        }
    }

    #[test]
    fn words_are_found_in_their_order() {
        assert!(occur_in_order("run(['gh', 'issue', 'close'])", ["gh", "issue", "close"]));
        assert!(!occur_in_order("close the issue with gh", ["gh", "issue"]));
        assert!(occur_in_order("anything", []));
    }
}
