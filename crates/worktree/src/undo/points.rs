//! Finds and removes the undo points of a repository.

use std::collections::HashMap;
use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};

use verger_event::{EventId, Timestamp};

use super::about::{About, LeftOut};
use super::{NoUndo, REFERENCES, Retention, SCRATCH};
use crate::git::Git;
use crate::repository::{Asking, find_place};
use crate::tree_error::TreeError;

const FORMAT: &str = "--format=%(objectname) %(refname) %(parent)%0a%(contents:body)";

/// An undo point that can be restored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Point {
    pub id: EventId,
    /// The id of the point's commit.
    pub commit: String,
    /// The top level of the working tree that was saved.
    pub root: PathBuf,
    /// The commit that was checked out. `None` on a branch without commits.
    pub head: Option<String>,
    pub branch: Option<String>,
    /// The session that was about to change files.
    pub session: Option<String>,
    /// The log record of the tool call that the session was about to make.
    pub on: Option<EventId>,
    pub why: String,
    pub left_out: Vec<LeftOut>,
    /// The number of left-out files that `left_out` doesn't name.
    pub more_left_out: u64,
    /// A commit with the files of the index. `None` if they were those of the checked-out commit.
    pub index: Option<String>,
    /// A commit with the versions of an unfinished merge. `None` if no merge was unfinished.
    pub unmerged: Option<String>,
    pub(super) content: String,
}

impl Point {
    /// The name of the point's git reference.
    pub fn reference(&self) -> String {
        format!("{REFERENCES}{}", self.id)
    }

    /// Parses the commit of a point. `None` if another program or a later version of verger made
    /// the commit.
    fn parse(line: &str, body: &str) -> Option<Self> {
        let mut words = line.split(' ');
        let (commit, reference) = (words.next()?.to_owned(), words.next()?);
        let about = About::parse(body)?;
        let id = reference.strip_prefix(REFERENCES)?.parse().ok()?;
        let mut parents = words.filter(|word| !word.is_empty()).map(str::to_owned);
        let mut parent =
            |is_there: bool| if is_there { parents.next().map(Some) } else { Some(None) };
        let head = parent(about.head.is_some())?;
        let index = parent(about.has_index)?;
        let unmerged = parent(about.has_unmerged)?;
        let About { root, branch, session, on, why, left_out, more_left_out, content, .. } = about;
        let point = Self {
            id,
            commit,
            root,
            head,
            branch,
            session,
            on,
            why,
            left_out,
            more_left_out,
            index,
            unmerged,
            content,
        };
        Some(point)
    }
}

/// The top level of the working tree that contains `cwd`.
pub fn top_level(cwd: &Path, git: &Git) -> Result<PathBuf, NoUndo> {
    Ok(find_place(cwd, git, git.deadline())?.top_level)
}

/// All undo points of the repository that contains `cwd`, from all its working trees, the newest
/// first.
pub fn points(cwd: &Path, git: &Git) -> Result<Vec<Point>, NoUndo> {
    let deadline = git.deadline();
    let place = find_place(cwd, git, deadline)?;
    Ok(list(&Asking::begin(git, &place.top_level, deadline)?)?)
}

/// Whether a point has a file at or below `path`, or leaves out a file there. `path` is relative to
/// the top level.
pub fn has(cwd: &Path, git: &Git, point: &Point, path: &Path) -> Result<bool, NoUndo> {
    if path.as_os_str().is_empty() || point.left_out.iter().any(|left| left.path.starts_with(path))
    {
        return Ok(true);
    }
    let deadline = git.deadline();
    let place = find_place(cwd, git, deadline)?;
    let asking = Asking::begin(git, &place.top_level, deadline)?;
    // The path may have any bytes and must not be parsed as a pattern, so git lists all paths.
    let answer = asking.answer(
        "look into the undo point",
        &["ls-tree", "-r", "-z", "--name-only", &point.commit],
        None,
        vec![],
    )?;
    let mut names = answer.split(|byte| *byte == 0);
    Ok(names.any(|name| !name.is_empty() && Path::new(OsStr::from_bytes(name)).starts_with(path)))
}

/// Removes and returns the points that `retention` doesn't keep.
pub fn prune(
    cwd: &Path,
    git: &Git,
    retention: Retention,
    now: Timestamp,
) -> Result<Vec<Point>, NoUndo> {
    let deadline = git.deadline();
    let place = find_place(cwd, git, deadline)?;
    let asking = Asking::begin(git, &place.top_level, deadline)?;
    let over = expired(list(&asking)?, retention, now);
    delete(&asking, &over)?;
    Ok(over)
}

/// Removes one undo point.
pub fn forget(cwd: &Path, git: &Git, point: &Point) -> Result<(), NoUndo> {
    let deadline = git.deadline();
    let place = find_place(cwd, git, deadline)?;
    let asking = Asking::begin(git, &place.top_level, deadline)?;
    Ok(delete(&asking, std::slice::from_ref(point))?)
}

/// Removes all undo points of the repository that contains `cwd`. Returns their number.
pub fn forget_all(cwd: &Path, git: &Git) -> Result<usize, NoUndo> {
    let deadline = git.deadline();
    let place = find_place(cwd, git, deadline)?;
    let asking = Asking::begin(git, &place.top_level, deadline)?;
    let points = list(&asking)?;
    delete(&asking, &points)?;
    // Removes the scratch directory, unless it has other content.
    drop(fs::remove_dir(place.git_dir.join(SCRATCH)));
    Ok(points.len())
}

pub(super) fn list(asking: &Asking<'_>) -> Result<Vec<Point>, TreeError> {
    let step = "list the undo points";
    let answer = asking.answer(step, &["for-each-ref", FORMAT, REFERENCES], None, vec![])?;
    let text = String::from_utf8_lossy(&answer);
    let mut lines = text.lines().filter(|line| !line.is_empty()).peekable();
    let mut points = vec![];
    while let Some(line) = lines.next() {
        if let Some(body) = lines.next_if(|body| body.starts_with('{')) {
            points.extend(Point::parse(line, body));
        }
    }
    points.sort_by_key(|point| std::cmp::Reverse(point.id));
    Ok(points)
}

/// The points to remove: those that are too old, and those beyond the number of points per working
/// tree. `points` must be sorted from the newest.
pub(super) fn expired(points: Vec<Point>, retention: Retention, now: Timestamp) -> Vec<Point> {
    let mut counts = HashMap::new();
    let mut over = vec![];
    for point in points {
        let count = counts.entry(point.root.clone()).or_insert(0_usize);
        *count += 1;
        if *count > retention.points || retention.is_over(point.id, now) {
            over.push(point);
        }
    }
    over
}

pub(super) fn delete(asking: &Asking<'_>, points: &[Point]) -> Result<(), TreeError> {
    if points.is_empty() {
        return Ok(());
    }
    let lines =
        points.iter().map(|point| format!("delete {}\0{}\0", point.reference(), point.commit));
    let lines = lines.collect::<String>().into_bytes();
    let step = "remove old undo points";
    asking.answer(step, &["update-ref", "-z", "--stdin"], None, lines).map(drop)
}
