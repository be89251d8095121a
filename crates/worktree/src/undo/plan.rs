//! The plan of a restore: all changes that the restore would make, computed before anything
//! changes.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::fmt;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Component, Path, PathBuf};

use super::SCRATCH;
use super::ignored_then::ignored_then;
use super::place::is_taken;
use super::points::Point;
use crate::private::Scratch;
use crate::project::path_from;
use crate::repository::Asking;
use crate::tree_error::TreeError;
use crate::version::{Differences, RepositoryPath, Version, parse_raw};

/// The part of an undo point to restore.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Selection {
    /// Paths of files and directories, relative to the top level. A directory includes everything
    /// in it. Empty means everything.
    pub paths: Vec<PathBuf>,
    /// Whether the restore removes files that were created after the point.
    pub exact: bool,
}

/// The planned changes, as paths from the working tree's top level.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Plan {
    /// Files that the restore writes with their content in the point.
    pub write: Vec<PathBuf>,
    /// Files that the restore removes, because the point lacks them or has another kind of file in
    /// their place.
    pub remove: Vec<PathBuf>,
    /// Files that differ from the point and that the restore leaves unchanged.
    pub keep: Vec<Kept>,
    /// The versions in the point of the files in `write`.
    pub(super) versions: BTreeMap<RepositoryPath, Version>,
}

/// A file that differs from the point and that a restore leaves unchanged.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Kept {
    pub path: PathBuf,
    pub why: KeptWhy,
}

/// The reason why a restore leaves a file unchanged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KeptWhy {
    /// The file was created after the point.
    MadeSince,
    /// Git ignored the file when the point was saved, so it may have existed then.
    IgnoredThen,
    /// The point doesn't contain the file.
    LeftOut,
    /// The current content of the file could not be saved, so overwriting it would lose the
    /// content.
    NotSaved,
    /// The file belongs to a nested repository and may refer to later commits.
    OfRepository,
    /// The file is protected. Anyone with write access to the repository can create a point, so a
    /// restore never writes such files.
    Protected,
}

impl fmt::Display for KeptWhy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::MadeSince => "made since",
            Self::IgnoredThen => "git ignored it at that time",
            Self::LeftOut => "the undo point does not contain it",
            Self::NotSaved => "it could not be saved as it is",
            Self::OfRepository => "the current repository has its own",
            Self::Protected => "protected",
        })
    }
}

/// The data that decides which files a restore leaves unchanged.
pub(super) struct Keeping<'a> {
    /// Files that the point doesn't contain.
    not_in_point: BTreeSet<PathBuf>,
    /// Files whose current content is not saved.
    not_saved: BTreeSet<PathBuf>,
    /// Those of the checked files that git ignored when the point was saved.
    ignored_then: BTreeSet<RepositoryPath>,
    top_level: &'a Path,
    is_protected: &'a dyn Fn(&Path) -> bool,
}

impl Selection {
    pub(super) fn takes(&self, path: &Path) -> bool {
        self.paths.is_empty() || self.paths.iter().any(|selected| path.starts_with(selected))
    }
}

impl Plan {
    pub fn is_empty(&self) -> bool {
        self.write.is_empty() && self.remove.is_empty()
    }

    /// Plans the changes from the current files to those of `point`. `now` is a point with the
    /// current files.
    pub(super) fn find(
        asking: &Asking<'_>,
        git_dir: &Path,
        point: &Point,
        now: &Point,
        selection: &Selection,
        is_protected: &dyn Fn(&Path) -> bool,
    ) -> Result<Self, TreeError> {
        let step = "compare with the undo point";
        let arguments =
            ["diff-tree", "-r", "--raw", "-z", "--no-renames", &now.commit, &point.commit];
        let answer = asking.answer(step, &arguments, None, vec![])?;
        let differences = parse_raw(&answer).ok_or(TreeError::Answer { step })?;
        let left_out = |point: &Point| -> BTreeSet<PathBuf> {
            point.left_out.iter().map(|left| left.path.clone()).collect()
        };
        let (not_in_point, mut not_saved) = (left_out(point), left_out(now));
        let top_level = asking.top_level();
        // `now` doesn't have the files that git ignores at present, so they count as not saved.
        let unsaved = differences.iter().filter(|(_, found)| found.base == Version::Absent);
        let unsaved = unsaved.filter_map(|(path, _)| path_from(path));
        not_saved.extend(unsaved.filter(|path| is_taken(top_level, path)));
        let mut keeping = Keeping {
            not_in_point,
            not_saved,
            ignored_then: BTreeSet::new(),
            top_level,
            is_protected,
        };
        if selection.exact {
            let absent = differences.iter().filter(|(_, found)| found.now == Version::Absent);
            let absent: Vec<_> = absent.map(|(path, _)| path).collect();
            let scratch = Scratch::new(&git_dir.join(SCRATCH))?;
            keeping.ignored_then = ignored_then(asking, git_dir, point, &absent, &scratch)?;
        }
        Ok(Self::of(&differences, &keeping, selection))
    }

    /// Builds the plan. The `base` of a difference is the file's current version.
    fn of(differences: &Differences, keeping: &Keeping<'_>, selection: &Selection) -> Self {
        let mut plan = Self::default();
        let mut made_since = vec![];
        for (path, difference) in differences {
            let Some(name) = path_from(path).filter(|name| selection.takes(name)) else { continue };
            let mut keep = |why| plan.keep.push(Kept { path: name.clone(), why });
            match &difference.now {
                _ if keeping.protects(&name) => keep(KeptWhy::Protected),
                _ if keeping.not_in_point.contains(&name) => keep(KeptWhy::LeftOut),
                _ if keeping.not_saved.contains(&name) => keep(KeptWhy::NotSaved),
                // The commit of a submodule is not restored; the submodule's own repository has it.
                Version::Present { mode, .. } if mode == "160000" => {}
                Version::Absent => made_since.push(name),
                version @ Version::Present { .. } => {
                    plan.versions.insert(path.clone(), version.clone());
                    plan.write.push(name);
                }
            }
        }
        for name in made_since {
            let was_ignored = keeping.ignored_then.contains(name.as_os_str().as_bytes());
            if plan.is_in_the_way(&name) || (selection.exact && !was_ignored) {
                plan.remove.push(name);
            } else {
                let why = if was_ignored { KeptWhy::IgnoredThen } else { KeptWhy::MadeSince };
                plan.keep.push(Kept { path: name, why });
            }
        }
        plan
    }

    /// Whether the file `name` is in the way of the restore: it is in place of a directory of the
    /// point, or in a directory that a file of the point replaces.
    fn is_in_the_way(&self, name: &Path) -> bool {
        let bytes = name.as_os_str().as_bytes();
        let below = [bytes, b"/"].concat();
        let next = self.versions.range(below.clone()..).next();
        let is_above = next.is_some_and(|(path, _)| path.starts_with(&below));
        let above = name.ancestors().skip(1).map(Path::as_os_str);
        let mut above = above.filter(|above: &&OsStr| !above.is_empty());
        is_above || above.any(|above| self.versions.contains_key(above.as_bytes()))
    }
}

impl Keeping<'_> {
    /// Whether a restore must not write the file `name`. A hostile tree can have names that lead
    /// out of the working tree or into its repository.
    fn protects(&self, name: &Path) -> bool {
        let is_plain = |part: Component<'_>| match part {
            Component::Normal(part) => !part.eq_ignore_ascii_case(".git"),
            _ => false,
        };
        !name.components().all(is_plain) || (self.is_protected)(&self.top_level.join(name))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::version::Difference;

    fn plan(differences: &[(&str, &str)], selection: &Selection) -> Plan {
        let version = |mode: &str| Version::new(mode, "id");
        let differences = differences.iter().map(|(path, now)| {
            let difference = Difference { base: version("100644"), now: version(now) };
            (path.as_bytes().to_vec(), difference)
        });
        let set = |path: &str| BTreeSet::from([PathBuf::from(path)]);
        let keeping = Keeping {
            not_in_point: set(".env"),
            not_saved: set("huge"),
            ignored_then: BTreeSet::from([b"ignored".to_vec()]),
            top_level: Path::new("/home/dev/project"),
            is_protected: &|path| path.starts_with("/home/dev/project/own"),
        };
        let mut plan = Plan::of(&differences.collect(), &keeping, selection);
        plan.versions.clear();
        plan
    }

    #[test]
    fn the_plan_writes_removes_and_keeps_files() {
        let differences = [
            (".env", "100644"),
            ("changed", "100644"),
            ("dir", "120000"),
            ("dir/in-the-way", "000000"),
            ("file", "000000"),
            ("file/inside", "100755"),
            ("file2", "000000"),
            ("huge", "100644"),
            ("new", "000000"),
            ("own/settings", "100644"),
            ("sub", "160000"),
            ("sub/.GIT/hooks/x", "100755"),
            ("up/../../out", "100644"),
        ];
        let kept = |path: &str, why| Kept { path: path.into(), why };
        let unsaved = [
            kept(".env", KeptWhy::LeftOut),
            kept("huge", KeptWhy::NotSaved),
            kept("own/settings", KeptWhy::Protected),
            kept("sub/.GIT/hooks/x", KeptWhy::Protected),
            kept("up/../../out", KeptWhy::Protected),
        ];
        let made = [kept("file2", KeptWhy::MadeSince), kept("new", KeptWhy::MadeSince)];
        let everything = Plan {
            write: ["changed", "dir", "file/inside"].map(PathBuf::from).into(),
            remove: ["dir/in-the-way", "file"].map(PathBuf::from).into(),
            keep: unsaved.iter().cloned().chain(made).collect(),
            versions: BTreeMap::new(),
        };
        assert_eq!(plan(&differences, &Selection::default()), everything);
        let exact = Plan {
            remove: ["dir/in-the-way", "file", "file2", "new"].map(PathBuf::from).into(),
            keep: unsaved.into(),
            ..everything
        };
        let selection = Selection { exact: true, ..Selection::default() };
        assert_eq!(plan(&differences, &selection), exact);
        let selection = Selection { paths: vec!["file".into()], exact: false };
        let part = Plan {
            write: vec!["file/inside".into()],
            remove: vec!["file".into()],
            ..Plan::default()
        };
        assert_eq!(plan(&differences, &selection), part);
    }
}
