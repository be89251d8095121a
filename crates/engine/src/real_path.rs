//! Resolves a path that an agent names to its real path.

use std::path::{Component, Path, PathBuf};

/// A deeper path isn't looked up on disk beyond these levels.
const MAX_LEVELS: usize = 64;
/// As many symbolic links as the system follows.
const MAX_LINKS: usize = 40;

/// Resolves an absolute path as the system does, and as clients do, which remove `..` before they look at the disk.
/// The two differ only in a path with `..`. Empty if its links form a circle.
pub fn real_paths(path: &Path) -> Vec<PathBuf> {
    let short = Some(without_dots(path)).filter(|short| short != path);
    let short = short.and_then(|short| real_path(&short));
    real_path(path).into_iter().chain(short).collect()
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
