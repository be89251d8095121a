//! Text as the words that are indexed and asked for.
//!
//! Words of letters and digits become lower case and lose their English endings. An identifier gives
//! its parts and itself, whatever joins them (`gitPush`, `git_push`). Han, Katakana and Hangul give
//! pairs of neighbouring characters, since nothing separates their words; Hiragana is mostly grammar
//! and gives nothing.

use crate::runs::{Run, Script, runs};
use verger_memory::english::{is_stop_word, stem};

/// A longer run is no word: a hash, a key, a picture in text.
const LONGEST_WORD_BYTES: usize = 64;

/// One word of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Word<'a> {
    /// The stem, in lower case.
    pub(crate) letters: &'a [u8],
    /// The text has it with a capital, as names have.
    pub(crate) is_capitalised: bool,
}

/// Cuts texts into words; keeps its buffers from one text to the next.
#[derive(Debug, Default)]
pub(crate) struct Cutter {
    letters: Vec<u8>,
    whole: Vec<u8>,
}

impl Cutter {
    /// Calls `found` for every word of `text` that says something.
    pub(crate) fn cut(&mut self, text: &str, found: &mut impl FnMut(Word<'_>)) {
        runs(text, |run| self.cut_run(&run, found));
    }

    /// The same for one run. What it finds depends on the run alone.
    pub(crate) fn cut_run(&mut self, run: &Run<'_>, found: &mut impl FnMut(Word<'_>)) {
        match run.script {
            Script::Spaced => self.spaced(run.letters, found),
            Script::Han | Script::Katakana | Script::Hangul => pairs(run.letters, found),
            Script::Gap => {}
        }
    }

    fn spaced(&mut self, run: &str, found: &mut impl FnMut(Word<'_>)) {
        if run.len() > LONGEST_WORD_BYTES {
            return;
        }
        let parts = Parts { rest: run.trim_matches('_') };
        let is_identifier = parts.clone().nth(1).is_some();
        self.whole.clear();
        for part in parts {
            if is_identifier {
                self.whole.extend(part.bytes().map(|byte| byte.to_ascii_lowercase()));
            }
            self.part(part, found);
        }
        if is_identifier {
            found(Word { letters: &self.whole, is_capitalised: false });
        }
    }

    fn part(&mut self, part: &str, found: &mut impl FnMut(Word<'_>)) {
        self.letters.clear();
        if part.is_ascii() {
            self.letters.extend(part.bytes().map(|byte| byte.to_ascii_lowercase()));
        } else {
            self.letters.extend_from_slice(part.to_lowercase().as_bytes());
        }
        if is_stop_word(&self.letters) {
            return;
        }
        if self.letters.iter().all(u8::is_ascii_lowercase) {
            stem(&mut self.letters);
        }
        let is_capitalised = part.starts_with(char::is_uppercase);
        found(Word { letters: &self.letters, is_capitalised });
    }
}

/// The parts of an identifier: between underscores, at the humps of `camelCase`, and before the last
/// capital of `HTTPServer`.
#[derive(Clone)]
struct Parts<'a> {
    rest: &'a str,
}

impl<'a> Iterator for Parts<'a> {
    type Item = &'a str;

    fn next(&mut self) -> Option<&'a str> {
        self.rest = self.rest.trim_start_matches('_');
        if self.rest.is_empty() {
            return None;
        }
        let (part, rest) = self.rest.split_at(end_of_part(self.rest));
        self.rest = rest;
        Some(part)
    }
}

fn end_of_part(text: &str) -> usize {
    let bytes = text.as_bytes();
    let at = |index: usize| bytes.get(index).copied().unwrap_or(0);
    let ends = |index: &usize| {
        let (before, here, next) = (at(index - 1), at(*index), at(index + 1));
        here == b'_'
            || (here.is_ascii_uppercase()
                && (before.is_ascii_lowercase()
                    || before.is_ascii_digit()
                    || (before.is_ascii_uppercase() && next.is_ascii_lowercase())))
    };
    (1..bytes.len()).find(ends).unwrap_or(bytes.len())
}

fn pairs(run: &str, found: &mut impl FnMut(Word<'_>)) {
    let mut ends = run.char_indices().skip(1).map(|(at, _)| at).chain([run.len()]);
    let mut start = 0;
    let mut middle = ends.next().unwrap_or(run.len());
    let mut word = |from: usize, to: usize| {
        found(Word { letters: &run.as_bytes()[from..to], is_capitalised: false });
    };
    if middle == run.len() {
        word(start, middle);
    }
    for end in ends {
        word(start, end);
        (start, middle) = (middle, end);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_become_words() {
        let cases = [
            ("", ""),
            ("The retries were failing", "retri fail"),
            ("Ada's don't we'll O'Brien", "Ada O Brien"),
            ("She won, he won't and can't", "won"),
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
    fn a_run_that_is_no_word_is_passed_over() {
        let long = "x".repeat(LONGEST_WORD_BYTES + 1);
        assert_eq!(shown(&format!("first {long} second")), "first second");
    }

    /// A capital shows that the word had one.
    fn shown(text: &str) -> String {
        let mut words = vec![];
        Cutter::default().cut(text, &mut |word| {
            let letters = String::from_utf8(word.letters.to_owned()).unwrap();
            let mut rest = letters.chars();
            words.push(match rest.next() {
                Some(first) if word.is_capitalised => {
                    first.to_uppercase().collect::<String>() + rest.as_str()
                }
                _ => letters,
            });
        });
        words.join(" ")
    }
}
