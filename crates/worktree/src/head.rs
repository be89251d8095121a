//! The checked-out branch and commit, read from git's own files, because running git at every
//! prompt would be too slow. Refs in other storage, such as reftable, are unknown.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use crate::ground::holds_git;

/// The size limit of a file of git that contains one name or id.
const MAX_FILE_BYTES: u64 = 4096;
/// The size limit of a `packed-refs` file. A larger file isn't searched.
const MAX_LIST_BYTES: u64 = 4 * 1024 * 1024;

/// The checked-out branch and commit.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Head {
    /// The branch's name without `refs/heads/`. `None` if no branch is checked out.
    pub branch: Option<String>,
    /// The id of the checked-out commit. `None` if it is unknown.
    pub commit: Option<String>,
}

/// Reads the checked-out branch and commit of the repository at or above a project's root.
pub fn head(root: &Path) -> Head {
    let Some(git_dir) = git_dir(root) else { return Head::default() };
    let Some(head) = read(&git_dir.join("HEAD"), MAX_FILE_BYTES) else { return Head::default() };
    let Some(name) = head.strip_prefix("ref: ") else {
        return Head { branch: None, commit: id(&head) };
    };
    let branch = name.strip_prefix("refs/heads/").filter(|branch| *branch != ".invalid");
    Head { branch: branch.map(str::to_owned), commit: commit_of(name, &git_dir) }
}

fn git_dir(root: &Path) -> Option<PathBuf> {
    let holder = root.ancestors().find(|directory| holds_git(directory))?;
    let path = holder.join(".git");
    if path.is_dir() {
        return Some(path);
    }
    let link = read(&path, MAX_FILE_BYTES)?;
    Some(holder.join(link.strip_prefix("gitdir: ")?))
}

fn commit_of(name: &str, git_dir: &Path) -> Option<String> {
    let shared = read(&git_dir.join("commondir"), MAX_FILE_BYTES);
    let shared = shared.map_or_else(|| git_dir.to_owned(), |path| git_dir.join(path));
    if let Some(loose) = read(&shared.join(name), MAX_FILE_BYTES) {
        return id(&loose);
    }
    let packed = read(&shared.join("packed-refs"), MAX_LIST_BYTES)?;
    packed.lines().find_map(|line| id(line.strip_suffix(name)?.strip_suffix(' ')?))
}

fn id(text: &str) -> Option<String> {
    let is_id = matches!(text.len(), 40 | 64) && text.bytes().all(|byte| byte.is_ascii_hexdigit());
    is_id.then(|| text.to_owned())
}

/// Reads a file of git that contains one line. Returns the line.
fn read(path: &Path, limit: u64) -> Option<String> {
    // Opening a named pipe would block, so only regular files are opened.
    path.metadata().ok().filter(|metadata| metadata.is_file() && metadata.len() <= limit)?;
    let mut text = String::new();
    File::open(path).ok()?.take(limit).read_to_string(&mut text).ok()?;
    Some(text.trim_end_matches(['\r', '\n']).to_owned())
}
