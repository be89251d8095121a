//! A file that a step is about, with what its path says.

use std::collections::BTreeSet;

use crate::paths::{FileKind, bare_name, name};
use crate::words::path_words;

/// It is asked for at every turn of the measuring, and read once.
#[derive(Debug)]
pub(super) struct Touched<'a> {
    pub(super) path: &'a str,
    pub(super) kind: FileKind,
    /// The words of the whole path.
    pub(super) words: BTreeSet<String>,
    /// Those of the name alone.
    pub(super) name_words: BTreeSet<String>,
    subject: Option<&'a str>,
}

impl<'a> Touched<'a> {
    pub(super) fn of(path: &'a str) -> Self {
        let kind = FileKind::of(path);
        Self {
            path,
            kind,
            words: path_words(path),
            name_words: path_words(name(path)),
            subject: subject(path).filter(|_| has_subject(kind)),
        }
    }

    /// Whether another file is about the same, where one of them may be the test of the other.
    pub(super) fn shares_subject(&self, other: &str) -> bool {
        let Some(own) = self.subject else { return false };
        let is_called_alike = || subject(other).is_some_and(|bare| bare.eq_ignore_ascii_case(own));
        // Few are called alike: of the others nobody has to know what they are.
        other == self.path || (is_called_alike() && has_subject(FileKind::of(other)))
    }
}

/// All of a kind have the same name: `build.gradle` of each module.
fn has_subject(kind: FileKind) -> bool {
    !matches!(kind, FileKind::Build | FileKind::Tooling)
}

/// What a file is about by its name, whether it is the thing or its test.
fn subject(file: &str) -> Option<&str> {
    let mut bare = bare_name(file);
    while let Some(rest) = after(bare, "test_") {
        bare = rest;
    }
    for end in ["_test", "_spec", "tests", "test", "spec"] {
        while let Some(rest) = before(bare, end) {
            bare = rest;
        }
    }
    let says_nothing = ["", "index", "mod", "lib", "main", "app", "init", "__init__"];
    (!says_nothing.iter().any(|one| bare.eq_ignore_ascii_case(one))).then_some(bare)
}

/// What stands behind a beginning, in small letters or capitals.
fn after<'a>(text: &'a str, begin: &str) -> Option<&'a str> {
    let (first, rest) = text.split_at_checked(begin.len())?;
    first.eq_ignore_ascii_case(begin).then_some(rest)
}

/// What stands before an end, in small letters or capitals.
fn before<'a>(text: &'a str, end: &str) -> Option<&'a str> {
    let (rest, last) = text.split_at_checked(text.len().checked_sub(end.len())?)?;
    last.eq_ignore_ascii_case(end).then_some(rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_shares_its_subject_with_its_tests_and_with_no_file_of_a_kind() {
        let cases = [
            ("src/parser.rs", "tests/test_parser.py", true),
            ("ui/Modal.tsx", "ui/modal.test.tsx", true),
            ("UserStoreTests.swift", "app/userstore.swift", true),
            ("a_spec.rb", "lib/A.rb", true),
            ("größe_test.go", "größe.go", true),
            ("src/parser.rs", "src/parse.rs", false),
            ("src/mod.rs", "src/a/mod.rs", false),
            ("src/mod.rs", "src/mod.rs", false),
            ("a/build.gradle", "b/build.gradle", false),
            ("src/build.kt", "b/build.gradle", false),
            ("test.rs", "tests.rs", false),
        ];
        for (one, other, expected) in cases {
            assert_eq!(Touched::of(one).shares_subject(other), expected, "{one} {other}");
            assert_eq!(Touched::of(other).shares_subject(one), expected, "{other} {one}");
        }
    }
}
