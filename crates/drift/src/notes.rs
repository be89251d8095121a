//! Notes about a task in progress. The task's handoff and its record are built from them.
//!
//! All fields are bounded. Steps that only read or searched are dropped first.

mod decided;

use serde::{Deserialize, Serialize};
use verger_event::{EventId, TaskEnding, TaskStatus, ToolCall, ToolOutput, ToolUse};

use crate::bounded::Recent;
use crate::check::CheckResult;
use crate::paths::{folder, name};
use crate::phrases::{begins_with_any, shortened};
use crate::record::{Decision, TaskDetails, TaskRecord};
use crate::step::{Action, Effect, Step};
use crate::tasks::TaskNumber;
use decided::{agents_decisions, persons_decisions};

/// The maximum number of characters of a task's first prompt.
const MAX_QUERY: usize = 500;
/// The maximum number of characters that are kept from the beginning of the agent's last message,
/// and the maximum number from its end.
const MAX_MESSAGE_PART: usize = 300;
/// The maximum number of lines in the trace, which lists the steps of a task.
const MAX_TRACE: usize = 32;
/// The maximum number of characters of a line of the trace, or of another text of one line.
const MAX_LINE: usize = 160;
const MAX_DECISIONS: usize = 10;
pub(crate) const MAX_FILES: usize = 32;
const MAX_TAGS: usize = 12;

/// The notes about one task.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Notes {
    pub(crate) number: TaskNumber,
    pub(crate) parent: Option<TaskNumber>,
    pub(crate) query: String,
    pub(crate) decisions: Vec<Decision>,
    pub(crate) files: Recent<String, MAX_FILES>,
    pub(crate) check: Option<LastCheck>,
    trace: Vec<Trace>,
    commit: Option<String>,
    message: Option<Message>,
    recorded: Option<Recorded>,
    steps: u32,
    /// The number of steps that changed a file or committed.
    changes: u32,
    /// The number of steps that broke a limit.
    breaches: u32,
}

/// A tool call that ended, with its step, output and record.
#[derive(Clone, Copy)]
pub(crate) struct Done<'a> {
    pub(crate) step: &'a Step,
    pub(crate) call: &'a ToolCall,
    pub(crate) output: &'a ToolOutput,
    /// The id of the tool call's record in the log.
    pub(crate) on: EventId,
    pub(crate) breaks_limit: bool,
}

/// The last message of the agent's latest turn.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Message {
    text: String,
    /// Whether a tool call or a prompt came after the message.
    is_earlier: bool,
}

/// The number of changes and the status at the time of the task's latest record.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
struct Recorded {
    changes: u32,
    status: TaskStatus,
}

/// A line of the trace: one step, or a finished subtask or parallel task.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Trace {
    /// The action of the step. `Other` for a finished subtask or parallel task.
    action: Action,
    object: String,
    line: Option<u64>,
    times: u32,
    failed: bool,
    on: EventId,
}

/// Whether the status means that the agent finished the task.
pub(crate) fn is_end(status: TaskStatus) -> bool {
    matches!(status, TaskStatus::Complete | TaskStatus::Unverified)
}

/// The last check of the task whose result is known.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct LastCheck {
    pub(crate) command: String,
    pub(crate) failed: bool,
    /// Whether a file was changed after the check.
    pub(crate) is_old: bool,
}

impl Notes {
    pub(crate) fn new(number: TaskNumber, parent: Option<TaskNumber>, query: &str) -> Self {
        let query = query.trim().chars().take(MAX_QUERY).collect();
        Self { number, parent, query, ..Self::default() }
    }

    /// Whether the task has changes, or was completed, since its latest record.
    pub(crate) fn has_news(&self, ending: TaskEnding) -> bool {
        let recorded = self.recorded.map_or(0, |recorded| recorded.changes);
        let is_completion = self.recorded.is_some_and(|recorded| match ending.status() {
            TaskStatus::Complete => recorded.status != TaskStatus::Complete,
            TaskStatus::Unverified => !is_end(recorded.status),
            TaskStatus::Partial | TaskStatus::Abandoned => false,
        });
        self.changes > recorded || is_completion
    }

    /// Notes that the task was recorded with this status.
    pub(crate) fn was_recorded(&mut self, status: TaskStatus) {
        self.recorded = Some(Recorded { changes: self.changes, status });
    }

    /// Whether the task has steps and isn't finished.
    pub(crate) fn is_under_way(&self) -> bool {
        self.steps > 0 && !self.is_finished()
    }

    /// Whether the latest record says that the agent finished the task, and nothing was changed
    /// since.
    pub(crate) fn is_finished(&self) -> bool {
        let is_current =
            |recorded: Recorded| recorded.changes == self.changes && is_end(recorded.status);
        self.last_message().is_some() && self.recorded.is_some_and(is_current)
    }

    /// Whether the agent's last message asks the person something.
    pub(crate) fn is_asking(&self) -> bool {
        self.last_message().is_some_and(asks)
    }

    /// The message that ended the agent's turn. `None` if a tool call or a prompt came after it.
    pub(crate) fn last_message(&self) -> Option<&str> {
        let message = self.message.as_ref().filter(|message| !message.is_earlier)?;
        Some(&message.text)
    }

    /// The first line of the agent's last message, for a handoff.
    pub(crate) fn message_line(&self) -> Option<String> {
        let Message { text, is_earlier } = self.message.as_ref()?;
        let when = if *is_earlier { ", before later steps" } else { "" };
        let line = first_line(text);
        (!line.is_empty()).then(|| format!("the agent's last message{when}: {line}"))
    }

    /// Notes that the task continued after the agent's last message.
    pub(crate) fn goes_on(&mut self) {
        if let Some(message) = &mut self.message {
            message.is_earlier = true;
        }
    }

    /// Adds the person's words in a prompt for this task.
    pub(crate) fn person_said(&mut self, words: &str) {
        self.goes_on();
        self.add_decisions(persons_decisions(words));
    }

    /// Adds the message that ended the agent's turn.
    pub(crate) fn said(&mut self, message: &str) {
        let text = both_ends(message.trim());
        self.message = Some(Message { text, is_earlier: false });
        self.add_decisions(agents_decisions(message));
    }

    /// Adds to the trace that a subtask or parallel task of this task is finished.
    pub(crate) fn has_part(&mut self, query: &str, on: EventId) {
        let object = first_line(query);
        self.trace(Trace {
            action: Action::Other,
            object,
            line: None,
            times: 1,
            failed: false,
            on,
        });
    }

    /// Adds a finished tool call.
    pub(crate) fn took(&mut self, done: Done<'_>) {
        let Done { step, breaks_limit, .. } = done;
        self.goes_on();
        self.steps = self.steps.saturating_add(1);
        self.breaches = self.breaches.saturating_add(u32::from(breaks_limit));
        let changes_files = step.changed_files().next().is_some();
        let commits = step.effects.iter().any(|effect| matches!(effect, Effect::Committed(_)));
        if changes_files || commits {
            self.changes = self.changes.saturating_add(1);
        }
        if commits {
            self.commit = step.commit.clone().or_else(|| self.commit.take());
        }
        if changes_files {
            self.files.extend(step.changed_files().map(str::to_owned));
            if let Some(check) = &mut self.check {
                check.is_old = true;
            }
        }
        if let Some(run) = step.check.as_ref().filter(|run| run.result != CheckResult::Unknown) {
            let command = first_line(step.command.as_deref().unwrap_or_default());
            let failed = run.result != CheckResult::Passed;
            self.check = Some(LastCheck { command, failed, is_old: false });
        }
        if let Some(line) = traced(done) {
            self.trace(line);
        }
    }

    fn add_decisions(&mut self, decisions: Vec<Decision>) {
        for decision in decisions {
            if !self.decisions.iter().any(|known| known.choice == decision.choice) {
                self.decisions.push(decision);
            }
        }
        let forgotten = self.decisions.len().saturating_sub(MAX_DECISIONS);
        self.decisions.drain(..forgotten);
    }

    fn trace(&mut self, line: Trace) {
        let last = self.trace.len().saturating_sub(1);
        let from = if line.only_looked() { 0 } else { last };
        let is_same =
            |known: &&mut Trace| known.action == line.action && known.object == line.object;
        if let Some(known) = self.trace[from..].iter_mut().find(is_same) {
            known.times = known.times.saturating_add(1);
            known.failed = line.failed;
            known.line = line.line.or(known.line);
            return;
        }
        if self.trace.len() >= MAX_TRACE {
            let dropped = self.trace.iter().position(Trace::only_looked).unwrap_or(0);
            self.trace.remove(dropped);
        }
        self.trace.push(line);
    }

    /// The record of the task. If `goal` is empty, the first line of the task's prompt is used.
    pub(crate) fn record(&self, goal: &str, limits: Vec<String>, ending: TaskEnding) -> TaskRecord {
        TaskRecord {
            number: self.number,
            parent: self.parent,
            ending,
            query: self.query.clone(),
            goal: if goal.is_empty() { first_line(&self.query) } else { goal.to_owned() },
            commit: self.commit.clone(),
            details: TaskDetails {
                trace: self.trace.iter().map(Trace::text).collect(),
                decisions: self.decisions.clone(),
                constraints: limits,
                files: self.files.iter().cloned().collect(),
                tags: self.tags(),
                steps: self.steps,
                breaches: self.breaches,
                cites: self.trace.iter().map(|line| line.on).collect(),
            },
        }
    }

    /// The folders and extensions of the task's files, as words for searching.
    fn tags(&self) -> Vec<String> {
        let mut tags: Vec<String> = vec![];
        for file in self.files.iter() {
            let folders = folder(file).split('/').filter(|part| !matches!(*part, "src" | "lib"));
            let ending = name(file).rsplit_once('.').map(|(_, ending)| ending);
            for word in folders.chain(ending).map(str::to_lowercase) {
                if tags.len() < MAX_TAGS && word.len() > 1 && !tags.contains(&word) {
                    tags.push(word);
                }
            }
        }
        tags
    }

    /// The lines of the trace whose steps did more than read or search.
    pub(crate) fn progress(&self) -> impl Iterator<Item = String> {
        self.trace.iter().filter(|line| !line.only_looked()).map(Trace::text)
    }
}

impl Trace {
    fn only_looked(&self) -> bool {
        matches!(self.action, Action::Grep | Action::Glob | Action::Read)
    }

    fn text(&self) -> String {
        let verb = match self.action {
            Action::Grep | Action::Glob => "Searched for",
            Action::Read => "Read",
            Action::Task => "Delegated:",
            Action::Bash => "Ran",
            Action::Write => "Wrote",
            Action::Edit => "Changed",
            Action::Other => "Finished:",
        };
        let line = self.line.map(|line| format!(":{line}")).unwrap_or_default();
        let times = if self.times > 1 { format!(", {} times", self.times) } else { String::new() };
        let failed = if self.failed { ": failed" } else { "" };
        format!("{verb} {}{line}{times}{failed}", self.object)
    }
}

fn traced(Done { step, call, output, on, .. }: Done<'_>) -> Option<Trace> {
    let object = match (step.action, &call.action) {
        (Action::Edit | Action::Write | Action::Read, _) => step.files.first()?.clone(),
        (_, ToolUse::Search(search)) => search.pattern.clone()?,
        (_, ToolUse::Delegate(_)) => call.gist()?.to_owned(),
        (Action::Bash, _) if is_telling(step) => step.command.clone()?,
        _ => return None,
    };
    let line = match &call.action {
        ToolUse::Edit(_) => output.file.and_then(|file| file.first_line),
        ToolUse::Read(read) => read.from_line,
        _ => None,
    };
    let (action, failed) = (step.action, step.failed);
    Some(Trace { action, object: first_line(&object), line, times: 1, failed, on })
}

/// Commands that restore files from version control.
const BRINGS_BACK: &str = "git checkout -- |git checkout HEAD |git restore |git reset --hard";

/// Whether a step ran a check, restored files or had another effect, so that its result matters.
fn is_telling(step: &Step) -> bool {
    let is_telling = |effect: &Effect| match effect {
        Effect::Ran(words) => begins_with_any(&words.join(" "), BRINGS_BACK),
        _ => true,
    };
    step.check.is_some() || step.effects.iter().any(is_telling)
}

/// Whether a message ends with a question: its last sentence ends with a question mark or with か.
fn asks(message: &str) -> bool {
    let end = message.trim_end_matches(|c: char| c.is_whitespace() || "*_`\"'”)）」".contains(c));
    end.ends_with(['?', '？']) || end.trim_end_matches('。').ends_with('か')
}

/// The beginning and the end of a message. A short message is returned whole.
fn both_ends(text: &str) -> String {
    let head = text.char_indices().nth(MAX_MESSAGE_PART);
    let tail = text.char_indices().nth_back(MAX_MESSAGE_PART);
    match (head, tail) {
        (Some((head, _)), Some((tail, _))) if head < tail => {
            format!("{}\n…\n{}", &text[..head], &text[tail..])
        }
        _ => text.to_owned(),
    }
}

/// The first line of a text, shortened.
fn first_line(text: &str) -> String {
    shortened(text.trim().lines().next().unwrap_or_default().trim(), MAX_LINE)
}

#[cfg(test)]
mod tests;
