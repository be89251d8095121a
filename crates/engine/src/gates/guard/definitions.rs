//! Checks whether the files that define a build changed in the current task. Changes by tools are
//! in the session's records; other changes are found by modification times.

use std::collections::VecDeque;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use crate::State;
use verger_gate::permission::{Condition, Facts};
use verger_shell::Glob;

use crate::real_path::without_dots;

/// Maximum number of directories above the agent's that are searched.
const MAX_LEVELS: usize = 16;

/// Maximum number of directory entries that are checked. In a larger project, deeper files count
/// as unchanged unless a tool wrote them.
const MAX_ENTRIES: usize = 4_000;

/// Directories of generated or downloaded files, which don't contain the project's own
/// definitions.
const PASSED_OVER: &[&str] = &[
    ".git",
    ".hg",
    ".svn",
    "node_modules",
    "target",
    "dist",
    "build",
    "out",
    "vendor",
    ".venv",
    "venv",
    "__pycache__",
    ".tox",
    ".nox",
    ".next",
    ".nuxt",
    ".turbo",
    ".gradle",
    ".cache",
    "coverage",
    "Pods",
    "_build",
    "deps",
];

/// Facts to use without a session: no file is known to be unchanged.
pub(super) struct Unseen;

impl Facts for Unseen {
    fn broken(&self, condition: &Condition) -> Option<String> {
        matches!(condition, Condition::Unchanged { .. })
            .then(|| "verger cannot tell what was changed in this task".to_owned())
    }
}

/// Facts from the session's state before the call.
pub(super) struct Definitions<'a> {
    pub(super) state: &'a State,
    pub(super) cwd: Option<&'a str>,
}

impl Facts for Definitions<'_> {
    fn broken(&self, condition: &Condition) -> Option<String> {
        let Condition::Unchanged { files } = condition else { return None };
        let globs = files.split([' ', '|', ',']).filter(|glob| !glob.is_empty());
        let globs: Vec<Definition<'_>> = globs.map(Definition::new).collect();
        let changed = |what: &str| Some(format!("{what} may have been changed in this task"));
        let (Some(task), Some(cwd)) = (self.state.session.current_task(), self.cwd) else {
            return changed("the code that it runs");
        };
        let touched = &self.state.work.touched;
        if touched.more > 0 {
            return changed("the code that it runs");
        }
        let written = touched.files.iter().map(|file| without_dots(&Path::new(cwd).join(file)));
        let found = written.into_iter().find_map(|file| named(&globs, &file));
        let found =
            found.or_else(|| changed_on_disk(Path::new(cwd), &globs, task.0.made_at().as_millis()));
        found.and_then(changed)
    }
}

/// A pattern of file paths below any directory.
struct Definition<'a> {
    pattern: &'a str,
    /// The file name, if the pattern is only a name. Files with other names are skipped without
    /// using the glob.
    name: Option<&'a str>,
    /// The glob that absolute paths are compared with.
    anywhere: Glob,
}

impl<'a> Definition<'a> {
    fn new(pattern: &'a str) -> Self {
        let bare = pattern.trim_start_matches("**/");
        let name = (!bare.contains('/')).then_some(bare);
        Self { pattern, name, anywhere: Glob::new(&format!("*/{bare}")) }
    }

    fn names(&self, path: &str, file_name: &str) -> bool {
        self.name.is_none_or(|name| Glob::fits(name, file_name)) && self.anywhere.matches(path)
    }
}

/// The first pattern that matches an absolute path.
fn named<'a>(globs: &[Definition<'a>], path: &Path) -> Option<&'a str> {
    let (path, name) = (path.to_str()?, path.file_name()?.to_str()?);
    globs.iter().find(|glob| glob.names(path, name)).map(|glob| glob.pattern)
}

/// The first pattern with a file in the project that changed after `start_ms`. The search is
/// breadth-first.
fn changed_on_disk<'a>(cwd: &Path, globs: &[Definition<'a>], start_ms: u64) -> Option<&'a str> {
    let above = cwd.ancestors().take(MAX_LEVELS);
    let top = above.clone().position(|level| level.join(".git").exists()).unwrap_or_default();
    // The working directory and the directories above it, up to the repository's root, are always
    // searched.
    let mut open: VecDeque<PathBuf> = above.take(top + 1).map(Path::to_owned).collect();
    let (way_up, mut left) = (open.len(), MAX_ENTRIES);
    let mut seen = 0;
    while let Some(directory) = open.pop_front() {
        seen += 1;
        let Ok(entries) = fs::read_dir(&directory) else { continue };
        for entry in entries.flatten() {
            let rest = left.checked_sub(1)?;
            left = rest;
            let path = entry.path();
            let Ok(kind) = entry.file_type() else { continue };
            if kind.is_dir() {
                let is_known = entry.file_name().to_str().is_some_and(|n| PASSED_OVER.contains(&n));
                // The subdirectories of a directory below the topmost one are not queued here.
                // The search finds them again, because they are below the topmost directory too.
                if !is_known && seen >= way_up {
                    open.push_back(path);
                }
            } else if let Some(glob) = named(globs, &path)
                && is_newer(&path, start_ms)
            {
                return Some(glob);
            }
        }
    }
    None
}

/// Whether the file or the link to it was modified after `start_ms`.
fn is_newer(file: &Path, start_ms: u64) -> bool {
    let is_since = |metadata: std::io::Result<fs::Metadata>| {
        metadata.and_then(|metadata| metadata.modified()).is_ok_and(|modified| {
            let since = modified.duration_since(UNIX_EPOCH).unwrap_or_default();
            since.as_millis() >= u128::from(start_ms)
        })
    };
    is_since(fs::metadata(file)) || is_since(fs::symlink_metadata(file))
}
