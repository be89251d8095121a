//! The difference between a task's files and the commit that it started from, as text for a
//! reviewer.
//!
//! Git reads the commit's tree into a private index and records the changed files there with
//! private objects. Then it compares the two. None of the user's files is read twice or written.

use std::fs;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};

use crate::content::{ChangeKind, ChangedFile, NoContent};
use crate::git::Git;
use crate::ignore_rules::is_of_rules;
use crate::own_index::OwnIndex;
use crate::start_tree::{Start, StartTree};

/// The maximum size of a file in the diff. Larger files are listed in `not_shown`, because they
/// can't be reviewed line by line.
const MAX_FILE_BYTES: u64 = 1024 * 1024;

/// Arguments of `git diff`. No program configured by the repository runs, and the format doesn't
/// depend on the user's settings.
const DIFF: &[&str] = &[
    "diff",
    "--cached",
    "--no-ext-diff",
    "--no-textconv",
    "--no-color",
    "--no-renames",
    "--no-relative",
    "--submodule=short",
    "--unified=3",
    "--src-prefix=a/",
    "--dst-prefix=b/",
];

/// The part of a task's changes that a reviewer sees.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Diff {
    /// The text of the diff, in whole lines.
    pub text: String,
    /// Whether the text was shortened to the size limit.
    pub is_cut: bool,
    /// Changed files that the diff lacks because they are too large or can't be read.
    pub not_shown: Vec<PathBuf>,
    /// Changed files that already differed from the commit when the task started. Their diffs
    /// include those earlier changes.
    pub begun_before: Vec<PathBuf>,
}

/// The diff of these files from the commit at the task's start to now. The text has at most
/// `max_bytes`.
pub fn diff(
    tree: &StartTree,
    private_dir: &Path,
    files: &[ChangedFile],
    git: &Git,
    max_bytes: u64,
) -> Result<Diff, NoContent> {
    let start = Start::load(tree, private_dir).ok_or(NoContent::StartGone)?;
    let root = Path::new(&tree.root);
    let (shown, not_shown): (Vec<_>, Vec<_>) =
        files.iter().partition(|file| can_be_shown(root, file));
    let index = OwnIndex::new(tree, &start, private_dir, git)?;
    index.record(&shown)?;
    let bytes = index.first_part("show the changes", DIFF, max_bytes)?;
    let (text, is_cut) = whole_lines(&bytes, max_bytes);
    let path_of = |file: &ChangedFile| file.path.clone();
    let was_begun = |file: &&ChangedFile| {
        let path = file.path.as_os_str().as_bytes();
        start.differences.contains_key(path) && !is_of_rules(&file.version)
    };
    Ok(Diff {
        text,
        is_cut,
        not_shown: not_shown.into_iter().map(path_of).collect(),
        begun_before: files.iter().filter(was_begun).map(path_of).collect(),
    })
}

pub(crate) fn can_be_shown(root: &Path, file: &ChangedFile) -> bool {
    if is_of_rules(&file.version) {
        return false;
    }
    let path = root.join(&file.path);
    match fs::symlink_metadata(&path) {
        Ok(found) if found.is_file() => {
            found.len() <= MAX_FILE_BYTES && fs::File::open(&path).is_ok()
        }
        Ok(found) => found.is_symlink() || found.is_dir(),
        Err(_) => file.kind == ChangeKind::Deleted,
    }
}

fn whole_lines(bytes: &[u8], max_bytes: u64) -> (String, bool) {
    let is_cut = bytes.len() as u64 > max_bytes;
    let mut end = bytes.len();
    if is_cut {
        let within = usize::try_from(max_bytes).unwrap_or(end).min(end);
        end = bytes[..within].iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
    }
    (String::from_utf8_lossy(&bytes[..end]).into_owned(), is_cut)
}

#[cfg(test)]
mod tests {
    use super::whole_lines;

    #[test]
    fn a_difference_is_cut_between_lines() {
        let cut = |text: &str, max| whole_lines(text.as_bytes(), max);
        assert_eq!(cut("ab\ncd\n", 6), ("ab\ncd\n".to_owned(), false));
        assert_eq!(cut("ab\ncd\n", 5), ("ab\n".to_owned(), true));
        assert_eq!(cut("ab\ncd\n", 3), ("ab\n".to_owned(), true));
        assert_eq!(cut("ab\ncd\n", 2), (String::new(), true));
        assert_eq!(cut("", 0), (String::new(), false));
    }
}
