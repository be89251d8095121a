//! Finds the files that a call names on disk.

use std::fs;
use std::path::{Path, PathBuf};

use verger_event::{Subject, ToolCall};
use verger_gate::permission::{
    Ground, NamedPath, Swept, emptied_paths, hidden_operands, named_paths, removed_paths, swept,
};
use verger_shell::{Glob, Script};

/// Maximum number of a directory's entries that are matched with a pattern. A larger directory is
/// saved as a whole.
const MAX_ENTRIES: usize = 2_000;

/// The files that a call, or its parsed command line, names.
pub(crate) fn named_by(
    call: &ToolCall,
    script: Option<&Script>,
    ground: &Ground<'_>,
) -> Vec<NamedPath> {
    match (call.subject(), script) {
        (Subject::Line(_), Some(script)) => named_paths(script, ground),
        (Subject::Written(paths), _) => {
            let cwd = Path::new(ground.cwd.unwrap_or("/"));
            let named = |path| NamedPath::Path(cwd.join(path).display().to_string());
            paths.into_iter().map(named).collect()
        }
        _ => vec![],
    }
}

/// The directories and files that a command line removes with everything in them.
pub(crate) fn removed_by(script: Option<&Script>, ground: &Ground<'_>) -> Vec<NamedPath> {
    script.map(|script| removed_paths(script, ground)).unwrap_or_default()
}

/// The directories from which a command line also removes the files that git ignores.
pub(crate) fn emptied_by(script: Option<&Script>, ground: &Ground<'_>) -> Vec<NamedPath> {
    script.map(|script| emptied_paths(script, ground)).unwrap_or_default()
}

/// The files that a command line removes from a whole working tree without naming them.
pub(crate) fn swept_by(script: Option<&Script>, ground: &Ground<'_>) -> Swept {
    script.map(|script| swept(script, ground)).unwrap_or_default()
}

/// The operands of a command line whose values are known only when it runs.
pub(crate) fn hidden_in(script: Option<&Script>) -> Vec<String> {
    script.map(hidden_operands).unwrap_or_default()
}

/// The named paths that exist, with links in their parent directories resolved. The flag is false
/// for a directory that the call only uses as its working directory.
pub(super) fn on_disk(named: &[NamedPath]) -> Vec<(PathBuf, bool)> {
    let found = named.iter().flat_map(|named| match named {
        NamedPath::Path(path) => vec![(PathBuf::from(path), true)],
        NamedPath::Directory(path) => vec![(PathBuf::from(path), false)],
        NamedPath::Pattern(pattern) => expanded(pattern),
    });
    found.filter_map(|(path, is_file)| Some((reached(&path)?, is_file))).collect()
}

/// The files that match a pattern whose last component has wildcards. For other patterns, the
/// directory before the first wildcard.
fn expanded(pattern: &str) -> Vec<(PathBuf, bool)> {
    let is_plain = |part: &str| !part.contains(['*', '?', '[']);
    let (above, name) = pattern.rsplit_once('/').unwrap_or(("", pattern));
    if !is_plain(above) {
        let plain: Vec<_> = above.split('/').take_while(|part| is_plain(part)).collect();
        return vec![(PathBuf::from(plain.join("/")), true)];
    }
    let directory = PathBuf::from(format!("{above}/"));
    let Ok(entries) = fs::read_dir(&directory) else { return vec![] };
    let mut paths: Vec<_> = entries.flatten().take(MAX_ENTRIES).map(|entry| entry.path()).collect();
    if paths.len() == MAX_ENTRIES {
        return vec![(directory, true)];
    }
    let glob = Glob::new(&with_stars(name));
    // In most shells a star doesn't match a leading dot: `rm -rf *` leaves `.git`.
    let is_shown = |found: &str| !found.starts_with('.') || name.starts_with('.');
    let fits = |found: &str| is_shown(found) && glob.matches(found);
    paths.retain(|path| path.file_name().is_some_and(|name| fits(&name.to_string_lossy())));
    paths.sort();
    paths.into_iter().map(|path| (path, true)).collect()
}

/// Replaces `?` and bracket expressions by `*`. The pattern then matches the same files and
/// possibly more.
fn with_stars(pattern: &str) -> String {
    let mut stars = String::new();
    let mut rest = pattern;
    while let Some(at) = rest.find(['?', '[']) {
        stars.push_str(&rest[..at]);
        stars.push('*');
        let after = &rest[at + 1..];
        // A `]` right after the opening bracket is a character of the set: `[]a]` is one
        // expression.
        let close = after.char_indices().skip(1).find(|(_, c)| *c == ']').map(|(at, _)| at + 1);
        let end = if rest[at..].starts_with('[') { close.unwrap_or(after.len()) } else { 0 };
        rest = &after[end..];
    }
    stars + rest
}

/// The path with links in its parent directory resolved. `None` if nothing exists there.
fn reached(path: &Path) -> Option<PathBuf> {
    let reached = match (path.parent(), path.file_name()) {
        (Some(parent), Some(name)) => parent.canonicalize().ok()?.join(name),
        _ => path.canonicalize().ok()?,
    };
    reached.symlink_metadata().is_ok().then_some(reached)
}

/// Whether a path is too large to copy: a home directory, a system directory, or a directory
/// above the agent's.
pub(super) fn is_too_wide(path: &Path, cwd: &Path, home: Option<&Path>) -> bool {
    let is_above = |other: &Path| other.starts_with(path);
    path.components().count() <= 2
        || (is_above(cwd) && path != cwd)
        || home
            .is_some_and(|home| is_above(home) || home.canonicalize().is_ok_and(|h| is_above(&h)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_stand_for_what_is_there() {
        let root = tempfile::tempdir().unwrap();
        let root = root.path().canonicalize().unwrap();
        for name in ["a.txt", "b.txt", "c.rs", "dir/x/d.txt"] {
            fs::create_dir_all(root.join(name).parent().unwrap()).unwrap();
            fs::write(root.join(name), "").unwrap();
        }
        let at = |name: &str| root.join(name).display().to_string();
        let found = |named: NamedPath| {
            let found = on_disk(&[named]).into_iter().map(|(path, is_file)| {
                (path.strip_prefix(&root).unwrap().display().to_string(), is_file)
            });
            found.collect::<Vec<_>>()
        };
        let files = |names: &[&str]| {
            names.iter().map(|name| ((*name).to_owned(), true)).collect::<Vec<_>>()
        };
        assert_eq!(found(NamedPath::Pattern(at("*.txt"))), files(&["a.txt", "b.txt"]));
        assert_eq!(found(NamedPath::Pattern(at("dir/*/d.txt"))), files(&["dir"]));
        assert_eq!(found(NamedPath::Pattern(at("[ab].tx?"))), files(&["a.txt", "b.txt"]));
        assert_eq!(found(NamedPath::Path(at("c.rs"))), files(&["c.rs"]));
        assert_eq!(found(NamedPath::Path(at("none"))), []);
        assert_eq!(found(NamedPath::Directory(at("dir"))), [("dir".to_owned(), false)]);
    }

    #[test]
    fn too_large_paths_are_not_copied() {
        let is_wide = |path: &str| {
            is_too_wide(Path::new(path), Path::new("/srv/data/in"), Some(Path::new("/home/dev")))
        };
        for (path, expected) in [
            ("/", true),
            ("/etc", true),
            ("/home/dev", true),
            ("/srv/data", true),
            ("/srv/data/in", false),
            ("/srv/other", false),
            ("/home/dev/notes", false),
        ] {
            assert_eq!(is_wide(path), expected, "{path}");
        }
    }
}
