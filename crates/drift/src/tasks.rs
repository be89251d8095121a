//! Which task a prompt is about, and what a reply does to it.
//!
//! A session works on one task at a time. A prompt goes on with it, begins another, or asks for
//! something that has to be done first (a subtask) or beside it (a parallel task); both have the task
//! as their parent, and it goes on when they are complete.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use crate::goal::{Instruction, Progress, Relation, Work, asks};
use crate::words::topic;

/// Words that are kept of a task: what it is about shows early.
const MAX_TOPIC_WORDS: usize = 160;
/// Tasks that wait for others. What is below them is forgotten.
const MAX_WAITING: usize = 6;

/// A task of a session, by the order in which they began.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct TaskNumber(pub u32);

/// What a prompt does to the tasks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PromptAction {
    /// It is about the task that is worked on.
    Continue,
    /// Other work begins.
    NewTask,
    /// Something has to be done before the task goes on.
    Subtask,
    /// Something is to be done that does not hold the task up.
    ParallelTask,
}

/// What a reply does to the tasks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ReplyAction {
    /// The task is finished.
    TaskComplete,
    /// What had to be done first is finished; its parent goes on.
    SubtaskComplete,
}

/// A prompt, and the task that it is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Prompted {
    /// What it does.
    pub action: PromptAction,
    /// The task that is worked on from now on.
    pub task: TaskNumber,
    /// Whose subtask or parallel task it is.
    pub parent: Option<TaskNumber>,
}

/// The tasks of a session, as far as they matter for the next prompt.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Tasks {
    begun: u32,
    current: Option<Task>,
    /// Those that wait for the current one, the nearest last.
    waiting: Vec<Task>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Task {
    number: TaskNumber,
    kind: Kind,
    progress: Progress,
    /// What its prompts and replies are about.
    topic: BTreeSet<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
enum Kind {
    Main,
    Subtask { parent: TaskNumber },
    Parallel { parent: TaskNumber },
}

impl Tasks {
    /// A person says something.
    pub fn prompted(&mut self, text: &str) -> Prompted {
        self.prompted_as(text, None)
    }

    /// The same, where a program says what it does to the tasks.
    pub(crate) fn prompted_as(&mut self, text: &str, claimed: Option<PromptAction>) -> Prompted {
        let instruction = Instruction::read(text, None);
        // Where there is no task yet, nothing goes on and nothing comes first.
        let claimed = claimed.filter(|_| self.current.is_some());
        let action = claimed.unwrap_or_else(|| self.by_rules(instruction.as_ref()));
        let mut task = match (action, self.current.take()) {
            (PromptAction::Continue, Some(task)) => task,
            (PromptAction::Subtask, Some(parent)) => {
                let kind = Kind::Subtask { parent: parent.number };
                self.begin_beside(parent, kind)
            }
            (PromptAction::ParallelTask, Some(parent)) => {
                let kind = Kind::Parallel { parent: parent.number };
                self.begin_beside(parent, kind)
            }
            (_, _) => {
                self.waiting.clear();
                self.begin(Kind::Main, BTreeSet::new())
            }
        };
        if let Some(instruction) = &instruction {
            task.heard(&instruction.words);
            // "Can you fix it?" asks, too: what is wanted is work.
            task.progress = match (instruction.only_asks(), task.progress) {
                (true, Progress::Open) if action != PromptAction::Continue => Progress::Questioned,
                (false, Progress::Questioned) => Progress::Open,
                (_, progress) => progress,
            };
        }
        let prompted = Prompted { action, task: task.number, parent: task.kind.parent() };
        self.current = Some(task);
        prompted
    }

    /// What a person's words do to the tasks by rules alone.
    pub(crate) fn action_of(&self, text: &str) -> PromptAction {
        self.by_rules(Instruction::read(text, None).as_ref())
    }

    fn by_rules(&self, instruction: Option<&Instruction>) -> PromptAction {
        match (&self.current, instruction) {
            (None, _) => PromptAction::NewTask,
            // Only machines spoke.
            (Some(_), None) => PromptAction::Continue,
            (Some(task), Some(instruction)) => instruction.relation(task.work()).into(),
        }
    }

    /// The task that is worked on, and whose subtask or parallel task it is.
    pub fn current(&self) -> Option<(TaskNumber, Option<TaskNumber>)> {
        self.current.as_ref().map(|task| (task.number, task.kind.parent()))
    }

    /// Whether a task goes on: it is worked on, or waits for the one that is.
    pub fn goes_on(&self, number: TaskNumber) -> bool {
        self.waiting.iter().chain(&self.current).any(|task| task.number == number)
    }

    /// The agent ends its turn. `claims` says whether it says that the work is finished.
    pub fn replied(&mut self, text: &str, claims: bool) -> Option<ReplyAction> {
        let task = self.current.as_mut()?;
        task.heard(&topic(text));
        if claims {
            return self.completed();
        }
        match task.progress {
            _ if asks(text) => task.progress = Progress::Asked,
            // An answer ends a question.
            Progress::Questioned => task.progress = Progress::Complete,
            Progress::Open | Progress::Asked => task.progress = Progress::Open,
            // It only answered.
            Progress::Complete => {}
        }
        None
    }

    /// The task that is worked on is finished.
    pub fn completed(&mut self) -> Option<ReplyAction> {
        let task = self.current.as_mut()?;
        task.progress = Progress::Complete;
        match task.kind {
            Kind::Subtask { .. } => {
                self.go_back();
                if let Some(parent) = &mut self.current {
                    parent.progress = Progress::Open;
                }
                Some(ReplyAction::SubtaskComplete)
            }
            Kind::Parallel { .. } => {
                self.go_back();
                Some(ReplyAction::TaskComplete)
            }
            Kind::Main => Some(ReplyAction::TaskComplete),
        }
    }

    /// The session is cleared: whatever comes next is another task.
    pub fn cleared(&mut self) {
        self.current = None;
        self.waiting.clear();
    }

    fn begin(&mut self, kind: Kind, topic: BTreeSet<String>) -> Task {
        self.begun = self.begun.saturating_add(1);
        Task { number: TaskNumber(self.begun), kind, progress: Progress::Open, topic }
    }

    /// The parent waits. What is asked for beside a task is often told in its words.
    fn begin_beside(&mut self, parent: Task, kind: Kind) -> Task {
        let topic = parent.topic.clone();
        if self.waiting.len() == MAX_WAITING {
            self.waiting.remove(0);
        }
        self.waiting.push(parent);
        self.begin(kind, topic)
    }

    /// The one that waited goes on, and knows what was said meanwhile.
    fn go_back(&mut self) {
        let Some(mut parent) = self.waiting.pop() else { return };
        if let Some(task) = &self.current {
            parent.heard(&task.topic);
        }
        self.current = Some(parent);
    }
}

impl Kind {
    fn parent(self) -> Option<TaskNumber> {
        match self {
            Self::Main => None,
            Self::Subtask { parent } | Self::Parallel { parent } => Some(parent),
        }
    }
}

impl PromptAction {
    /// In a word, as it is stored.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Continue => "continue",
            Self::NewTask => "new_task",
            Self::Subtask => "subtask",
            Self::ParallelTask => "parallel_task",
        }
    }
}

impl From<Relation> for PromptAction {
    fn from(relation: Relation) -> Self {
        match relation {
            Relation::GoesOn | Relation::Refines => Self::Continue,
            Relation::ComesFirst => Self::Subtask,
            Relation::IsBeside => Self::ParallelTask,
            Relation::Replaces | Relation::SeemsNew => Self::NewTask,
        }
    }
}

impl Task {
    fn work(&self) -> Work<'_> {
        Work { words: &self.topic, progress: self.progress }
    }

    fn heard(&mut self, words: &BTreeSet<String>) {
        for word in words {
            if self.topic.len() >= MAX_TOPIC_WORDS {
                return;
            }
            self.topic.insert(word.clone());
        }
    }
}
