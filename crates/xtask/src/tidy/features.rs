//! Checks the use of cargo features: in tests, and in commands that build programs for users.

use std::collections::BTreeSet;

use super::Finding;
use super::tree::{Crate, PREFIX, Tree};
use crate::{dist, test};

/// The feature that replaces time and ids by fixed ones. A program built with it would write false
/// times and ids.
const FIXED: &str = "fixed";

pub(crate) fn fixed_stays_in_tests(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    for member in &tree.crates {
        let manifest = format!("{}/Cargo.toml", member.folder);
        if defaults(member).iter().any(|feature| is_fixed(feature)) {
            let advice = format!("take `{FIXED}` out of the default features: tests ask for it");
            findings.push(Finding::in_file(&manifest, advice));
        }
        let normal = member.dependencies.iter().filter(|dependency| !dependency.is_dev);
        for dependency in
            normal.filter(|dependency| dependency.features.iter().any(|f| is_fixed(f)))
        {
            let advice = format!(
                "do not ask `{}` for `{FIXED}` outside of dev-dependencies",
                dependency.package
            );
            findings.push(Finding::in_file(&manifest, advice));
        }
    }
    for (path, line, command) in release_commands(tree) {
        if enables_fixed(&command) {
            let advice = format!("build releases without `{FIXED}` and without all features");
            findings.push(Finding { path, line, advice });
        }
    }
    findings
}

/// Checks that `cargo xtask test` enables all required features. Without them, cargo silently skips
/// a target with `required-features`, and a test that is compiled only with `fixed`.
pub(crate) fn required_features_are_tested(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    for member in &tree.crates {
        let for_tests = member.features.keys().filter(|feature| *feature == FIXED);
        let needed: BTreeSet<_> = member.required_features.iter().chain(for_tests).collect();
        for feature in needed {
            let name = format!("{PREFIX}{}/{feature}", member.name);
            if !test::FEATURES.contains(&name.as_str()) && !defaults(member).contains(feature) {
                let advice = format!("add `{name}` to FEATURES in crates/xtask/src/test.rs");
                findings.push(Finding::in_file(&format!("{}/Cargo.toml", member.folder), advice));
            }
        }
    }
    findings
}

/// The default features of a crate, and all features that they enable.
fn defaults(member: &Crate) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let mut open = vec!["default".to_owned()];
    while let Some(feature) = open.pop() {
        if found.insert(feature.clone()) {
            open.extend(member.features.get(&feature).into_iter().flatten().cloned());
        }
    }
    found
}

/// Whether a feature is `fixed`, of this crate or of a dependency.
fn is_fixed(feature: &str) -> bool {
    feature.rsplit('/').next() == Some(FIXED)
}

fn enables_fixed(command: &str) -> bool {
    let words = command.split(|c: char| c.is_whitespace() || matches!(c, ',' | '=' | '"' | '\''));
    words.into_iter().any(|word| is_fixed(word) || word == "--all-features")
}

/// Commands that build programs for users: those of this crate, and those in scripts and settings.
/// Each has the file and the line.
fn release_commands(tree: &Tree) -> Vec<(String, Option<usize>, String)> {
    let ours = dist::PROGRAMS.iter().map(|program| {
        let command = dist::build_arguments(program, "host").join(" ");
        ("crates/xtask/src/dist.rs".to_owned(), None, command)
    });
    let written = tree.files.iter().filter(|file| is_script(&file.path)).flat_map(|file| {
        let joined = file.text.replace("\\\n", "\u{0}");
        let mut number = 1;
        let mut commands = Vec::new();
        for line in joined.split('\n') {
            commands.push((file.path.clone(), Some(number), line.replace('\u{0}', " ")));
            number += 1 + line.matches('\u{0}').count();
        }
        commands
    });
    let is_release = |(_, _, command): &(_, _, String)| {
        command.contains("--release") || command.contains("--profile dist")
    };
    ours.chain(written).filter(is_release).collect()
}

fn is_script(path: &str) -> bool {
    let (_, name) = path.rsplit_once('/').unwrap_or(("", path));
    let by_ending = [".sh", ".yml", ".yaml"].iter().any(|ending| name.ends_with(ending));
    by_ending
        || [".ci/", ".github/", ".cargo/"].iter().any(|folder| path.starts_with(folder))
        || matches!(name, "Makefile" | "Dockerfile" | "justfile")
}

#[cfg(test)]
mod tests {
    use super::super::test_tree::{crate_named, needs, sample, tree_of, tree_with};
    use super::super::tree::Dependency;
    use super::*;

    fn with_features(features: &[(&str, &[&str])]) -> Crate {
        let features = features.iter().map(|(name, implied)| {
            ((*name).to_owned(), implied.iter().map(|name| (*name).to_owned()).collect())
        });
        Crate { features: features.collect(), ..sample() }
    }

    #[test]
    fn a_feature_that_tests_ask_for_is_fine() {
        let member = with_features(&[("default", &["index"]), ("index", &[]), ("fixed", &[])]);
        assert_eq!(fixed_stays_in_tests(&tree_with(&[], vec![member])), []);
    }

    #[test]
    fn a_default_feature_that_implies_it_is_found() {
        let direct = with_features(&[("default", &["fixed"]), ("fixed", &[])]);
        let indirect = with_features(&[("default", &["a"]), ("a", &["verger-hook/fixed"])]);
        assert_eq!(fixed_stays_in_tests(&tree_with(&[], vec![direct, indirect])).len(), 2);
    }

    #[test]
    fn a_program_that_depends_on_it_is_found() {
        let asked = |is_dev| {
            let features = vec![FIXED.to_owned()];
            let dependency = Dependency { is_dev, features, ..needs("verger-hook") };
            Crate { dependencies: vec![dependency], ..crate_named("cli") }
        };
        assert_eq!(fixed_stays_in_tests(&tree_with(&[], vec![asked(true)])), []);
        assert_eq!(fixed_stays_in_tests(&tree_with(&[], vec![asked(false)])).len(), 1);
    }

    #[test]
    fn a_release_command_that_enables_it_is_found() {
        let script = "cargo test --features fixed\ncargo build \\\n  --release \\\n  --all-features\n\
                      cargo build --release --features verger-hook/fixed\ncargo build --release\n";
        let lines: Vec<_> = fixed_stays_in_tests(&tree_of(&[(".ci/release", script)]))
            .into_iter()
            .map(|finding| finding.line)
            .collect();
        assert_eq!(lines, [Some(2), Some(5)]);
    }

    #[test]
    fn a_required_feature_that_no_test_run_enables_is_found() {
        let mut member = with_features(&[("default", &["on"]), ("on", &[]), ("off", &[])]);
        member.required_features = BTreeSet::from(["on".to_owned(), "off".to_owned()]);
        assert_eq!(
            required_features_are_tested(&tree_with(&[], vec![member])),
            [Finding::in_file(
                "crates/sample/Cargo.toml",
                "add `verger-sample/off` to FEATURES in crates/xtask/src/test.rs"
            )]
        );
    }

    #[test]
    fn tests_run_with_fixed_wherever_a_crate_has_it() {
        let member = with_features(&[("fixed", &[])]);
        assert_eq!(
            required_features_are_tested(&tree_with(&[], vec![member])),
            [Finding::in_file(
                "crates/sample/Cargo.toml",
                "add `verger-sample/fixed` to FEATURES in crates/xtask/src/test.rs"
            )]
        );
    }
}
