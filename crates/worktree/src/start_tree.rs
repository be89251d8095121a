//! The state of a working tree when a task began to change it.
//!
//! The state is stored as a commit and a list of the differences from it, not as a tree object.
//! Writing hundreds of objects would take several times as long as `git status`.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::thread;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use verger_event::hex;

use crate::fields::{Fields, write_field};
use crate::git::Git;
use crate::ground::root_within;
use crate::history::stashes;
use crate::ignore_rules::add_rules;
use crate::private::{START_PREFIX, Scratch, read_private};
use crate::project::{PathReason, path_from};
use crate::reflog::{LogMark, shared_logs};
use crate::repository::{Asking, find_place};
use crate::tree_error::TreeError;
use crate::version::{Difference, Differences, Version};
use crate::working_tree::WorkingTree;

/// The size limit of a stored start. It equals the limit of the git output that a start consists
/// of.
const MAX_START_BYTES: u64 = 32 * 1024 * 1024;
const FORM: &[u8] = b"verger start 1";

/// A reference to a stored state of a working tree. It is small enough for a log record; the state
/// itself is in the private directory.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct StartTree {
    /// The top level of the working tree.
    pub root: String,
    /// The commit that was checked out. `None` on a branch without commits.
    pub head: Option<String>,
    /// A hash of the recorded state, by which the state is found.
    pub id: String,
}

/// The reason why there is no start tree.
#[derive(Debug, thiserror::Error)]
pub enum NoStartTree {
    #[error("there is no working tree of git here: {0:?}")]
    NotARepository(PathReason),
    #[error("the repository's path is not text")]
    PathNotText,
    #[error(transparent)]
    Unread(#[from] TreeError),
}

/// The recorded state of a working tree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Start {
    pub(crate) head: Option<String>,
    /// The id of the checked-out commit, or of the empty tree.
    pub(crate) base: String,
    pub(crate) git_dir: PathBuf,
    /// The path of the project, relative to the repository's top level.
    pub(crate) project: PathBuf,
    /// The end of HEAD's reflog at the start.
    pub(crate) log: LogMark,
    /// The commits that branches, tags and remote branches pointed to at the start.
    pub(crate) tips: BTreeSet<String>,
    pub(crate) stashes: BTreeSet<String>,
    pub(crate) differences: Differences,
}

/// Records the state of the working tree of `cwd`. Creates `private_dir` if it is missing.
pub fn take_start_tree(
    cwd: &Path,
    private_dir: &Path,
    git: &Git,
) -> Result<StartTree, NoStartTree> {
    take(cwd, private_dir, git, Since::Now)
}

/// Like [`take_start_tree`], but records the working tree as identical to the checked-out commit.
/// All uncommitted changes then count as changes of the task.
pub fn take_commit_tree(
    cwd: &Path,
    private_dir: &Path,
    git: &Git,
) -> Result<StartTree, NoStartTree> {
    take(cwd, private_dir, git, Since::Commit)
}

/// The state from which a task's changes count.
#[derive(Clone, Copy)]
enum Since {
    Now,
    Commit,
}

fn take(cwd: &Path, private_dir: &Path, git: &Git, since: Since) -> Result<StartTree, NoStartTree> {
    let deadline = git.deadline();
    let place = find_place(cwd, git, deadline).map_err(|reason| match reason {
        PathReason::TimedOut => NoStartTree::Unread(TreeError::TimedOut),
        reason => NoStartTree::NotARepository(reason),
    })?;
    let root = place.top_level.to_str().ok_or(NoStartTree::PathNotText)?.to_owned();
    let scratch = Scratch::new(private_dir)?;
    let asking = Asking::begin(git, &place.top_level, deadline)?;
    let (tree, references) = thread::scope(|scope| {
        let references = scope.spawn(|| asking.references());
        let tree = WorkingTree::look(&asking, &place.git_dir, &scratch, place.id_bytes());
        let step = "list the references";
        (tree, references.join().unwrap_or(Err(TreeError::Answer { step })))
    });
    let tree = tree?;
    let head = tree.head().map(str::to_owned);
    let base = head.clone().unwrap_or_else(|| place.empty_tree.to_owned());
    let tips = references?.into_iter().map(|(id, _)| id).chain(head.clone()).collect();
    let cwd = cwd.canonicalize().map_err(TreeError::files("look at", cwd))?;
    let project = root_within(&cwd, &place.top_level);
    let mut differences = match since {
        Since::Now => tree.differences(&base, private_dir, &Differences::new())?,
        Since::Commit => Differences::new(),
    };
    add_rules(&mut differences, &asking, &place.git_dir);
    let start = Start {
        differences,
        project: project.strip_prefix(&place.top_level).unwrap_or(Path::new("")).to_owned(),
        log: LogMark::at_end(&place.git_dir.join("logs/HEAD")),
        stashes: stashes(&shared_logs(&place.git_dir)).into_iter().collect(),
        git_dir: place.git_dir.clone(),
        head: head.clone(),
        base,
        tips,
    };
    let bytes = start.to_bytes();
    let id = id_of(&bytes);
    scratch.publish(&file_name(&id), &bytes)?;
    scratch.sweep();
    Ok(StartTree { root, head, id })
}

pub(crate) fn file_name(id: &str) -> String {
    format!("{START_PREFIX}{id}")
}

pub(crate) fn id_of(bytes: &[u8]) -> String {
    hex(&Sha256::digest(bytes))
}

impl Start {
    /// Loads the stored state of a start tree. `None` if the state no longer exists or is damaged.
    pub(crate) fn load(tree: &StartTree, private_dir: &Path) -> Option<Self> {
        // The id comes from a log and is used as a file name, so it is checked.
        tree.id.bytes().all(|byte| byte.is_ascii_hexdigit()).then_some(())?;
        let bytes = read_private(private_dir, &file_name(&tree.id), MAX_START_BYTES)?;
        (id_of(&bytes) == tree.id).then_some(())?;
        Self::from_bytes(&bytes)
    }

    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        let log = self.log.to_string();
        let head = self.head.as_deref().unwrap_or_default();
        let mut bytes = Vec::new();
        for field in [
            FORM,
            head.as_bytes(),
            self.base.as_bytes(),
            self.git_dir.as_os_str().as_encoded_bytes(),
            self.project.as_os_str().as_encoded_bytes(),
            log.as_bytes(),
        ] {
            write_field(&mut bytes, field);
        }
        for ids in [&self.tips, &self.stashes] {
            write_field(&mut bytes, ids.len().to_string().as_bytes());
            for id in ids {
                write_field(&mut bytes, id.as_bytes());
            }
        }
        for (path, Difference { base, now }) in &self.differences {
            write_field(&mut bytes, path);
            write_field(&mut bytes, base.to_string().as_bytes());
            write_field(&mut bytes, now.to_string().as_bytes());
        }
        bytes
    }

    fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let mut fields = Fields::of(bytes);
        (fields.next()? == FORM).then_some(())?;
        let head = Some(fields.text()?.to_owned()).filter(|head| !head.is_empty());
        let base = fields.text()?.to_owned();
        let git_dir = path_from(fields.next()?)?;
        let project = path_from(fields.next()?)?;
        let log = LogMark::parse(fields.text()?)?;
        let (tips, stashes) = (read_ids(&mut fields)?, read_ids(&mut fields)?);
        let mut differences = Differences::new();
        while let Some(path) = fields.next() {
            let base = Version::parse(fields.text()?)?;
            let now = Version::parse(fields.text()?)?;
            differences.insert(path.to_owned(), Difference { base, now });
        }
        Some(Self { head, base, git_dir, project, log, tips, stashes, differences })
    }
}

fn read_ids(fields: &mut Fields<'_>) -> Option<BTreeSet<String>> {
    let count = fields.text()?.parse::<usize>().ok()?;
    (0..count).map(|_| fields.text().map(str::to_owned)).collect()
}
