//! Checks whether the code that a learning names has changed since the learning was made.

use std::collections::HashMap;
use std::fmt;

use crate::learning::Learning;

/// The share of removed lines at or above which a file counts as rewritten.
const REWRITTEN: f64 = 0.5;

/// A change in the code since a learning was made.
#[derive(Debug, Clone, PartialEq)]
pub enum CodeChange {
    /// A file that the learning names no longer exists.
    FileGone {
        /// The path of the missing file below the project's root.
        path: String,
    },
    /// A symbol that the learning names is no longer in any of the learning's files.
    SymbolGone {
        /// The symbol as the learning spells it.
        symbol: String,
    },
    /// Some lines of a file that the learning names were removed.
    LinesGone {
        /// The path of the changed file below the project's root.
        path: String,
        /// The share of the file's earlier lines that were removed, as [`gone_share`] computes it.
        share: f64,
    },
}

/// The current state of a file that a learning names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NamedFile<'a> {
    /// The file doesn't exist.
    Gone,
    /// The file wasn't read, because it is too large or not a regular file.
    Unread,
    /// The file exists and was read. The value is its text.
    Text(&'a str),
}

/// The changes in the code that a learning names. `then` returns the text of a file at the time
/// when the learning was made, if that text is known.
pub fn code_changes<'a>(
    learning: &Learning,
    now: impl Fn(&str) -> NamedFile<'a>,
    then: impl Fn(&str) -> Option<&'a str>,
) -> Vec<CodeChange> {
    let (mut changes, mut texts, mut earlier) = (vec![], vec![], vec![]);
    for path in &learning.files {
        let before = then(path);
        earlier.extend(before);
        match now(path) {
            NamedFile::Gone => changes.push(CodeChange::FileGone { path: path.clone() }),
            NamedFile::Unread => return changes,
            NamedFile::Text(text) => {
                texts.push(text);
                changes.extend(before.map(|before| CodeChange::LinesGone {
                    path: path.clone(),
                    share: gone_share(before, text),
                }));
            }
        }
    }
    let has = |texts: &[&str], symbol: &str| texts.iter().any(|text| has_symbol(text, symbol));
    // A symbol that was never in the learning's files can't have been removed from them.
    let is_gone =
        |symbol: &&String| !has(&texts, symbol) && (earlier.is_empty() || has(&earlier, symbol));
    let gone = learning.symbols.iter().filter(is_gone).filter(|_| !texts.is_empty());
    changes.extend(gone.map(|symbol| CodeChange::SymbolGone { symbol: symbol.clone() }));
    changes
}

/// The most important change because of which the learning may be wrong. `None` if no change
/// matters.
pub fn suspicion<'a>(learning: &Learning, changes: &'a [CodeChange]) -> Option<&'a CodeChange> {
    let is_material = |change: &&CodeChange| match change {
        CodeChange::FileGone { path } => learning.files.contains(path),
        CodeChange::SymbolGone { symbol } => learning.symbols.contains(symbol),
        CodeChange::LinesGone { path, share } => {
            learning.files.contains(path) && *share >= REWRITTEN
        }
    };
    let weight = |change: &&CodeChange| match change {
        CodeChange::FileGone { .. } => 0,
        CodeChange::SymbolGone { .. } => 1,
        CodeChange::LinesGone { .. } => 2,
    };
    changes.iter().filter(is_material).min_by_key(weight)
}

impl fmt::Display for CodeChange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::FileGone { path } => write!(f, "{path} is gone"),
            Self::SymbolGone { symbol } => {
                write!(f, "{symbol} is gone from the files that the learning names")
            }
            Self::LinesGone { path, share } => {
                write!(f, "{:.0} % of the lines of {path} are gone", share * 100.0)
            }
        }
    }
}

/// The share of the lines of `before` that `after` no longer has, at any position and indentation.
/// Empty lines don't count.
pub fn gone_share(before: &str, after: &str) -> f64 {
    let lines = |text| str::lines(text).map(str::trim).filter(|line| !line.is_empty());
    let mut left: HashMap<&str, u32> = HashMap::new();
    for line in lines(after) {
        *left.entry(line).or_default() += 1;
    }
    let (mut all, mut gone) = (0u32, 0u32);
    for line in lines(before) {
        all += 1;
        match left.get_mut(line) {
            Some(count) if *count > 0 => *count -= 1,
            _ => gone += 1,
        }
    }
    if all == 0 { 0.0 } else { f64::from(gone) / f64::from(all) }
}

/// Whether a text contains a symbol as a whole word. For a path such as `Saver::save` or
/// `Saver.save()`, all parts must occur somewhere, because the definition may combine them
/// differently.
pub fn has_symbol(text: &str, symbol: &str) -> bool {
    let is_of_word = |c: char| c.is_alphanumeric() || c == '_';
    let has_word = |word: &str| {
        text.match_indices(word).any(|(at, _)| {
            let before = text[..at].chars().next_back();
            let after = text[at + word.len()..].chars().next();
            !before.is_some_and(is_of_word) && !after.is_some_and(is_of_word)
        })
    };
    symbol.split(|c: char| !is_of_word(c)).filter(|word| !word.is_empty()).all(has_word)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::full;

    #[test]
    fn a_change_of_what_a_learning_names_makes_it_suspect() {
        let file_gone = |path: &str| CodeChange::FileGone { path: path.to_owned() };
        let symbol_gone = |symbol: &str| CodeChange::SymbolGone { symbol: symbol.to_owned() };
        let lines_gone = |path: &str, share| CodeChange::LinesGone { path: path.to_owned(), share };
        let table = [
            (vec![], None),
            (vec![file_gone("src/other.rs"), symbol_gone("Other")], None),
            (vec![lines_gone("src/other.rs", 1.0)], None),
            (vec![lines_gone("src/save.rs", 0.49)], None),
            (
                vec![lines_gone("src/save.rs", 0.5)],
                Some("50 % of the lines of src/save.rs are gone"),
            ),
            (
                vec![lines_gone("src/save.rs", 0.9), symbol_gone("Saver::save")],
                Some("Saver::save is gone from the files that the learning names"),
            ),
            (
                vec![symbol_gone("Saver::save"), file_gone("src/save.rs")],
                Some("src/save.rs is gone"),
            ),
        ];
        for (changes, expected) in table {
            let said = suspicion(&full(), &changes).map(ToString::to_string);
            assert_eq!(said.as_deref(), expected, "{changes:?}");
        }
    }

    #[test]
    fn named_files_and_symbols_are_compared_with_their_earlier_state() {
        use NamedFile::{Gone, Text, Unread};
        let table = [
            (Text("impl Saver { fn save() }"), None, None),
            (
                Text("fn load()"),
                None,
                Some("Saver::save is gone from the files that the learning names"),
            ),
            (Text("a\nb"), Some("a\nb"), None),
            (Text("a\nb"), Some("a\nc"), Some("50 % of the lines of src/save.rs are gone")),
            (
                Text("a\nb"),
                Some("a\nSaver.save()"),
                Some("Saver::save is gone from the files that the learning names"),
            ),
            (Unread, Some("a"), None),
            (Gone, Some("a"), Some("src/save.rs is gone")),
        ];
        let learning = Learning {
            files: vec!["src/save.rs".to_owned()],
            symbols: vec!["Saver::save".to_owned()],
            ..full()
        };
        for (now, then, expected) in table {
            let changes = code_changes(&learning, |_| now, |_| then);
            let said = suspicion(&learning, &changes).map(ToString::to_string);
            assert_eq!(said.as_deref(), expected, "{then:?} to {now:?}");
        }
        let nameless = Learning { files: vec![], ..learning };
        assert_eq!(code_changes(&nameless, |_| Gone, |_| None), []);
    }

    #[test]
    fn lines_are_gone_when_they_stand_nowhere_any_more() {
        let table = [
            ("", "a", 0.0),
            ("a\nb\n", "a\nb\n", 0.0),
            ("a\nb\n", "  b\n\n\tx\n a\r\n", 0.0),
            ("a\nb\nc\nd\n", "a\nb\nx\n", 0.5),
            ("a\na\n", "a\n", 0.5),
            ("a\n", "", 1.0),
        ];
        for (before, after, expected) in table {
            let share = gone_share(before, after);
            assert!((share - expected).abs() < 1e-9, "{before:?} to {after:?}: {share}");
        }
    }

    #[test]
    fn a_name_is_found_as_a_word_and_all_parts_of_a_path_are() {
        let text = "impl Saver {\n    pub fn save(&self) { saved() }\n}\n# schlüssel_neu";
        let table = [
            ("Saver::save", true),
            ("Saver.save()", true),
            ("save", true),
            ("sav", false),
            ("aver", false),
            ("Saver::load", false),
            ("schlüssel_neu", true),
            ("schlüssel", false),
            ("", true),
        ];
        for (symbol, expected) in table {
            assert_eq!(has_symbol(text, symbol), expected, "{symbol}");
        }
    }
}
