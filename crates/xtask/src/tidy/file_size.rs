//! Checks the sizes of files. A file beyond its limit contains more than one concept.

use super::Finding;
use super::modules::Part;
use super::tree::Tree;

/// The maximum number of lines of a file, without test modules.
const MAX_LINES: usize = 800;

pub(crate) fn files_hold_one_concept(tree: &Tree) -> Vec<Finding> {
    let production = tree.rust_files().filter(|file| file.part == Some(Part::Production));
    production
        .filter_map(|file| {
            let count = file.lines.iter().filter(|line| !line.is_test).count();
            let advice = format!(
                "{count} lines outside of tests, {MAX_LINES} are allowed: split it along a concept \
                 that has a name"
            );
            (count > MAX_LINES).then(|| Finding::in_file(&file.path, advice))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::super::test_tree::tree_of;
    use super::*;

    #[test]
    fn only_production_lines_count() {
        let long = "const A: u8 = 0;\n".repeat(MAX_LINES + 1);
        let tests = format!("#[cfg(test)]\nmod tests {{\n{long}}}\n");
        assert_eq!(files_hold_one_concept(&tree_of(&[("crates/sample/src/lib.rs", &tests)])), []);
        assert_eq!(files_hold_one_concept(&tree_of(&[("crates/sample/tests/it.rs", &long)])), []);
        let paths: Vec<_> =
            files_hold_one_concept(&tree_of(&[("crates/sample/src/lib.rs", &long)]))
                .into_iter()
                .map(|finding| finding.path)
                .collect();
        assert_eq!(paths, ["crates/sample/src/lib.rs"]);
    }
}
