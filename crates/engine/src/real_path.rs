//! Resolves a path that an agent names to its real path.

use std::path::{Component, Path, PathBuf};

/// A deeper path isn't looked up on disk beyond these levels.
const MAX_LEVELS: usize = 64;
/// As many symbolic links as the system follows.
const MAX_LINKS: usize = 40;

/// The real paths of an absolute path: as the system resolves it, and as clients do, which remove
/// `..` before they look at the disk. Empty if links form a circle.
pub fn real_paths(path: &Path) -> Vec<PathBuf> {
    [real_path(path), real_path(&without_dots(path))].into_iter().flatten().collect()
}

/// The real path: the nearest existing directory above it, and the rest of the path. A dangling
/// link resolves to its missing target.
fn real_path(path: &Path) -> Option<PathBuf> {
    let mut path = path.to_owned();
    for _ in 0..MAX_LINKS {
        let levels = path.ancestors().take(MAX_LEVELS);
        let (above, found) = levels.into_iter().find_map(|above| {
            let found = above.canonicalize().map(Found::There);
            let found = found.or_else(|_| above.read_link().map(Found::Link));
            Some((above, found.ok()?))
        })?;
        let rest = path.strip_prefix(above).ok()?;
        let target = match found {
            Found::There(real) if rest.as_os_str().is_empty() => return Some(real),
            Found::There(real) => return Some(real.join(rest)),
            Found::Link(target) => above.parent()?.join(target),
        };
        path = if rest.as_os_str().is_empty() { target } else { target.join(rest) };
    }
    None
}

enum Found {
    There(PathBuf),
    /// A link whose target doesn't exist.
    Link(PathBuf),
}

/// Removes `.` and `..` without looking at the disk, as clients do.
pub fn without_dots(path: &Path) -> PathBuf {
    let mut short = PathBuf::new();
    for component in path.components() {
        match component {
            Component::ParentDir => {
                short.pop();
            }
            other => short.push(other),
        }
    }
    short
}
