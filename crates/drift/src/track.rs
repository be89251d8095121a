//! The state of a session for drift and tasks: goal, limits, circles, tasks and their notes.
//!
//! The state is folded from the session's log. Few hook calls need it, and it is too large to be
//! read by all of them. So it is separate from the rest of the session's state and has its own
//! snapshot.

mod read;

use serde::{Deserialize, Serialize};
use verger_event::{
    Actor, Event, EventId, Fold, Form, LastReason, Outline, Record, StartSource, TaskEnding,
    TaskStatus, ToolCall, ToolOutput, Verdict,
};

use crate::bounded::Recent;
use crate::circle::Circles;
use crate::goal::{Goal, spoken};
use crate::handoff::Handoff;
use crate::held_limits::{HeldLimits, Made};
use crate::limit::{Limit, limits_in};
use crate::mark::mark;
use crate::notes::{Done, Notes, is_end};
use crate::paths::PathPattern;
use crate::reading::{READER, Reading};
use crate::record::TaskRecord;
use crate::recovery::FindingKey;
use crate::score::{Assessment, ReadBy, Reason, Score};
use crate::step::{CallResult, Place, Step};
use crate::tasks::{Prompted, TaskNumber, Tasks};
use read::Read;

/// The maximum number of tasks with notes: the current task, waiting tasks, and a task that was
/// just left for another.
const MAX_NOTES: usize = 10;
/// The maximum number of characters of the goal in a task's record.
const MAX_RECORDED: usize = 300;
/// The maximum number of characters of the goal in a handoff.
const MAX_HANDED_OVER: usize = 1000;

/// The name of the drift gate in the log, and the source of the corrections that it sends.
pub const GATE: &str = "drift";

/// The source name of a handoff that is sent to the agent.
pub const HANDOFF: &str = "handoff";

/// The field of the drift gate's state change that lists restored paths. Their content is again
/// that from the start of the task.
pub const RESTORED: &str = "restored";

/// A session's state for drift and tasks.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Track {
    last_reason: LastReason,
    root: Option<String>,
    /// The main agent's working directory. `None` if it is the root.
    cwd: Option<String>,
    goal: Goal,
    limits: HeldLimits,
    circles: Circles,
    tasks: Tasks,
    notes: Vec<Notes>,
    /// Hashes of the ids of the tool calls that were applied, so that a call that is reported twice
    /// counts once.
    calls: Recent<u32, 64>,
    /// Files that the session created.
    made: Made,
    /// The handoff that was written and is not yet sent to the agent.
    handoff: Option<String>,
    /// The reader program's answer about a prompt, until the record of the prompt is applied.
    read: Option<Read>,
}

/// The effect of a log record on the state.
#[derive(Debug, Clone, PartialEq)]
pub enum Noted {
    /// The record is neither a prompt nor a step.
    Nothing,
    /// The person sent a prompt.
    Prompted {
        /// The effect of the prompt on the tasks.
        prompted: Prompted,
        /// The reader program's answer about the prompt.
        reading: Option<Box<Reading>>,
    },
    /// The agent took a step.
    Stepped {
        /// The current task at the time of the step.
        task: Option<TaskNumber>,
        /// The tool call, reduced to a step.
        step: Box<Step>,
        /// The limit that the step breaks, in words.
        breaks: Option<String>,
    },
}

impl Track {
    /// The name of this fold's snapshot.
    pub const NAME: &'static str = "track";

    /// The goal of the current task.
    pub fn goal(&self) -> &Goal {
        &self.goal
    }

    /// The limits in force, in words. Limits from the reader program are marked.
    pub fn limits(&self) -> Vec<String> {
        let told = |(limit, by): (&Limit, ReadBy)| match by {
            ReadBy::Rules => limit.to_string(),
            ReadBy::Program => format!("{limit} (read by drift.reader)"),
        };
        self.limits.all().map(told).collect()
    }

    /// The session's score and findings according to the rules.
    pub fn assess(&self) -> Assessment {
        let broken = self.limits.broken();
        let circle = self.circles.current();
        let kept = self.limits.all().next().map(|_| Score::KEPT);
        let of_limits = broken.first().map(|worst| Score::of_breach(worst.times)).or(kept);
        let score = of_limits.into_iter().chain(circle.as_ref().map(|_| Score::CIRCLE)).min();
        let broken = broken.into_iter().map(Reason::LimitBroken);
        Assessment { score, reasons: broken.chain(circle.map(Reason::Circle)).collect() }
    }

    /// The project's directory, to which paths are relative.
    pub fn root(&self) -> Option<&str> {
        self.root.as_deref()
    }

    /// The number of the current task.
    pub fn task(&self) -> Option<TaskNumber> {
        self.tasks.current()
    }

    /// The handoff that was written and is not yet sent to the agent.
    pub fn handoff_written(&self) -> Option<&str> {
        self.handoff.as_deref()
    }

    /// Whether the current task, or a task that waits for it, has steps and isn't finished.
    pub fn is_under_way(&self) -> bool {
        self.going_on().any(Notes::is_under_way)
    }

    /// Whether the current task was finished and not continued.
    pub fn is_finished(&self) -> bool {
        self.current_notes().is_some_and(Notes::is_finished)
    }

    /// Whether the tool call would break the limit of this finding if it ran in the directory
    /// `cwd`.
    pub fn would_break(&self, finding: &FindingKey, call: &ToolCall, cwd: Option<&str>) -> bool {
        let place = Place { root: self.root.as_deref(), cwd };
        let step = Step::of_call(call, CallResult::default(), place);
        self.limits.broken_by(&step, &self.made).any(|limit| limit.finding_key() == *finding)
    }

    /// The paths that broke a limit and whose content is restored. `changed` has the absolute paths
    /// of all files that differ from the start of the task. A folder or a pattern counts as
    /// restored if it matches no path in `changed`.
    pub fn restored_paths(&self, changed: &[String]) -> Vec<String> {
        let is_changed = |path: &&str| {
            let pattern = PathPattern::new(path);
            changed.iter().any(|changed| pattern.covers(changed))
        };
        let is_restored = |path: &&str| !is_changed(path);
        self.limits.changed_paths().filter(is_restored).map(str::to_owned).collect()
    }

    /// Prepares a score. The content of the paths in `restored` is again that from the start of the
    /// task. Other paths that were changed after the agent was told count as broken again.
    pub fn settle(&mut self, restored: &[String]) {
        self.limits.restored(restored);
        self.limits.settle();
    }

    /// The record of the current task, if the task has changes that aren't in any record.
    pub fn record_current(&self, ending: TaskEnding) -> Option<TaskRecord> {
        let notes = self.current_notes().filter(|notes| notes.has_news(ending))?;
        Some(self.record(notes, ending))
    }

    /// The records of tasks that were left for another task and have changes that aren't in any
    /// record. `claimed` returns the ending if a task's last message claims one, such as
    /// completion.
    pub fn records_of_left(
        &self,
        ending: TaskEnding,
        claimed: impl Fn(&str) -> Option<TaskEnding>,
    ) -> Vec<TaskRecord> {
        let mut records = self.records_of_all(ending, claimed);
        records.retain(|record| !self.tasks.goes_on(record.number));
        records
    }

    /// The records of all tasks with changes that aren't in any record. `claimed` returns the
    /// ending if a task's last message claims one.
    pub fn records_of_all(
        &self,
        ending: TaskEnding,
        claimed: impl Fn(&str) -> Option<TaskEnding>,
    ) -> Vec<TaskRecord> {
        let record = |notes: &Notes| {
            let ending = notes.last_message().and_then(&claimed).unwrap_or(ending);
            notes.has_news(ending).then(|| self.record(notes, ending))
        };
        self.notes.iter().filter_map(record).collect()
    }

    fn record(&self, notes: &Notes, ending: TaskEnding) -> TaskRecord {
        // The goal is known only for the current task. For other tasks, the first prompt is used.
        if self.task() != Some(notes.number) {
            return notes.record("", vec![], ending);
        }
        let goal = self.goal.summary(MAX_RECORDED).split_whitespace().collect::<Vec<_>>().join(" ");
        notes.record(&goal, self.limits(), ending)
    }

    /// The handoff for the agent. `None` if there is no task. `todos` are the open items of the
    /// agent's own list.
    pub fn handoff(&self, todos: &[String]) -> Option<Handoff> {
        let notes = self.current_notes()?;
        let waiting: Vec<&Notes> =
            self.going_on().filter(|waiting| waiting.number != notes.number).collect();
        let (goal, constraints) = (self.goal.summary(MAX_HANDED_OVER), self.limits());
        Some(Handoff { goal, constraints, ..Handoff::of(notes, &waiting, todos) })
    }

    /// The notes of the current task and of the tasks that wait for it, in the order in which they
    /// began.
    fn going_on(&self) -> impl Iterator<Item = &Notes> {
        self.notes.iter().filter(|notes| self.tasks.goes_on(notes.number))
    }

    fn current_notes(&self) -> Option<&Notes> {
        let current = self.task()?;
        self.notes.iter().find(|notes| notes.number == current)
    }

    fn current_notes_mut(&mut self) -> Option<&mut Notes> {
        let current = self.task()?;
        self.notes.iter_mut().find(|notes| notes.number == current)
    }

    /// Applies a log record to the state. Returns the record's effect.
    pub fn take(&mut self, record: &Record) -> Noted {
        let draft = &record.draft;
        let actor = &draft.origin.actor;
        let cwd = draft.origin.circumstance.cwd.as_deref();
        // A command may change the directory, so it ran in the agent's previous directory.
        let is_main = matches!(actor, Actor::Main { .. });
        let ran_in = if is_main { self.cwd.clone() } else { cwd.map(str::to_owned) };
        self.note_directory(actor, cwd);
        match &draft.event {
            Event::PromptSubmitted { prompt, .. }
                if self.last_reason.is_persons_prompt(actor, &draft.event) =>
            {
                return self.prompted(prompt, draft.id);
            }
            Event::ToolSucceeded { .. } | Event::ToolFailed { .. } | Event::ToolEnded { .. } => {
                let Some((call, output)) = draft.event.ended_call() else { return Noted::Nothing };
                let failed = matches!(draft.event, Event::ToolFailed { .. });
                let cwd = ran_in.as_deref();
                return self.stepped(Ended { call, cwd, output, failed, on: draft.id });
            }
            Event::StopRequested(stop) if is_main => {
                let message = stop.last_message.as_deref().unwrap_or_default();
                if let Some(notes) = self.current_notes_mut() {
                    notes.said(message);
                }
            }
            Event::VerdictGiven { verdict: Verdict::Deny { reason }, .. } if is_main => {
                self.last_reason = LastReason::of(reason);
                if let Some(notes) = self.current_notes_mut() {
                    notes.goes_on();
                }
            }
            Event::TaskRecorded { number, status, .. } => {
                self.recorded(*number, *status, draft.id);
            }
            Event::SessionStarted { source: StartSource::Clear, .. } => {
                self.tasks.cleared();
                self.limits = HeldLimits::default();
                self.handoff = None;
            }
            Event::GateChanged { gate, change: Some(change), .. } if gate == READER => {
                self.read = Read::of(&draft.standing, change);
            }
            Event::GateChanged { gate, change: Some(change), .. } if gate == GATE => {
                match change.get(RESTORED).and_then(|paths| Vec::deserialize(paths).ok()) {
                    Some(restored) => self.limits.restored(&restored),
                    None => self.limits.settle(),
                }
            }
            Event::HandoffWritten { text, .. } => self.handoff = Some(text.clone()),
            Event::ContextInjected { sources, .. } => {
                let is_from = |name: &str| sources.iter().any(|source| source == name);
                if is_from(HANDOFF) {
                    self.handoff = None;
                }
                if is_from(GATE) {
                    self.limits.told();
                }
            }
            _ => {}
        }
        Noted::Nothing
    }

    fn note_directory(&mut self, actor: &Actor, cwd: Option<&str>) {
        let Some(cwd) = cwd else { return };
        let root = self.root.get_or_insert_with(|| cwd.to_owned());
        if matches!(actor, Actor::Main { .. }) {
            self.cwd = (root != cwd).then(|| cwd.to_owned());
        }
    }

    fn prompted(&mut self, prompt: &str, on: EventId) -> Noted {
        let read = self.read.take().filter(|read| read.on == on);
        let Some(words) = spoken(prompt) else { return Noted::Nothing };
        let reading = read.and_then(|read| read.reading()).map(Box::new);
        let claimed = reading.as_ref().and_then(|reading| reading.task);
        let prompted = self.tasks.prompted(&words, claimed);
        let root = self.root.as_deref();
        if self.notes.iter().any(|notes| notes.number == prompted.task) {
            self.goal.add(&words, root);
        } else {
            self.goal.begin(&words, root);
        }
        self.limits.prompted(&words, prompted.action);
        self.limits.add(limits_in(&words, root), ReadBy::Rules);
        for constraint in reading.iter().flat_map(|reading| &reading.constraints) {
            self.limits.add(limits_in(constraint, root), ReadBy::Program);
        }
        self.circles.reset();
        if let Some(reading) = &reading {
            self.goal.refine(reading);
        }
        if self.current_notes().is_none() {
            self.keep_notes(Notes::new(prompted.task, prompted.parent, &words));
        }
        if let Some(notes) = self.current_notes_mut() {
            notes.person_said(&words);
        }
        Noted::Prompted { prompted, reading }
    }

    fn stepped(&mut self, Ended { call, cwd, output, failed, on }: Ended<'_>) -> Noted {
        if let Some(id) = &call.id {
            // 32 bits of the hash are enough to distinguish the 64 calls that are kept.
            let mark = (mark(id.as_str().bytes()) >> 32) as u32;
            if self.calls.has(&mark) {
                return Noted::Nothing;
            }
            self.calls.add(mark);
        }
        let printed = output.printed();
        let place = Place { root: self.root.as_deref(), cwd };
        let failed = failed || output.exit_code.is_some_and(|code| code != 0);
        let result = CallResult { failed, output: &printed };
        let step = Step::of_call(call, result, place);
        let broken = self.limits.stepped(&step, &self.made);
        if output.file.is_some_and(|file| file.created) {
            self.made.extend(step.files.iter().cloned());
        }
        if step.changed_files().next().is_some() {
            self.circles.changed();
        }
        if let Some(check) = &step.check {
            self.circles.checked(check);
        }
        let breaks_limit = broken.is_some();
        if let Some(notes) = self.current_notes_mut() {
            notes.took(Done { step: &step, call, output, on, breaks_limit });
        }
        let breaks = broken.map(|limit| limit.to_string());
        Noted::Stepped { task: self.task(), step: Box::new(step), breaks }
    }

    /// Adds notes. Drops the notes of tasks that don't continue and whose changes are all recorded.
    fn keep_notes(&mut self, new: Notes) {
        let tasks = &self.tasks;
        self.notes.retain(|notes| {
            tasks.goes_on(notes.number) || notes.has_news(TaskEnding::LeftForOther)
        });
        if self.notes.len() >= MAX_NOTES {
            self.notes.remove(0);
        }
        self.notes.push(new);
    }

    /// Notes that a task was recorded. The notes of a task that continues are kept, so that its
    /// next record is complete.
    fn recorded(&mut self, number: u64, status: TaskStatus, on: EventId) {
        let is_meant = |task: TaskNumber| u64::from(task.0) == number;
        let Some(notes) = self.notes.iter_mut().find(|notes| is_meant(notes.number)) else {
            return;
        };
        notes.was_recorded(status);
        let query = notes.query.clone();
        let is_current = self.task().is_some_and(is_meant);
        if is_current && is_end(status) {
            self.tasks.completed();
            let is_part = !self.task().is_some_and(is_meant);
            if let Some(whole) = self.current_notes_mut().filter(|_| is_part) {
                whole.has_part(&query, on);
            }
        }
        let tasks = &self.tasks;
        self.notes.retain(|notes| !is_meant(notes.number) || tasks.goes_on(notes.number));
    }
}

/// A tool call that ended.
#[derive(Clone, Copy)]
struct Ended<'a> {
    call: &'a ToolCall,
    cwd: Option<&'a str>,
    output: &'a ToolOutput,
    failed: bool,
    /// The id of the call's record in the log.
    on: EventId,
}

impl Fold for Track {
    const VERSION: u32 = 12;
    const FORM: Form = Form::Compact;

    const KINDS: Option<&'static [&'static str]> = Some(&[
        "prompt.submitted",
        "tool.succeeded",
        "tool.failed",
        "tool.ended",
        "stop.requested",
        "verdict.given",
        "task.recorded",
        "session.started",
        "handoff.written",
        "context.injected",
        "gate.changed",
    ]);

    const GATES: Option<&'static [&'static str]> = Some(&[READER, GATE]);

    fn apply(&mut self, record: &Record) {
        self.take(record);
    }

    fn pass(&mut self, Outline { actor, cwd, .. }: &Outline<'_>) {
        self.note_directory(actor, *cwd);
    }
}
