//! Whether the files that say what a build runs were changed in the task in hand.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use verger_gate::State;
use verger_gate::permission::{Condition, Facts};
use verger_shell::Glob;

/// No project is nested deeper.
const MAX_LEVELS: usize = 16;

/// In a larger directory nothing is looked for by a pattern: what is there counts as changed.
const MAX_ENTRIES: usize = 2_000;

/// Nothing is known of the session, so that nothing is known to be unchanged.
pub(super) struct Unseen;

impl Facts for Unseen {
    fn broken(&self, condition: &Condition) -> Option<String> {
        matches!(condition, Condition::Unchanged { .. })
            .then(|| "verger cannot tell what was changed in this task".to_owned())
    }
}

/// The session before the call.
pub(super) struct Definitions<'a> {
    pub(super) state: &'a State,
    pub(super) cwd: Option<&'a str>,
}

impl Facts for Definitions<'_> {
    fn broken(&self, condition: &Condition) -> Option<String> {
        let Condition::Unchanged { files } = condition else { return None };
        files.split([' ', '|', ',']).filter(|glob| !glob.is_empty()).find_map(|glob| {
            self.is_changed(glob).then(|| format!("{glob} may have been changed in this task"))
        })
    }
}

impl Definitions<'_> {
    fn is_changed(&self, glob: &str) -> bool {
        let Some(task) = self.state.session.current_task() else { return true };
        let touched = &self.state.work.touched;
        if touched.more > 0 || touched.files.iter().any(|file| is_named(glob, file)) {
            return true;
        }
        let Some(cwd) = self.cwd.map(Path::new) else { return true };
        let start = task.0.made_at().as_millis();
        let above = cwd.ancestors().take(MAX_LEVELS);
        let top = above.clone().position(|level| level.join(".git").exists()).unwrap_or_default();
        let mut found = above.take(top + 1).flat_map(|level| candidates(level, glob));
        found.any(|file| file.is_none_or(|file| is_newer(&file, start)))
    }
}

/// Whether a touched file is one that the pattern names, wherever it is.
fn is_named(glob: &str, file: &str) -> bool {
    let (pattern, below) = (Glob::new(glob), Glob::new(&format!("*/{glob}")));
    pattern.matches(file) || below.matches(file)
}

/// The files of a directory that the pattern names; one that is not known where there are too many.
fn candidates(directory: &Path, glob: &str) -> Vec<Option<PathBuf>> {
    if !glob.contains('*') {
        return vec![Some(directory.join(glob))];
    }
    let (inside, name) = glob.rsplit_once('/').unwrap_or(("", glob));
    if inside.contains('*') {
        return vec![];
    }
    let Ok(entries) = fs::read_dir(directory.join(inside)) else { return vec![] };
    let pattern = Glob::new(name);
    let mut found = vec![];
    for (count, entry) in entries.flatten().enumerate() {
        if count == MAX_ENTRIES {
            found.push(None);
            break;
        }
        if entry.file_name().to_str().is_some_and(|name| pattern.matches(name)) {
            found.push(Some(entry.path()));
        }
    }
    found
}

fn is_newer(file: &Path, start_ms: u64) -> bool {
    let modified = fs::metadata(file).and_then(|metadata| metadata.modified());
    modified.is_ok_and(|modified| {
        let since = modified.duration_since(UNIX_EPOCH).unwrap_or_default();
        since.as_millis() >= u128::from(start_ms)
    })
}
