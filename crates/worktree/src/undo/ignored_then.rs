//! Finds the files that git ignored when an undo point was saved, by the ignore rules in the point.
//! The point doesn't have these files, so it doesn't tell whether they existed.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use super::points::Point;
use crate::private::Scratch;
use crate::repository::Asking;
use crate::tree_error::TreeError;
use crate::version::RepositoryPath;
use crate::working_tree::nul_terminated;

const STEP: &str = "find out which files git ignored at that time";
const RULES: &[u8] = b".gitignore";

/// Returns those of `paths` that git ignored when the point was saved. For rules outside of the
/// working tree, the current ones are used.
pub(super) fn ignored_then(
    asking: &Asking<'_>,
    git_dir: &Path,
    point: &Point,
    paths: &[&RepositoryPath],
    scratch: &Scratch,
) -> Result<BTreeSet<RepositoryPath>, TreeError> {
    if paths.is_empty() {
        return Ok(BTreeSet::new());
    }
    let (index, tree) = (scratch.path("rules-index"), scratch.path("rules"));
    fs::create_dir(&tree).map_err(TreeError::files("make the directory", &tree))?;
    let answer = asking.answer(STEP, &["ls-tree", "-r", "-z", &point.commit], None, vec![])?;
    let is_rules = |line: &&[u8]| {
        let name = line.rsplit(|byte| matches!(byte, b'/' | b'\t')).next();
        // Git doesn't follow a link to an ignore file either.
        name == Some(RULES) && line.starts_with(b"100")
    };
    let lines: Vec<_> = answer.split(|byte| *byte == 0).filter(is_rules).collect();
    if !lines.is_empty() {
        let lines = lines.iter().flat_map(|line| line.iter().copied().chain([0])).collect();
        asking.answer(STEP, &["update-index", "-z", "--index-info"], Some(&index), lines)?;
        let prefix = format!("--prefix={}/", tree.display());
        let take = ["checkout-index", "--all", "--quiet", &prefix];
        asking.answer(STEP, &take, Some(&index), vec![])?;
    }
    let tree = tree.display().to_string();
    let git_dir = format!("--git-dir={}", git_dir.display());
    let work_tree = format!("--work-tree={tree}");
    let ask = ["-C", &tree, &git_dir, &work_tree, "check-ignore", "--no-index", "-z", "--stdin"];
    let input = nul_terminated(paths.iter().copied());
    // Git exits with 1 if no path is ignored.
    let answer = asking.answer_or(STEP, &[1], &ask, None, input)?.unwrap_or_default();
    let names = answer.split(|byte| *byte == 0).filter(|name| !name.is_empty());
    Ok(names.map(<[u8]>::to_vec).collect())
}
