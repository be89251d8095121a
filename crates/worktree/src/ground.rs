//! Finds the project's root and files without running git, by reading the directories above the
//! working directory.

use std::fs::{self, FileType};
use std::io;
use std::path::{Path, PathBuf};

use crate::real_paths::RealPaths;

/// The maximum number of directory levels that a walk visits.
const MAX_LEVELS: usize = 64;

/// The reason why an existing project configuration isn't read.
#[derive(Debug, thiserror::Error)]
pub enum RefusedConfig {
    /// The configuration is a symbolic link, which could point to any file.
    #[error("{} is a symbolic link and is not followed", path.display())]
    SymbolicLink { path: PathBuf },
    #[error("{} is not a file", path.display())]
    NotAFile { path: PathBuf },
    #[error("look at {}", path.display())]
    Inaccessible { path: PathBuf, source: io::Error },
}

/// The working directory and the directories above it, each read once.
///
/// The project's files are in the nearest `.verger` at or above the working directory. An empty
/// `.verger` counts too, so a nested project doesn't use the files of the outer one. The search
/// ends at a directory with `.git`, at `home`, or at the root.
#[derive(Debug, Default)]
pub struct Surroundings {
    real: RealPaths,
    place: Option<Place>,
}

#[derive(Debug)]
struct Place {
    cwd: PathBuf,
    root: PathBuf,
    /// The nearest `.verger`. It can be a directory, a link or another kind of file.
    marker: Option<PathBuf>,
}

impl Surroundings {
    /// Searches the directories from `cwd` upwards.
    pub fn of(cwd: Option<&Path>, home: Option<&Path>) -> Self {
        let real = RealPaths::default();
        // If the working directory can't be resolved, there is no project.
        let place = cwd.and_then(|cwd| real.of(cwd)).map(|cwd| {
            let home = home.and_then(|home| real.of(home));
            let (root, marker) = walk(&cwd, home.as_deref());
            Place { root: root.unwrap_or(&cwd).to_owned(), marker, cwd }
        });
        Self { real, place }
    }

    /// The working directory's real path.
    pub fn cwd(&self) -> Option<&Path> {
        self.place.as_ref().map(|place| place.cwd.as_path())
    }

    /// The project's root, found without git: the nearest directory with `.verger`, else the
    /// nearest with `.git`, else the working directory.
    pub fn root(&self) -> Option<&Path> {
        self.place.as_ref().map(|place| place.root.as_path())
    }

    /// The path of the project's configuration file. `None` if there is none.
    pub fn project_config(&self) -> Result<Option<PathBuf>, RefusedConfig> {
        self.project_file("config.toml")
    }

    /// The path of the file `name` in the project's `.verger`. `None` if there is no such file.
    pub fn project_file(&self, name: &str) -> Result<Option<PathBuf>, RefusedConfig> {
        let marker = self.place.as_ref().and_then(|place| place.marker.as_ref());
        let Some(marker) = marker else { return Ok(None) };
        match kind(marker)? {
            None => Ok(None),
            Some(kind) if kind.is_symlink() => {
                Err(RefusedConfig::SymbolicLink { path: marker.clone() })
            }
            Some(_) => file_in(marker, name),
        }
    }

    /// The real path of `path`. `None` if it can't be resolved.
    pub fn real_path(&self, path: &Path) -> Option<PathBuf> {
        self.real.of(path)
    }
}

/// Finds the project's root, if there is one, and the `.verger` that has the project's files.
fn walk<'a>(cwd: &'a Path, home: Option<&Path>) -> (Option<&'a Path>, Option<PathBuf>) {
    let mut decides = None;
    for directory in levels(cwd, home) {
        let marker = directory.join(".verger");
        let (is_project, is_decisive) = match kind(&marker) {
            Ok(found) => (
                found.is_some_and(|found| found.is_dir()),
                found.is_some_and(|found| found.is_dir() || found.is_symlink()),
            ),
            Err(_) => (false, true),
        };
        if is_decisive && decides.is_none() {
            decides = Some(marker);
        }
        if is_project || holds_git(directory) {
            return (Some(directory), decides);
        }
    }
    (None, decides)
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

/// Finds the project's root, for callers that need no other facts. See [`Surroundings::root`].
pub fn root_without_git(cwd: &Path, home: Option<&Path>) -> PathBuf {
    let home = home.and_then(|home| home.canonicalize().ok());
    walk(cwd, home.as_deref()).0.unwrap_or(cwd).to_owned()
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

/// Whether `cwd` or a directory above it has a `.git`, so that git should find a repository.
pub(crate) fn is_below_git(cwd: &Path) -> bool {
    cwd.ancestors().take(MAX_LEVELS).any(holds_git)
}

/// The directories from `cwd` upwards, at most up to and including `home`. Both are real paths.
fn levels<'a>(cwd: &'a Path, home: Option<&Path>) -> impl Iterator<Item = &'a Path> {
    let above_home = home.and_then(Path::parent);
    cwd.ancestors().take_while(move |directory| Some(*directory) != above_home).take(MAX_LEVELS)
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
