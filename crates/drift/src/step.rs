//! A step: the data of a tool call that limits, circles and tasks need.

mod git;
mod line;
mod programs;

use serde::{Deserialize, Serialize};
use verger_event::{FileChange, FileEdit, SearchTarget, ToolCall, ToolUse};

use crate::check::CheckRun;
use crate::paths::{folder, is_in_project, within};

/// The maximum number of characters of a command line.
const MAX_COMMAND: usize = 400;
/// The maximum number of files of one tool call.
const MAX_FILES: usize = 24;

/// The data of a tool call that drift detection needs.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Step {
    /// The kind of tool call.
    pub action: Action,
    /// The files that the call is about. Paths in the project's directory are relative to it.
    pub files: Vec<String>,
    /// The folders of these files, or the folders that the call searches.
    pub folders: Vec<String>,
    /// The start of the command line that the call ran.
    pub command: Option<String>,
    /// Whether the tool call failed.
    pub failed: bool,
    /// The effects of the call. Empty if it failed.
    pub(crate) effects: Vec<Effect>,
    pub(crate) check: Option<CheckRun>,
    /// The commit that the call made, if its output names one.
    pub(crate) commit: Option<String>,
}

/// An effect of a tool call on the project.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Effect {
    /// A file was created, changed or moved.
    Changed(String),
    /// A file or a folder was deleted. The path is `.` if `git clean` names none.
    Deleted(String),
    /// A commit was made, to this branch if the output names one.
    Committed(Option<String>),
    /// A push was made, to these branches as far as the command line or the output names them.
    Pushed(Vec<String>),
    Stashed,
    /// A pull request was opened, against this base branch if the call names one.
    OpenedPullRequest(Option<String>),
    AddedDependency,
    /// A command with these words was run.
    Ran(Vec<String>),
}

/// The kind of a tool call.
#[derive(
    Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(rename_all = "snake_case")]
pub enum Action {
    /// The call changes a part of a file.
    Edit,
    /// The call writes a whole file.
    Write,
    /// The call reads a file.
    Read,
    /// The call runs a command line in a shell.
    Bash,
    /// The call searches for files by name.
    Glob,
    /// The call searches for text.
    Grep,
    /// The call starts a subagent.
    Task,
    /// The call does anything else.
    #[default]
    Other,
}

/// The directories from which a call's paths are resolved.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Place<'a> {
    pub(crate) root: Option<&'a str>,
    /// The agent's working directory. If it is unknown, the root is used.
    pub(crate) cwd: Option<&'a str>,
}

/// The result of a tool call.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct CallResult<'a> {
    /// Whether the client reports a failure.
    pub(crate) failed: bool,
    pub(crate) output: &'a str,
}

impl Action {
    fn of_use(tool: &ToolUse) -> Self {
        match tool {
            ToolUse::Edit(_) => Self::Edit,
            ToolUse::Write(_) => Self::Write,
            ToolUse::Read(_) => Self::Read,
            ToolUse::Shell(_) => Self::Bash,
            ToolUse::Search(search) => match search.target {
                SearchTarget::Names => Self::Glob,
                SearchTarget::Text => Self::Grep,
            },
            ToolUse::Delegate(_) => Self::Task,
            ToolUse::Message(_)
            | ToolUse::Ask(_)
            | ToolUse::Todos(_)
            | ToolUse::Web(_)
            | ToolUse::Mcp(_)
            | ToolUse::Other(_) => Self::Other,
        }
    }
}

impl Step {
    /// Reduces a tool call and its result to a step.
    pub(crate) fn of_call(call: &ToolCall, result: CallResult<'_>, place: Place<'_>) -> Self {
        let action = Action::of_use(&call.action);
        let mut step = Self { action, failed: result.failed, ..Self::default() };
        match &call.action {
            ToolUse::Shell(shell) => {
                let line = shell.line.as_deref().unwrap_or_default();
                let script = verger_shell::read(line);
                step.command = Some(line.chars().take(MAX_COMMAND).collect());
                step.check = CheckRun::of_line(&script, result.failed, result.output);
                step.effects = line::effects(&script, result.output, place);
                step.files = files_of(&step.effects);
                if step.effects.iter().any(|effect| matches!(effect, Effect::Committed(_))) {
                    step.commit = git::commit(result.output).map(|commit| commit.hash);
                }
            }
            ToolUse::Edit(edit) => {
                step.files = edit.files.iter().flat_map(|file| named(&file.path, place)).collect();
                step.effects = edit.files.iter().filter_map(|file| edited(file, place)).collect();
            }
            ToolUse::Write(write) => {
                let path = write.path.as_deref().unwrap_or_default();
                step.files = named(path, place);
                let changed = of_project(path, place).map(Effect::Changed);
                step.effects = changed.into_iter().collect();
            }
            ToolUse::Read(read) => {
                step.files = named(read.path.as_deref().unwrap_or_default(), place);
            }
            ToolUse::Search(search) => {
                step.files = named(search.path.as_deref().unwrap_or_default(), place);
            }
            // MCP servers of code hosts have a tool that opens pull requests.
            ToolUse::Mcp(mcp) if mcp.tool.ends_with("create_pull_request") => {
                let base = call.rest.get("base").and_then(|base| base.as_str());
                let base = base.filter(|base| !base.is_empty()).map(str::to_owned);
                step.effects.push(Effect::OpenedPullRequest(base));
            }
            _ => {}
        }
        if step.failed {
            step.effects.clear();
            step.commit = None;
        }
        step.files.dedup();
        step.files.truncate(MAX_FILES);
        step.folders = step.files.iter().map(|file| folder(file).to_owned()).collect();
        step.folders.dedup();
        step
    }

    /// Whether the call decides something for later steps: it created a file, added a dependency,
    /// or committed.
    pub fn is_key_decision(&self) -> bool {
        let decides = |effect: &Effect| {
            matches!(effect, Effect::AddedDependency | Effect::Committed(_) | Effect::Pushed(_))
        };
        !self.failed && (self.action == Action::Write || self.effects.iter().any(decides))
    }

    /// The files that the call created, changed or deleted.
    pub(crate) fn changed_files(&self) -> impl Iterator<Item = &str> {
        self.effects.iter().filter_map(|effect| match effect {
            Effect::Changed(path) | Effect::Deleted(path) => Some(path.as_str()),
            _ => None,
        })
    }

    /// The files that the call deleted.
    pub(crate) fn deleted_files(&self) -> impl Iterator<Item = &str> {
        self.effects.iter().filter_map(|effect| match effect {
            Effect::Deleted(path) => Some(path.as_str()),
            _ => None,
        })
    }
}

/// The files that these effects changed or deleted.
fn files_of(effects: &[Effect]) -> Vec<String> {
    let path = |effect: &Effect| match effect {
        Effect::Changed(path) | Effect::Deleted(path) => {
            Some(path.clone()).filter(|path| path != ".")
        }
        _ => None,
    };
    effects.iter().filter_map(path).collect()
}

/// The path in a tool call's arguments. It may be outside of the project.
fn named(path: &str, place: Place<'_>) -> Vec<String> {
    let path = Some(within(path, place.root)).filter(|path| !matches!(path.as_str(), "" | "."));
    path.into_iter().collect()
}

/// The path in a tool call's arguments, if it is in the project.
fn of_project(path: &str, place: Place<'_>) -> Option<String> {
    Some(within(path, place.root)).filter(|path| is_in_project(path))
}

/// The effect of an edit, if its file is in the project.
fn edited(file: &FileEdit, place: Place<'_>) -> Option<Effect> {
    let path = of_project(&file.path, place)?;
    Some(match file.change {
        FileChange::Modified | FileChange::Added | FileChange::Moved => Effect::Changed(path),
        FileChange::Deleted => Effect::Deleted(path),
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use verger_event::{EditCall, ReadCall, WriteCall};

    use super::*;

    const PLACE: Place<'_> = Place { root: Some("/home/dev/app"), cwd: None };

    #[test]
    fn a_tool_changes_the_file_that_it_names() {
        let changed = |path: &str| vec![Effect::Changed(path.to_owned())];
        let file = |path: &str, change| FileEdit { path: path.to_owned(), change, edits: vec![] };
        let files = vec![file("a.rs", FileChange::Modified), file("b.rs", FileChange::Deleted)];
        let read = ReadCall { path: Some("/home/dev/app/src/a.rs".to_owned()), from_line: None };
        let cases = [
            (ToolCall::edit("/home/dev/app/src/a.rs", "", ""), changed("src/a.rs")),
            (ToolCall::edit("src/a.rs", "", ""), changed("src/a.rs")),
            (ToolCall::write("/home/dev/app/b.md", ""), changed("b.md")),
            (ToolCall::write("/tmp/b.md", ""), vec![]),
            (ToolCall::new("write", ToolUse::Write(WriteCall::default())), vec![]),
            (ToolCall::new("read", ToolUse::Read(read)), vec![]),
            (
                ToolCall::new("patch", ToolUse::Edit(EditCall { files })),
                vec![Effect::Changed("a.rs".to_owned()), Effect::Deleted("b.rs".to_owned())],
            ),
            (
                ToolCall::mcp("github", "create_pull_request", json!({ "base": "main" })),
                vec![Effect::OpenedPullRequest(Some("main".to_owned()))],
            ),
        ];
        for (call, effects) in cases {
            let step = Step::of_call(&call, CallResult::default(), PLACE);
            assert_eq!(step.effects, effects, "{call:?}");
        }
    }

    #[test]
    fn a_failed_call_has_no_effects() {
        let result = CallResult { failed: true, output: "" };
        let step = Step::of_call(&ToolCall::shell("rm src/a.rs"), result, PLACE);
        assert_eq!((step.effects, step.files), (vec![], vec!["src/a.rs".to_owned()]));
    }

    #[test]
    fn a_commit_is_named_by_the_output() {
        let result = CallResult { failed: false, output: "[main 1a2b3c4] x\n 1 file changed" };
        let step = Step::of_call(&ToolCall::shell("git commit -am x"), result, PLACE);
        assert_eq!(step.commit.as_deref(), Some("1a2b3c4"));
        assert!(step.effects.contains(&Effect::Committed(Some("main".to_owned()))));
    }
}
