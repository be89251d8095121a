//! The course of a session, folded from its records: goal, steps, tasks, and what is noted of them.
//!
//! It is larger than what every hook call can afford to read, and few of them need it: it is folded
//! beside the session, by way of a snapshot of its own.

mod read;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use verger_event::{
    Actor, Event, EventId, Fold, Form, LastReason, Outline, Record, StartSource, Tool, ToolCall,
    Verdict,
};

use crate::bounded::Recent;
use crate::goal::{Goal, Turn, agreed, answered, asks, persons_words};
use crate::handoff::Handoff;
use crate::mark::mark_of_text;
use crate::notes::{Notes, before_question};
use crate::reading::{READER, Reading};
use crate::record::{Decision, Ending, TaskRecord};
use crate::recovery::Alignment;
use crate::score::{Assessment, Course};
use crate::step::{Outcome, Step};
use crate::tasks::{Prompted, TaskNumber, Tasks};
use read::Read;

/// Tasks of which something is noted: the one in hand, those that wait, and one that was just left.
const MAX_NOTES: usize = 10;
/// So many characters of the goal are recorded.
const MAX_RECORDED: usize = 300;

/// The course of a session.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Track {
    last_reason: LastReason,
    root: Option<String>,
    /// Where the main agent is, if that is not the root.
    cwd: Option<String>,
    course: Course,
    tasks: Tasks,
    notes: Vec<Notes>,
    /// The marks of calls that were taken in, so that one that is seen twice counts once.
    calls: Recent<u32, 64>,
    /// Where the main agent's steps led since its last batch ended.
    bearing: Alignment,
    /// What was written down before the agent's memory was cut, until it is given back.
    handoff: Option<String>,
    /// What a program read out of the prompt that comes next.
    read: Option<Box<Read>>,
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
        /// What a program read beside the rules.
        reading: Option<Box<Reading>>,
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

    /// Whether the task in hand, or one that waits for it, was begun and is not finished.
    pub fn is_under_way(&self) -> bool {
        self.going_on().any(Notes::is_under_way)
    }

    /// Whether the task in hand was finished, and nobody went on with it.
    pub fn is_finished(&self) -> bool {
        self.current_notes().is_some_and(Notes::is_finished)
    }

    /// The words of a reply that may say that the task in hand is finished. None where the agent asks something
    /// with which the task may go on; what it asks after a part of a task is about the rest of it.
    pub fn closing_words<'a>(&self, reply: &'a str) -> Option<&'a str> {
        let (_, parent) = self.tasks.current()?;
        match parent {
            Some(_) => Some(before_question(reply)),
            None => Some(reply).filter(|reply| !asks(reply)),
        }
    }

    /// Where a call would lead, if it were made in this folder.
    pub fn bearing_of(&self, call: &ToolCall, cwd: Option<&str>) -> Alignment {
        let place = (self.root.as_deref(), cwd);
        let step = Step::of_call_in(&call.tool, &call.input, Outcome::default(), place);
        self.course.clone().note(&step)
    }

    /// The record of the task in hand, if something was done for it that no record has.
    pub fn record_current(&self, ending: Ending) -> Option<TaskRecord> {
        self.current_notes()
            .filter(|notes| notes.has_news(ending))
            .map(|it| self.record(it, ending))
    }

    /// The records of tasks that were left for another. `claims` says whether words of an agent say that the
    /// work is finished: what was finished then, and only asked for more, is complete.
    pub fn records_of_left(
        &self,
        ending: Ending,
        claims: impl Fn(&str) -> bool,
    ) -> Vec<TaskRecord> {
        self.records(|notes| !self.tasks.goes_on(notes.number), ending, claims)
    }

    /// The same of all tasks.
    pub fn records_of_all(&self, ending: Ending, claims: impl Fn(&str) -> bool) -> Vec<TaskRecord> {
        self.records(|_| true, ending, claims)
    }

    fn records(
        &self,
        is_meant: impl Fn(&Notes) -> bool,
        ending: Ending,
        claims: impl Fn(&str) -> bool,
    ) -> Vec<TaskRecord> {
        let ended = |notes| {
            let is_complete = Notes::said_last(notes).is_some_and(&claims);
            (notes, if is_complete { Ending::Complete } else { ending })
        };
        let meant = self.notes.iter().filter(|notes| is_meant(notes)).map(ended);
        let with_news = meant.filter(|(notes, ending)| notes.has_news(*ending));
        with_news.map(|(notes, ending)| self.record(notes, ending)).collect()
    }

    fn record(&self, notes: &Notes, ending: Ending) -> TaskRecord {
        // The goal is that of the task in hand; of others only the query is known.
        if self.task() != Some(notes.number) {
            return notes.record("", (vec![], notes.decisions.clone()), ending);
        }
        let goal = self.course.goal();
        let constraints = goal.constraints.iter().map(ToString::to_string).collect();
        let text = goal.told_in_a_line(MAX_RECORDED);
        notes.record(&text, (constraints, self.decisions_that_hold(notes)), ending)
    }

    /// What the agent must not lose; nothing where nothing was asked for. `todos` are the open items of
    /// the agent's own list.
    pub fn handoff(&self, todos: &[String]) -> Option<Handoff> {
        let notes = self.current_notes()?;
        let waiting: Vec<&Notes> =
            self.going_on().filter(|waiting| waiting.number != notes.number).collect();
        let decisions: Vec<Decision> =
            self.going_on().flat_map(|notes| self.decisions_that_hold(notes)).collect();
        Some(Handoff::of(self.course.goal(), (&waiting, notes), &decisions, todos))
    }

    /// The tasks that go on, in the order in which they began.
    fn going_on(&self) -> impl Iterator<Item = &Notes> {
        self.notes.iter().filter(|notes| self.tasks.goes_on(notes.number))
    }

    /// What was decided for the task in hand and was not forbidden since.
    fn decisions_that_hold(&self, notes: &Notes) -> Vec<Decision> {
        let holds = |decision: &&Decision| !self.course.forbids_command(&decision.choice);
        notes.decisions.iter().filter(holds).cloned().collect()
    }

    fn current_notes(&self) -> Option<&Notes> {
        let (number, _) = self.tasks.current()?;
        self.notes.iter().find(|notes| notes.number == number)
    }

    /// Takes one record into account, and says what it was for the course.
    pub fn take(&mut self, record: &Record) -> Noted {
        let draft = &record.draft;
        let actor = &draft.origin.actor;
        let now_in = draft.origin.circumstance.cwd.as_deref();
        // What ran may have led elsewhere itself; it ran where the agent was before. Subagents are where they began.
        let ran_in = match actor {
            Actor::Main { .. } => self.cwd.clone(),
            Actor::Subagent { .. } => now_in.map(str::to_owned),
        };
        self.note_envelope(draft.event.kind(), actor, now_in);
        match &draft.event {
            Event::PromptSubmitted { prompt, .. }
                if self.last_reason.is_persons_prompt(actor, &draft.event) =>
            {
                return self.hear(prompt, draft.id);
            }
            Event::ToolSucceeded { call, response, .. } => {
                return self.step((actor, call, ran_in.as_deref()), (response, false), draft.id);
            }
            Event::ToolFailed { call, error, .. } => {
                let said = (&Value::from(error.as_str()), true);
                return self.step((actor, call, ran_in.as_deref()), said, draft.id);
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
                if let Some(notes) = self.notes_of_current() {
                    notes.goes_on();
                }
            }
            Event::TaskRecorded { number, status, .. } => {
                self.recorded(*number, status == Ending::Complete.status(), draft.id);
            }
            Event::SessionStarted { source: StartSource::Clear, .. } => {
                self.tasks.cleared();
                self.handoff = None;
            }
            Event::GateChanged { gate, change: Some(change), .. } if gate == READER => {
                self.read = Read::of(&draft.standing, change);
            }
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
        if let (Actor::Main { .. }, Some(cwd)) = (actor, cwd) {
            let elsewhere = Some(cwd).filter(|cwd| self.root.as_deref() != Some(*cwd));
            if self.cwd.as_deref() != elsewhere {
                self.cwd = elsewhere.map(str::to_owned);
            }
        }
        if kind == BATCH_ENDED && matches!(actor, Actor::Main { .. }) {
            self.bearing = Alignment::Neutral;
        }
    }

    /// Kept apart, like what follows the end of a task: most records are calls.
    #[inline(never)]
    fn hear(&mut self, prompt: &str, on: EventId) -> Noted {
        let read = self.read.take().filter(|read| read.on == on);
        let words = persons_words(prompt);
        if words.trim().is_empty() {
            return Noted::Nothing;
        }
        let said = self.current_notes().and_then(Notes::said_last);
        let proposal = said.and_then(|said| agreed(&words, said)).map(str::to_owned);
        let by_rules = read.as_ref().map(|_| self.goal_by_rules(prompt, &words));
        let claimed = read.as_ref().and_then(|read| read.reading.task);
        let prompted = self.tasks.prompted_as(&words, claimed);
        self.bearing = Alignment::Neutral;
        let root = self.root.as_deref();
        let heard = self.course.apply_task_prompt(prompt, root, prompted.action);
        let turn = heard.map(|(turn, _)| turn);
        if let Some(proposal) = proposal {
            self.course.agree(&proposal, root);
        }
        let reading = read.map(|read| Box::new(read.reading));
        if let (Some(reading), Some(by_rules)) = (&reading, by_rules) {
            self.course.read(reading, &by_rules, root);
        }
        match self.notes_of_current() {
            Some(notes) => notes.goes_on(),
            None => self.note(Notes::new(prompted.task, prompted.parent, &words)),
        }
        Noted::Prompted { prompted, turn, reading }
    }

    fn step(
        &mut self,
        (actor, call, cwd): (&Actor, &ToolCall, Option<&str>),
        (response, failed): (&Value, bool),
        on: EventId,
    ) -> Noted {
        if let Some(id) = &call.id {
            // Among so few calls, no half of a mark is likely to be that of another.
            let mark = (mark_of_text(id.as_str()) >> 32) as u32;
            if self.calls.has(&mark) {
                return Noted::Nothing;
            }
            self.calls.add(mark);
        }
        let output = output(response);
        let outcome = Outcome { failed, output: &output };
        let place = (self.root.as_deref(), cwd);
        let step = Step::of_call_in(&call.tool, &call.input, outcome, place);
        let root = self.root.as_deref();
        if let Some(document) = self.course.shows_plan(&step, root) {
            self.course.read_plan(&document, contents(response).unwrap_or(&output), root);
        }
        if !failed {
            self.take_answers(call, response);
        }
        let original = || response.get("originalFile").and_then(Value::as_str);
        let (bearing, undone) = self.course.note_undone(&step, original);
        if matches!(actor, Actor::Main { .. }) {
            self.bearing = self.bearing.and(bearing);
        }
        if let Some(notes) = self.notes_of_current() {
            notes.took((&step, call), response, (bearing, on));
            notes.took_back(&step, &undone);
        }
        Noted::Stepped { task: self.task(), step: Box::new(step), bearing }
    }

    /// What a person said by way of a tool.
    #[inline(never)]
    fn take_answers(&mut self, call: &ToolCall, response: &Value) {
        let root = self.root.as_deref();
        match call.kind() {
            Tool::AskPerson => {
                for said in answered(response) {
                    self.course.agree(&said, root);
                }
            }
            Tool::PresentPlan => {
                let plan = call.input.get("plan").and_then(Value::as_str).unwrap_or_default();
                self.course.accept_plan(plan, root);
            }
            _ => {}
        }
    }

    fn notes_of_current(&mut self) -> Option<&mut Notes> {
        let (number, _) = self.tasks.current()?;
        self.notes.iter_mut().find(|notes| notes.number == number)
    }

    /// What neither goes on nor has to be recorded is not noted any more.
    fn note(&mut self, new: Notes) {
        let tasks = &self.tasks;
        self.notes
            .retain(|notes| tasks.goes_on(notes.number) || notes.has_news(Ending::LeftForOther));
        if self.notes.len() >= MAX_NOTES {
            self.notes.remove(0);
        }
        self.notes.push(new);
    }

    /// What goes on is noted further, so that its next record has all of it.
    #[inline(never)]
    fn recorded(&mut self, number: u64, is_complete: bool, on: EventId) {
        let is_meant = |task: TaskNumber| u64::from(task.0) == number;
        let Some(notes) = self.notes.iter_mut().find(|notes| is_meant(notes.number)) else {
            return;
        };
        notes.was_recorded(is_complete);
        let query = notes.query.clone();
        let is_current = self.task().is_some_and(is_meant);
        if is_current && is_complete {
            self.tasks.completed();
            let is_part = !self.task().is_some_and(is_meant);
            if let Some(whole) = self.notes_of_current().filter(|_| is_part) {
                whole.has_part(&query, on);
            }
        }
        let tasks = &self.tasks;
        self.notes.retain(|notes| !is_meant(notes.number) || tasks.goes_on(notes.number));
    }
}

/// The word by which a handoff that is given back is known.
pub const HANDOFF: &str = "handoff";

const BATCH_ENDED: &str = "tool_batch.ended";

impl Fold for Track {
    const VERSION: u32 = 9;
    const FORM: Form = Form::Compact;

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
        "gate.changed",
    ]);

    /// Every score is a change of a gate, and what a program read is the one that matters here.
    const GATES: Option<&'static [&'static str]> = Some(&[READER]);

    fn apply(&mut self, record: &Record) {
        self.take(record);
    }

    fn pass(&mut self, Outline { kind, actor, cwd, .. }: &Outline<'_>) {
        self.note_envelope(kind, actor, cwd.as_deref());
    }
}

/// What a file says that was read.
fn contents(response: &Value) -> Option<&str> {
    response.get("file")?.get("content")?.as_str()
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
