//! What can be seen of a project without git: the directories above the working directory.

use std::fs::{self, FileType};
use std::io;
use std::path::{Path, PathBuf};

/// No project is nested deeper; a walk is bounded even where the file system is not.
const MAX_LEVELS: usize = 64;

/// A project's configuration exists but is not read.
#[derive(Debug, thiserror::Error)]
pub enum RefusedConfig {
    /// A repository could point it at anything.
    #[error("{} is a symbolic link and is not followed", path.display())]
    SymbolicLink { path: PathBuf },
    #[error("{} is not a file", path.display())]
    NotAFile { path: PathBuf },
    #[error("look at {}", path.display())]
    Inaccessible { path: PathBuf, source: io::Error },
}

/// The configuration file of the project that `cwd` belongs to.
///
/// The nearest `.verger` at or above `cwd` decides, with or without a file in it: a project inside
/// a project has its own. The walk ends at a directory with `.git`, at `home`, and at the root.
pub fn find_project_config(
    cwd: &Path,
    home: Option<&Path>,
) -> Result<Option<PathBuf>, RefusedConfig> {
    find_project_file(cwd, home, "config.toml")
}

/// The file of this name beside the project's configuration, or in its place, found the same way.
pub fn find_project_file(
    cwd: &Path,
    home: Option<&Path>,
    name: &str,
) -> Result<Option<PathBuf>, RefusedConfig> {
    // A directory that cannot be resolved has no project; whoever works there will be told.
    let Ok(cwd) = cwd.canonicalize() else { return Ok(None) };
    for directory in levels(&cwd, home) {
        let marker = directory.join(".verger");
        match kind(&marker)? {
            Some(kind) if kind.is_symlink() => {
                return Err(RefusedConfig::SymbolicLink { path: marker });
            }
            Some(kind) if kind.is_dir() => return file_in(&marker, name),
            Some(_) | None => {}
        }
        if holds_git(directory) {
            break;
        }
    }
    Ok(None)
}

fn file_in(marker: &Path, name: &str) -> Result<Option<PathBuf>, RefusedConfig> {
    let path = marker.join(name);
    match kind(&path)? {
        None => Ok(None),
        Some(kind) if kind.is_file() => Ok(Some(path)),
        Some(kind) if kind.is_symlink() => Err(RefusedConfig::SymbolicLink { path }),
        Some(_) => Err(RefusedConfig::NotAFile { path }),
    }
}

/// The project's root as the directories alone show it: the nearest with `.verger`, else the
/// nearest with `.git`, else `cwd` itself.
pub fn root_without_git(cwd: &Path, home: Option<&Path>) -> PathBuf {
    for directory in levels(cwd, home) {
        if holds_verger(directory) || holds_git(directory) {
            return directory.to_owned();
        }
    }
    cwd.to_owned()
}

/// The nearest directory with `.verger` from `cwd` up to `top_level`, else `top_level`.
pub fn root_within(cwd: &Path, top_level: &Path) -> PathBuf {
    cwd.ancestors()
        .take_while(|directory| directory.starts_with(top_level))
        .take(MAX_LEVELS)
        .find(|directory| holds_verger(directory))
        .unwrap_or(top_level)
        .to_owned()
}

/// Whether git should find a repository here.
pub(crate) fn is_below_git(cwd: &Path) -> bool {
    cwd.ancestors().take(MAX_LEVELS).any(holds_git)
}

/// `cwd` and what is above it, up to and including `home`.
fn levels<'a>(cwd: &'a Path, home: Option<&Path>) -> impl Iterator<Item = &'a Path> {
    let home = home.and_then(|home| home.canonicalize().ok());
    let above_home = home.as_deref().and_then(Path::parent).map(Path::to_owned);
    cwd.ancestors()
        .take_while(move |directory| Some(*directory) != above_home.as_deref())
        .take(MAX_LEVELS)
}

pub(crate) fn holds_git(directory: &Path) -> bool {
    fs::symlink_metadata(directory.join(".git")).is_ok()
}

fn holds_verger(directory: &Path) -> bool {
    fs::symlink_metadata(directory.join(".verger")).is_ok_and(|metadata| metadata.is_dir())
}

fn kind(path: &Path) -> Result<Option<FileType>, RefusedConfig> {
    match fs::symlink_metadata(path) {
        Ok(metadata) => Ok(Some(metadata.file_type())),
        Err(error)
            if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) =>
        {
            Ok(None)
        }
        Err(source) => Err(RefusedConfig::Inaccessible { path: path.to_owned(), source }),
    }
}
