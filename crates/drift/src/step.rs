//! One tool call, as far as limits, circles and tasks are concerned.

mod git;
mod line;
mod programs;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use verger_event::Tool;

use crate::check::CheckRun;
use crate::paths::{folder, is_in_project, within};

/// The most characters of a line that are kept.
const MAX_COMMAND: usize = 400;
/// The most files of one call.
const MAX_FILES: usize = 24;

/// One tool call.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Step {
    /// Its kind.
    pub action: Action,
    /// The files that it is about, relative to the project's directory where they lie in it.
    pub files: Vec<String>,
    /// Their folders.
    pub folders: Vec<String>,
    /// The start of the line that it ran.
    pub command: Option<String>,
    /// Whether it failed.
    pub failed: bool,
    /// Nothing where it failed.
    pub(crate) effects: Vec<Effect>,
    pub(crate) check: Option<CheckRun>,
    /// The commit that it made, where its output names it.
    pub(crate) commit: Option<String>,
}

/// Something that a call did in the project.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Effect {
    /// Made, changed or moved a file.
    Changed(String),
    /// Deleted a file or a folder; `.` where `git clean` names none.
    Deleted(String),
    /// Committed; to this branch, where the output names it.
    Committed(Option<String>),
    /// Pushed; to these branches, as far as the line or the output names them.
    Pushed(Vec<String>),
    Stashed,
    /// Opened a pull request; against this branch, where the call names it.
    OpenedPullRequest(Option<String>),
    AddedDependency,
    /// All words of a command.
    Ran(Vec<String>),
}

/// The kind of a tool call.
#[derive(
    Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(rename_all = "snake_case")]
pub enum Action {
    /// Changes a part of a file.
    Edit,
    /// Writes a whole file.
    Write,
    /// Reads a file.
    Read,
    /// Runs a line in a shell.
    Bash,
    /// Looks for files by name.
    Glob,
    /// Looks for text.
    Grep,
    /// Has a subagent do something.
    Task,
    /// Anything else.
    #[default]
    Other,
}

/// Where a call was made.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Place<'a> {
    pub(crate) root: Option<&'a str>,
    /// The directory in which the agent was; the root where this is not known.
    pub(crate) cwd: Option<&'a str>,
}

/// The result of a call.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct CallResult<'a> {
    /// Whether the client says that it failed.
    pub(crate) failed: bool,
    pub(crate) output: &'a str,
}

impl Action {
    fn of_tool(tool: &str) -> Self {
        match Tool::of(tool) {
            Tool::Edit(_) | Tool::Patch => Self::Edit,
            Tool::Write(_) => Self::Write,
            Tool::Read(_) => Self::Read,
            Tool::Shell => Self::Bash,
            Tool::Find => Self::Glob,
            Tool::Search => Self::Grep,
            Tool::Delegate => Self::Task,
            _ => Self::Other,
        }
    }
}

impl Step {
    /// Reads a call: the tool's name, its input as the agent sends it, and the result. Fields that are missing or of
    /// another type are passed over.
    pub(crate) fn of_call(
        tool: &str,
        input: &Value,
        result: CallResult<'_>,
        place: Place<'_>,
    ) -> Self {
        let action = Action::of_tool(tool);
        let text = |key: &str| input.get(key).and_then(Value::as_str).unwrap_or_default();
        let mut step = Self { action, failed: result.failed, ..Self::default() };
        match Tool::of(tool) {
            Tool::Shell => {
                let line = text("command");
                let script = verger_shell::read(line);
                step.command = Some(line.chars().take(MAX_COMMAND).collect());
                step.check = CheckRun::of_line(&script, result.failed, result.output);
                step.effects = line::effects(&script, result.output, place);
                step.files = files_of(&step.effects);
                if step.effects.iter().any(|effect| matches!(effect, Effect::Committed(_))) {
                    step.commit = git::commit(result.output).map(|commit| commit.hash);
                }
            }
            Tool::Patch => {
                let patch = ["command", "input", "patch"].map(text).concat();
                step.effects = patched(&patch, place);
                step.files = files_of(&step.effects);
            }
            Tool::Edit(key) | Tool::Write(key) => {
                step.files = named(text(key), place);
                let changed = of_project(text(key), place).map(Effect::Changed);
                step.effects = changed.into_iter().collect();
            }
            Tool::Read(key) => step.files = named(text(key), place),
            Tool::Find | Tool::Search => step.files = named(text("path"), place),
            // A server of the forge opens pull requests by a tool of its own.
            _ if tool.ends_with("create_pull_request") => {
                let base = Some(text("base")).filter(|base| !base.is_empty());
                step.effects.push(Effect::OpenedPullRequest(base.map(str::to_owned)));
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

    /// Whether it decides something for later steps: a new file, a dependency, a commit.
    pub fn is_key_decision(&self) -> bool {
        let decides = |effect: &Effect| {
            matches!(effect, Effect::AddedDependency | Effect::Committed(_) | Effect::Pushed(_))
        };
        !self.failed && (self.action == Action::Write || self.effects.iter().any(decides))
    }

    /// The files that it made, changed or deleted.
    pub(crate) fn changed_files(&self) -> impl Iterator<Item = &str> {
        self.effects.iter().filter_map(|effect| match effect {
            Effect::Changed(path) | Effect::Deleted(path) => Some(path.as_str()),
            _ => None,
        })
    }

    /// The files that it deleted.
    pub(crate) fn deleted_files(&self) -> impl Iterator<Item = &str> {
        self.effects.iter().filter_map(|effect| match effect {
            Effect::Deleted(path) => Some(path.as_str()),
            _ => None,
        })
    }
}

/// The files that effects are about. Files that version control brings back are not changed.
fn files_of(effects: &[Effect]) -> Vec<String> {
    let path = |effect: &Effect| match effect {
        Effect::Changed(path) | Effect::Deleted(path) => {
            Some(path.clone()).filter(|path| path != ".")
        }
        _ => None,
    };
    effects.iter().filter_map(path).collect()
}

/// The path that a tool is given, also outside of the directory in which the session began.
fn named(path: &str, place: Place<'_>) -> Vec<String> {
    let path = Some(within(path, place.root)).filter(|path| !matches!(path.as_str(), "" | "."));
    path.into_iter().collect()
}

/// A path that a tool is given, where it lies in the project.
fn of_project(path: &str, place: Place<'_>) -> Option<String> {
    Some(within(path, place.root)).filter(|path| is_in_project(path))
}

/// The files of a patch in the form of `apply_patch`.
fn patched(patch: &str, place: Place<'_>) -> Vec<Effect> {
    let effect = |line: &str| {
        let (does, file) = line.strip_prefix("*** ")?.split_once(": ")?;
        let file = of_project(file, place)?;
        match does {
            "Add File" | "Update File" | "Move to" => Some(Effect::Changed(file)),
            "Delete File" => Some(Effect::Deleted(file)),
            _ => None,
        }
    };
    patch.lines().filter_map(effect).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    const PLACE: Place<'_> = Place { root: Some("/home/dev/app"), cwd: None };

    #[test]
    fn a_tool_changes_the_file_that_it_names() {
        let changed = |path: &str| vec![Effect::Changed(path.to_owned())];
        let cases = [
            ("Edit", json!({ "file_path": "/home/dev/app/src/a.rs" }), changed("src/a.rs")),
            ("MultiEdit", json!({ "file_path": "src/a.rs" }), changed("src/a.rs")),
            ("Write", json!({ "file_path": "/home/dev/app/b.md" }), changed("b.md")),
            (
                "NotebookEdit",
                json!({ "notebook_path": "/home/dev/app/c.ipynb" }),
                changed("c.ipynb"),
            ),
            ("Write", json!({ "file_path": "/tmp/b.md" }), vec![]),
            ("Write", json!({ "file_path": 7 }), vec![]),
            ("Read", json!({ "file_path": "/home/dev/app/src/a.rs" }), vec![]),
            (
                "apply_patch",
                json!({ "command": "*** Begin Patch\n*** Update File: a.rs\n+x\n*** Delete File: b.rs\n" }),
                vec![Effect::Changed("a.rs".to_owned()), Effect::Deleted("b.rs".to_owned())],
            ),
            (
                "mcp__github__create_pull_request",
                json!({ "base": "main" }),
                vec![Effect::OpenedPullRequest(Some("main".to_owned()))],
            ),
        ];
        for (tool, input, effects) in cases {
            let step = Step::of_call(tool, &input, CallResult::default(), PLACE);
            assert_eq!(step.effects, effects, "{tool} {input}");
        }
    }

    #[test]
    fn a_failed_call_has_no_effects() {
        let input = json!({ "command": "rm src/a.rs" });
        let result = CallResult { failed: true, output: "" };
        let step = Step::of_call("Bash", &input, result, PLACE);
        assert_eq!((step.effects, step.files), (vec![], vec!["src/a.rs".to_owned()]));
    }

    #[test]
    fn a_commit_is_named_by_the_output() {
        let input = json!({ "command": "git commit -am x" });
        let result = CallResult { failed: false, output: "[main 1a2b3c4] x\n 1 file changed" };
        let step = Step::of_call("Bash", &input, result, PLACE);
        assert_eq!(step.commit.as_deref(), Some("1a2b3c4"));
        assert!(step.effects.contains(&Effect::Committed(Some("main".to_owned()))));
    }
}
