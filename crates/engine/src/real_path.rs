//! Where a path that an agent names really leads.

use std::path::{Component, Path, PathBuf};

/// Deeper paths are looked at by their names alone.
const MAX_LEVELS: usize = 64;
/// As many as the system follows.
const MAX_LINKS: usize = 40;

/// Resolves an absolute path as the system does, and as clients do, which remove `..` before they look at the disk.
/// The two differ only in a path with `..`. Empty if its links form a circle.
pub fn real_paths(path: &Path) -> Vec<PathBuf> {
    let short = Some(without_dots(path)).filter(|short| short != path);
    let short = short.and_then(|short| real_path(&short));
    real_path(path).into_iter().chain(short).collect()
}

/// Where the path leads: the nearest directory above it that is there, and the rest of it. A link to
/// what is not there yet leads there all the same.
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
    /// It leads to what is not there.
    Link(PathBuf),
}

/// As clients shorten a path before they look at the disk.
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
