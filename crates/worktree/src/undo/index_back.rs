//! Restores the index from an undo point: the staged changes and the versions of an unfinished
//! merge.
//!
//! Only index entries that differ are written. All other entries keep their flags: `skip-worktree`,
//! `assume-unchanged` and `intent-to-add`.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};

use super::NoUndo;
use super::points::Point;
use crate::git::Git;
use crate::project::path_from;
use crate::repository::{Asking, Place, find_place};
use crate::tree_error::TreeError;
use crate::version::{Differences, RepositoryPath, Version, parse_raw};
use crate::working_tree::nul_terminated;

const STEP: &str = "restore the index";

/// The differences between the current index and the index of a point.
struct Found<'a> {
    /// The id of the tree that has the point's index entries, except for paths with an unfinished
    /// merge.
    tree: &'a str,
    /// The differences from that tree to the current index.
    differences: Differences,
    /// The point's entries of an unfinished merge, in the form in which git reads them.
    wanted: BTreeSet<Vec<u8>>,
    /// The current index's entries of an unfinished merge.
    current: BTreeSet<Vec<u8>>,
}

/// The files whose index entries would change if the point were restored.
pub fn staged_changes(cwd: &Path, git: &Git, point: &Point) -> Result<Vec<PathBuf>, NoUndo> {
    let deadline = git.deadline();
    let place = find_place(cwd, git, deadline)?;
    let asking = Asking::begin(git, &place.top_level, deadline)?;
    let found = Found::look(&asking, &place, point)?;
    let mut paths: BTreeSet<_> = found.differences.into_keys().collect();
    let unmerged = found.wanted.symmetric_difference(&found.current);
    paths.extend(unmerged.filter_map(|line| path_of(line)).map(<[u8]>::to_vec));
    Ok(paths.iter().filter_map(|path| path_from(path)).collect())
}

/// Restores the index from the point. Writes nothing if the index is the same as in the point.
pub fn restore_index(cwd: &Path, git: &Git, point: &Point) -> Result<(), NoUndo> {
    let deadline = git.deadline();
    let place = find_place(cwd, git, deadline)?;
    let asking = Asking::begin(git, &place.top_level, deadline)?;
    let found = Found::look(&asking, &place, point)?;
    if found.differences.is_empty() && found.wanted == found.current {
        return Ok(());
    }
    if found.wanted.is_empty() && found.current.is_empty() {
        found.write_differences(&asking)?;
    } else {
        found.write_all(&asking)?;
    }
    // Git would refresh the index anyway at its next comparison. Refreshing it now makes that
    // comparison faster, so a failure doesn't matter.
    drop(asking.answer(STEP, &["update-index", "-q", "--refresh"], None, vec![]));
    Ok(())
}

impl<'a> Found<'a> {
    fn look(asking: &Asking<'_>, place: &Place, point: &'a Point) -> Result<Self, TreeError> {
        let base = point.index.as_ref().or(point.head.as_ref());
        let tree = base.map_or(place.empty_tree, String::as_str);
        let unclear = || TreeError::Answer { step: STEP };
        // Entries with `intent-to-add` are left out of the comparison, because no tree contains
        // them.
        let compare = ["diff-index", "--cached", "--raw", "-z", "--no-renames"];
        let compare = [&compare[..], &["--ita-invisible-in-index", tree]].concat();
        let answer = asking.answer(STEP, &compare, None, vec![])?;
        let mut differences = parse_raw(&answer).ok_or_else(unclear)?;
        let wanted = match &point.unmerged {
            None => BTreeSet::new(),
            Some(unmerged) => {
                let answer =
                    asking.answer(STEP, &["ls-tree", "-r", "-z", unmerged], None, vec![])?;
                stages(&answer).ok_or_else(unclear)?
            }
        };
        let answer = asking.answer(STEP, &["ls-files", "--unmerged", "-z"], None, vec![])?;
        let lines = answer.split(|byte| *byte == 0).filter(|line| !line.is_empty());
        let current: BTreeSet<_> = lines.map(<[u8]>::to_vec).collect();
        for path in wanted.iter().chain(&current).filter_map(|line| path_of(line)) {
            differences.remove(path);
        }
        Ok(Self { tree, differences, wanted, current })
    }

    fn write_differences(&self, asking: &Asking<'_>) -> Result<(), TreeError> {
        let left_out = self.left_out(asking)?;
        let mut lines = vec![];
        for (path, difference) in &self.differences {
            let head = match &difference.base {
                Version::Absent => format!("0 {}\t", "0".repeat(self.id_length())),
                version @ Version::Present { .. } => format!("{version}\t"),
            };
            lines.extend_from_slice(head.as_bytes());
            lines.extend_from_slice(path);
            lines.push(0);
        }
        asking.answer(STEP, &["update-index", "-z", "--index-info"], None, lines)?;
        if left_out.is_empty() {
            return Ok(());
        }
        let mark = ["update-index", "--skip-worktree", "-z", "--stdin"];
        asking.answer(STEP, &mark, None, nul_terminated(left_out.iter())).map(drop)
    }

    /// The paths of changing entries that the sparse checkout leaves out, now and after the
    /// restore.
    fn left_out(&self, asking: &Asking<'_>) -> Result<Vec<RepositoryPath>, TreeError> {
        let answer = asking.answer(STEP, &["ls-files", "-t", "-z"], None, vec![])?;
        let lines = answer.split(|byte| *byte == 0);
        let marked = lines.filter_map(|line| line.strip_prefix(b"S "));
        let is_absent = |path: &[u8]| {
            asking.top_level().join(OsStr::from_bytes(path)).symlink_metadata().is_err()
        };
        let stays = |path: &&[u8]| {
            let difference = self.differences.get(*path);
            difference.is_some_and(|difference| difference.base != Version::Absent)
                && is_absent(path)
        };
        Ok(marked.filter(stays).map(<[u8]>::to_vec).collect())
    }

    /// Writes the whole index. Git has no command that writes single entries if an unfinished merge
    /// must end.
    fn write_all(&self, asking: &Asking<'_>) -> Result<(), TreeError> {
        asking.answer(STEP, &["read-tree", "--reset", self.tree], None, vec![])?;
        if !self.wanted.is_empty() {
            let lines = nul_terminated(self.wanted.iter());
            asking.answer(STEP, &["update-index", "-z", "--index-info"], None, lines)?;
        }
        Ok(())
    }

    fn id_length(&self) -> usize {
        self.tree.len()
    }
}

/// Converts entries of the form `mode type id TAB stage/path` to `mode id stage TAB path`.
fn stages(answer: &[u8]) -> Option<BTreeSet<Vec<u8>>> {
    let mut entries = BTreeSet::new();
    for line in answer.split(|byte| *byte == 0).filter(|line| !line.is_empty()) {
        let path = path_of(line)?;
        let head = std::str::from_utf8(&line[..line.len() - path.len() - 1]).ok()?;
        let [mode, _, id] = head.split(' ').collect::<Vec<_>>()[..] else { return None };
        let stage = char::from(*path.first()?);
        let mut entry = format!("{mode} {id} {stage}\t").into_bytes();
        entry.extend_from_slice(path.strip_prefix(&[path[0], b'/'])?);
        entries.insert(entry);
    }
    Some(entries)
}

fn path_of(line: &[u8]) -> Option<&[u8]> {
    let tab = line.iter().position(|byte| *byte == b'\t')?;
    Some(&line[tab + 1..])
}
