//! Finds learnings that name code which changed after the learning was recorded.

use std::collections::{BTreeMap, HashMap};
use std::path::{Component, Path};
use std::time::Duration;

use verger_library::Effort;
use verger_memory::{Learning, LearningId, NamedFile, Scope, code_changes, suspicion};
use verger_worktree::{Git, earlier_contents};

use crate::Environment;
use crate::bounded_file::read_beyond;
use crate::engine::GIT_TIME_LIMIT;

/// Maximum size of a file that is compared.
const MAX_FILE_BYTES: usize = 1024 * 1024;

/// The limits of comparing. Files beyond them count as unchanged.
struct Limits {
    git: Duration,
    bytes: usize,
}

impl Limits {
    fn of(effort: Effort) -> Self {
        match effort {
            Effort::Whole => Self { git: Duration::from_secs(5), bytes: 64 * MAX_FILE_BYTES },
            Effort::AtMost { .. } => Self { git: GIT_TIME_LIMIT, bytes: 2 * MAX_FILE_BYTES },
        }
    }
}

/// The suspect learnings among these, each with the reason. Learnings of the person are left out,
/// because they may be about other projects.
pub(super) fn find_suspects<'a>(
    root: &Path,
    learnings: impl Iterator<Item = &'a Learning>,
    effort: Effort,
    environment: &Environment,
) -> BTreeMap<LearningId, String> {
    let limits = Limits::of(effort);
    let names_code = |one: &&Learning| !one.files.is_empty() && one.scope != Scope::Personal;
    let learnings: Vec<_> = learnings.filter(names_code).collect();
    let now = read_now(root, &learnings, limits.bytes);
    let then = read_then(root, &learnings, &limits, environment);
    let suspects = learnings.into_iter().filter_map(|learning| {
        let commit = learning.provenance.commit.as_deref().unwrap_or_default();
        let now = |path: &str| match now.get(path) {
            None => NamedFile::Unread,
            Some(None) => NamedFile::Gone,
            Some(Some(text)) => NamedFile::Text(text),
        };
        let then = |path: &str| then.get(commit)?.get(path).map(String::as_str);
        let changes = code_changes(learning, now, then);
        Some((learning.id.clone(), suspicion(learning, &changes)?.to_string()))
    });
    suspects.collect()
}

/// The current text of each named file, or that it is missing. A file that was not read has no
/// entry.
fn read_now<'a>(
    root: &Path,
    learnings: &[&'a Learning],
    max_bytes: usize,
) -> HashMap<&'a str, Option<String>> {
    let (mut read, mut bytes) = (HashMap::new(), 0);
    for path in learnings.iter().flat_map(|learning| &learning.files) {
        let is_below = |part| matches!(part, Component::Normal(_) | Component::CurDir);
        if read.contains_key(path.as_str()) || !Path::new(path).components().all(is_below) {
            continue;
        }
        let limit = MAX_FILE_BYTES.min(max_bytes - bytes);
        let text = match read_beyond(limit, &root.join(path)) {
            Ok(None) => None,
            Ok(Some(content)) if content.len() <= limit => {
                bytes += content.len();
                Some(String::from_utf8_lossy(&content).into_owned())
            }
            Ok(Some(_)) | Err(_) => continue,
        };
        read.insert(path.as_str(), text);
    }
    read
}

/// The files as they were in the commits of the learnings. Empty without git.
fn read_then<'a>(
    root: &Path,
    learnings: &[&'a Learning],
    limits: &Limits,
    environment: &Environment,
) -> HashMap<&'a str, HashMap<&'a str, String>> {
    let named = |learning: &&'a Learning| {
        let commit = learning.provenance.commit.as_deref();
        let files = commit.map(|commit| learning.files.iter().map(move |path| (commit, &**path)));
        files.into_iter().flatten()
    };
    let wanted: Vec<_> = learnings.iter().flat_map(named).collect();
    let git = Git::new("git", environment.all().iter().cloned(), limits.git);
    let contents = earlier_contents(root, &wanted, &git, limits.bytes as u64).unwrap_or_default();
    let mut then: HashMap<_, HashMap<_, _>> = HashMap::new();
    for ((commit, path), bytes) in contents {
        let text = String::from_utf8_lossy(&bytes).into_owned();
        then.entry(commit).or_default().insert(path, text);
    }
    then
}
