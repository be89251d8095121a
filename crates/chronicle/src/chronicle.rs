//! The chronicle: a fold that turns a session's records into the lines of its history.

use serde::{Deserialize, Serialize};
use verger_drift::recovery::{FindingKey, Findings, Phase, Recovery};
use verger_drift::score::Score;
use verger_drift::step::Step;
use verger_drift::{
    Goal, Level, Noted, PromptAction, Prompted, Reading, TaskDetails, Track, persons_words,
};
use verger_event::{Event, EventId, Fold, Record, TaskStatus, Timestamp, ToolUseId};
use verger_gate::drift::{Change, Finding, GATE};

use crate::line::{Given, Line, Mode, Scored, StepRow, TaskRow};
use crate::position::{Followed, Occasion, Position, Telling};

/// The version of the lines of history. Increment it when the same records give other lines.
const LINES_VERSION: u32 = 4;
/// Maximum number of open tasks: the current task and the tasks that wait for it.
const MAX_OPEN: usize = 10;
/// Maximum number of characters of a task's goal.
const MAX_GOAL: usize = 500;
/// Maximum number of characters of a text that an agent or a program wrote.
const MAX_TEXT: usize = 4_000;

/// The words for the statuses of a finished task.
const COMPLETED: &str = "completed";
const UNVERIFIED: &str = "unverified";

/// The state from which the next lines of history are made.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Chronicle {
    track: Track,
    recovery: Recovery,
    open: Vec<TaskRow>,
    /// Number of the session's steps so far.
    steps: u64,
    /// The number of the last step that a score covers.
    scored: u64,
    /// The number of the last step's task. The next prompt clears it.
    worked_on: Option<u64>,
    /// Whether the last score is a finding of which the agent isn't told, because the drift gate
    /// only observes.
    is_observed_drift: bool,
    occasion: Occasion,
    position: Option<Position>,
}

impl Fold for Chronicle {
    const VERSION: u32 = (LINES_VERSION << 16) | Track::VERSION;

    fn apply(&mut self, record: &Record) {
        self.take(record);
    }
}

impl Chronicle {
    /// The state of the tasks and steps, folded from the same records.
    pub fn track(&self) -> &Track {
        &self.track
    }

    /// The current task, if there is one.
    pub fn task(&self) -> Option<&TaskRow> {
        let number = self.track.task()?;
        self.open.iter().find(|task| task.number == u64::from(number.0))
    }

    /// Number of the session's steps so far.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// The agent's position after the last score. `None` if the session was never scored.
    pub fn position(&self) -> Option<Position> {
        self.position
    }

    /// Applies a record. Returns the lines of history that the record adds.
    pub fn take(&mut self, record: &Record) -> Vec<Line> {
        let draft = &record.draft;
        if !draft.event.is_of_verger() {
            self.occasion = occasion(&draft.event);
        }
        match (self.track.take(record), &draft.event) {
            (Noted::Prompted { prompted, reading, .. }, event) => {
                let words = match event {
                    Event::PromptSubmitted { prompt, .. } => persons_words(prompt),
                    _ => String::new(),
                };
                let mut lines = self.prompted(prompted, &words, draft.at);
                let more = reading.filter(|reading| **reading != Reading::default());
                lines.extend(more.map(Line::Read));
                lines
            }
            (Noted::Stepped { task, step, breaks }, event) => {
                let task = task.map(|task| u64::from(task.0));
                let taken =
                    Taken { id: draft.id, at: draft.at, task, tool_use: call_id(event), breaks };
                vec![self.stepped(&step, taken)]
            }
            (Noted::Nothing, Event::GateChanged { gate, change: Some(change), .. })
                if gate == GATE =>
            {
                // A change that can't be parsed was written by another version of verger, so it is
                // skipped.
                let change = Change::deserialize(change).ok();
                change.map(|change| self.changed(change, draft.at)).unwrap_or_default()
            }
            (Noted::Nothing, Event::ContextInjected { sources, text, .. })
                if sources.iter().any(|source| source == GATE) =>
            {
                let level = self.recovery.deliver().map(|correction| correction.level);
                if let Some(position) = &mut self.position {
                    position.telling = Telling::Told;
                }
                vec![Line::Corrected(Given { ordinal: self.steps, level, text: cut(text) })]
            }
            (Noted::Nothing, Event::TaskRecorded { number, status: ending, task, .. }) => {
                let status = match ending {
                    TaskStatus::Complete => COMPLETED,
                    TaskStatus::Unverified => UNVERIFIED,
                    TaskStatus::Partial | TaskStatus::Abandoned => "abandoned",
                };
                if let Some(open) = self.open.iter_mut().find(|open| open.number == *number) {
                    status.clone_into(&mut open.status);
                }
                let cites = TaskDetails::of(task).cites;
                let (task, ending, status) = (*number, ending.to_string(), status.to_owned());
                vec![Line::Recorded { task, ending, status, cites }]
            }
            (Noted::Nothing, Event::HandoffWritten { trigger, text }) => {
                vec![Line::HandedOver { trigger: trigger.to_string(), text: text.clone() }]
            }
            // The task was finished before. The agent only answered a question about it and stops
            // again.
            (Noted::Nothing, Event::StopRequested(_)) if self.track.is_finished() => {
                let number = self.track.task().map(|task| u64::from(task.0));
                let complete = |task: &mut TaskRow| {
                    if task.status != UNVERIFIED {
                        COMPLETED.clone_into(&mut task.status);
                    }
                };
                number
                    .and_then(|task| self.task_line(task, draft.at, complete))
                    .into_iter()
                    .collect()
            }
            (Noted::Nothing, Event::SessionEnded { .. }) => vec![Line::Left { but: None }],
            (Noted::Nothing, _) => vec![],
        }
    }

    fn prompted(&mut self, prompted: Prompted, words: &str, at: Timestamp) -> Vec<Line> {
        let Prompted { action, task, parent } = prompted;
        let number = u64::from(task.0);
        self.recovery.prompted();
        self.follow(Followed::PersonSpoke);
        self.is_observed_drift = false;
        self.worked_on = None;
        let mut lines = vec![Line::Prompted { action, task: number }];
        if action == PromptAction::NewTask {
            self.open.clear();
            lines.push(Line::Left { but: Some(number) });
        }
        if !self.open.iter().any(|open| open.number == number) {
            let parent = parent.map(|parent| u64::from(parent.0));
            if self.open.len() >= MAX_OPEN {
                self.open.remove(0);
            }
            self.open.push(begun(number, parent, words, action, at));
        }
        let (goal, limits, mode) = (self.track.goal().clone(), self.track.limits(), self.mode());
        lines.extend(self.task_line(number, at, |task| {
            task.refine(&goal, limits);
            task.mode = mode;
        }));
        lines
    }

    fn stepped(&mut self, step: &Step, taken: Taken) -> Line {
        let Taken { id, at, task, tool_use, breaks } = taken;
        self.steps = self.steps.saturating_add(1);
        self.worked_on = task;
        Line::Step(Box::new(StepRow {
            id,
            ordinal: self.steps,
            task,
            at,
            tool_use,
            action: step.action,
            files: step.files.clone(),
            folders: step.folders.clone(),
            command: step.command.clone(),
            failed: step.failed,
            is_key_decision: step.is_key_decision(),
            breaks,
        }))
    }

    fn changed(&mut self, change: Change, at: Timestamp) -> Vec<Line> {
        let line = match change {
            Change::Scored { score, finding, is_told } => {
                let keys = finding.as_ref().map(Finding::keys).unwrap_or_default();
                let kind = finding.as_ref().map(|finding| finding.kind);
                if is_told {
                    let is_forced = finding.as_ref().is_some_and(Finding::is_forced);
                    self.recovery.scored(Findings { score, keys: &keys, is_forced });
                }
                self.is_observed_drift = !is_told && score.is_some_and(Score::is_drift);
                let after = std::mem::replace(&mut self.scored, self.steps);
                let telling = self.telling(score, is_told, &keys);
                let score = score.map(Score::get);
                self.position = Some(Position { score, kind, telling, followed: None });
                Line::Scored(Box::new(scored(score, finding, after, self.steps, telling)))
            }
            Change::Restored { restored } => {
                self.follow(Followed::Restored);
                Line::Restored { paths: restored }
            }
            Change::Denied { what } => {
                self.follow(Followed::Denied);
                Line::Denied { what: cut(&what) }
            }
            Change::Released { what } => {
                self.recovery.release();
                self.follow(Followed::Released);
                Line::Released { what: cut(&what) }
            }
        };
        let mut lines = vec![line];
        if let Some(task) = self.worked_on {
            let mode = self.mode();
            let (waits, escalations) = match self.recovery.phase() {
                Phase::Normal => (false, 0),
                Phase::Drifted { level, .. } => (true, escalations(*level)),
                Phase::Forced { .. } => (true, escalations(Level::Halt)),
            };
            lines.extend(self.task_line(task, at, |task| {
                task.mode = mode;
                task.waits_for_recovery = waits;
                task.escalations = escalations;
            }));
        }
        lines
    }

    fn follow(&mut self, by: Followed) {
        if let Some(position) = &mut self.position {
            position.followed = Some(by);
        }
    }

    /// Whether the agent is told about a new score.
    fn telling(&self, score: Option<Score>, is_told: bool, findings: &[FindingKey]) -> Telling {
        if score.and_then(Score::level).is_none() {
            return Telling::Nothing;
        }
        match (is_told, self.occasion) {
            (true, _) if self.recovery.pending().is_some() => Telling::Waits,
            (true, _) => Telling::ToldBefore,
            (false, _) if self.recovery.has_told(findings) => Telling::ToldBefore,
            (false, Occasion::Work) => Telling::Observed,
            (false, Occasion::TurnEnded) => Telling::TurnEnded,
        }
    }

    fn mode(&self) -> Mode {
        match self.recovery.phase() {
            Phase::Forced { .. } => Mode::Forced,
            Phase::Drifted { .. } => Mode::Drifted,
            Phase::Normal if self.is_observed_drift => Mode::Drifted,
            Phase::Normal => Mode::Normal,
        }
    }

    /// Changes a task and returns a line with its new state. `None` if the task is unknown.
    fn task_line(
        &mut self,
        number: u64,
        at: Timestamp,
        change: impl FnOnce(&mut TaskRow),
    ) -> Option<Line> {
        let task = self.open.iter_mut().find(|task| task.number == number)?;
        change(task);
        task.last = at;
        Some(Line::Task(Box::new(task.clone())))
    }
}

impl TaskRow {
    /// Refines the current task after a new goal. The text of the task's goal stays the first
    /// request, because later requests only refine it.
    fn refine(&mut self, goal: &Goal, limits: Vec<String>) {
        self.scope.clone_from(&goal.paths);
        self.keywords.clone_from(&goal.keywords);
        self.constraints = limits;
        self.waits_for_recovery = false;
        self.escalations = 0;
        "active".clone_into(&mut self.status);
    }
}

/// The facts about a step that don't come from its tool call.
struct Taken {
    id: EventId,
    at: Timestamp,
    task: Option<u64>,
    tool_use: Option<ToolUseId>,
    breaks: Option<String>,
}

/// The number of escalations that a correction of this level counts as.
fn escalations(level: Level) -> u64 {
    match level {
        Level::Nudge | Level::Correct => 0,
        Level::Intervene => 1,
        Level::Halt => 2,
    }
}

fn begun(
    number: u64,
    parent: Option<u64>,
    words: &str,
    action: PromptAction,
    at: Timestamp,
) -> TaskRow {
    let kind = match action {
        PromptAction::Subtask => "subtask",
        PromptAction::ParallelTask => "parallel",
        PromptAction::NewTask | PromptAction::Continue => "main",
    };
    TaskRow {
        number,
        parent,
        kind: kind.to_owned(),
        goal: words.trim().chars().take(MAX_GOAL).collect(),
        scope: vec![],
        constraints: vec![],
        keywords: vec![],
        mode: Mode::Normal,
        waits_for_recovery: false,
        escalations: 0,
        began: at,
        last: at,
        status: String::new(),
    }
}

fn scored(
    score: Option<u8>,
    finding: Option<Finding>,
    after: u64,
    upto: u64,
    telling: Telling,
) -> Scored {
    let kind = finding.as_ref().map(|finding| finding.kind);
    let (goal, reasons, way_back) = match finding {
        None => (None, vec![], None),
        Some(found) => (Some(found.goal), found.reasons, Some(found.back)),
    };
    let level = score.and_then(|score| Score::new(score.into()).level());
    Scored { score, kind, after, upto, goal, reasons, way_back, level, telling }
}

fn occasion(event: &Event) -> Occasion {
    match event {
        Event::StopRequested(_) => Occasion::TurnEnded,
        _ => Occasion::Work,
    }
}

fn call_id(event: &Event) -> Option<ToolUseId> {
    match event {
        Event::ToolSucceeded { call, .. }
        | Event::ToolFailed { call, .. }
        | Event::ToolEnded { call, .. } => call.id.clone(),
        _ => None,
    }
}

fn cut(text: &str) -> String {
    text.chars().take(MAX_TEXT).collect()
}

#[cfg(test)]
mod tests;
