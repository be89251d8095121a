//! English function words.

/// English function words, sorted. `ca` and `wo` are in the list because they remain of `can't` and
/// `won't` when `n't` is dropped.
const STOP_WORDS: &[&str] = &[
    "a", "am", "an", "and", "are", "as", "at", "be", "been", "being", "but", "by", "ca", "can",
    "could", "did", "do", "does", "doing", "for", "from", "had", "has", "have", "having", "he",
    "her", "here", "hers", "him", "his", "how", "i", "if", "in", "into", "is", "it", "its", "me",
    "might", "must", "my", "no", "nor", "not", "of", "on", "or", "our", "ours", "shall", "she",
    "should", "so", "such", "than", "that", "the", "their", "theirs", "them", "then", "there",
    "these", "they", "this", "those", "to", "us", "was", "we", "were", "what", "when", "where",
    "which", "who", "whom", "whose", "why", "will", "with", "wo", "would", "you", "your", "yours",
];

/// Returns whether a lower-case word is a function word: an article, auxiliary, pronoun,
/// preposition or question word.
///
/// ```
/// assert!(verger_text::is_stop_word("the") && !verger_text::is_stop_word("search"));
/// ```
pub fn is_stop_word(word: &str) -> bool {
    STOP_WORDS.binary_search(&word).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stop_words_are_sorted_so_that_they_can_be_searched() {
        assert!(STOP_WORDS.is_sorted());
    }
}
