//! Builds the text of a word while its variables are replaced by values.

use crate::braces;
use crate::script::Word;

#[derive(Debug, Default)]
pub(super) struct Filled {
    text: String,
    has_unknown: bool,
    /// Whether an unquoted value may split into several words, or become no word at all.
    is_split: bool,
}

impl Filled {
    pub(super) fn is_split(&self) -> bool {
        self.is_split
    }

    pub(super) fn text(&mut self, text: &str) {
        self.text.push_str(text);
    }

    pub(super) fn value(&mut self, value: &str) {
        self.is_split |= value.is_empty() || value.contains([' ', '\t', '\n']);
        self.text.push_str(value);
    }

    pub(super) fn word(&mut self, word: &Word) {
        let array = word.text().strip_prefix('(').and_then(|text| text.strip_suffix(')'));
        match (word, array) {
            (Word::Literal(text), _) => self.value(text),
            _ if word.text().contains(['$', '`']) => self.unknown(word.text()),
            (_, None) => self.value(word.text()),
            (_, Some(items)) => self.value(&items.replace(['\'', '"'], "")),
        }
    }

    pub(super) fn unknown(&mut self, source: &str) {
        self.has_unknown = true;
        self.text.push_str(source);
    }

    /// The text as one word, without splitting, as within double quotes.
    pub(super) fn into_word(self) -> Word {
        if self.has_unknown { Word::Dynamic(self.text) } else { Word::Literal(self.text) }
    }

    pub(super) fn into_words(self) -> Vec<Word> {
        let word = |text: String| {
            let is_several = text.contains(['*', '?', '[']) || braces::may_expand(&text);
            if is_several { Word::Spread(text) } else { Word::Literal(text) }
        };
        match self {
            Self { text, has_unknown: true, .. } => vec![Word::Spread(text)],
            Self { text, is_split: true, .. } => {
                text.split_whitespace().map(str::to_owned).map(word).collect()
            }
            Self { text, .. } => vec![word(text)],
        }
    }
}
