//! The agent's work on the current task: its start, and the files that tools changed.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};
use verger_event::StartTree;

/// The maximum number of bytes of stored paths. The limit keeps the state small, because every hook
/// call reads and writes the state.
const REMEMBERED_BYTES: usize = 12 * 1024;

/// The agent's work on the current task.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Work {
    /// The state of the files at the start of the work.
    pub start: Start,
    /// The files that tools changed. Gates use them if the project has no version control.
    pub touched: Touched,
}

/// The state of the files at the start of a task's work.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Start {
    /// No tool that may change a file was requested yet.
    #[default]
    NotTaken,
    /// The tree of files in the version control, as JSON of the crate that recorded it.
    Tree(serde_json::Value),
    /// The project has no version control.
    NoTree {
        /// The reason why there is no tree, in words.
        reason: String,
        /// The agent's directory at that time. Paths stay relative to this directory, even if the
        /// agent changes to another.
        root: Option<String>,
    },
    /// The project has version control, but its tree couldn't be read in time. The task's changes
    /// are therefore unknown.
    Unknown {
        /// The reason why the tree couldn't be read.
        reason: String,
        /// The agent's directory at that time.
        root: Option<String>,
    },
}

/// The files that tools changed, up to the maximum number of bytes.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Touched {
    /// The paths of the files, as the tools got them.
    pub files: BTreeSet<String>,
    /// The number of further paths, which aren't stored.
    pub more: u64,
}

impl Work {
    pub(crate) fn begin(&mut self, tree: &StartTree, cwd: Option<&str>) {
        // Parallel calls may each record a start tree. Only the first one counts.
        if self.start == Start::NotTaken {
            let root = cwd.map(str::to_owned);
            self.start = match tree {
                StartTree::Tree(tree) => Start::Tree(tree.clone()),
                StartTree::Touched { reason } => Start::NoTree { reason: reason.clone(), root },
                StartTree::Unknown { reason } => Start::Unknown { reason: reason.clone(), root },
            };
        }
    }
}

impl Touched {
    pub(crate) fn add(&mut self, path: &str) {
        if self.files.contains(path) {
            return;
        }
        let taken: usize = self.files.iter().map(String::len).sum();
        if taken + path.len() <= REMEMBERED_BYTES {
            self.files.insert(path.to_owned());
        } else {
            self.more = self.more.saturating_add(1);
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn the_first_start_of_a_task_counts() {
        let none = StartTree::Touched { reason: "not a repository".to_owned() };
        let tree = StartTree::Tree(json!({ "id": "abc" }));
        let mut work = Work::default();
        work.begin(&none, Some("/p"));
        work.begin(&tree, Some("/q"));
        let (reason, root) = ("not a repository".to_owned(), Some("/p".to_owned()));
        assert_eq!(work.start, Start::NoTree { reason, root });
        let mut work = Work::default();
        work.begin(&tree, Some("/q"));
        work.begin(&none, Some("/p"));
        assert_eq!(work.start, Start::Tree(json!({ "id": "abc" })));
    }

    #[test]
    fn files_are_remembered_as_long_as_there_is_room_and_counted_beyond() {
        let mut touched = Touched::default();
        for path in ["b", "a", "b"] {
            touched.add(path);
        }
        let files = ["a", "b"].map(str::to_owned).into();
        assert_eq!(touched, Touched { files, more: 0 });
        touched.add(&"x".repeat(REMEMBERED_BYTES - 1));
        assert_eq!((touched.files.len(), touched.more), (2, 1));
        touched.add(&"x".repeat(REMEMBERED_BYTES - 2));
        touched.add("c");
        assert_eq!((touched.files.len(), touched.more), (3, 2));
    }
}
