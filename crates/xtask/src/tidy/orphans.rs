//! Checks that a target includes every source file. A file that no target includes is never
//! compiled.

use super::Finding;
use super::tree::Tree;

const FOLDERS: &[&str] = &["src", "tests", "benches", "examples"];

pub(crate) fn every_file_is_reached(tree: &Tree) -> Vec<Finding> {
    tree.rust_files()
        .filter(|file| file.part.is_none() && is_compiled_folder(&file.path))
        .map(|file| {
            let advice = "no `mod` declaration and no target reaches it: declare it or delete it";
            Finding::in_file(&file.path, advice)
        })
        .collect()
}

fn is_compiled_folder(path: &str) -> bool {
    let mut parts = path.split('/');
    parts.next() == Some("crates")
        && parts.next().is_some()
        && parts.next().is_some_and(|folder| FOLDERS.contains(&folder))
}

#[cfg(test)]
mod tests {
    use super::super::test_tree::tree_of;
    use super::*;

    #[test]
    fn a_file_that_nobody_declares_is_found() {
        let tree = tree_of(&[
            ("crates/sample/src/lib.rs", "mod used;"),
            ("crates/sample/src/used.rs", ""),
            ("crates/sample/src/lost.rs", ""),
            ("crates/sample/tests/it.rs", "mod cases;"),
            ("crates/sample/tests/cases.rs", ""),
            ("crates/sample/tests/it/lost.rs", ""),
            ("fuzz/fuzz_targets/stdin.rs", ""),
        ]);
        let paths: Vec<_> =
            every_file_is_reached(&tree).into_iter().map(|finding| finding.path).collect();
        assert_eq!(paths, ["crates/sample/src/lost.rs", "crates/sample/tests/it/lost.rs"]);
    }
}
