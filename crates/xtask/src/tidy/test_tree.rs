//! Small trees for the tests of checks.

use std::collections::{BTreeMap, BTreeSet};

use super::modules::{Target, TargetKind};
use super::tree::{Crate, Dependency, PREFIX, Tree};

/// A tree with these files, all committed. It has one crate, `sample`, whose root files are
/// `src/lib.rs` and `tests/it.rs`.
pub(crate) fn tree_of(files: &[(&str, &str)]) -> Tree {
    tree_with(files, vec![sample()])
}

pub(crate) fn tree_with(files: &[(&str, &str)], crates: Vec<Crate>) -> Tree {
    let files =
        files.iter().map(|(path, text)| ((*path).to_owned(), (*text).to_owned(), true)).collect();
    Tree::new(files, crates, BTreeSet::new())
}

pub(crate) fn sample() -> Crate {
    let targets = [
        ("crates/sample/src/lib.rs", TargetKind::Production),
        ("crates/sample/tests/it.rs", TargetKind::IntegrationTest),
    ]
    .map(|(path, kind)| Target { path: path.to_owned(), kind });
    Crate { targets: targets.into(), ..crate_named("sample") }
}

pub(crate) fn crate_named(name: &str) -> Crate {
    Crate {
        name: name.to_owned(),
        folder: format!("crates/{name}"),
        licence: Some("MIT".to_owned()),
        dependencies: Vec::new(),
        features: BTreeMap::new(),
        required_features: BTreeSet::new(),
        targets: Vec::new(),
        closure: BTreeSet::from([format!("{PREFIX}{name}")]),
    }
}

pub(crate) fn needs(package: &str) -> Dependency {
    Dependency { package: package.to_owned(), is_dev: false, features: Vec::new() }
}
