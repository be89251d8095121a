//! The lines that a commit would add, computed before the commit is made.
//!
//! Git reports the staged and unstaged changes; untracked files are read directly. None of the
//! user's files is written, and no filter runs.

mod hunks;
mod pathspec;

use std::fs::{self, File};
use std::io::Read as _;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};

use crate::fields::Fields;
use crate::git::Git;
use crate::project::PathReason;
use crate::repository::{Asking, Place, find_place};
use crate::tree_error::TreeError;

/// The maximum size of a file that is read. A larger file is skipped, because it is probably
/// generated.
const MAX_FILE_BYTES: u64 = 1024 * 1024;

/// The number of leading bytes of a file in which a NUL makes it binary. Git uses the same test.
const LOOKED_AT: usize = 8000;

/// Arguments of `git diff` for added lines only. The format doesn't depend on the user's settings,
/// and no program configured by the repository runs.
const DIFF: &[&str] = &[
    "diff",
    "--no-ext-diff",
    "--no-textconv",
    "--no-color",
    "--no-renames",
    "--no-relative",
    "--no-indent-heuristic",
    "--ignore-submodules=dirty",
    "--submodule=short",
    "--diff-filter=d",
    "--unified=0",
    "--src-prefix=a/",
    "--dst-prefix=b/",
];

/// The working-tree changes that a commit includes in addition to the staged changes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Taken {
    /// Pathspecs relative to the directory of the commit. Empty for the whole tree.
    pub paths: Vec<String>,
    /// Whether the commit includes untracked files.
    pub untracked: bool,
}

/// The files to which a commit would add lines.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Added {
    pub files: Vec<AddedFile>,
    /// Whether the list lacks files or lines because of the size limit.
    pub is_cut: bool,
}

/// The lines that a commit would add to one file.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct AddedFile {
    /// The file's path, relative to the top of the repository.
    pub path: String,
    /// The added lines. An empty line separates hunks that are not adjacent.
    pub text: String,
    /// For each line of `text`, its line number in the file.
    pub numbers: Vec<u64>,
}

impl AddedFile {
    /// The number in the file of the line at the byte offset `at` of `text`.
    pub fn line_at(&self, at: usize) -> u64 {
        let before = self.text.as_bytes().iter().take(at).filter(|byte| **byte == b'\n').count();
        self.numbers.get(before).copied().unwrap_or_default()
    }
}

/// The reason why the lines that a commit would add are unknown.
#[derive(Debug, thiserror::Error)]
pub enum NotAdded {
    /// There is no repository in which a commit could be made.
    #[error("find the repository")]
    NoRepository(PathReason),
    #[error(transparent)]
    Tree(#[from] TreeError),
}

/// Returns the lines that a commit in `directory` would add, at most `max_bytes` of them.
pub fn added_lines(
    directory: &Path,
    taken: &[Taken],
    git: &Git,
    max_bytes: u64,
) -> Result<Added, NotAdded> {
    let deadline = git.deadline();
    let place = find_place(directory, git, deadline).map_err(|reason| match reason {
        PathReason::TimedOut => TreeError::TimedOut.into(),
        reason => NotAdded::NoRepository(reason),
    })?;
    let asking = Asking::begin(git, &place.top_level, deadline)?;
    let mut look = Look { asking, place: &place, left: max_bytes, added: Added::default() };
    let cached: Vec<_> = DIFF.iter().copied().chain(["--cached", "--"]).collect();
    look.diff(&cached)?;
    let prefix = prefix(directory, &place);
    for Taken { paths, untracked } in taken {
        let specs: Vec<_> = paths.iter().map(|path| pathspec::from_top(path, &prefix)).collect();
        // An unsupported pathspec may match anything, so all paths count.
        let specs: Vec<_> = specs.into_iter().collect::<Option<_>>().unwrap_or_default();
        let specs: Vec<&str> = specs.iter().map(String::as_str).collect();
        let arguments: Vec<_> =
            DIFF.iter().copied().chain(["--"]).chain(specs.iter().copied()).collect();
        look.diff(&arguments)?;
        if *untracked {
            look.untracked(&specs)?;
        }
    }
    Ok(look.added)
}

/// The directory's path relative to the top of its repository.
fn prefix(directory: &Path, place: &Place) -> PathBuf {
    let canonical = directory.canonicalize().unwrap_or_else(|_| directory.to_owned());
    canonical.strip_prefix(&place.top_level).map(Path::to_owned).unwrap_or_default()
}

struct Look<'a> {
    asking: Asking<'a>,
    place: &'a Place,
    left: u64,
    added: Added,
}

impl Look<'_> {
    fn diff(&mut self, arguments: &[&str]) -> Result<(), TreeError> {
        let answer = self.asking.first_part("look at the changes", arguments, None, self.left)?;
        let is_cut = answer.len() as u64 > self.left;
        self.spend(answer.len() as u64);
        self.added.is_cut |= is_cut;
        self.added.files.extend(hunks::files(&answer));
        Ok(())
    }

    fn untracked(&mut self, specs: &[&str]) -> Result<(), TreeError> {
        let listing = ["ls-files", "--others", "--exclude-standard", "-z", "--"];
        let arguments: Vec<_> = listing.into_iter().chain(specs.iter().copied()).collect();
        let answer = self.asking.answer("list new files", &arguments, None, vec![])?;
        for path in Fields::of(&answer) {
            if self.left == 0 || self.asking.is_late() {
                self.added.is_cut = true;
                break;
            }
            let full = self.place.top_level.join(Path::new(std::ffi::OsStr::from_bytes(path)));
            let Some(bytes) = read_text(&full) else { continue };
            self.spend(bytes.len() as u64);
            self.added.files.push(whole_file(path, &bytes));
        }
        Ok(())
    }

    fn spend(&mut self, bytes: u64) {
        self.left = self.left.saturating_sub(bytes);
    }
}

/// Reads a file. `None` if it isn't a regular text file or is too large.
fn read_text(path: &Path) -> Option<Vec<u8>> {
    let metadata = fs::symlink_metadata(path).ok()?;
    if !metadata.is_file() || metadata.len() > MAX_FILE_BYTES {
        return None;
    }
    let mut bytes = vec![];
    File::open(path).ok()?.take(MAX_FILE_BYTES).read_to_end(&mut bytes).ok()?;
    let is_text = !bytes.iter().take(LOOKED_AT).any(|byte| *byte == 0);
    is_text.then_some(bytes)
}

fn whole_file(path: &[u8], bytes: &[u8]) -> AddedFile {
    let text = String::from_utf8_lossy(bytes).into_owned();
    let numbers = (1..).take(text.lines().count()).collect();
    AddedFile { path: String::from_utf8_lossy(path).into_owned(), text, numbers }
}
