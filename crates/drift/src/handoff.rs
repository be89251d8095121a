//! What an agent must not lose when its memory is cut: the goal, what was decided, where it stands.

use crate::bounded::Recent;
use crate::goal::Goal;
use crate::notes::{Check, MAX_FILES, Notes};
use crate::record::Decision;

/// So many characters of the goal are handed over.
const MAX_GOAL: usize = 1000;
/// So much of what was done is handed over.
const MAX_PROGRESS: usize = 12;

/// The parts of a handoff, each a few lines.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Handoff {
    /// What was asked for, in the person's words.
    pub goal: String,
    /// What the person forbade.
    pub constraints: Vec<String>,
    /// What was done.
    pub progress: Vec<String>,
    /// What was decided, with the reasons that were seen.
    pub decisions: Vec<String>,
    /// The files that were changed.
    pub files: Vec<String>,
    /// Where it stands.
    pub state: Vec<String>,
    /// What comes next.
    pub next: String,
}

impl Handoff {
    /// Of the task in hand with the decisions that hold. `waiting` are the tasks that wait for it, `todos` the open
    /// items of the agent's own list.
    pub(crate) fn of(
        goal: &Goal,
        (waiting, notes): (&[&Notes], &Notes),
        decisions: &[Decision],
        todos: &[String],
    ) -> Self {
        let all = || waiting.iter().copied().chain([notes]);
        let progress: Vec<String> = all().flat_map(Notes::progress).collect();
        let skipped = progress.len().saturating_sub(MAX_PROGRESS);
        let files: Recent<String, MAX_FILES> =
            all().flat_map(|notes| notes.files.iter().cloned()).collect();
        Self {
            goal: goal.told(MAX_GOAL),
            constraints: goal.constraints.iter().map(ToString::to_string).collect(),
            progress: progress.into_iter().skip(skipped).collect(),
            decisions: decisions.iter().map(ToString::to_string).collect(),
            files: files.iter().cloned().collect(),
            state: state(notes),
            next: next(notes, todos),
        }
    }
}

fn state(notes: &Notes) -> Vec<String> {
    let mut state = vec![];
    if notes.is_finished() {
        state.push("the task is finished".to_owned());
    }
    if let Some(Check { command, failed, is_old }) = &notes.check {
        let came = match (failed, is_old) {
            (true, false) => "failed",
            (true, true) => "failed; something was changed since",
            (false, false) => "passed, and nothing was changed since",
            (false, true) => "passed; something was changed since",
        };
        state.push(format!("`{command}` {came}"));
    }
    state.extend(notes.told());
    state
}

fn next(notes: &Notes, todos: &[String]) -> String {
    match (todos.first(), &notes.check) {
        _ if notes.is_asking() => "wait for the person's answer".to_owned(),
        _ if notes.is_finished() => "nothing: wait for what the person says".to_owned(),
        (Some(todo), _) => format!("the open item: {todo}"),
        (None, Some(check)) if check.failed => format!("make `{}` pass", check.command),
        (None, Some(check)) if check.is_old => format!("run `{}` again", check.command),
        _ => "go on with the goal, or say that it is done".to_owned(),
    }
}
