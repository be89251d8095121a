//! Checks the description of one hook call in ARCHITECTURE.md. The files and functions that it
//! names must exist, and it must be short.

use std::collections::BTreeSet;

use super::Finding;
use super::crate_table::DOCUMENT;
use super::tree::Tree;

/// The maximum number of files in the description, which follows one call from `main` to the
/// answer.
const MAX_FILES: usize = 25;

/// One row of the description's table `| step | file | function |`.
#[derive(Debug, PartialEq, Eq)]
struct Row<'t> {
    line: usize,
    file: &'t str,
    function: &'t str,
}

pub(crate) fn the_walk_exists(tree: &Tree) -> Vec<Finding> {
    let Some(document) = tree.files.iter().find(|file| file.path == DOCUMENT) else {
        return vec![];
    };
    let rows = rows(&document.text);
    if rows.is_empty() {
        return vec![Finding::in_file(
            DOCUMENT,
            "add the walk: a table `| step | file | function |`",
        )];
    }
    let mut findings: Vec<_> = rows.iter().filter_map(|row| problem(tree, row)).collect();
    let files: BTreeSet<_> = rows.iter().map(|row| row.file).collect();
    if files.len() > MAX_FILES {
        let advice = format!("the walk visits {} files, {MAX_FILES} are allowed", files.len());
        findings.push(Finding::in_file(DOCUMENT, advice));
    }
    findings
}

fn problem(tree: &Tree, row: &Row<'_>) -> Option<Finding> {
    let path = format!("crates/{}", row.file);
    let Some(file) = tree.files.iter().find(|file| file.path == path) else {
        let advice = format!("the walk names {path}, which is not there");
        return Some(Finding::at(DOCUMENT, row.line, advice));
    };
    let function = format!("fn {}", row.function);
    let is_there = file
        .text
        .match_indices(&function)
        .any(|(at, _)| file.text[at + function.len()..].starts_with(['(', '<']));
    let advice = format!("the walk names `{}` of {path}, which has no such function", row.function);
    (!is_there).then(|| Finding::at(DOCUMENT, row.line, advice))
}

fn rows(markdown: &str) -> Vec<Row<'_>> {
    let lines = (1..).zip(markdown.lines());
    let table = lines
        .skip_while(|(_, line)| cells(line) != ["step", "file", "function"])
        .skip(2)
        .take_while(|(_, line)| line.starts_with('|'));
    let row = |(line, text)| match cells(text)[..] {
        [_, file, function] => {
            Some(Row { line, file: file.trim_matches('`'), function: function.trim_matches('`') })
        }
        _ => None,
    };
    table.filter_map(row).collect()
}

fn cells(line: &str) -> Vec<&str> {
    line.trim().trim_matches('|').split('|').map(str::trim).collect()
}

#[cfg(test)]
mod tests {
    use super::super::test_tree::tree_of;
    use super::*;

    const TABLE: &str = "| step | file | function |\n|---|---|---|\n";

    fn found(rows: &str) -> Vec<Finding> {
        let document = format!("{TABLE}{rows}");
        let source = "fn answer(a: u8) {}\nfn fold<T>() {}\n";
        the_walk_exists(&tree_of(&[(DOCUMENT, &document), ("crates/sample/src/lib.rs", source)]))
    }

    #[test]
    fn a_file_or_function_that_is_not_there_is_found() {
        let file = "sample/src/lib.rs";
        let good = format!("| a | `{file}` | `answer` |\n| b | `{file}` | `fold` |\n");
        assert_eq!(found(&good), []);
        let bad = format!("| a | `{file}` | `ans` |\n| b | `sample/src/b.rs` | `fold` |\n");
        let function =
            "the walk names `ans` of crates/sample/src/lib.rs, which has no such function";
        let gone = "the walk names crates/sample/src/b.rs, which is not there";
        assert_eq!(
            found(&bad),
            [Finding::at(DOCUMENT, 3, function), Finding::at(DOCUMENT, 4, gone)]
        );
    }

    #[test]
    fn a_walk_that_is_missing_or_too_long_is_found() {
        assert_eq!(found("").len(), 1);
        let rows: Vec<_> = (0..=MAX_FILES).map(|n| format!("| a | `{n}.rs` | `f` |\n")).collect();
        assert_eq!(found(&rows.concat()).len(), MAX_FILES + 2);
    }
}
