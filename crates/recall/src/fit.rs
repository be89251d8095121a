//! Decides whether a found document fits the query at all.
//!
//! Every search has a best document, even if no document fits. The decision depends on three
//! things: the share of the query's weight that the document covers, the number of the query's
//! words that it has, and whether it is about one of the query's files. The share alone isn't
//! enough, because a document may have the words of a short, common query by chance. The larger the
//! index, the more words the best document has by chance.
//!
//! Measured with indexes of 3 to 10,501 commits of a version control system, and with
//! conversations. The last column is the share of queries for which a document fitted although none
//! answers the query:
//!
//! | documents | queries | something fitted |
//! |---|---|---|
//! | 10,501 commits | questions about conversations | 0.0 % |
//! | conversations of 400 to 700 turns | changelog entries, commit messages | 0.0 % |
//! | 300 commits of this project | changelog entries, commit messages | 0.6 % |
//! | 10,501 commits | 300 commit messages of this project | 2.6 % |
//! | 10,501 commits | 1,080 changelog entries of 90 libraries | 4.5 % |
//! | 10, 100, 1,000 commits | commit messages of this project | 1.5, 2.8, 3.1 % |
//!
//! In the second last row of the table, the fitting documents often state the same fact ("Bumped
//! MSRV to 1.85").
//!
//! Of the documents that answer a query and are among the best five, these shares fit: 91 % in an
//! index of 10 commits, 87 % of 100, 75 % of 1,000, 70 % of 10,501, and 84 % of the turns of
//! conversations. `verger recall-eval --fit` measures this again.

/// The factor of the strength for a document that is about one of the query's files.
const FILE_FACTOR: f64 = 2.0;

/// The minimum strength of the only document of an index, and the exponent with which this minimum
/// grows with the number of documents.
const ALONE: f64 = 0.29;
const GROWTH: f64 = 0.2;

/// The facts by which it is decided whether a document fits a query.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Grounds {
    /// The document's score, in the same unit as the weights of words.
    pub(crate) score: f64,
    /// The sum of the weights of the query's words.
    pub(crate) mass: f64,
    /// The number of the query's words that the document has.
    pub(crate) words: u32,
    /// The number of documents in the index.
    pub(crate) documents: u32,
    /// The rarity of the rarest of the query's files that the document is about. It is 0 if all
    /// documents are about that file, and at most 1. `None` if the document is about none of the
    /// files.
    pub(crate) file: Option<f64>,
}

impl Grounds {
    /// The strength of the evidence. The document fits if the strength is at least 1.
    pub(crate) fn strength(&self) -> f64 {
        // If the query has files but no words, the rarity of the file replaces the share.
        let share = if self.mass > 0.0 { self.score / self.mass } else { self.file.unwrap_or(0.0) };
        let file = if self.file.is_some() { FILE_FACTOR } else { 1.0 };
        let needed = ALONE * f64::from(self.documents.max(1)).powf(GROWTH);
        share * f64::from(self.words + 1) * file / needed
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOTHING: Grounds =
        Grounds { score: 0.0, mass: 0.0, words: 0, documents: 10_000, file: None };

    #[test]
    fn words_and_files_speak_for_a_document() {
        let few = Grounds { documents: 50, ..NOTHING };
        let cases = [
            ("nothing", NOTHING, false),
            ("all of three words", Grounds { score: 8.0, mass: 12.0, words: 3, ..NOTHING }, true),
            ("half of four", Grounds { score: 6.0, mass: 20.0, words: 2, ..NOTHING }, false),
            ("half of four, of few", Grounds { score: 6.0, mass: 20.0, words: 2, ..few }, true),
            ("one of four, of few", Grounds { score: 5.0, mass: 20.0, words: 1, ..few }, false),
            ("a fifth of many", Grounds { score: 30.0, mass: 150.0, words: 10, ..NOTHING }, true),
            ("a few of many", Grounds { score: 12.0, mass: 150.0, words: 5, ..NOTHING }, false),
            (
                "a few of many, and a file",
                Grounds { score: 20.0, mass: 130.0, words: 6, file: Some(0.3), ..NOTHING },
                true,
            ),
            ("nothing but a file of its own", Grounds { file: Some(0.95), ..NOTHING }, true),
            ("nothing but a file of many", Grounds { file: Some(0.3), ..NOTHING }, false),
        ];
        for (name, grounds, expected) in cases {
            assert_eq!(grounds.strength() >= 1.0, expected, "{name}: {}", grounds.strength());
        }
    }
}
