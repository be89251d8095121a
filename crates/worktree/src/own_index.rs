//! A private index in which git records changed files, so that it can compare them with a commit.
//! New objects go to a private directory. None of the user's files is read twice or written.

use std::fs;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};

use crate::content::ChangedFile;
use crate::git::Git;
use crate::private::Scratch;
use crate::repository::Asking;
use crate::start_tree::{Start, StartTree};
use crate::tree_error::TreeError;

/// A private index that starts with the files of the commit at a task's start.
pub(crate) struct OwnIndex<'a> {
    scratch: Scratch,
    asking: Asking<'a>,
    base: &'a str,
    path: PathBuf,
}

impl<'a> OwnIndex<'a> {
    pub(crate) fn new(
        tree: &'a StartTree,
        start: &'a Start,
        private_dir: &Path,
        git: &'a Git,
    ) -> Result<Self, TreeError> {
        let scratch = Scratch::new(private_dir)?;
        let objects = scratch.path("objects");
        fs::create_dir(&objects).map_err(TreeError::files("make the directory", &objects))?;
        let root = Path::new(&tree.root);
        let asking = Asking::begin(git, root, git.deadline())?.with_private_objects(&objects)?;
        let path = scratch.path("index");
        Ok(Self { scratch, asking, base: &start.base, path })
    }

    /// Records the current version of changed files in the index.
    pub(crate) fn record(&self, files: &[&ChangedFile]) -> Result<(), TreeError> {
        let step = "record the changes";
        self.asking.answer(step, &["read-tree", self.base], Some(&self.path), vec![])?;
        let paths =
            files.iter().flat_map(|file| file.path.as_os_str().as_bytes().iter().chain(&[0]));
        let paths: Vec<u8> = paths.copied().collect();
        if !paths.is_empty() {
            let arguments = ["update-index", "--add", "--remove", "--replace", "-z", "--stdin"];
            self.asking.answer(step, &arguments, Some(&self.path), paths)?;
        }
        Ok(())
    }

    /// Runs a git command that compares the commit with the recorded files and returns its output.
    pub(crate) fn answer(
        &self,
        step: &'static str,
        command: &[&str],
    ) -> Result<Vec<u8>, TreeError> {
        self.asking.answer(step, &self.arguments(command), Some(&self.path), vec![])
    }

    /// Like `answer`, but returns at most `max_bytes` + 1 bytes of the output.
    pub(crate) fn first_part(
        &self,
        step: &'static str,
        command: &[&str],
        max_bytes: u64,
    ) -> Result<Vec<u8>, TreeError> {
        self.asking.first_part(step, &self.arguments(command), Some(&self.path), max_bytes)
    }

    fn arguments<'c>(&'c self, command: &[&'c str]) -> Vec<&'c str> {
        command.iter().copied().chain([self.base, "--"]).collect()
    }

    /// Marks files of the private directory as used, so that they aren't swept.
    pub(crate) fn stay(&self, names: &[String]) {
        for name in names {
            self.scratch.stay(name);
        }
    }
}
