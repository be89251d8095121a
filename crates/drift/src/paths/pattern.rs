//! Patterns for paths in the form in which people write them, and how they match.

use serde::{Deserialize, Serialize};
use verger_shell::Glob;

use crate::phrases::is_listed;

/// A pattern for paths: a file, a folder or a glob, as a whole path or only its end. Examples:
/// `parser`, `src/parser/`, `*.css`, `src/**/a.rs`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct PathPattern(String);

/// Common names of folders at the top of a project.
const FOLDERS: &str = "\
    app|apps|assets|bin|charts|cmd|components|config|crates|deploy|doc|docs|infra|internal|\
    lib|libs|modules|packages|pkg|scripts|services|spec|src|test|tests|tools|utils|web";

impl PathPattern {
    /// Makes a pattern from a path or glob that a person wrote.
    pub fn new(text: &str) -> Self {
        Self(text.trim_start_matches("./").to_owned())
    }

    /// The text of the pattern, without `./` at its start.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether the pattern may be words instead of a path, such as `upload/delete` or
    /// `Approve/Reject/Skip`.
    pub(crate) fn may_be_words(&self) -> bool {
        let is_word =
            |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_alphanumeric());
        let mut parts = self.0.split('/');
        parts.clone().nth(1).is_some()
            && parts.clone().all(is_word)
            && !parts.any(|part| is_listed(part, FOLDERS))
    }

    /// Whether the path matches the pattern or is in a folder that matches.
    pub fn covers(&self, path: &str) -> bool {
        let wanted: Vec<&str> = self.0.split('/').filter(|part| !part.is_empty()).collect();
        let parts: Vec<&str> = path.split('/').filter(|part| !part.is_empty()).collect();
        if wanted.is_empty() || wanted.len() > parts.len() + 2 {
            return false;
        }
        let is_folder = self.0.ends_with('/');
        // `**` matches any number of parts. The parts of the pattern between two `**` are matched
        // as early as possible, so that the most parts of the path remain for the rest of the
        // pattern.
        let mut stretches = wanted.split(|part| *part == "**").peekable();
        let mut rest = &parts[..];
        while let Some(stretch) = stretches.next() {
            if stretches.peek().is_none() {
                return (0..=rest.len()).any(|at| begins(stretch, &rest[at..], is_folder));
            }
            let is_here = |found: &[&str]| stretch.iter().zip(found).all(|(a, b)| Glob::fits(a, b));
            if stretch.is_empty() {
                continue;
            }
            let Some(at) = rest.windows(stretch.len()).position(is_here) else { return false };
            rest = &rest[at + stretch.len()..];
        }
        false
    }
}

/// Whether the path's first parts match all parts of the pattern. `is_folder` is whether the
/// pattern must match a folder.
fn begins(wanted: &[&str], parts: &[&str], is_folder: bool) -> bool {
    match (wanted, parts) {
        ([], _) => true,
        // People omit extensions: `geo/Projection` matches the file `geo/Projection.java`. Folders
        // have no extension.
        ([last], [part]) if !last.contains('.') && part.split('.').next() == Some(last) => {
            !is_folder || part == last
        }
        ([first, rest @ ..], [part, others @ ..]) => {
            Glob::fits(first, part) && begins(rest, others, is_folder)
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pattern_covers_what_lies_in_it() {
        let cases = [
            ("src/parser", "src/parser/a.rs", true),
            ("src/parser", "x/src/parser/a.rs", true),
            ("src/parser", "src/parser2/a.rs", false),
            ("parser.rs", "src/parser.rs", true),
            ("lib/", "lib/a/b.js", true),
            ("infra/", ".github/workflows/infra.yml", false),
            ("src/Parser", "src/parser/a.rs", false),
            ("*.css", "src/a.css", true),
            ("*.css", "src/a.scss", false),
            ("src/**/a.rs", "src/b/c/a.rs", true),
            ("src/**", "src/b/c.rs", true),
            ("", "a", false),
            ("src/**/b/**/a.rs", "src/b/x/b/c/a.rs", true),
            ("src/**/b/**/a.rs", "src/c/x/d/c/a.rs", false),
            ("**/a.rs", "a.rs", true),
            ("src/**/geo/Projection", "src/x/geo/Projection.java", true),
            ("**/geo/", "src/geo/a.java", true),
            ("**/geo/", "src/geo.java", false),
            ("src/Api", "src/api/a.rs", false),
            ("**", "a", true),
        ];
        for (pattern, path, expected) in cases {
            assert_eq!(PathPattern::new(pattern).covers(path), expected, "{pattern} {path}");
        }
    }

    #[test]
    fn two_words_with_a_slash_may_be_no_path() {
        let texts = [
            "upload/delete",
            "Yes/No/Later",
            "src/parser",
            "web/src/api",
            "lib/",
            "a.b/c",
            "my-app/x",
        ];
        let words: Vec<&str> =
            texts.into_iter().filter(|text| PathPattern::new(text).may_be_words()).collect();
        assert_eq!(words, ["upload/delete", "Yes/No/Later"]);
    }

    #[test]
    fn many_stars_in_a_long_path_cost_no_time() {
        let pattern = PathPattern::new(&format!("{}x", "**/a/".repeat(12)));
        let path = "a/".repeat(2_000);
        assert!(!pattern.covers(&path));
        assert!(pattern.covers(&format!("{path}x")));
    }
}
