//! Checks the names of files. A name that doesn't describe a file's content attracts unrelated
//! code.

use super::Finding;
use super::tree::Tree;

const EMPTY_NAMES: &[&str] = &["common", "helper", "helpers", "misc", "types", "util", "utils"];

pub(crate) fn names_say_what_is_inside(tree: &Tree) -> Vec<Finding> {
    tree.rust_files()
        .filter_map(|file| advice(&file.path).map(|advice| Finding::in_file(&file.path, advice)))
        .collect()
}

/// File endings that editors, merges and snapshot tools leave behind.
const LEFT_BEHIND: &[&str] =
    &[".bak", ".orig", ".pending-snap", ".profraw", ".rej", ".snap.new", ".swp", "~"];

pub(crate) fn tools_leave_nothing_behind(tree: &Tree) -> Vec<Finding> {
    tree.files
        .iter()
        .filter(|file| LEFT_BEHIND.iter().any(|ending| file.path.ends_with(ending)))
        .map(|file| Finding::in_file(&file.path, "delete it: a tool left it behind"))
        .collect()
}

fn advice(path: &str) -> Option<String> {
    if path.ends_with("/mod.rs") {
        return Some(
            "move it to <module>.rs beside its folder: a tab should say what it is".into(),
        );
    }
    let empty = path.trim_end_matches(".rs").split('/').find(|part| EMPTY_NAMES.contains(part))?;
    Some(format!("`{empty}` names no concept: split it along what its items are about"))
}

#[cfg(test)]
mod tests {
    use super::super::test_tree::tree_of;
    use super::*;

    #[test]
    fn files_left_by_tools_are_found() {
        let tree = tree_of(&[
            ("crates/sample/src/.lib.rs.pending-snap", ""),
            ("crates/sample/src/lib.rs", ""),
            ("notes.md~", ""),
        ]);
        let paths: Vec<_> =
            tools_leave_nothing_behind(&tree).into_iter().map(|finding| finding.path).collect();
        assert_eq!(paths, ["crates/sample/src/.lib.rs.pending-snap", "notes.md~"]);
    }

    #[test]
    fn empty_names_are_found_and_real_ones_are_not() {
        let tree = tree_of(&[
            ("crates/sample/src/segment.rs", ""),
            ("crates/sample/src/common_prefix.rs", ""),
            ("crates/sample/src/utils.rs", ""),
            ("crates/sample/src/segment/mod.rs", ""),
            ("crates/sample/tests/common/env.rs", ""),
            ("docs/types.md", ""),
        ]);
        let paths: Vec<_> =
            names_say_what_is_inside(&tree).into_iter().map(|finding| finding.path).collect();
        assert_eq!(
            paths,
            [
                "crates/sample/src/utils.rs",
                "crates/sample/src/segment/mod.rs",
                "crates/sample/tests/common/env.rs",
            ]
        );
    }
}
