//! Finds the root that the linked worktrees of a repository share, without running git.

use std::ffi::OsStr;
use std::fs::File;
use std::io::Read as _;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};

use crate::ground::holds_git;

/// The size limit of a file of git that contains only a path.
const MAX_BYTES: u64 = 8 * 1024;

/// Maps a directory in a linked worktree to the same directory in the main worktree; returns any
/// other directory unchanged. `root` is canonical.
///
/// A linked worktree counts only if the repository lists it. So a directory can't pretend to belong
/// to another repository.
pub fn shared_root(root: &Path) -> PathBuf {
    in_main_worktree(root).unwrap_or_else(|| root.to_owned())
}

/// Whether `place` is in another working tree of the repository whose working tree has the top
/// level `top`.
pub fn is_in_other_worktree(top: &Path, place: &Path) -> bool {
    let (Ok(top), Ok(place)) = (top.canonicalize(), place.canonicalize()) else { return false };
    let other = place.ancestors().find(|directory| holds_git(directory));
    other.is_some_and(|other| other != top && shared_root(other) == shared_root(&top))
}

fn in_main_worktree(root: &Path) -> Option<PathBuf> {
    let top = root.ancestors().find(|directory| holds_git(directory))?;
    let marker = top.join(".git");
    let text = line_of(&marker)?;
    let own = top.join(path_in(text.strip_prefix(b"gitdir: ")?)).canonicalize().ok()?;
    let common = own.join(path_in(&line_of(&own.join("commondir"))?)).canonicalize().ok()?;
    let named = own.join(path_in(&line_of(&own.join("gitdir"))?)).canonicalize().ok()?;
    let is_known = own.parent() == Some(&common.join("worktrees")) && named == marker;
    let main = match common.file_name() {
        Some(name) if name == ".git" => common.parent()?.to_owned(),
        // A bare repository has no main worktree, so its directory is used.
        _ => common,
    };
    let inside = root.strip_prefix(top).ok()?;
    // Joining an empty path would add a slash, and some callers compare paths as texts.
    is_known.then(|| if inside == Path::new("") { main } else { main.join(inside) })
}

fn line_of(path: &Path) -> Option<Vec<u8>> {
    let file = File::open(path).ok().filter(|file| file.metadata().is_ok_and(|is| is.is_file()))?;
    let mut bytes = Vec::new();
    file.take(MAX_BYTES).read_to_end(&mut bytes).ok()?;
    Some(bytes.strip_suffix(b"\n").map(<[u8]>::to_vec).unwrap_or(bytes))
}

fn path_in(bytes: &[u8]) -> &Path {
    Path::new(OsStr::from_bytes(bytes))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn write(path: &Path, text: &str) {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    #[test]
    fn a_linked_worktree_has_the_place_of_the_main_one() {
        let root = tempfile::tempdir().unwrap();
        let root = root.path().canonicalize().unwrap();
        let at = |path: &str| root.join(path);
        let own = |repository: &str| at(repository).join("worktrees/w");
        for (repository, linked) in [("main/.git", "linked"), ("bare.git", "of-bare")] {
            write(&own(repository).join("commondir"), "../..\n");
            let marker = at(linked).join(".git");
            write(&own(repository).join("gitdir"), &format!("{}\n", marker.display()));
            write(&marker, &format!("gitdir: {}\n", own(repository).display()));
            fs::create_dir_all(at(linked).join("inner")).unwrap();
        }
        // This directory claims to be a linked worktree that the repository doesn't list.
        write(&at("liar/.git"), &format!("gitdir: {}\n", own("main/.git").display()));
        write(&at("submodule/.git"), "gitdir: ../main/.git\n");
        fs::create_dir_all(at("plain")).unwrap();
        for (place, expected) in [
            ("main", "main"),
            ("linked", "main"),
            ("linked/inner", "main/inner"),
            ("of-bare", "bare.git"),
            ("liar", "liar"),
            ("submodule", "submodule"),
            ("plain", "plain"),
        ] {
            let shared = shared_root(&at(place)).into_os_string();
            assert_eq!(shared, at(expected).into_os_string(), "{place}");
        }
        for (top, place, expected) in [
            ("main", "linked", true),
            ("main", "linked/inner", true),
            ("linked", "main", true),
            ("main", "main/.git", false),
            ("linked", "linked/inner", false),
            ("main", "of-bare", false),
            ("main", "liar", false),
            ("main", "plain", false),
            ("main", "gone", false),
        ] {
            assert_eq!(is_in_other_worktree(&at(top), &at(place)), expected, "{top} {place}");
        }
    }
}
