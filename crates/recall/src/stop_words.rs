//! English words that say nothing about what a text is about.

/// Sorted. The parts that an apostrophe leaves behind (`doesn`) are among them.
const STOP_WORDS: &[&str] = &[
    "a", "about", "after", "all", "also", "am", "an", "and", "any", "are", "aren", "as", "at",
    "be", "because", "been", "before", "being", "but", "by", "can", "could", "couldn", "did",
    "didn", "do", "does", "doesn", "doing", "don", "for", "from", "had", "hadn", "has", "hasn",
    "have", "haven", "having", "he", "her", "here", "hers", "him", "his", "how", "i", "if", "in",
    "into", "is", "isn", "it", "its", "just", "ll", "may", "me", "might", "more", "most", "must",
    "my", "no", "nor", "not", "of", "on", "or", "other", "our", "ours", "out", "over", "own", "re",
    "s", "shall", "she", "should", "shouldn", "so", "some", "such", "t", "than", "that", "the",
    "their", "theirs", "them", "then", "there", "these", "they", "this", "those", "to", "too",
    "us", "ve", "very", "was", "wasn", "we", "were", "weren", "what", "when", "where", "which",
    "while", "who", "whom", "why", "will", "with", "won", "would", "wouldn", "you", "your",
    "yours",
];

pub(crate) fn is_stop_word(word: &[u8]) -> bool {
    STOP_WORDS.binary_search_by(|stop| stop.as_bytes().cmp(word)).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stop_words_are_sorted_so_that_they_can_be_searched() {
        assert!(STOP_WORDS.is_sorted());
    }
}
