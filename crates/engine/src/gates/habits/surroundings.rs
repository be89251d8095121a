//! The facts around a command line that its habits depend on: branches, repositories and
//! programs.

use std::path::{Path, PathBuf};

use verger_exec::find_program;
use verger_gate::habits::Surroundings;
use verger_worktree::{head, root_without_git};

use crate::Environment;

pub(super) struct FoundSurroundings<'a> {
    cwd: Option<&'a str>,
    environment: &'a Environment,
}

impl<'a> FoundSurroundings<'a> {
    pub(super) fn new(cwd: Option<&'a str>, environment: &'a Environment) -> Self {
        Self { cwd, environment }
    }

    /// The project's root.
    pub(super) fn root(&self) -> Option<String> {
        let root = self.root_of(Path::new(self.cwd?))?;
        Some(root.to_str()?.to_owned())
    }

    fn root_of(&self, directory: &Path) -> Option<PathBuf> {
        let home = self.environment.get("HOME").map(PathBuf::from);
        Some(root_without_git(&directory.canonicalize().ok()?, home.as_deref()))
    }
}

impl Surroundings for FoundSurroundings<'_> {
    fn branch(&self, directory: &str) -> Option<String> {
        head(&Path::new(directory).canonicalize().ok()?).branch
    }

    fn is_top(&self, directory: &str) -> bool {
        let Ok(canonical) = Path::new(directory).canonicalize() else { return false };
        self.root_of(&canonical).as_ref() == Some(&canonical)
    }

    fn is_installed(&self, program: &str) -> bool {
        let path = self.environment.get("PATH");
        path.is_some_and(|path| find_program(&path, program).is_some())
    }
}
