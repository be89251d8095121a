//! Finds the paths that git ignores.

use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};

use crate::git::Git;
use crate::tree_error::TreeError;

/// Returns those of `paths` that git ignores in the repository of `directory`. Empty if there is no
/// repository.
pub fn ignored_paths(
    directory: &Path,
    paths: &[PathBuf],
    git: &Git,
) -> Result<Vec<PathBuf>, TreeError> {
    if paths.is_empty() {
        return Ok(vec![]);
    }
    let arguments = ["check-ignore", "-z", "--"].map(Path::new);
    let arguments = arguments.into_iter().chain(paths.iter().map(PathBuf::as_path));
    let output = git.run(directory, arguments, git.deadline())?;
    let names = output.stdout.split(|byte| *byte == 0).filter(|name| !name.is_empty());
    Ok(names.map(|name| PathBuf::from(std::ffi::OsStr::from_bytes(name))).collect())
}
