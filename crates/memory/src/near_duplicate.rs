//! Whether two learnings say the same, judged by their summaries.
//!
//! Both are read as the words they are about, in forms that do not depend on inflection, spelling or
//! usual abbreviations. They are the same when nearly all words of one are in the other, so that
//! containment counts and word order does not, unless something speaks against it: another number,
//! unit, flag, path or name, a negation or an opposite on one side, a reversed order, or another
//! word in the same place of the same sentence. What speaks against it wins, because a learning
//! that is wrongly taken for another is lost.
//!
//! The vocabulary was chosen, and [`NEARLY_ALL`] set, by looking at the pairs of
//! `tests/data/near_duplicates.jsonl` that are marked `tune`. The others are only measured: there it
//! finds fewer, because words that it does not know to be synonyms count as different.

mod forms;
mod japanese;
mod japanese_vocabulary;
mod lexicon;
mod likeness;
mod objection;
mod pairing;
mod said;
mod signature;
mod stem;
mod token;
mod vocabulary;

use lexicon::{LEXICON, Lexicon};
use pairing::Pairing;
use said::Said;
use signature::Signature;
pub(crate) use vocabulary::{SILENT, WEAK};

/// So much of the words of one must be in the other, in percent of their weight.
const NEARLY_ALL: u32 = 72;

/// Summaries that others are compared with.
pub struct NearDuplicates {
    offered: Vec<Offered>,
}

struct Offered {
    text: String,
    signature: Signature,
    said: Said,
}

impl NearDuplicates {
    /// For these summaries.
    pub fn of(offered: &[&str]) -> Self {
        let read = |text: &&str| Offered {
            text: (*text).to_owned(),
            signature: Signature::of(text),
            said: Said::read(text, &LEXICON),
        };
        Self { offered: offered.iter().map(read).collect() }
    }

    /// Which of the summaries say the same as this one. Most are told apart without being read.
    pub fn like(&self, known: &str) -> Vec<usize> {
        let signature = Signature::of(known);
        let is_near = |offered: &Offered| offered.signature.is_near(&signature);
        let near: Vec<_> =
            self.offered.iter().enumerate().filter(|(_, offered)| is_near(offered)).collect();
        if near.is_empty() {
            return Vec::new();
        }
        let said = Said::read(known, &LEXICON);
        near.into_iter()
            .filter(|(_, offered)| {
                // Always in the same order, so that the answer does not depend on who asks.
                let is_first = offered.text.as_str() <= known;
                let (a, b) = if is_first { (&offered.said, &said) } else { (&said, &offered.said) };
                is_equal(&offered.text, known) || is_same(a, b, &LEXICON)
            })
            .map(|(index, _)| index)
            .collect()
    }

    /// How much of the words of one of the summaries and of this text, in percent, is in the other;
    /// of whichever has more of its words there.
    pub(crate) fn shared_percent(&self, index: usize, text: &str) -> u32 {
        let said = Said::read(text, &LEXICON);
        Pairing::of(&self.offered[index].said, &said, &LEXICON).covered_percent()
    }
}

/// Whether two summaries say the same.
pub fn say_the_same(a: &str, b: &str) -> bool {
    !NearDuplicates::of(&[a]).like(b).is_empty()
}

fn is_equal(a: &str, b: &str) -> bool {
    let plain = |text: &str| -> String {
        text.split_whitespace().flat_map(str::chars).flat_map(char::to_lowercase).collect()
    };
    plain(a) == plain(b)
}

fn is_same(a: &Said, b: &Said, lexicon: &Lexicon) -> bool {
    if a.words.is_empty() || b.words.is_empty() {
        return false;
    }
    let pairing = Pairing::of(a, b, lexicon);
    pairing.covered_percent() >= NEARLY_ALL && !objection::stands(&pairing, lexicon)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_texts_are_the_same_whatever_they_are_made_of() {
        for text in ["", "the of and", "!!!", "Обновить индекс", "인덱스를 다시 만든다", "日本語"]
        {
            assert!(say_the_same(text, text), "{text}");
        }
        assert!(say_the_same("The  of AND", "the of and"));
    }

    #[test]
    fn a_reason_against_wins_over_any_likeness() {
        let table = [
            ("The upload limit is 10 MB", "The upload limit is 100 MB"),
            ("Set cache_ttl to 0 in tests", "Set retry_limit to 0 in tests"),
            ("Run cargo test --doc in CI", "Run cargo test --release in CI"),
            ("Config is read from src/a.toml", "Config is read from src/b.toml"),
            ("Tests may use the network", "Tests may not use the network"),
            ("Call init() before connect()", "Call connect() before init()"),
            ("Logs are kept for 30 days", "Logs are kept for 30 months"),
            ("Sessions are stored in Redis", "Sessions are stored in Postgres"),
            ("Enable strict mode everywhere", "Disable strict mode everywhere"),
            ("Tests pass on macOS", "Tests pass on macOS but fail on Linux"),
            ("テストではモックを使う", "テストではモックを使わない"),
            ("ログはUTCで出力する", "ログはJSTで出力する"),
        ];
        for (a, b) in table {
            assert!(!say_the_same(a, b), "{a} / {b}");
            assert!(!say_the_same(b, a), "{b} / {a}");
        }
    }

    #[test]
    fn form_order_spelling_and_additions_do_not_matter() {
        let table = [
            (
                "Run the seed script before the server starts",
                "The seed script has to run before starting the server.",
            ),
            ("Prices are stored in cents", "Store prices as cents"),
            (
                "Hot reload does not see shared/",
                "Hot reload does not see shared/, so restart the dev server",
            ),
            (
                "The parser is case-insensitive for keywords",
                "Keywords are parsed case-insensitively",
            ),
            ("Seperate the reciept parser", "Separate the receipt parser"),
            ("PRs need 2 approvals", "Pull requests need two approvals"),
            (
                "画像は事前にリサイズしてからアップロードする",
                "画像をアップロードする前にリサイズする",
            ),
            ("DBのインデックスを使う", "データベースのインデックスを使用する"),
        ];
        for (a, b) in table {
            assert!(say_the_same(a, b), "{a} / {b}");
            assert!(say_the_same(b, a), "{b} / {a}");
        }
    }

    #[test]
    fn each_offered_summary_is_compared() {
        let offered =
            NearDuplicates::of(&["Prices are in cents", "Use tabs", "Store prices as cents"]);
        assert_eq!(offered.like("Prices are stored in cents"), [0, 2]);
        assert!(offered.like("Weights are stored in grams").is_empty());
    }
}
