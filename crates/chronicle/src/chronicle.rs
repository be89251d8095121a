//! The story of a session as a fold.

use serde::{Deserialize, Serialize};
use verger_drift::goal::{Goal, persons_words};
use verger_drift::recovery::{Alignment, FindingKey, MAX_FAILURES, Phase, Recovery};
use verger_drift::score::Score;
use verger_drift::step::Step;
use verger_drift::{Noted, PromptAction, Prompted, Reading, TaskDetails, Track};
use verger_event::{Event, EventId, Fold, Record, Timestamp, ToolUseId};
use verger_gate::course::{Change, Finding, GATE};

use crate::line::{Given, Line, Mode, Scored, StepRow, TaskRow};
use crate::position::{Followed, Occasion, Position, Telling};

/// Raised when other lines are told of the same records.
const LINES_VERSION: u32 = 3;
/// Tasks that may go on: the one in hand, and those that wait for it.
const MAX_OPEN: usize = 10;
/// So many words of a task, and of a step.
const MAX_TASK_WORDS: usize = 48;
const MAX_STEP_WORDS: usize = 16;
/// So much of what was asked for.
const MAX_GOAL: usize = 500;
/// So much of a text that others wrote.
const MAX_TEXT: usize = 4_000;

/// The status of a task that was finished.
const COMPLETED: &str = "completed";

/// What is needed to tell the next line.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Chronicle {
    track: Track,
    recovery: Recovery,
    open: Vec<TaskRow>,
    /// Steps so far.
    steps: u64,
    /// The step up to which the course is scored.
    scored: u64,
    /// The task of the last step, until a person speaks.
    worked_on: Option<u64>,
    /// Whether the last score says off course, and nobody told the agent.
    is_seen_astray: bool,
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
    /// The course as `drift` knows it.
    pub fn track(&self) -> &Track {
        &self.track
    }

    /// What is known of the task in hand.
    pub fn task(&self) -> Option<&TaskRow> {
        let number = self.track.task()?;
        self.open.iter().find(|task| task.number == u64::from(number.0))
    }

    /// How many steps there were.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// Where the agent stands; nothing where the course was not scored yet.
    pub fn position(&self) -> Option<Position> {
        self.position
    }

    /// Takes one record into account, and says what it is in the story.
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
            (Noted::Stepped { task, step, bearing }, event) => {
                let task = task.map(|task| u64::from(task.0));
                vec![self.stepped((draft.id, draft.at), task, (&step, bearing), call_id(event))]
            }
            (Noted::Nothing, Event::GateChanged { gate, change: Some(change), .. })
                if gate == GATE =>
            {
                // What another version wrote and this one cannot read is passed over.
                let change = Change::deserialize(change).ok();
                change.map(|change| self.changed(change, draft.at)).unwrap_or_default()
            }
            (Noted::Nothing, Event::ContextInjected { sources, text, .. })
                if sources.iter().any(|source| source == GATE) =>
            {
                let level = self.recovery.deliver().map(|correction| correction.level);
                if let Some(position) = &mut self.position {
                    position.telling = Telling::Said;
                }
                vec![Line::Corrected(Given { ordinal: self.steps, level, text: cut(text) })]
            }
            (Noted::Nothing, Event::TaskRecorded { number, status: ending, task, .. }) => {
                let status = if ending == "complete" { COMPLETED } else { "abandoned" };
                if let Some(open) = self.open.iter_mut().find(|open| open.number == *number) {
                    status.clone_into(&mut open.status);
                }
                let cites = TaskDetails::of(task).cites;
                let (task, ending, status) = (*number, cut(ending), status.to_owned());
                vec![Line::Recorded { task, ending, status, cites }]
            }
            (Noted::Nothing, Event::HandoffWritten { trigger, text }) => {
                vec![Line::HandedOver { trigger: cut(trigger), text: text.clone() }]
            }
            // What was said of a finished task was answered, and nothing was changed.
            (Noted::Nothing, Event::StopRequested(_)) if self.track.is_finished() => {
                let number = self.track.task().map(|task| u64::from(task.0));
                let complete = |task: &mut TaskRow| COMPLETED.clone_into(&mut task.status);
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
        self.is_seen_astray = false;
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
            self.open.push(begun(number, parent, words, (action, at)));
        }
        let (goal, mode) = (self.track.goal().clone(), self.mode());
        lines.extend(self.task_line(number, at, |task| {
            task.refine(&goal);
            task.mode = mode;
        }));
        lines
    }

    fn stepped(
        &mut self,
        (id, at): (EventId, Timestamp),
        task: Option<u64>,
        (step, bearing): (&Step, Alignment),
        tool_use: Option<ToolUseId>,
    ) -> Line {
        self.steps = self.steps.saturating_add(1);
        self.worked_on = task;
        let goal = self.track.goal();
        let words = step.changed.iter().chain(&step.around);
        let mut keywords: Vec<String> =
            words.filter(|word| goal.keywords.contains(*word)).cloned().collect();
        keywords.sort();
        keywords.dedup();
        keywords.truncate(MAX_STEP_WORDS);
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
            bearing,
            keywords,
        }))
    }

    fn changed(&mut self, change: Change, at: Timestamp) -> Vec<Line> {
        let line = match change {
            Change::Scored { score, finding, is_told } => {
                let keys = finding.as_ref().map(Finding::keys).unwrap_or_default();
                // A score that only a prompt asked for speaks of what is over.
                if is_told {
                    self.recovery.scored(score, &keys);
                }
                self.is_seen_astray = !is_told && self.worked_on.is_some() && score.is_off_course();
                let after = std::mem::replace(&mut self.scored, self.steps);
                let telling = self.telling(score, is_told, &keys);
                let followed = self.followed_so_far(telling);
                let matter = finding.as_ref().map(|found| found.matter).unwrap_or_default();
                self.position = Some(Position { score: score.get(), matter, telling, followed });
                Line::Scored(Box::new(scored(score, finding, (after, self.steps), telling)))
            }
            Change::Stepped { alignment, finding } => {
                let keys = finding.as_ref().map(Finding::keys).unwrap_or_default();
                self.recovery.stepped(alignment, &keys);
                match (alignment, self.recovery.phase()) {
                    (Alignment::Neutral, _) => {}
                    (Alignment::Aligned, _) => self.follow(Followed::WentBack),
                    (Alignment::Astray, Phase::Forced { .. }) => self.follow(Followed::HeldBack),
                    (Alignment::Astray, _) => self.follow(Followed::WentOn),
                }
                Line::Turned(alignment)
            }
            Change::Denied { what } => Line::Denied { what: cut(&what) },
            Change::LetGo { what } => {
                self.recovery.let_go();
                self.follow(Followed::LetGo);
                Line::LetGo { what: cut(&what) }
            }
        };
        let mut lines = vec![line];
        if let Some(task) = self.worked_on {
            let mode = self.mode();
            let (waits, escalations) = match self.recovery.phase() {
                Phase::Normal => (false, 0),
                Phase::Waiting { failures, .. } => (true, *failures),
                Phase::Forced { .. } => (true, MAX_FAILURES),
            };
            lines.extend(self.task_line(task, at, |task| {
                task.mode = mode;
                task.waits_for_recovery = waits;
                task.escalations = escalations.into();
            }));
        }
        lines
    }

    fn follow(&mut self, by: Followed) {
        if let Some(position) = &mut self.position {
            position.followed = Some(by);
        }
    }

    /// What came after a score that was just taken into account, as far as the agent was told of it before.
    fn followed_so_far(&self, telling: Telling) -> Option<Followed> {
        let before = self.position.and_then(|position| position.followed);
        match (self.occasion, self.recovery.phase(), before) {
            (Occasion::Prompt, ..) => Some(Followed::PersonSpoke),
            (_, Phase::Forced { .. }, _) => Some(Followed::HeldBack),
            (Occasion::TurnEnded, _, Some(Followed::WentOn | Followed::LetGo))
                if telling == Telling::StillThere =>
            {
                before
            }
            _ => None,
        }
    }

    /// What becomes of a score that was just taken into account, and of what was found.
    fn telling(&self, score: Score, is_told: bool, findings: &[FindingKey]) -> Telling {
        match (score.level(), self.occasion) {
            (None, _) => Telling::Nothing,
            (Some(_), _) if !is_told && self.recovery.has_said(findings) => Telling::StillThere,
            (Some(_), _) if is_told && self.recovery.pending().is_some() => Telling::Waits,
            (Some(_), _) if is_told => Telling::SaidBefore,
            (Some(_), Occasion::Work) => Telling::Observed,
            (Some(_), Occasion::TurnEnded | Occasion::Prompt) => Telling::TurnEnded,
        }
    }

    fn mode(&self) -> Mode {
        match self.recovery.phase() {
            Phase::Forced { .. } => Mode::Forced,
            Phase::Waiting { .. } => Mode::Drifted,
            Phase::Normal if self.is_seen_astray => Mode::Drifted,
            Phase::Normal => Mode::Normal,
        }
    }

    /// The task as it is now, if that is known.
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
    /// Takes what is wanted now. What was asked for first stays: the rest refines it.
    fn refine(&mut self, goal: &Goal) {
        let paths = goal.scope.paths.iter().map(|path| path.as_str().to_owned());
        self.scope = paths.chain(goal.scope.symbols.iter().cloned()).collect();
        let read =
            goal.refined.constraints.iter().map(|one| format!("{one} (as a program reads it)"));
        self.constraints = goal.constraints.iter().map(ToString::to_string).chain(read).collect();
        self.keywords = goal.keywords.iter().take(MAX_TASK_WORDS).cloned().collect();
        self.waits_for_recovery = false;
        self.escalations = 0;
        "active".clone_into(&mut self.status);
    }
}

fn begun(
    number: u64,
    parent: Option<u64>,
    words: &str,
    (action, at): (PromptAction, Timestamp),
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
    score: Score,
    finding: Option<Finding>,
    (after, upto): (u64, u64),
    telling: Telling,
) -> Scored {
    let (goal, reasons, way_back) = match finding {
        None => (None, vec![], None),
        Some(found) => (Some(found.goal), found.reasons, Some(found.back)),
    };
    let level = score.level();
    Scored { score: score.get(), after, upto, goal, reasons, way_back, level, telling }
}

fn occasion(event: &Event) -> Occasion {
    match event {
        Event::StopRequested(_) => Occasion::TurnEnded,
        Event::PromptSubmitted { .. } => Occasion::Prompt,
        _ => Occasion::Work,
    }
}

fn call_id(event: &Event) -> Option<ToolUseId> {
    match event {
        Event::ToolSucceeded { call, .. } | Event::ToolFailed { call, .. } => call.id.clone(),
        _ => None,
    }
}

fn cut(text: &str) -> String {
    text.chars().take(MAX_TEXT).collect()
}

#[cfg(test)]
mod tests;
