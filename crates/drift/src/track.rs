//! The course of a session, folded from its records: goal, steps, tasks, and what is noted of them.
//!
//! It is larger than what every hook call can afford to read, and few of them need it: it is folded
//! beside the session, by way of a snapshot of its own.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use verger_event::{
    Actor, Event, EventId, Fold, LastReason, Outline, Record, StartSource, ToolCall, ToolUseId,
    Verdict,
};

use crate::bounded::Recent;
use crate::goal::{Goal, Turn, persons_words};
use crate::handoff::Handoff;
use crate::notes::{Notes, first_line};
use crate::record::{Ending, TaskRecord};
use crate::recovery::Alignment;
use crate::score::{Assessment, Course};
use crate::step::{Outcome, Step};
use crate::tasks::{Prompted, TaskNumber, Tasks};

/// Tasks of which something is noted: the one in hand, those that wait, and one that was just left.
const MAX_NOTES: usize = 10;
/// So much of what was done is handed over.
const MAX_PROGRESS: usize = 12;

/// The course of a session.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Track {
    last_reason: LastReason,
    root: Option<String>,
    course: Course,
    tasks: Tasks,
    notes: Vec<Notes>,
    /// Calls that were taken in, so that one that is seen twice counts once.
    calls: Recent<ToolUseId, 64>,
    /// Where the main agent's steps led since its last batch ended.
    #[serde(default)]
    bearing: Alignment,
    /// What was written down before the agent's memory was cut, until it is given back.
    handoff: Option<String>,
}

/// What a record is for the course.
#[derive(Debug, Clone, PartialEq)]
pub enum Noted {
    /// Nothing.
    Nothing,
    /// A person said something.
    Prompted {
        /// Which task it is about.
        prompted: Prompted,
        /// What it does to the goal.
        turn: Option<Turn>,
    },
    /// The agent did something.
    Stepped {
        /// For which task.
        task: Option<TaskNumber>,
        /// What.
        step: Box<Step>,
        /// Where it leads.
        bearing: Alignment,
    },
}

impl Track {
    /// The name of this fold beside the session.
    pub const NAME: &'static str = "track";

    /// What is wanted now.
    pub fn goal(&self) -> &Goal {
        self.course.goal()
    }

    /// How far the agent is on course.
    pub fn assess(&self) -> Assessment {
        self.course.assess()
    }

    /// The directory that paths are told from.
    pub fn root(&self) -> Option<&str> {
        self.root.as_deref()
    }

    /// The task in hand.
    pub fn task(&self) -> Option<TaskNumber> {
        self.tasks.current().map(|(number, _)| number)
    }

    /// What was written down and not given back yet.
    pub fn handoff_written(&self) -> Option<&str> {
        self.handoff.as_deref()
    }

    /// Where the main agent's steps led since its last batch ended.
    pub fn bearing(&self) -> Alignment {
        self.bearing
    }

    /// Whether the task in hand was begun and is not recorded yet.
    pub fn is_under_way(&self) -> bool {
        self.current_notes().is_some_and(Notes::is_begun)
    }

    /// Where a call would lead, if it were made.
    pub fn bearing_of(&self, call: &ToolCall) -> Alignment {
        let step = Step::of_call(&call.tool, &call.input, Outcome::default(), self.root.as_deref());
        self.course.clone().note(&step)
    }

    /// The record of the task in hand, if something was done for it.
    pub fn record_current(&self, ending: Ending) -> Option<TaskRecord> {
        let (number, _) = self.tasks.current()?;
        self.record(|notes| notes.number == number, ending).next()
    }

    /// The records of tasks that were left for another.
    pub fn records_of_left(&self, ending: Ending) -> Vec<TaskRecord> {
        self.record(|notes| !self.tasks.goes_on(notes.number), ending).collect()
    }

    /// The records of all tasks that have none yet.
    pub fn records_of_all(&self, ending: Ending) -> Vec<TaskRecord> {
        self.record(|_| true, ending).collect()
    }

    fn record(
        &self,
        is_meant: impl Fn(&Notes) -> bool,
        ending: Ending,
    ) -> impl Iterator<Item = TaskRecord> {
        let goal = self.course.goal();
        let current = self.tasks.current().map(|(number, _)| number);
        self.notes.iter().filter(move |notes| is_meant(notes) && notes.has_work()).map(
            move |notes| {
                // The goal is that of the task in hand; of others only the query is known.
                let is_current = current == Some(notes.number);
                let text = if is_current { goal.text.as_str() } else { "" };
                let constraints = goal.constraints.iter().filter(|_| is_current);
                notes.record(text, constraints.map(ToString::to_string).collect(), ending)
            },
        )
    }

    /// What the agent must not lose; nothing where nothing was asked for. `todos` are the open items of
    /// the agent's own list.
    pub fn handoff(&self, todos: &[String]) -> Option<Handoff> {
        let goal = self.course.goal();
        if goal.is_empty() {
            return None;
        }
        let notes = self.current_notes();
        let progress: Vec<String> =
            notes.map(|notes| notes.progress().collect()).unwrap_or_default();
        let skipped = progress.len().saturating_sub(MAX_PROGRESS);
        let decisions = notes.into_iter().flat_map(|notes| &notes.decisions);
        let check = notes.and_then(|notes| notes.check.as_ref());
        let mut state = vec![];
        if let Some(check) = check {
            let came = match (check.failed, check.is_old) {
                (true, false) => "failed",
                (true, true) => "failed; something was changed since",
                (false, false) => "passed, and nothing was changed since",
                (false, true) => "passed; something was changed since",
            };
            state.push(format!("`{}` {came}", check.command));
        }
        let said = notes.map(|notes| first_line(&notes.last_words)).unwrap_or_default();
        if !said.is_empty() {
            state.push(format!("the agent said last: {said}"));
        }
        let next = match (todos.first(), check) {
            (Some(todo), _) => format!("the open item: {todo}"),
            (None, Some(check)) if check.failed => format!("make `{}` pass", check.command),
            (None, Some(check)) if check.is_old => format!("run `{}` again", check.command),
            _ => "go on with the goal, or say that it is done".to_owned(),
        };
        Some(Handoff {
            goal: goal.text.clone(),
            constraints: goal.constraints.iter().map(ToString::to_string).collect(),
            progress: progress.into_iter().skip(skipped).collect(),
            decisions: decisions.map(ToString::to_string).collect(),
            files: notes.map(|notes| notes.files.iter().cloned().collect()).unwrap_or_default(),
            state,
            next,
        })
    }

    fn current_notes(&self) -> Option<&Notes> {
        let (number, _) = self.tasks.current()?;
        self.notes.iter().find(|notes| notes.number == number)
    }

    /// Takes one record into account, and says what it was for the course.
    pub fn take(&mut self, record: &Record) -> Noted {
        let draft = &record.draft;
        let actor = &draft.origin.actor;
        self.note_envelope(draft.event.kind(), actor, draft.origin.circumstance.cwd.as_deref());
        match &draft.event {
            Event::PromptSubmitted { prompt, .. }
                if self.last_reason.is_persons_prompt(actor, &draft.event) =>
            {
                return self.hear(prompt);
            }
            Event::ToolSucceeded { call, response, .. } => {
                return self.step((actor, call), (response, false), draft.id);
            }
            Event::ToolFailed { call, error, .. } => {
                return self.step((actor, call), (&Value::from(error.as_str()), true), draft.id);
            }
            Event::StopRequested(stop) if matches!(actor, Actor::Main { .. }) => {
                let words = stop.last_message.as_deref().unwrap_or_default();
                self.tasks.replied(words, false);
                if let Some(notes) = self.notes_of_current() {
                    notes.said(words);
                }
            }
            Event::VerdictGiven { verdict: Verdict::Deny { reason }, .. }
                if matches!(actor, Actor::Main { .. }) =>
            {
                self.last_reason = LastReason::of(reason);
            }
            Event::TaskRecorded { number, status, .. } => self.recorded(*number, status),
            Event::SessionStarted { source: StartSource::Clear, .. } => self.tasks.cleared(),
            Event::HandoffWritten { text, .. } => self.handoff = Some(text.clone()),
            Event::ContextInjected { sources, .. }
                if sources.iter().any(|source| source == HANDOFF) =>
            {
                self.handoff = None;
            }
            _ => {}
        }
        Noted::Nothing
    }

    fn note_envelope(&mut self, kind: &str, actor: &Actor, cwd: Option<&str>) {
        if self.root.is_none() {
            self.root = cwd.map(str::to_owned);
        }
        // Nothing else of it matters.
        if kind == BATCH_ENDED && matches!(actor, Actor::Main { .. }) {
            self.bearing = Alignment::Neutral;
        }
    }

    fn hear(&mut self, prompt: &str) -> Noted {
        let words = persons_words(prompt);
        if words.trim().is_empty() {
            return Noted::Nothing;
        }
        let prompted = self.tasks.prompted(&words);
        self.bearing = Alignment::Neutral;
        let root = self.root.as_deref();
        let heard = self.course.apply_task_prompt(prompt, root, prompted.action);
        let turn = heard.map(|(turn, _)| turn);
        if !self.notes.iter().any(|notes| notes.number == prompted.task) {
            if self.notes.len() >= MAX_NOTES {
                self.notes.remove(0);
            }
            self.notes.push(Notes::new(prompted.task, prompted.parent, &words));
        }
        Noted::Prompted { prompted, turn }
    }

    fn step(
        &mut self,
        (actor, call): (&Actor, &ToolCall),
        (response, failed): (&Value, bool),
        on: EventId,
    ) -> Noted {
        if let Some(id) = &call.id {
            if self.calls.has(id) {
                return Noted::Nothing;
            }
            self.calls.add(id.clone());
        }
        let output = output(response);
        let outcome = Outcome { failed, output: &output };
        let step = Step::of_call(&call.tool, &call.input, outcome, self.root.as_deref());
        let bearing = self.course.note(&step);
        if matches!(actor, Actor::Main { .. }) {
            self.bearing = self.bearing.and(bearing);
        }
        if let Some(notes) = self.notes_of_current() {
            notes.took((&step, call), response, (bearing, on));
        }
        Noted::Stepped { task: self.task(), step: Box::new(step), bearing }
    }

    fn notes_of_current(&mut self) -> Option<&mut Notes> {
        let (number, _) = self.tasks.current()?;
        self.notes.iter_mut().find(|notes| notes.number == number)
    }

    /// What is recorded is not noted any more: its record has it.
    fn recorded(&mut self, number: u64, status: &str) {
        let is_meant = |task: TaskNumber| u64::from(task.0) == number;
        self.notes.retain(|notes| !is_meant(notes.number));
        let is_current = self.tasks.current().is_some_and(|(current, _)| is_meant(current));
        if is_current && status == Ending::Complete.status() {
            self.tasks.completed();
        }
    }
}

/// The word by which a handoff that is given back is known.
pub const HANDOFF: &str = "handoff";

const BATCH_ENDED: &str = "tool_batch.ended";

impl Fold for Track {
    const VERSION: u32 = 3;

    const KINDS: Option<&'static [&'static str]> = Some(&[
        "prompt.submitted",
        "tool.succeeded",
        "tool.failed",
        "stop.requested",
        "verdict.given",
        "task.recorded",
        "session.started",
        "handoff.written",
        "context.injected",
    ]);

    fn apply(&mut self, record: &Record) {
        self.take(record);
    }

    fn pass(&mut self, Outline { kind, actor, cwd, .. }: &Outline) {
        self.note_envelope(kind, actor, cwd.as_deref());
    }
}

/// What a call printed, as far as its answer has it.
fn output(response: &Value) -> String {
    if let Some(text) = response.as_str() {
        return text.to_owned();
    }
    let texts = ["stdout", "stderr"].map(|key| response.get(key).and_then(Value::as_str));
    let texts: Vec<&str> = texts.into_iter().flatten().filter(|text| !text.is_empty()).collect();
    texts.join("\n")
}

#[cfg(test)]
mod tests;
