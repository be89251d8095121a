//! Handles the removal of a directory that contains a repository. The repository's undo points
//! would be lost with it, so the files must be copied elsewhere first.

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};

use super::NoUndo;
use crate::git::Git;
use crate::repository::Asking;

const STEP: &str = "list the files of the repository";

/// The paths in a repository's directory without which its undo points can't be read.
const NEEDED: &[&str] = &["objects", "refs", "refs/verger", "refs/verger/undo", "packed-refs"];

/// Whether removing `path` with everything in it destroys the points in the repository `kept_in`.
pub fn endangers(path: &Path, kept_in: &Path) -> bool {
    let is_needed = |part: &Path| {
        NEEDED.iter().any(|needed| part == Path::new(needed)) || part.starts_with("objects")
    };
    kept_in.starts_with(path) || path.strip_prefix(kept_in).is_ok_and(is_needed)
}

/// The files that a removal of `removed` would delete: the files of the working tree `root`, the
/// uncommitted ones first, and then the repository itself. Ignored files are left out.
pub fn files_to_copy(
    root: &Path,
    kept_in: &Path,
    removed: &[PathBuf],
    git: &Git,
) -> Result<Vec<PathBuf>, NoUndo> {
    let asking = Asking::begin(git, root, git.deadline())?;
    let mut files = vec![];
    for which in [&["--modified", "--others", "--exclude-standard"][..], &["--cached"]] {
        let arguments = [&["ls-files", "-z"][..], which].concat();
        let answer = asking.answer(STEP, &arguments, None, vec![])?;
        let names = answer.split(|byte| *byte == 0).filter(|name| !name.is_empty());
        let paths = names.map(|name| root.join(OsStr::from_bytes(name)));
        files.extend(paths.filter(|path| removed.iter().any(|removed| path.starts_with(removed))));
    }
    files.push(kept_in.to_owned());
    Ok(files)
}

/// Returns those of `paths` that git tracks. `paths` are relative to the top level `root`.
pub fn tracked(root: &Path, paths: &[PathBuf], git: &Git) -> Result<Vec<PathBuf>, NoUndo> {
    // A path that isn't UTF-8 can't be given to git as an argument.
    let specs: Vec<_> =
        paths.iter().filter_map(|path| Some(format!(":(literal){}", path.to_str()?))).collect();
    if specs.is_empty() {
        return Ok(vec![]);
    }
    let asking = Asking::begin(git, root, git.deadline())?;
    let specs = specs.iter().map(String::as_str);
    let arguments: Vec<_> = ["ls-files", "-z", "--"].into_iter().chain(specs).collect();
    let answer = asking.answer(STEP, &arguments, None, vec![])?;
    let names = answer.split(|byte| *byte == 0).filter(|name| !name.is_empty());
    Ok(names.map(|name| PathBuf::from(OsStr::from_bytes(name))).collect())
}

/// Returns those of `paths` that git ignores. `paths` are relative to the top level `root`. Undo
/// points don't contain ignored files.
pub fn ignored(root: &Path, paths: &[PathBuf], git: &Git) -> Result<Vec<PathBuf>, NoUndo> {
    if paths.is_empty() {
        return Ok(vec![]);
    }
    let asking = Asking::begin(git, root, git.deadline())?;
    let input =
        paths.iter().flat_map(|path| path.as_os_str().as_bytes().iter().copied().chain([0]));
    let arguments = ["check-ignore", "-z", "--stdin"];
    // Git exits with 1 if no path is ignored.
    let answer = asking.answer_or(STEP, &[1], &arguments, None, input.collect())?;
    let answer = answer.unwrap_or_default();
    let names = answer.split(|byte| *byte == 0).filter(|name| !name.is_empty());
    Ok(names.map(|name| PathBuf::from(OsStr::from_bytes(name))).collect())
}

/// Finds the ignored files at or below `paths`, which are relative to the top level `root`. For a
/// directory that is ignored as a whole, returns only the directory.
pub fn ignored_below(root: &Path, paths: &[PathBuf], git: &Git) -> Result<Vec<PathBuf>, NoUndo> {
    let literal = |path: &PathBuf| match path.to_str()? {
        "" => Some(".".to_owned()),
        path => Some(format!(":(literal){path}")),
    };
    // A path that isn't UTF-8 can't be given to git as an argument.
    let specs: Vec<_> = paths.iter().filter_map(literal).collect();
    if specs.is_empty() {
        return Ok(vec![]);
    }
    let asking = Asking::begin(git, root, git.deadline())?;
    let which = ["ls-files", "-z", "--others", "--ignored", "--exclude-standard", "--directory"];
    let specs = specs.iter().map(String::as_str);
    let arguments: Vec<_> = which.into_iter().chain(["--"]).chain(specs).collect();
    let answer = asking.answer(STEP, &arguments, None, vec![])?;
    let names = answer.split(|byte| *byte == 0).filter(|name| !name.is_empty());
    let names = names.map(|name| name.strip_suffix(b"/").unwrap_or(name));
    let names = names.map(|name| Path::new(OsStr::from_bytes(name)));
    // For a path in a directory that is ignored as a whole, git returns the directory.
    Ok(names
        .flat_map(|name| {
            let inside: Vec<_> = paths.iter().filter(|path| path.starts_with(name)).collect();
            if inside.is_empty() {
                vec![name.to_owned()]
            } else {
                inside.into_iter().cloned().collect()
            }
        })
        .collect())
}

/// The git directory that all working trees of a repository share. It has the references.
pub(super) fn shared(git_dir: &Path) -> PathBuf {
    let named = fs::read(git_dir.join("commondir")).unwrap_or_default();
    let named = named.strip_suffix(b"\n").unwrap_or(&named);
    let shared = git_dir.join(OsStr::from_bytes(named)).canonicalize();
    shared.unwrap_or_else(|_| git_dir.to_owned())
}
