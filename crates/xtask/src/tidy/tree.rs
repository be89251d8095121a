//! The tree that checks examine: every file that git would commit, and cargo's metadata about the
//! crates.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::{fs, io};

use serde_json::Value;

use super::modules::{self, Part, Target, TargetKind};
use super::source::{self, Line};
use crate::failure::Failure;
use crate::process;
use crate::workspace::Root;

pub(crate) struct Tree {
    pub(crate) files: Vec<File>,
    pub(crate) crates: Vec<Crate>,
    /// The paths of files whose content differs from the last commit.
    pub(crate) changed: BTreeSet<String>,
    /// The first line of each commit message, the newest first.
    pub(crate) commit_subjects: Vec<String>,
}

pub(crate) struct File {
    /// The file's path relative to the workspace, with forward slashes.
    pub(crate) path: String,
    /// The text of the file. Empty if the file is not UTF-8.
    pub(crate) text: String,
    pub(crate) is_tracked: bool,
    /// The parsed lines of the file. Empty if the file is not a Rust file.
    pub(crate) lines: Vec<Line>,
    /// The part of the crate to which the file belongs. `None` if no target reaches the file.
    pub(crate) part: Option<Part>,
}

pub(crate) struct Crate {
    /// The crate's name without the common prefix of verger's packages.
    pub(crate) name: String,
    pub(crate) folder: String,
    pub(crate) licence: Option<String>,
    pub(crate) dependencies: Vec<Dependency>,
    pub(crate) features: BTreeMap<String, Vec<String>>,
    /// Features that targets of the crate require. Without them, cargo silently skips these
    /// targets.
    pub(crate) required_features: BTreeSet<String>,
    pub(crate) targets: Vec<Target>,
    /// The names of all packages that are linked if only this crate is built, including the crate
    /// itself.
    pub(crate) closure: BTreeSet<String>,
}

pub(crate) struct Dependency {
    pub(crate) package: String,
    pub(crate) is_dev: bool,
    pub(crate) features: Vec<String>,
}

pub(crate) const PREFIX: &str = "verger-";

impl Tree {
    pub(crate) fn load(root: &Root) -> Result<Self, Failure> {
        let tracked = list(root, &["ls-files", "-z"])?;
        let untracked = list(root, &["ls-files", "-z", "--others", "--exclude-standard"])?;
        let changed = list(root, &["diff", "-z", "--name-only", "HEAD"])?;
        let mut files = Vec::new();
        for path in tracked.union(&untracked) {
            let text = match fs::read(root.join(path)) {
                Ok(bytes) => String::from_utf8(bytes).unwrap_or_default(),
                // The file is deleted but not committed yet, or the path is a link to a folder.
                Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
                Err(error) if error.kind() == io::ErrorKind::IsADirectory => continue,
                Err(source) => return Err(Failure::Read { path: root.join(path), source }),
            };
            files.push((path.clone(), text, tracked.contains(path)));
        }
        let log = process::output(root.command("git").args(["log", "--no-merges", "--format=%s"]))?;
        let commit_subjects = log.lines().map(str::to_owned).collect();
        Ok(Self { commit_subjects, ..Self::new(files, crates(root)?, changed) })
    }

    pub(crate) fn new(
        files: Vec<(String, String, bool)>,
        crates: Vec<Crate>,
        changed: BTreeSet<String>,
    ) -> Self {
        let mut files: Vec<File> = files
            .into_iter()
            .map(|(path, text, is_tracked)| {
                let lines = if is_rust(&path) { source::scan(&text) } else { Vec::new() };
                File { path, text, is_tracked, lines, part: None }
            })
            .collect();
        let targets: Vec<_> = crates.iter().flat_map(|member| member.targets.clone()).collect();
        let reached = modules::reach(&targets, |path| {
            let file = files.iter().find(|file| file.path == path)?;
            Some((file.lines.clone(), file.text.clone()))
        });
        for file in &mut files {
            file.part = reached.get(&file.path).copied();
        }
        Self { files, crates, changed, commit_subjects: vec![] }
    }

    pub(crate) fn file(&self, path: &str) -> Option<&File> {
        self.files.iter().find(|file| file.path == path)
    }

    pub(crate) fn rust_files(&self) -> impl Iterator<Item = &File> {
        self.files.iter().filter(|file| is_rust(&file.path))
    }
}

impl File {
    /// The lines of the file with their numbers, from 1.
    pub(crate) fn numbered(&self) -> impl Iterator<Item = (usize, &Line)> {
        (1..).zip(&self.lines)
    }

    pub(crate) fn is_test(&self) -> bool {
        self.part == Some(Part::Test)
    }
}

fn is_rust(path: &str) -> bool {
    Path::new(path).extension().is_some_and(|extension| extension == "rs")
}

fn list(root: &Root, arguments: &[&str]) -> Result<BTreeSet<String>, Failure> {
    let names = process::output(root.command("git").args(arguments))?;
    Ok(names.split('\0').filter(|name| !name.is_empty()).map(str::to_owned).collect())
}

fn crates(root: &Root) -> Result<Vec<Crate>, Failure> {
    let metadata = root.metadata()?;
    let folder = metadata["workspace_root"].as_str().unwrap_or_default();
    let members = metadata["packages"].as_array().ok_or(Failure::Metadata)?;
    let member = |package: &Value| {
        let mut member = member(package, Path::new(folder)).ok_or(Failure::Metadata)?;
        member.closure = closure(root, &format!("{PREFIX}{}", member.name))?;
        Ok(member)
    };
    members.iter().map(member).collect()
}

/// Parses a package in the output of `cargo metadata`. The closure stays empty. `None` if the
/// output has an unexpected form.
fn member(package: &Value, root: &Path) -> Option<Crate> {
    let relative = |path: &Path| path.strip_prefix(root).unwrap_or(path).display().to_string();
    let manifest = Path::new(package["manifest_path"].as_str()?);
    let cargo_targets = package["targets"].as_array()?;
    let target = |target: &Value| {
        let kind = match target["kind"][0].as_str()? {
            "test" => TargetKind::IntegrationTest,
            "bench" | "example" => TargetKind::Other,
            _ => TargetKind::Production,
        };
        Some(Target { path: relative(Path::new(target["src_path"].as_str()?)), kind })
    };
    let dependency = |dependency: &Value| {
        Some(Dependency {
            package: dependency["name"].as_str()?.to_owned(),
            is_dev: dependency["kind"] == "dev",
            features: texts(&dependency["features"]),
        })
    };
    let features = package["features"].as_object()?.iter();
    Some(Crate {
        name: package["name"].as_str()?.trim_start_matches(PREFIX).to_owned(),
        folder: relative(manifest.parent()?),
        licence: package["license"].as_str().map(str::to_owned),
        dependencies: package["dependencies"]
            .as_array()?
            .iter()
            .map(dependency)
            .collect::<Option<_>>()?,
        features: features.map(|(name, implied)| (name.clone(), texts(implied))).collect(),
        required_features: cargo_targets
            .iter()
            .flat_map(|target| texts(&target["required-features"]))
            .collect(),
        targets: cargo_targets.iter().map(target).collect::<Option<_>>()?,
        closure: BTreeSet::new(),
    })
}

/// The texts in a JSON list. Empty if the value is not a list.
fn texts(list: &Value) -> Vec<String> {
    list.as_array().into_iter().flatten().filter_map(Value::as_str).map(str::to_owned).collect()
}

/// The names of the packages that are linked with this package. Uses `cargo tree`, which selects
/// features for this package alone. In `cargo metadata`, a feature that one member enables appears
/// in all members.
fn closure(root: &Root, package: &str) -> Result<BTreeSet<String>, Failure> {
    let arguments =
        ["tree", "--package", package, "--edges", "normal,no-proc-macro", "--prefix", "none"];
    let listing = process::output(root.cargo(arguments).args(["--format", "{p}"]))?;
    Ok(listing.lines().filter_map(|line| line.split(' ').next()).map(str::to_owned).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn this_workspace_loads_with_its_files_crates_and_closures() {
        let tree = Tree::load(&Root::from_environment().unwrap()).unwrap();
        let part = |path| tree.file(path).and_then(|file| file.part);
        assert_eq!(part("crates/xtask/src/tidy/tree.rs"), Some(Part::Production));
        assert_eq!(part("crates/xtask/src/tidy/test_tree.rs"), Some(Part::Test));
        let named = |name| tree.crates.iter().find(|member| member.name == name).unwrap();
        let (event, chores) = (named("event"), named("chores"));
        assert_eq!(event.folder, "crates/event");
        assert_eq!(event.licence.as_deref(), Some("MIT OR Apache-2.0"));
        assert!(chores.dependencies.iter().any(|needed| {
            needed.package == "verger-event" && !needed.is_dev && needed.features == ["schema"]
        }));
        assert!(
            event.dependencies.iter().any(|needed| needed.package == "proptest" && needed.is_dev)
        );
        assert!(chores.closure.contains("schemars"));
        // `schemars` is linked only with a feature that another member of the workspace enables.
        assert!(event.closure.contains("serde_json") && !event.closure.contains("schemars"));
    }
}
