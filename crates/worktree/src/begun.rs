//! Lines that were already changed when a task started: short line hashes of the files that
//! differed from the commit. They are used only to count the task's own lines.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::io::Read as _;
use std::os::unix::ffi::OsStrExt as _;
use std::path::Path;

use crate::fields::{Fields, write_field};
use crate::private::{BEGUN_PREFIX, Scratch, read_private};
use crate::project::path_from;
use crate::start_tree::{Start, StartTree};
use crate::tree_error::TreeError;
use crate::version::{RepositoryPath, Version};

/// Limits for the stored line hashes of files. For files beyond these limits, the number of changed
/// lines is less exact.
const MAX_FILES: usize = 64;
const MAX_FILE_BYTES: u64 = 128 * 1024;
const MAX_KEPT_BYTES: u64 = 4 * 1024 * 1024;

/// The number of times that each line occurs in a file, by the line's hash. The order of lines
/// isn't stored.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Lines(BTreeMap<u32, i64>);

/// The stored lines of each file.
pub(crate) type Begun = BTreeMap<RepositoryPath, Lines>;

/// Stores the lines of the files that differ from the commit at the start of a task. If this fails,
/// a change of such a file counts as one line.
pub fn keep_begun(tree: &StartTree, private_dir: &Path) -> Result<(), TreeError> {
    let Some(start) = Start::load(tree, private_dir) else { return Ok(()) };
    let root = Path::new(&tree.root);
    let mut bytes = vec![];
    for (path, difference) in start.differences.iter().take(MAX_FILES) {
        let lines = match &difference.now {
            Version::Absent => Some(Lines::default()),
            Version::Present { .. } => {
                path_from(path).and_then(|name| Lines::of_file(&root.join(name)))
            }
        };
        if let Some(lines) = lines {
            write_field(&mut bytes, path);
            write_field(&mut bytes, lines.to_text().as_bytes());
        }
    }
    if bytes.is_empty() {
        return Ok(());
    }
    Scratch::new(private_dir)?.publish(&file_name(tree), &bytes)
}

/// The stored lines of the files that differed from the commit when a task started.
#[derive(Debug)]
pub struct BegunLines {
    differed: BTreeSet<RepositoryPath>,
    kept: Begun,
}

/// Reads the lines that were stored when the task started. `None` if the start tree no longer
/// exists.
pub fn begun_lines(tree: &StartTree, private_dir: &Path) -> Option<BegunLines> {
    let start = Start::load(tree, private_dir)?;
    let kept = load_begun(tree, private_dir);
    Some(BegunLines { differed: start.differences.into_keys().collect(), kept })
}

impl BegunLines {
    /// Whether `line`, which isn't in the commit, was already in the file when the task started.
    /// `None` if the file's lines weren't stored.
    pub fn had(&self, file: &Path, line: &str) -> Option<bool> {
        let path = file.as_os_str().as_bytes();
        if !self.differed.contains(path) {
            return Some(false);
        }
        let lines = self.kept.get(path)?;
        Some(lines.0.contains_key(&hash(line.as_bytes())))
    }
}

/// Reads the stored lines of all files. Empty if none are stored.
pub(crate) fn load_begun(tree: &StartTree, private_dir: &Path) -> Begun {
    let bytes = read_private(private_dir, &file_name(tree), MAX_KEPT_BYTES).unwrap_or_default();
    let mut fields = Fields::of(&bytes);
    let mut begun = Begun::new();
    while let Some(path) = fields.next() {
        let Some(lines) = fields.text().and_then(Lines::parse) else { break };
        begun.insert(path.to_owned(), lines);
    }
    begun
}

pub(crate) fn file_name(tree: &StartTree) -> String {
    format!("{BEGUN_PREFIX}{}", tree.id)
}

impl Lines {
    /// Reads the lines of a file. `None` if the file isn't text or is too large.
    pub(crate) fn of_file(path: &Path) -> Option<Self> {
        fs::symlink_metadata(path).ok().filter(fs::Metadata::is_file)?;
        let mut bytes = vec![];
        let file = File::open(path).ok()?;
        file.take(MAX_FILE_BYTES + 1).read_to_end(&mut bytes).ok()?;
        let is_text = bytes.len() as u64 <= MAX_FILE_BYTES && !bytes.contains(&0);
        is_text.then(|| Self::of(&bytes))
    }

    fn of(text: &[u8]) -> Self {
        let mut lines = BTreeMap::new();
        for line in text.split_inclusive(|byte| *byte == b'\n') {
            // A different line ending does not make a different line.
            let line = line.strip_suffix(b"\n").unwrap_or(line);
            let line = line.strip_suffix(b"\r").unwrap_or(line);
            *lines.entry(hash(line)).or_insert(0) += 1;
        }
        Self(lines)
    }

    /// The number of lines that are in only one of the two files.
    pub(crate) fn difference(&self, other: &Self) -> u64 {
        let of = |lines: &Self, hash| lines.0.get(hash).copied().unwrap_or_default();
        let only_other = other.0.keys().filter(|hash| !self.0.contains_key(hash));
        let all = self.0.keys().chain(only_other);
        all.map(|hash| of(self, hash).abs_diff(of(other, hash))).sum()
    }

    /// Formats the lines of a file without line breaks, because an idle session stores the text as
    /// one line.
    fn to_text(&self) -> String {
        let line = |(hash, count): (&u32, &i64)| format!("{hash:x} {count}");
        self.0.iter().map(line).collect::<Vec<_>>().join(",")
    }

    fn parse(text: &str) -> Option<Self> {
        let mut lines = BTreeMap::new();
        for line in text.split(',').filter(|line| !line.is_empty()) {
            let (hash, count) = line.split_once(' ')?;
            lines.insert(u32::from_str_radix(hash, 16).ok()?, count.parse().ok()?);
        }
        Some(Self(lines))
    }
}

/// The FNV-1a hash of a line. On a collision, two lines of a file count as one.
fn hash(line: &[u8]) -> u32 {
    line.iter().fold(0x811c_9dc5, |hash, byte| (hash ^ u32::from(*byte)).wrapping_mul(0x0100_0193))
}

#[cfg(test)]
mod tests {
    use super::Lines;

    #[test]
    fn lines_are_counted_where_they_are_in_one_and_not_in_the_other() {
        for (one, other, expected) in [
            ("", "", 0),
            ("a\nb\n", "a\nb\n", 0),
            ("a\nb\n", "b\na\n", 0),
            ("a\nb\n", "a\r\nb", 0),
            ("a\nb\n", "a\nc\n", 2),
            ("a\n", "a\na\na\n", 2),
            ("", "a\nb\n", 2),
        ] {
            let (one, other) = (Lines::of(one.as_bytes()), Lines::of(other.as_bytes()));
            assert_eq!((one.difference(&other), other.difference(&one)), (expected, expected));
            assert_eq!(Lines::parse(&one.to_text()), Some(one));
        }
        assert_eq!(Lines::parse("zz 1"), None);
    }
}
