//! Splits text into the words that are indexed, searched and compared.

use crate::identifiers::identifier_parts;
use crate::runs::{Run, Script, runs};
use crate::stem::stem;
use crate::stop_words::is_stop_word;

/// The maximum number of bytes of a word. A longer run of letters is a hash, a key or encoded data.
const LONGEST_WORD_BYTES: usize = 64;

/// One word of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Word {
    /// The stem, in lower case.
    pub stem: String,
    /// Whether the word begins with a capital letter in the text, as names do.
    pub is_capitalised: bool,
}

/// Returns the words of a text, in order, without stop words.
///
/// English words become lower case and lose their endings. An identifier gives its parts and then
/// the whole without separators, so that `gitPush` and `git_push` are alike. Han, Katakana and
/// Hangul give pairs of neighbouring characters, because nothing separates their words. Hiragana
/// gives no words, because it is mostly grammar.
///
/// ```
/// let stems: Vec<String> = verger_text::words("Retries of git_push 検索する").map(|word| word.stem).collect();
/// assert_eq!(stems, ["retri", "git", "push", "gitpush", "検索"]);
/// ```
pub fn words(text: &str) -> impl Iterator<Item = Word> {
    runs(text).flat_map(|run| run.words())
}

impl Run<'_> {
    /// Returns the words of this run, as [`words`] does for a text. The result depends only on the
    /// run.
    pub fn words(&self) -> Vec<Word> {
        match self.script {
            Script::Spaced if self.letters.len() > LONGEST_WORD_BYTES => vec![],
            Script::Spaced => spaced_words(self.letters),
            Script::Han | Script::Katakana | Script::Hangul => pairs(self.letters),
            Script::Hiragana | Script::Gap => vec![],
        }
    }
}

fn spaced_words(run: &str) -> Vec<Word> {
    let mut words: Vec<Word> = identifier_parts(run).filter_map(part).collect();
    if identifier_parts(run).nth(1).is_some() {
        let stem = identifier_parts(run).collect::<String>().to_ascii_lowercase();
        words.push(Word { stem, is_capitalised: false });
    }
    words
}

fn part(part: &str) -> Option<Word> {
    let lower = part.to_lowercase();
    let is_capitalised = part.starts_with(char::is_uppercase);
    (!is_stop_word(&lower)).then(|| Word { stem: stem(&lower), is_capitalised })
}

/// Returns the pairs of neighbouring characters of a run. A run of one character gives that
/// character.
fn pairs(run: &str) -> Vec<Word> {
    let characters: Vec<char> = run.chars().collect();
    let word = |pair: &[char]| Word { stem: pair.iter().collect(), is_capitalised: false };
    match characters.as_slice() {
        [only] => vec![word(&[*only])],
        several => several.windows(2).map(word).collect(),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::{identifiers, in_usual_width};

    #[test]
    fn texts_become_words() {
        let cases = [
            ("", ""),
            ("The retries were failing", "retri fail"),
            ("Ada's don't we'll O'Brien", "Ada O Brien"),
            ("She won, he won't and can't", "win"),
            ("git_push", "git push gitpush"),
            (
                "gitPush HTTPServer NonZeroUsize",
                "git Push gitpush Http Server httpserver Non Zero Usiz nonzerousize",
            ),
            ("__init__ _x", "init x"),
            ("sha256 utf8 1.2.3", "sha256 utf8 1 2 3"),
            ("--log-level=warn", "log level warn"),
            ("crates/recall/src/words.rs", "crate recal src word rs"),
            ("naïve Straße ÉCOLE", "naïve Straße École"),
            ("検索", "検索"),
            ("検索エンジンを使う", "検索 エン ンジ ジン 使"),
            ("これはです", ""),
            ("設定ファイル config.toml を読む", "設定 ファ ァイ イル config toml 読"),
            ("데이터베이스", "데이 이터 터베 베이 이스"),
            ("日々", "日々"),
            ("привет мир", "привет мир"),
        ];
        for (text, expected) in cases {
            assert_eq!(shown(text), expected, "{text}");
        }
    }

    #[test]
    fn a_run_that_is_too_long_is_no_word() {
        let long = "x".repeat(LONGEST_WORD_BYTES + 1);
        assert_eq!(shown(&format!("first {long} second")), "first second");
    }

    proptest! {
        #[test]
        fn any_text_is_read_run_by_run(text in "([a-zA-Z_'’(.`]|é|ﾞ|設|ア|한|\\PC){0,24}") {
            let of_runs: Vec<Word> = runs(&text).flat_map(|run| run.words()).collect();
            prop_assert_eq!(words(&text).collect::<Vec<_>>(), of_runs);
            for identifier in identifiers(&text) {
                prop_assert!(text.contains(identifier) && !identifier.is_empty());
            }
            in_usual_width(&text);
        }
    }

    /// The stems, capitalised where the text capitalises the word.
    fn shown(text: &str) -> String {
        let shown = words(text).map(|word| {
            let mut rest = word.stem.chars();
            match rest.next() {
                Some(first) if word.is_capitalised => {
                    first.to_uppercase().collect::<String>() + rest.as_str()
                }
                _ => word.stem,
            }
        });
        shown.collect::<Vec<_>>().join(" ")
    }
}
