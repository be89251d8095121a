//! Files written by `cargo xtask generate` must be what it would write now.

use super::Finding;
use super::tree::Tree;
use crate::generate::{self, GENERATORS, Generator};

pub(crate) fn generated_files_are_current(tree: &Tree) -> Vec<Finding> {
    current(tree, GENERATORS)
}

fn current(tree: &Tree, generators: &[Generator]) -> Vec<Finding> {
    generators
        .iter()
        .filter(|generator| {
            let stored = tree.file(generator.path).map(|file| file.text.as_str());
            generate::is_stale(generator, stored)
        })
        .map(|generator| Finding::in_file(generator.path, "run `cargo xtask generate`"))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::super::test_tree::tree_of;
    use super::*;

    #[test]
    fn a_file_that_differs_or_is_missing_is_found() {
        let generators = [
            Generator { path: "docs/same.md", render: || "same\n".to_owned() },
            Generator { path: "docs/old.md", render: || "new\n".to_owned() },
            Generator { path: "docs/missing.md", render: || "new\n".to_owned() },
        ];
        let tree = tree_of(&[("docs/same.md", "same\n"), ("docs/old.md", "old\n")]);
        let paths: Vec<_> =
            current(&tree, &generators).into_iter().map(|finding| finding.path).collect();
        assert_eq!(paths, ["docs/old.md", "docs/missing.md"]);
    }
}
