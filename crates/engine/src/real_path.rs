//! Resolves a path that an agent names to its real path.

use std::path::{Component, Path, PathBuf};

/// Maximum number of a path's levels that are looked up on disk.
const MAX_LEVELS: usize = 64;
/// Maximum number of symbolic links to follow, the same as the kernel's.
const MAX_LINKS: usize = 40;

/// Resolves an absolute path in two ways: as the kernel does, and as clients do, which remove
/// `..` before they read the disk. The results differ only for a path with `..`. A path whose
/// links form a circle gives no result.
pub fn real_paths(path: &Path) -> Vec<PathBuf> {
    let short = Some(without_dots(path)).filter(|short| short != path);
    let short = short.and_then(|short| real_path(&short));
    real_path(path).into_iter().chain(short).collect()
}

/// The real path. If the path doesn't exist, its nearest existing directory is resolved and the
/// rest is appended. A dangling link resolves to its missing target.
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

/// Removes `.` and `..` from the text of the path, as clients do. The disk is not read.
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
