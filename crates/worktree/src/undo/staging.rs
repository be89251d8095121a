//! Extracts a point's files from the repository into a private directory.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};

use super::points::Point;
use crate::private::Scratch;
use crate::repository::Asking;
use crate::tree_error::TreeError;
use crate::version::{RepositoryPath, Version, parse_raw};
use crate::working_tree::nul_terminated;

const STEP: &str = "take the files out of the undo point";

/// The maximum number of bytes that one git command extracts. A single larger file is extracted
/// alone.
const GROUP_BYTES: u64 = 8 * 1024 * 1024;

pub(super) type Versions = BTreeMap<RepositoryPath, Version>;

/// The files that were extracted from a point.
#[derive(Default)]
pub(super) struct Staged {
    /// For each path in the point, the path of the extracted file.
    pub(super) files: BTreeMap<RepositoryPath, PathBuf>,
    /// The paths that git refuses to check out, with the errors.
    pub(super) refused: BTreeMap<RepositoryPath, TreeError>,
}

/// Extracts files of a point. A file that was on disk as git checks it out is checked out by git.
/// For any other file, the stored bytes are copied.
pub(super) fn stage(
    asking: &Asking<'_>,
    point: &Point,
    versions: &Versions,
    scratch: &Scratch,
) -> Result<Staged, TreeError> {
    let copied = copied_paths(asking, point)?;
    let is_copied =
        |path: &RepositoryPath| copied.as_ref().is_none_or(|paths| paths.contains(path));
    let (own, checked_out): (Versions, Versions) =
        versions.clone().into_iter().partition(|(path, _)| is_copied(path));
    let mut staged = check_out(asking, &checked_out, scratch)?;
    staged.files.extend(copy(asking, own, scratch)?);
    Ok(staged)
}

/// The paths whose bytes the point stores: files that differed from git's version, and files
/// without such a version.
fn copied_paths(
    asking: &Asking<'_>,
    point: &Point,
) -> Result<Option<BTreeSet<RepositoryPath>>, TreeError> {
    let Some(base) = point.index.as_ref().or(point.head.as_ref()) else { return Ok(None) };
    let arguments = ["diff-tree", "-r", "--raw", "-z", "--no-renames", base, &point.commit];
    let answer = asking.answer(STEP, &arguments, None, vec![])?;
    let differences = parse_raw(&answer).ok_or(TreeError::Answer { step: STEP })?;
    Ok(Some(differences.into_keys().collect()))
}

fn check_out(
    asking: &Asking<'_>,
    versions: &Versions,
    scratch: &Scratch,
) -> Result<Staged, TreeError> {
    if versions.is_empty() {
        return Ok(Staged::default());
    }
    let (index, directory) = (scratch.path("restore-index"), scratch.path("checked-out"));
    let mut lines = vec![];
    for (path, version) in versions {
        lines.extend_from_slice(format!("{version}\t").as_bytes());
        lines.extend_from_slice(path);
        lines.push(0);
    }
    let names = ["-c", "core.protectHFS=false", "-c", "core.protectNTFS=false"];
    let enter = [&names[..], &["update-index", "-z", "--index-info"]].concat();
    asking.answer(STEP, &enter, Some(&index), lines)?;
    let prefix = format!("--prefix={}/", directory.display());
    let take = [&names[..], &["checkout-index", "--force", &prefix, "-z", "--stdin"]].concat();
    let paths: Vec<_> = versions.keys().collect();
    let mut staged = Staged::default();
    let mut groups = vec![&paths[..]];
    while let Some(group) = groups.pop() {
        match asking.answer(STEP, &take, Some(&index), nul_terminated(group.iter().copied())) {
            Ok(_) => staged.files.extend(group.iter().map(|path| {
                let file = directory.join(OsStr::from_bytes(path));
                ((*path).clone(), file)
            })),
            // Git stops at the first file whose filter fails, and its message about that file has
            // no stable format. So the group is split, so that all other files are extracted.
            Err(error @ TreeError::Refused { .. }) if asking.settings().has_filters() => {
                match group {
                    [path] => drop(staged.refused.insert((*path).clone(), error)),
                    _ => groups.extend(<[_; 2]>::from(group.split_at(group.len() / 2))),
                }
            }
            Err(error) => return Err(error),
        }
    }
    Ok(staged)
}

fn copy(
    asking: &Asking<'_>,
    versions: Versions,
    scratch: &Scratch,
) -> Result<BTreeMap<RepositoryPath, PathBuf>, TreeError> {
    let directory = scratch.path("copied");
    fs::create_dir(&directory).map_err(TreeError::files("make the directory", &directory))?;
    let ids = versions.values().filter_map(|version| match version {
        Version::Present { id, .. } => Some(id.clone()),
        Version::Absent => None,
    });
    let ids: BTreeSet<_> = ids.collect();
    let sizes = sizes(asking, &ids)?;
    let mut group = vec![];
    let mut bytes = 0;
    for (id, size) in &sizes {
        if bytes + size > GROUP_BYTES && !group.is_empty() {
            copy_objects(asking, &group, &directory, bytes)?;
            group.clear();
            bytes = 0;
        }
        group.push(id.as_str());
        bytes += size;
    }
    if !group.is_empty() {
        copy_objects(asking, &group, &directory, bytes)?;
    }
    let place = |(path, version)| match version {
        Version::Present { id, .. } => Some((path, directory.join(id))),
        Version::Absent => None,
    };
    Ok(versions.into_iter().filter_map(place).collect())
}

/// The ids and sizes of the objects, in the order of `ids`. The caller groups objects in this
/// order. The order of ids is arbitrary, so a hostile tree can't make small and large objects
/// alternate, which would need many groups.
fn sizes(asking: &Asking<'_>, ids: &BTreeSet<String>) -> Result<Vec<(String, u64)>, TreeError> {
    if ids.is_empty() {
        return Ok(vec![]);
    }
    let arguments = ["cat-file", "--batch-check=%(objectname) %(objectsize)"];
    let answer = asking.answer(STEP, &arguments, None, lines_of(ids))?;
    let text = String::from_utf8_lossy(&answer);
    let sizes = text.lines().map(|line| {
        let (id, size) = line.split_once(' ')?;
        Some((id.to_owned(), size.parse().ok()?))
    });
    sizes.collect::<Option<_>>().ok_or(TreeError::Answer { step: STEP })
}

/// Copies the content of each object to a file that is named by the object's id.
fn copy_objects(
    asking: &Asking<'_>,
    ids: &[&str],
    directory: &Path,
    bytes: u64,
) -> Result<(), TreeError> {
    let unclear = || TreeError::Answer { step: STEP };
    let answer = asking.long_answer(STEP, &["cat-file", "--batch"], lines_of(ids), bytes)?;
    let mut rest = &answer[..];
    for id in ids {
        let end = rest.iter().position(|byte| *byte == b'\n').ok_or_else(unclear)?;
        let head = std::str::from_utf8(&rest[..end]).map_err(|_| unclear())?;
        let size = head.strip_prefix(id).and_then(|head| head.strip_prefix(" blob "));
        let size: usize = size.and_then(|size| size.parse().ok()).ok_or_else(unclear)?;
        let object = rest.get(end + 1..end + 1 + size).ok_or_else(unclear)?;
        rest = rest.get(end + 2 + size..).ok_or_else(unclear)?;
        let path = directory.join(id);
        fs::write(&path, object).map_err(TreeError::files("write", &path))?;
    }
    Ok(())
}

fn lines_of<S: AsRef<str>>(ids: impl IntoIterator<Item = S>) -> Vec<u8> {
    ids.into_iter().flat_map(|id| format!("{}\n", id.as_ref()).into_bytes()).collect()
}
