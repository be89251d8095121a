//! The state of a session, folded from its records.
//!
//! Every hook call reads and writes this state, so its size is bounded: it is the same after
//! fifty events as after fifty thousand.

use std::collections::{BTreeMap, VecDeque};

use serde::{Deserialize, Serialize};

use crate::id::occurrences;
use crate::{
    Actor, BackgroundTask, BatchedCall, Event, EventId, Fold, Occurrence, ProjectId, PromptOrigin,
    Record, StopRequest, SubagentId, TaskId, Timestamp, ToolCall, ToolUseId, UnsatisfiedReleases,
    Verdict, VergerPart, WarningArea,
};

/// Number of occurrences that are kept for recognizing duplicates. Duplicates are reported within
/// milliseconds, and a batch of parallel tool calls is much smaller than this.
const REMEMBERED_OCCURRENCES: usize = 128;
/// Maximum number of running subagents that are kept.
const REMEMBERED_SUBAGENTS: usize = 64;
/// Maximum length of a subagent's id. Longer ids are not kept; real ids have fewer than 50 bytes.
const MAX_SUBAGENT_BYTES: usize = 64;
/// Maximum time that a stop may wait for a background subagent.
const MAX_SUBAGENT_WAIT_MILLIS: u64 = 10 * 60 * 1000;
/// Maximum number of bytes that are kept of a text from outside of verger.
const MAX_TEXT_BYTES: usize = 512;

/// The state of a session.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Session {
    /// Whether the session is running.
    pub life: Life,
    /// Number of the session's records.
    pub events: u64,
    /// The time of the session's first record.
    pub first_at: Option<Timestamp>,
    /// The time of the session's last record.
    pub last_at: Option<Timestamp>,
    /// The user.
    pub user: Option<String>,
    /// The project in which the session started.
    pub project: Option<ProjectId>,
    /// The agent's version, if known.
    pub agent_version: Option<String>,
    /// The agent's working directory.
    pub cwd: Option<String>,
    /// The current task.
    pub task: TaskState,
    /// Whether an agent of the session requested a tool call.
    #[serde(default, skip_serializing_if = "is_false")]
    pub has_requested_tools: bool,
    /// Running subagents, with their start times.
    pub subagents: BTreeMap<SubagentId, Timestamp>,
    /// The process of the client that runs the session, if known.
    pub client: Option<String>,
    /// Faults in verger itself.
    pub warnings: Warnings,
    /// Releases of unsatisfied gates that a person has not seen yet.
    #[serde(default, skip_serializing_if = "is_empty")]
    pub releases: UnsatisfiedReleases,
    /// A message about lost records of the session. It is kept until the person's next prompt.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub loss: Option<String>,
    last_reason: LastReason,
    #[serde(with = "occurrences")]
    recent: VecDeque<Occurrence>,
}

/// Whether a session is running.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Life {
    /// The session has no record yet.
    #[default]
    Unseen,
    /// The session is running, or ended without an event.
    Running,
    /// The session has ended.
    Ended {
        /// The reason.
        reason: String,
    },
}

/// The current task. The first prompt of a person starts a task; after that, a prompt starts one
/// if the previous task is done.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TaskState {
    /// There was no prompt yet.
    #[default]
    None,
    /// The agent is working on this task.
    Open(TaskId),
    /// The agent stopped working on this task, and no gate refused the stop.
    Done(TaskId),
}

/// Faults in verger itself.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Warnings {
    /// Number of faults.
    pub count: u64,
    /// The last fault.
    pub last: Option<Warning>,
}

/// A fault in verger itself.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Warning {
    /// The time.
    pub at: Timestamp,
    /// The part of verger.
    pub area: String,
    /// The fault, its location, and the command that helps.
    pub message: String,
}

impl Session {
    /// Whether this occurrence was recorded already.
    pub fn has_seen(&self, occurrence: Occurrence) -> bool {
        self.recent.contains(&occurrence)
    }

    /// The event in the form to be recorded: a batch's calls that have their own records are
    /// replaced by their ids.
    pub fn without_recorded_calls(&self, event: Event) -> Event {
        let Event::ToolBatchEnded { calls } = event else { return event };
        let is_recorded = |id: &ToolUseId| {
            ["tool.succeeded", "tool.failed", "tool.ended"]
                .into_iter()
                .any(|kind| self.has_seen(Occurrence::new(kind, id.as_str())))
        };
        let shortened = calls.into_iter().map(|batched| match batched {
            BatchedCall::Reported { call: ToolCall { id: Some(id), .. }, .. }
                if is_recorded(&id) =>
            {
                BatchedCall::Recorded(id)
            }
            other => other,
        });
        Event::ToolBatchEnded { calls: shortened.collect() }
    }

    /// The task for a record that is made now.
    pub fn current_task(&self) -> Option<TaskId> {
        match self.task {
            TaskState::None => None,
            TaskState::Open(task) | TaskState::Done(task) => Some(task),
        }
    }

    /// Whether the event is a prompt that a person gave to the main agent.
    pub fn is_persons_prompt(&self, actor: &Actor, event: &Event) -> bool {
        self.last_reason.is_persons_prompt(actor, event)
    }

    /// The task for a new record. The record of a person's prompt may start a new task.
    pub fn task_for(&self, id: EventId, actor: &Actor, event: &Event) -> Option<TaskId> {
        let starts_task =
            self.is_persons_prompt(actor, event) && !matches!(self.task, TaskState::Open(_));
        if starts_task { Some(TaskId(id)) } else { self.current_task() }
    }

    /// Whether the main agent waits for a subagent that started recently. The agent will ask to
    /// stop again when the subagent has ended.
    pub fn waits_for_subagents(&self, request: &StopRequest, now: Timestamp) -> bool {
        request.background.iter().any(|task| match task {
            BackgroundTask::Subagent { id, .. } => {
                let started = self.subagents.get(id);
                started.is_some_and(|at| now.millis_since(*at) <= MAX_SUBAGENT_WAIT_MILLIS)
            }
            BackgroundTask::Other { .. } => false,
        })
    }

    fn remember(&mut self, occurrence: Occurrence) {
        if self.recent.len() == REMEMBERED_OCCURRENCES {
            self.recent.pop_front();
        }
        self.recent.push_back(occurrence);
    }

    fn stop(&mut self, request: &StopRequest, now: Timestamp) {
        let waits = self.waits_for_subagents(request, now);
        if let (TaskState::Open(task), false) = (self.task, waits) {
            self.task = TaskState::Done(task);
        }
    }
}

impl Fold for Session {
    const VERSION: u32 = 6;

    fn apply(&mut self, record: &Record) {
        let draft = &record.draft;
        let origin = &draft.origin;
        self.events += 1;
        self.first_at.get_or_insert(draft.at);
        self.last_at = Some(draft.at);
        self.user = origin.user.clone().or_else(|| self.user.take());
        self.project = origin.project.clone().or_else(|| self.project.take());
        self.agent_version = origin.agent_version.clone().or_else(|| self.agent_version.take());
        self.cwd = origin.circumstance.cwd.clone().or_else(|| self.cwd.take());
        if let Some(occurrence) = draft.event.occurrence(origin.circumstance.prompt.as_ref()) {
            self.remember(occurrence);
        }
        match (&draft.event, &self.life) {
            (Event::SessionEnded { reason }, _) => {
                self.life = Life::Ended { reason: beginning(reason.as_str()) };
            }
            (own, Life::Ended { .. }) if own.is_of_verger() => {}
            _ => self.life = Life::Running,
        }
        self.releases.apply(record);
        match (&draft.event, &origin.actor) {
            (Event::PromptSubmitted { .. }, actor)
                if self.is_persons_prompt(actor, &draft.event) =>
            {
                self.loss = None;
                if let Some(task) = self.task_for(draft.id, &origin.actor, &draft.event) {
                    self.task = TaskState::Open(task);
                }
            }
            (Event::ToolRequested(_), _) => self.has_requested_tools = true,
            (Event::StopRequested(request), Actor::Main { .. }) => self.stop(request, draft.at),
            (Event::VerdictGiven { verdict: Verdict::Deny { reason }, .. }, Actor::Main { .. }) => {
                self.last_reason = LastReason::of(reason);
                if let TaskState::Done(task) = self.task {
                    self.task = TaskState::Open(task);
                }
            }
            // A subagent whose stop is refused continues running.
            (
                Event::SubagentStarted | Event::VerdictGiven { verdict: Verdict::Deny { .. }, .. },
                Actor::Subagent { id, .. },
            ) if self.subagents.len() < REMEMBERED_SUBAGENTS
                && id.as_str().len() <= MAX_SUBAGENT_BYTES =>
            {
                self.subagents.entry(id.clone()).or_insert(draft.at);
            }
            // If the model service fails, a subagent ends without a stop request.
            (
                Event::SubagentStopRequested { .. } | Event::StopFailed { .. },
                Actor::Subagent { id, .. },
            ) => {
                self.subagents.remove(id);
            }
            (Event::SessionStarted { client: Some(client), .. }, _) => {
                self.client = Some(client.clone());
            }
            (Event::Warned { area, message }, _) => {
                if *area == WarningArea::Part(VergerPart::Evidence) {
                    self.loss = Some(beginning(message));
                }
                self.warnings.count += 1;
                self.warnings.last = Some(Warning {
                    at: draft.at,
                    area: beginning(&area.to_string()),
                    message: beginning(message),
                });
            }
            _ => {}
        }
    }
}

/// The beginning of the last refusal that the agent got. Some agents send this text as the next
/// prompt, which then isn't the person's.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct LastReason(Option<String>);

impl LastReason {
    /// The beginning of a refusal's text.
    pub fn of(reason: &str) -> Self {
        Self(Some(beginning(reason)))
    }

    /// Whether the event is a prompt that a person gave to the main agent.
    pub fn is_persons_prompt(&self, actor: &Actor, event: &Event) -> bool {
        match (actor, event) {
            (
                Actor::Main { .. },
                Event::PromptSubmitted { origin: PromptOrigin::Person, prompt },
            ) => self.0.as_ref().is_none_or(|reason| *reason != beginning(prompt)),
            _ => false,
        }
    }
}

fn is_empty(releases: &UnsatisfiedReleases) -> bool {
    releases.all().is_empty()
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "the form that serde calls")]
fn is_false(value: &bool) -> bool {
    !value
}

fn beginning(text: &str) -> String {
    text[..text.floor_char_boundary(MAX_TEXT_BYTES)].to_owned()
}

#[cfg(test)]
mod tests;
