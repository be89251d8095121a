//! A summary of a task's work: the changed files, the state that they are compared with, and notes
//! on unknown parts.

use std::path::PathBuf;

use serde_json::{Value, json};
use verger_engine::{Amount, UnknownContent};
use verger_event::ContentHash;
use verger_gate::{Start, Work};
use verger_store::with_causes;
use verger_worktree::{ChangeKind, ChangedFile, MovedOut, StartTree};

use crate::render::output::count;
use crate::render::table::Table;

/// The note about `git diff`. The files are compared with the working tree at the start of the
/// task, but git can only compare with the commit at that time.
const ABOUT_DIFF: &str = "git diff also shows changes that were uncommitted when the task began, and does not show untracked files";

/// The maximum number of files in text output. JSON output has all files.
const MAX_LISTED: usize = 1000;

/// A summary of a task's work.
#[derive(Debug, Default)]
pub(crate) struct WorkSummary {
    /// The hash of the work. `None` if it is not known.
    content: Option<ContentHash>,
    files: Vec<(PathBuf, &'static str)>,
    /// The state that the files are compared with.
    start: Option<StartTree>,
    notes: Vec<String>,
}

impl WorkSummary {
    pub(crate) fn of(work: &Work, amount: Result<Amount, UnknownContent>) -> Self {
        let mut told = Self::default();
        match &work.start {
            Start::NotTaken => {
                told.notes.push("no tool that can change a file was called".to_owned());
            }
            Start::Tree(tree) => {
                // A tree that can't be read is reported when the work is measured.
                told.start = serde_json::from_value(tree.clone()).ok();
            }
            // The reason is reported when the work is measured.
            Start::Unknown { .. } => {}
            Start::NoTree { reason, .. } => {
                told.notes.push(format!(
                    "the files at the start of the task are unknown ({reason}): only files that tools named are listed, \
                     without their earlier content"
                ));
                if let more @ 1.. = work.touched.more {
                    told.notes.push(format!("{more} more files were named but not recorded"));
                }
            }
        }
        match amount {
            Ok(amount) => told.found(amount),
            Err(unknown) => {
                told.notes.push(format!("the changes are unknown: {}", with_causes(&unknown)));
            }
        }
        told
    }

    fn found(&mut self, amount: Amount) {
        self.content = Some(amount.content.hash);
        let Some(found) = amount.found else { return };
        let file = |file: ChangedFile| (file.path, kind(file.kind));
        self.files = found.files.into_iter().map(file).collect();
        if !self.files.is_empty() && self.diff_command().is_some() {
            self.notes.push(ABOUT_DIFF.to_owned());
        }
        if let MovedOut::Files(paths) = found.moved_out {
            let paths: Vec<_> = paths.iter().map(|path| path.display().to_string()).collect();
            self.notes.push(format!(
                "work of the task is no longer in the working tree (stashed, or left on a branch): {}",
                paths.join(", ")
            ));
        }
    }

    /// The command that shows the changes since the commit at which the task began. `None` without
    /// a commit.
    fn diff_command(&self) -> Option<String> {
        let StartTree { root, head: Some(head), .. } = self.start.as_ref()? else { return None };
        let root = root.replace('\'', r"'\''");
        Some(format!("git -C '{root}' diff {head}"))
    }

    pub(crate) fn rows(&self, table: &mut Table) {
        let changed = match (&self.content, self.files.len()) {
            (None, _) => "not known".to_owned(),
            (Some(content), 0) => format!("no files, content {content}"),
            (Some(content), files) => format!("{}, content {content}", count(files, "file")),
        };
        table.row("changed", changed);
        for (path, kind) in self.files.iter().take(MAX_LISTED) {
            table.row("", format!("{kind:<8} {}", path.display()));
        }
        if let more @ 1.. = self.files.len().saturating_sub(MAX_LISTED) {
            table.row("", format!("{more} more: --json lists them"));
        }
        if let Some(StartTree { root, head, .. }) = &self.start {
            let head = head.as_deref().unwrap_or("no commit");
            table.row("since", format!("the task began, at {head} in {root}"));
        }
        if let Some(command) = self.diff_command() {
            table.row("  diff", command);
        }
        for note in &self.notes {
            table.row("note", note);
        }
    }

    pub(crate) fn to_json(&self) -> Value {
        let files = self.files.iter().map(|(path, kind)| json!({ "path": path, "change": kind }));
        json!({
            "content": self.content,
            "files": files.collect::<Vec<_>>(),
            "start": self.start.as_ref().map(|StartTree { root, head, .. }| {
                json!({ "root": root, "commit": head })
            }),
            "diff": self.diff_command(),
            "notes": self.notes,
        })
    }
}

fn kind(kind: ChangeKind) -> &'static str {
    match kind {
        ChangeKind::Added => "added",
        ChangeKind::Changed => "changed",
        ChangeKind::Deleted => "deleted",
    }
}
