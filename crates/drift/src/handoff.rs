//! Builds the handoff: the facts that an agent needs after its context is compacted.

use crate::bounded::Recent;
use crate::notes::{LastCheck, MAX_FILES, Notes};

/// The maximum number of lines in `Handoff::progress`.
const MAX_PROGRESS: usize = 12;

/// The parts of a handoff. Each part is a few lines.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Handoff {
    /// The goal, in the person's words.
    pub goal: String,
    /// The person's limits, such as "don't push".
    pub constraints: Vec<String>,
    /// The agent's steps that changed or ran something.
    pub progress: Vec<String>,
    /// The decisions of the task, with their reasons.
    pub decisions: Vec<String>,
    /// The files that the task changed.
    pub files: Vec<String>,
    /// The result of the last check, and the agent's last message.
    pub state: Vec<String>,
    /// The next step for the agent.
    pub next: String,
}

impl Handoff {
    /// Builds a handoff from the notes of the current task and of the waiting tasks. `todos` are
    /// the open items of the agent's own list.
    pub(crate) fn of(notes: &Notes, waiting: &[&Notes], todos: &[String]) -> Self {
        let all = || waiting.iter().copied().chain([notes]);
        let progress: Vec<String> = all().flat_map(Notes::progress).collect();
        let skipped = progress.len().saturating_sub(MAX_PROGRESS);
        let mut files = Recent::<String, MAX_FILES>::default();
        files.extend(all().flat_map(|notes| notes.files.iter().cloned()));
        let decisions = all().flat_map(|notes| &notes.decisions);
        Self {
            progress: progress.into_iter().skip(skipped).collect(),
            decisions: decisions.map(ToString::to_string).collect(),
            files: files.iter().cloned().collect(),
            state: state(notes),
            next: next(notes, todos),
            ..Self::default()
        }
    }
}

fn state(notes: &Notes) -> Vec<String> {
    let mut state = vec![];
    if notes.is_finished() {
        state.push("the task is finished".to_owned());
    }
    if let Some(LastCheck { command, failed, is_old }) = &notes.check {
        let result = if *failed { "failed" } else { "passed" };
        let since = if *is_old { "; files were changed since" } else { "" };
        state.push(format!("`{command}` {result}{since}"));
    }
    state.extend(notes.message_line());
    state
}

fn next(notes: &Notes, todos: &[String]) -> String {
    match (todos.first(), &notes.check) {
        _ if notes.is_asking() => "wait for the person's answer".to_owned(),
        _ if notes.is_finished() => "nothing: wait for the person's next prompt".to_owned(),
        (Some(todo), _) => format!("work on the open item: {todo}"),
        (None, Some(check)) if check.failed => format!("make `{}` pass", check.command),
        (None, Some(check)) if check.is_old => format!("run `{}` again", check.command),
        _ => "go on with the goal, or say that it is done".to_owned(),
    }
}
