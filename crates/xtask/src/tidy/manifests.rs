//! Checks the content that every manifest must have, and the lock file that makes builds
//! reproducible.

use super::Finding;
use super::modules::TargetKind;
use super::tree::Tree;

const ROOT: &str = "Cargo.toml";
const LOCK: &str = "Cargo.lock";

pub(crate) fn manifests_are_complete(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    let root = tree.file(ROOT).map(|file| file.text.as_str()).unwrap_or_default();
    if !has_entry(root, "workspace.lints.rust", "unsafe_code", "\"forbid\"") {
        let advice = "put `unsafe_code = \"forbid\"` under [workspace.lints.rust]";
        findings.push(Finding::in_file(ROOT, advice));
    }
    for member in &tree.crates {
        let path = format!("{}/Cargo.toml", member.folder);
        let text = tree.file(&path).map(|file| file.text.as_str()).unwrap_or_default();
        if !has_entry(text, "lints", "workspace", "true") {
            findings.push(Finding::in_file(&path, "put `workspace = true` under [lints]"));
        }
        if member.licence.is_none() {
            let advice = "put `license.workspace = true` under [package]";
            findings.push(Finding::in_file(&path, advice));
        }
    }
    findings
}

/// Checks that the lock file is committed and unchanged. If cargo changed the lock file although no
/// manifest changed, the committed lock file was outdated.
pub(crate) fn lock_file_is_committed(tree: &Tree) -> Vec<Finding> {
    if !tree.file(LOCK).is_some_and(|file| file.is_tracked) {
        return vec![Finding::in_file(LOCK, "commit it: programs are built from locked versions")];
    }
    let manifest_changed = tree
        .files
        .iter()
        .filter(|file| file.path.ends_with(ROOT))
        .any(|file| !file.is_tracked || tree.changed.contains(&file.path));
    if tree.changed.contains(LOCK) && !manifest_changed {
        let advice = "the committed file does not fit the manifests: commit this one";
        return vec![Finding::in_file(LOCK, advice)];
    }
    Vec::new()
}

/// Checks that each crate has only one integration-test binary, because each binary links the whole
/// crate again. One binary with several modules is enough.
pub(crate) fn one_test_binary_per_crate(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    for member in &tree.crates {
        let tests: Vec<_> = member
            .targets
            .iter()
            .filter(|target| target.kind == TargetKind::IntegrationTest)
            .map(|target| target.path.as_str())
            .collect();
        if let [first, others @ ..] = tests.as_slice() {
            for other in others {
                let advice = format!("make it a module of {first}: one test binary per crate");
                findings.push(Finding::in_file(other, advice));
            }
        }
    }
    findings
}

fn has_entry(manifest: &str, section: &str, key: &str, value: &str) -> bool {
    let heading = format!("[{section}]");
    manifest
        .lines()
        .map(str::trim)
        .skip_while(|line| *line != heading)
        .skip(1)
        .take_while(|line| !line.starts_with('['))
        .filter_map(|line| line.split_once('='))
        .any(|(k, v)| k.trim() == key && v.trim() == value)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::super::modules::Target;
    use super::super::test_tree::{sample, tree_of, tree_with};
    use super::*;

    const GOOD_ROOT: &str = "[workspace.lints.rust]\nunsafe_code = \"forbid\"\n";
    const GOOD_MEMBER: &str = "[package]\nname = \"verger-sample\"\n\n[lints]\nworkspace = true\n";
    const MEMBER: &str = "crates/sample/Cargo.toml";

    #[test]
    fn complete_manifests_pass() {
        let tree = tree_of(&[(ROOT, GOOD_ROOT), (MEMBER, GOOD_MEMBER)]);
        assert_eq!(manifests_are_complete(&tree), []);
    }

    #[test]
    fn a_manifest_without_lints_or_licence_is_found() {
        let elsewhere = "[workspace.lints.clippy]\nunsafe_code = \"forbid\"\n";
        let mut tree = tree_of(&[(ROOT, elsewhere), (MEMBER, "[package]\nworkspace = true\n")]);
        tree.crates[0].licence = None;
        let paths: Vec<_> =
            manifests_are_complete(&tree).into_iter().map(|finding| finding.path).collect();
        assert_eq!(paths, [ROOT, MEMBER, MEMBER]);
    }

    #[test]
    fn a_lock_file_must_be_committed_and_fit_the_manifests() {
        assert_eq!(lock_file_is_committed(&tree_of(&[])).len(), 1);
        let mut tree = tree_of(&[(LOCK, ""), (ROOT, GOOD_ROOT)]);
        assert_eq!(lock_file_is_committed(&tree), []);
        tree.changed = BTreeSet::from([LOCK.to_owned()]);
        assert_eq!(lock_file_is_committed(&tree).len(), 1);
        tree.changed.insert(ROOT.to_owned());
        assert_eq!(lock_file_is_committed(&tree), []);
        tree.files[0].is_tracked = false;
        assert_eq!(lock_file_is_committed(&tree).len(), 1);
    }

    #[test]
    fn a_second_test_binary_is_found() {
        let mut member = sample();
        member.targets.push(Target {
            path: "crates/sample/tests/more.rs".to_owned(),
            kind: TargetKind::IntegrationTest,
        });
        assert_eq!(
            one_test_binary_per_crate(&tree_with(&[], vec![member])),
            [Finding::in_file(
                "crates/sample/tests/more.rs",
                "make it a module of crates/sample/tests/it.rs: one test binary per crate"
            )]
        );
        assert_eq!(one_test_binary_per_crate(&tree_of(&[])), []);
    }
}
