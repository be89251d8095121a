//! A repository with a running task, for tests of the task's content.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use verger_event::ContentHash;
use verger_worktree::{
    ChangeKind, Content, Ignore, MovedOut, NoContent, StartTree, content, take_start_tree,
};

use crate::Ground;

pub(crate) struct Task {
    pub(crate) ground: Ground,
    pub(crate) start: StartTree,
    pub(crate) ignore: Ignore,
}

impl Task {
    /// Begins a task in a repository at `work`, which `prepare` may change before the start.
    pub(crate) fn begin(prepare: impl FnOnce(&Ground)) -> Self {
        let ground = Ground::new();
        ground.repository("work");
        for name in ["a", "b", "c", "dir/d"] {
            ground.write(format!("work/{name}"), &format!("{name}\n"));
        }
        ground.run("work", &["add", "--all"]);
        ground.run("work", &["commit", "--quiet", "--message", "files"]);
        prepare(&ground);
        let start =
            take_start_tree(&ground.at("work"), &ground.at("private"), &ground.git()).unwrap();
        Self { ground, start, ignore: Ignore::default() }
    }

    pub(crate) fn write(&self, path: &str, text: &str) {
        self.ground.write(Path::new("work").join(path), text);
    }

    pub(crate) fn remove(&self, path: &str) {
        fs::remove_file(self.ground.at("work").join(path)).unwrap();
    }

    pub(crate) fn git(&self, arguments: &[&str]) {
        self.ground.run("work", arguments);
    }

    pub(crate) fn commit_all(&self, message: &str) {
        self.git(&["add", "--all"]);
        self.git(&["commit", "--quiet", "--message", message]);
    }

    pub(crate) fn try_content(&self) -> Result<Content, NoContent> {
        content(&self.start, &self.ground.at("private"), &self.ignore, &self.ground.git())
    }

    /// The content of the task. Asserts that reading it changes no file.
    #[track_caller]
    pub(crate) fn content(&self) -> Content {
        let before = everything(&self.ground.at("work"));
        let content = self.try_content().unwrap();
        assert_untouched(&self.ground.at("work"), &before);
        content
    }

    #[track_caller]
    pub(crate) fn hash(&self) -> ContentHash {
        self.content().hash
    }

    /// The changed files, each as a letter and a path. Files that moved out come after an arrow.
    #[track_caller]
    pub(crate) fn changes(&self) -> Vec<String> {
        let content = self.content();
        let letter = |kind| match kind {
            ChangeKind::Added => "A",
            ChangeKind::Changed => "M",
            ChangeKind::Deleted => "D",
        };
        let files = content.files.iter();
        let mut changes: Vec<_> = files
            .map(|file| format!("{} {}", letter(file.kind), file.path.to_string_lossy()))
            .collect();
        if let MovedOut::Files(paths) = content.moved_out {
            changes.extend(paths.iter().map(|path| format!("-> {}", path.to_string_lossy())));
        }
        changes
    }
}

/// Asserts that the files in a directory are the same as before, and names those that differ.
#[track_caller]
pub(crate) fn assert_untouched(directory: &Path, before: &BTreeMap<PathBuf, Vec<u8>>) {
    let after = everything(directory);
    let paths: BTreeSet<_> = before.keys().chain(after.keys()).collect();
    let touched: Vec<_> =
        paths.into_iter().filter(|path| before.get(*path) != after.get(*path)).collect();
    assert_eq!(touched, Vec::<&PathBuf>::new());
}

/// Every file below a directory, with its content.
pub(crate) fn everything(directory: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut open = vec![directory.to_owned()];
    while let Some(directory) = open.pop() {
        for entry in fs::read_dir(&directory).unwrap() {
            let entry = entry.unwrap();
            let kind = entry.file_type().unwrap();
            if kind.is_dir() {
                open.push(entry.path());
            } else if kind.is_file() {
                found.insert(entry.path(), fs::read(entry.path()).unwrap());
            } else {
                found.insert(entry.path(), vec![]);
            }
        }
    }
    found
}
