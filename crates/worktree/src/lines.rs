//! Counts the lines that a task changed, committed or not.

use std::os::unix::ffi::OsStrExt as _;
use std::path::Path;

use crate::begun::{self, Begun, Lines, load_begun};
use crate::content::{ChangeKind, ChangedFile, NoContent};
use crate::diff::can_be_shown;
use crate::fields::Fields;
use crate::git::Git;
use crate::own_index::OwnIndex;
use crate::start_tree::{Start, StartTree, file_name};
use crate::tree_error::TreeError;

/// Arguments of `git diff` for counting lines. A renamed file has no changed lines.
const NUMSTAT: &[&str] = &[
    "diff",
    "--cached",
    "--numstat",
    "-z",
    "--no-ext-diff",
    "--no-textconv",
    "--find-renames",
    "--no-relative",
];

/// The number of lines that a task added to these files and removed from them. A file whose lines
/// can't be counted counts as one line.
pub fn changed_lines(
    tree: &StartTree,
    private_dir: &Path,
    files: &[ChangedFile],
    git: &Git,
) -> Result<u64, NoContent> {
    let start = Start::load(tree, private_dir).ok_or(NoContent::StartGone)?;
    let root = Path::new(&tree.root);
    let begun = load_begun(tree, private_dir);
    let (mut lines, mut fresh) = (0_u64, vec![]);
    for file in files {
        if start.differences.contains_key(file.path.as_os_str().as_bytes()) {
            lines = lines.saturating_add(since_begun(root, file, &begun));
        } else if can_be_shown(root, file) {
            fresh.push(file);
        } else {
            lines = lines.saturating_add(1);
        }
    }
    let index = OwnIndex::new(tree, &start, private_dir, git)?;
    index.stay(&[file_name(&tree.id), begun::file_name(tree)]);
    if fresh.is_empty() {
        return Ok(lines);
    }
    index.record(&fresh)?;
    let step = "count the changed lines";
    let answer = index.answer(step, NUMSTAT)?;
    let counted = parse_numstat(&answer).ok_or(TreeError::Answer { step })?;
    Ok(lines.saturating_add(counted))
}

/// The number of lines by which a file differs from its content at the start of the task.
fn since_begun(root: &Path, file: &ChangedFile, begun: &Begun) -> u64 {
    let then = begun.get(file.path.as_os_str().as_bytes());
    let now = match file.kind {
        ChangeKind::Deleted => Some(Lines::default()),
        ChangeKind::Added | ChangeKind::Changed => Lines::of_file(&root.join(&file.path)),
    };
    match (then, now) {
        (Some(then), Some(now)) => then.difference(&now).max(1),
        _ => 1,
    }
}

/// Parses `added TAB removed TAB path NUL`. For a renamed file the path is empty and two paths
/// follow. For binary files git reports no line counts.
fn parse_numstat(answer: &[u8]) -> Option<u64> {
    let mut fields = Fields::of(answer);
    let mut lines = 0_u64;
    while let Some(field) = fields.next() {
        let mut parts = field.splitn(3, |byte| *byte == b'\t');
        let mut number = || std::str::from_utf8(parts.next()?).ok();
        let (added, removed) = (number()?, number()?);
        let path = parts.next()?;
        lines = lines.saturating_add(if added == "-" {
            1
        } else {
            added.parse::<u64>().ok()?.saturating_add(removed.parse().ok()?)
        });
        if path.is_empty() {
            fields.next()?;
            fields.next()?;
        }
    }
    Some(lines)
}

#[cfg(test)]
mod tests {
    use super::parse_numstat;

    #[test]
    fn numbers_are_added_up_whatever_the_paths_are() {
        for (answer, expected) in [
            (&b""[..], Some(0)),
            (b"1\t2\ta\tb\0", Some(3)),
            (b"-\t-\tpicture\x00", Some(1)),
            (b"1\t0\t\0old\0new\x000\t4\tx\0", Some(5)),
            (b"1\t0\t\0old\0", None),
            (b"x\t0\ta\0", None),
            (b"1\0", None),
        ] {
            assert_eq!(parse_numstat(answer), expected, "{answer:?}");
        }
    }
}
