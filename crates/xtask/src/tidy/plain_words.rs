//! Checks for plain language, as far as a program can check it. Each check counts places and
//! compares the count with a limit. A count below its limit is a finding too, until the limit is
//! lowered. So a limit can only get lower.

use std::path::Path;

use super::Finding;
use super::modules::Part;
use super::tree::Tree;

/// The path of this file, which contains the limits.
const HERE: &str = "crates/xtask/src/tidy/plain_words.rs";

/// The maximum number of comment lines that begin with one of [`RIDDLES`].
const MAX_RIDDLES: usize = 0;
/// The maximum number of commit subjects with more than [`SUBJECT_WIDTH`] characters. Commits can't
/// be changed, so this limit stays.
const MAX_LONG_SUBJECTS: usize = 386;
/// The maximum number of one-line texts with more than [`HELP_WIDTH`] characters in the reference
/// of commands.
const MAX_LONG_HELP: usize = 0;
/// The maximum number of places that contain one of [`RETIRED`].
const MAX_RETIRED: usize = 0;

const SUBJECT_WIDTH: usize = 72;
const HELP_WIDTH: usize = 90;
const PAGE_LINES: usize = 150;
const README_LINES: usize = 120;

/// Words that begin a sentence without a named subject, unless the sentence is a question.
const RIDDLES: &[&str] = &["What", "Who", "Whoever", "Whose", "Nobody", "Whatever"];

/// Phrases that a newcomer can't understand at first reading, each with a plain replacement.
const RETIRED: &[(&str, &str)] = &[
    ("has an opinion", "acts on"),
    ("have opinions", "act on"),
    ("stood still", "without progress"),
    ("stands still", "without progress"),
    ("turned away", "rejected"),
    ("say more of", "the id is ambiguous; it matches: ..."),
    ("not to be had", "unavailable"),
    ("in the same breath", "in the same read"),
    ("in vain", "without a result"),
    ("give leave", "allow"),
    ("need leave", "must ask"),
    ("speak for", "detected from"),
    ("speaks for", "detected from"),
];

const COMMANDS_PAGE: &str = "docs/reference/commands.md";

/// Paths of generated pages. They have no length limit, because their length depends on their
/// source.
const GENERATED: &[&str] = &["docs/reference/", "docs/reports/"];

pub(crate) fn comments_name_their_subject(tree: &Tree) -> Vec<Finding> {
    let mut places = Vec::new();
    for file in tree.rust_files() {
        for (number, line) in file.numbered() {
            let text = line.comment.as_ref().map(|comment| comment.text.trim_start());
            if text.is_some_and(is_riddle) {
                places.push(Finding::at(&file.path, number, "begin with the thing that is meant"));
            }
        }
    }
    at_most("MAX_RIDDLES", MAX_RIDDLES, places)
}

fn is_riddle(text: &str) -> bool {
    let first = text.split(' ').next().unwrap_or_default();
    RIDDLES.contains(&first) && !text.contains('?')
}

pub(crate) fn commit_subjects_are_short(tree: &Tree) -> Vec<Finding> {
    let is_long = |subject: &&String| subject.chars().count() > SUBJECT_WIDTH;
    let long = tree.commit_subjects.iter().filter(is_long);
    let places: Vec<_> = long
        .map(|subject| {
            let advice =
                format!("at most {SUBJECT_WIDTH} characters, `area: verb object`: {subject}");
            Finding::in_file("git log", advice)
        })
        .collect();
    // A clone may have only a part of the history, so a count below the limit is not a finding
    // here.
    if places.len() > MAX_LONG_SUBJECTS { newest(places, MAX_LONG_SUBJECTS) } else { vec![] }
}

/// The newest of the places, as many as exceed the limit. The log lists the newest commits first.
fn newest(mut places: Vec<Finding>, limit: usize) -> Vec<Finding> {
    places.truncate(places.len() - limit);
    places
}

pub(crate) fn help_texts_are_short(tree: &Tree) -> Vec<Finding> {
    let Some(page) = tree.file(COMMANDS_PAGE) else {
        return vec![Finding::in_file(COMMANDS_PAGE, "the reference of commands is missing")];
    };
    let cell =
        |line: &str| line.strip_prefix("| ").and_then(|row| Some(row.split(" | ").nth(1)?.len()));
    let is_long = |line: &str| cell(line).is_some_and(|width| width > HELP_WIDTH);
    let long = (1..).zip(page.text.lines()).filter(|(_, line)| is_long(line));
    let places = long.map(|(number, _)| {
        Finding::at(
            COMMANDS_PAGE,
            number,
            format!("shorten this help text to {HELP_WIDTH} characters"),
        )
    });
    at_most("MAX_LONG_HELP", MAX_LONG_HELP, places.collect())
}

pub(crate) fn pages_are_short(tree: &Tree) -> Vec<Finding> {
    let is_page = |path: &str| {
        let is_generated = GENERATED.iter().any(|folder| path.starts_with(folder));
        is_markdown(path) && (path.starts_with("docs/") || !path.contains('/')) && !is_generated
    };
    let pages = tree.files.iter().filter(|file| is_page(&file.path));
    pages
        .filter_map(|file| {
            let limit = if file.path == "README.md" { README_LINES } else { PAGE_LINES };
            let lines = file.text.lines().count();
            let advice =
                format!("{lines} lines, at most {limit}: split the page or simplify the feature");
            (lines > limit).then(|| Finding::in_file(&file.path, advice))
        })
        .collect()
}

pub(crate) fn retired_phrases_stay_away(tree: &Tree) -> Vec<Finding> {
    let mut places = Vec::new();
    for file in tree.files.iter().filter(|file| file.path != HERE) {
        let is_generated = GENERATED.iter().any(|folder| file.path.starts_with(folder));
        if is_markdown(&file.path) && !is_generated {
            for (number, line) in (1..).zip(file.text.lines()) {
                places.extend(retired(line).map(|advice| Finding::at(&file.path, number, advice)));
            }
        }
        for (number, line) in file.numbered() {
            let is_production = file.part == Some(Part::Production) && !line.is_test;
            let literals = line.literals.iter().filter(|_| is_production).map(String::as_str);
            let comment = line.comment.as_ref().map(|comment| comment.text.as_str());
            let found = literals.chain(comment).find_map(retired);
            places.extend(found.map(|advice| Finding::at(&file.path, number, advice)));
        }
    }
    at_most("MAX_RETIRED", MAX_RETIRED, places)
}

fn is_markdown(path: &str) -> bool {
    Path::new(path).extension().is_some_and(|extension| extension == "md")
}

fn retired(text: &str) -> Option<String> {
    let text = text.to_lowercase();
    let found = RETIRED.iter().find(|(phrase, _)| text.contains(phrase));
    found.map(|(phrase, plain)| format!("\"{phrase}\" is retired; for example: {plain}"))
}

/// Compares the number of places with a limit. Returns the places if there are more. If there are
/// fewer, returns one finding that asks for a lower limit.
fn at_most(name: &str, limit: usize, places: Vec<Finding>) -> Vec<Finding> {
    match places.len() {
        count if count > limit => places,
        count if count < limit => {
            vec![Finding::in_file(HERE, format!("lower {name} to {count}"))]
        }
        _ => vec![],
    }
}

#[cfg(test)]
mod tests {
    use super::super::test_tree::tree_of;
    use super::*;

    fn place(number: usize) -> Finding {
        Finding::at("a.rs", number, "x")
    }

    #[test]
    fn a_limit_is_kept_exactly() {
        assert_eq!(at_most("MAX", 2, vec![place(1), place(2)]), []);
        assert_eq!(at_most("MAX", 1, vec![place(1), place(2)]), [place(1), place(2)]);
        assert_eq!(at_most("MAX", 3, vec![place(1)]), [Finding::in_file(HERE, "lower MAX to 1")]);
    }

    #[test]
    fn a_comment_that_hides_its_subject_is_a_riddle() {
        for text in ["What the gate knows.", "Who reviews.", "Nobody asks."] {
            assert!(is_riddle(text), "{text}");
        }
        for text in ["What did the gate know?", "Whatever", "The gate.", "Whole words.", ""] {
            assert_eq!(is_riddle(text), text == "Whatever", "{text}");
        }
    }

    #[test]
    fn commits_over_the_limit_are_found_newest_first() {
        assert_eq!(newest(vec![place(3), place(2), place(1)], 2), [place(3)]);
        let mut tree = tree_of(&[]);
        tree.commit_subjects = vec!["a".repeat(SUBJECT_WIDTH + 1); MAX_LONG_SUBJECTS + 1];
        assert_eq!(commit_subjects_are_short(&tree).len(), 1);
        tree.commit_subjects = vec!["a".repeat(SUBJECT_WIDTH); MAX_LONG_SUBJECTS + 1];
        assert_eq!(commit_subjects_are_short(&tree), []);
    }

    #[test]
    fn a_long_help_text_is_found() {
        let page =
            format!("| a | b |\n| `--x` | {} |\n| `--y` | short |\n", "a".repeat(HELP_WIDTH + 1));
        let found = help_texts_are_short(&tree_of(&[(COMMANDS_PAGE, &page)]));
        assert_eq!(found.first().and_then(|finding| finding.line), Some(2));
        assert_eq!(help_texts_are_short(&tree_of(&[])).len(), 1);
    }

    #[test]
    fn a_long_page_is_found() {
        let long = "line\n".repeat(PAGE_LINES + 1);
        let readme = "line\n".repeat(README_LINES + 1);
        let files = [
            ("docs/a.md", &*long),
            ("README.md", &readme),
            ("docs/b.md", &readme),
            ("docs/reference/c.md", &long),
        ];
        let found: Vec<_> =
            pages_are_short(&tree_of(&files)).into_iter().map(|page| page.path).collect();
        assert_eq!(found, ["docs/a.md", "README.md"]);
    }

    #[test]
    fn a_retired_phrase_is_found_in_texts_comments_and_pages() {
        let lib = "// It stands still.\nfn a() {\n    b(\"no gate has an opinion\");\n}\n";
        let files = [
            ("crates/sample/src/lib.rs", lib),
            ("docs/a.md", "Turned away.\n"),
            ("docs/b.md", "plain\n"),
        ];
        let lines: Vec<_> = retired_phrases_stay_away(&tree_of(&files))
            .into_iter()
            .map(|place| (place.path, place.line))
            .collect();
        let lib = "crates/sample/src/lib.rs".to_owned();
        assert_eq!(
            lines,
            [(lib.clone(), Some(1)), (lib, Some(3)), ("docs/a.md".to_owned(), Some(1))]
        );
    }
}
