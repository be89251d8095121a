//! The files that a call names, as they are on disk.

use std::fs;
use std::path::{Path, PathBuf};

use verger_event::{Subject, ToolCall};
use verger_gate::permission::{
    Ground, NamedPath, Swept, emptied_paths, hidden_operands, named_paths, removed_paths, swept,
};
use verger_shell::{Glob, Script};

/// A directory with more entries is taken as a whole.
const MAX_ENTRIES: usize = 2_000;

/// The files that a call names, or that its parsed line names.
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

/// The directories and files that a line removes with everything in them.
pub(crate) fn removed_by(script: Option<&Script>, ground: &Ground<'_>) -> Vec<NamedPath> {
    script.map(|script| removed_paths(script, ground)).unwrap_or_default()
}

/// The directories from which a line removes also the files that git ignores.
pub(crate) fn emptied_by(script: Option<&Script>, ground: &Ground<'_>) -> Vec<NamedPath> {
    script.map(|script| emptied_paths(script, ground)).unwrap_or_default()
}

/// What a line takes away in a whole working tree without naming it.
pub(crate) fn swept_by(script: Option<&Script>, ground: &Ground<'_>) -> Swept {
    script.map(|script| swept(script, ground)).unwrap_or_default()
}

/// What its line takes away, and only running it tells what that is.
pub(crate) fn hidden_in(script: Option<&Script>) -> Vec<String> {
    script.map(hidden_operands).unwrap_or_default()
}

/// Those that are there, by paths without links on the way, and whether they are named as files and
/// not as directories to be in.
pub(super) fn on_disk(named: &[NamedPath]) -> Vec<(PathBuf, bool)> {
    let found = named.iter().flat_map(|named| match named {
        NamedPath::Path(path) => vec![(PathBuf::from(path), true)],
        NamedPath::Directory(path) => vec![(PathBuf::from(path), false)],
        NamedPath::Pattern(pattern) => expanded(pattern),
    });
    found.filter_map(|(path, is_file)| Some((reached(&path)?, is_file))).collect()
}

/// Where only the name is a pattern, what it stands for; else the directory that it begins in.
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
    // What begins with a dot is not meant by a star, for most shells: `rm -rf *` leaves `.git`.
    let is_shown = |found: &str| !found.starts_with('.') || name.starts_with('.');
    let fits = |found: &str| is_shown(found) && glob.matches(found);
    paths.retain(|path| path.file_name().is_some_and(|name| fits(&name.to_string_lossy())));
    paths.sort();
    paths.into_iter().map(|path| (path, true)).collect()
}

/// With a star for whatever stands for some characters only: more may be saved than is named.
fn with_stars(pattern: &str) -> String {
    let mut stars = String::new();
    let mut rest = pattern;
    while let Some(at) = rest.find(['?', '[']) {
        stars.push_str(&rest[..at]);
        stars.push('*');
        let after = &rest[at + 1..];
        // The first bracket after another character closes: `[]a]` holds one.
        let close = after.char_indices().skip(1).find(|(_, c)| *c == ']').map(|(at, _)| at + 1);
        let end = if rest[at..].starts_with('[') { close.unwrap_or(after.len()) } else { 0 };
        rest = &after[end..];
    }
    stars + rest
}

/// The path without links on the way to it, if something is there.
fn reached(path: &Path) -> Option<PathBuf> {
    let reached = match (path.parent(), path.file_name()) {
        (Some(parent), Some(name)) => parent.canonicalize().ok()?.join(name),
        _ => path.canonicalize().ok()?,
    };
    reached.symlink_metadata().is_ok().then_some(reached)
}

/// Whether a path stands for more than anybody would copy: a home, a directory of the system, or one
/// that the agent is somewhere below of.
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
    fn what_is_too_wide_is_not_copied() {
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
