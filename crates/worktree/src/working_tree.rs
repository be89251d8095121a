//! The files as they are: where the working tree differs from a commit, however that is staged.

use std::collections::BTreeSet;
use std::fs::{self, File, FileTimes, Metadata};
use std::io;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

use crate::private::Scratch;
use crate::repository::Asking;
use crate::status::{Dirty, DirtyPaths, parse_status};
use crate::tree_error::TreeError;
use crate::version::{Difference, Differences, RepositoryPath, Version, parse_raw};

const STATUS: &[&str] = &[
    "status",
    "--porcelain=v2",
    "-z",
    "--untracked-files=all",
    "--no-renames",
    "--ignore-submodules=dirty",
];
/// Computes what git would record without recording it.
const RECORD: &[&str] =
    &["update-index", "--info-only", "--add", "--remove", "--replace", "-z", "--stdin"];

/// How a path that is not as the index has it gets its version.
enum Look {
    /// By git.
    Hash,
    Known(Version),
}

/// Where the working tree differs from `base`. Ignored files are left out, except those `watched`:
/// what was there at the start does not vanish by being ignored later.
pub(crate) fn differences<'a>(
    asking: &Asking<'_>,
    git_dir: &Path,
    scratch: &Scratch,
    base: &str,
    watched: impl Iterator<Item = &'a RepositoryPath>,
) -> Result<Differences, TreeError> {
    let step = "look at the working tree";
    let status = asking.answer(step, STATUS, None, vec![])?;
    let mut dirty = parse_status(&status).ok_or(TreeError::Answer { step })?;
    for path in watched {
        if !dirty.contains_key(path) && metadata(asking, path).is_some_and(|found| !found.is_dir())
        {
            dirty.insert(path.clone(), Dirty::There { index: Version::Absent });
        }
    }
    let (hashed, known) = look_at_all(asking, &dirty);
    let index = if hashed.is_empty() && !has_unmerged(&dirty) {
        None
    } else {
        Some(record(asking, git_dir, scratch, &hashed, &known, &dirty)?)
    };
    let step = "compare with the start";
    let arguments = ["diff-index", "--cached", "--raw", "-z", "--no-renames", base, "--"];
    let answer = asking.answer(step, &arguments, index.as_deref(), vec![])?;
    let mut differences = parse_raw(&answer).ok_or(TreeError::Answer { step })?;
    overlay(&mut differences, known, &dirty);
    Ok(differences)
}

fn has_unmerged(dirty: &DirtyPaths) -> bool {
    dirty.values().any(|dirty| *dirty == Dirty::Unmerged)
}

type Known = Vec<(RepositoryPath, Version)>;

fn look_at_all(asking: &Asking<'_>, dirty: &DirtyPaths) -> (BTreeSet<RepositoryPath>, Known) {
    let (mut hashed, mut known) = (BTreeSet::new(), vec![]);
    for (path, state) in dirty {
        match look_at(asking, path, state) {
            Look::Hash => {
                hashed.insert(path.clone());
            }
            Look::Known(version) => known.push((path.clone(), version)),
        }
    }
    (hashed, known)
}

fn look_at(asking: &Asking<'_>, path: &RepositoryPath, state: &Dirty) -> Look {
    if matches!(state, Dirty::Gone { .. }) {
        return Look::Known(Version::Absent);
    }
    let Some(found) = metadata(asking, path) else { return Look::Known(Version::Absent) };
    if found.is_symlink() {
        return Look::Hash;
    }
    if found.is_dir() {
        // A directory that git names is a submodule.
        return Look::Hash;
    }
    if !found.is_file() {
        // Pipes and sockets are no content.
        return Look::Known(Version::Absent);
    }
    match File::open(full_path(asking, path)) {
        Ok(_) => Look::Hash,
        Err(error) if error.kind() == io::ErrorKind::NotFound => Look::Known(Version::Absent),
        Err(_) => Look::Known(unreadable(&found)),
    }
}

/// What is closed to us is told apart by what can be seen from outside.
fn unreadable(found: &Metadata) -> Version {
    let id = format!("unreadable-{}-{}-{}", found.len(), found.mtime(), found.mtime_nsec());
    Version::Present { mode: format!("{:o}", found.mode()), id }
}

fn metadata(asking: &Asking<'_>, path: &RepositoryPath) -> Option<Metadata> {
    fs::symlink_metadata(full_path(asking, path)).ok()
}

fn full_path(asking: &Asking<'_>, path: &RepositoryPath) -> PathBuf {
    asking.top_level().join(std::ffi::OsStr::from_bytes(path))
}

/// A copy of the user's index that holds the hashed files as they are now, and no unfinished merge.
fn record(
    asking: &Asking<'_>,
    git_dir: &Path,
    scratch: &Scratch,
    hashed: &BTreeSet<RepositoryPath>,
    known: &Known,
    dirty: &DirtyPaths,
) -> Result<PathBuf, TreeError> {
    let index = scratch.path("index");
    let users = git_dir.join("index");
    copy_with_time(&users, &index).map_err(TreeError::files("copy", &users))?;
    let step = "hash what changed";
    let unmerged: BTreeSet<_> = known
        .iter()
        .map(|(path, _)| path)
        .filter(|path| dirty.get(*path) == Some(&Dirty::Unmerged))
        .collect();
    if !unmerged.is_empty() {
        let arguments = ["update-index", "--force-remove", "-z", "--stdin"];
        asking.answer(step, &arguments, Some(&index), nul_terminated(unmerged))?;
    }
    if !hashed.is_empty() {
        asking.answer(step, RECORD, Some(&index), nul_terminated(hashed))?;
    }
    Ok(index)
}

/// The time goes with it: git tells by it which files may have changed unseen since the index was
/// written. A repository without an index has an empty one.
fn copy_with_time(from: &Path, to: &Path) -> io::Result<()> {
    let modified = match fs::metadata(from) {
        Ok(found) => found.modified()?,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(error),
    };
    fs::copy(from, to)?;
    File::options().write(true).open(to)?.set_times(FileTimes::new().set_modified(modified))
}

fn nul_terminated<'a>(paths: impl IntoIterator<Item = &'a RepositoryPath>) -> Vec<u8> {
    paths.into_iter().flat_map(|path| path.iter().copied().chain([0])).collect()
}

fn overlay(differences: &mut Differences, known: Known, dirty: &DirtyPaths) {
    for (path, now) in known {
        let base = match (differences.get(&path), dirty.get(&path)) {
            (Some(difference), _) => difference.base.clone(),
            // Where index and base agree, the index says what the base is.
            (None, Some(Dirty::There { index } | Dirty::Gone { index })) => index.clone(),
            (None, Some(Dirty::Unmerged) | None) => Version::Absent,
        };
        if base == now {
            differences.remove(&path);
        } else {
            differences.insert(path, Difference { base, now });
        }
    }
}
