//! Events, in one vocabulary for all agents.
//!
//! Agents report the first group of variants. The second group records verger's own actions.
//! [`Event::Unknown`] is an event that a newer version wrote. If no payload of an event has been
//! captured from a real agent yet, its variant keeps the payload unparsed.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::{
    BackendKind, BackgroundKind, BackgroundStatus, CompactionTrigger, ContentHash, Continuation,
    EndReason, EventId, Fate, GateName, Grounds, GuardMode, HandoffTrigger, Occurrence, Opinion,
    PromptId, Reference, Releaser, ReviewDecision, SeenBy, Sent, SetupTrigger, StartSource,
    SubagentId, TaskEnding, TaskStatus, TicketChange, TicketSystem, Timestamp, ToolCall,
    ToolOutcome, ToolOutput, ToolUseId, Triage, UndoPointAge, Verdict, VerificationDepth,
    VerificationStatus, WarningArea, stored,
};

/// The kinds of events whose records must outlive their session.
pub(crate) const DURABLE_KINDS: &[&str] = &[
    "gate.released",
    "review.decided",
    "verification.recorded",
    "undo_point.taken",
    "undo_point.failed",
    "undo_point.restored",
    "task.recorded",
    "ticket.seen",
    "reflection.recorded",
    "observation.recorded",
    "learning.seen",
    "learning.stored",
    "releases.seen",
];

/// One event of a session.
#[derive(Debug, Clone, PartialEq)]
pub enum Event {
    /// A session began, was resumed, cleared or compacted.
    SessionStarted {
        /// The reason for the start.
        source: StartSource,
        /// The model, if the agent names it.
        model: Option<String>,
        /// The path of the agent's own transcript.
        transcript: Option<String>,
        /// The client's process: its id, and the clock tick of its start (`4711@98765`). The
        /// engine adds this field if the operating system reports the sender of the payload.
        client: Option<String>,
    },
    /// A session ended. Some sessions never report it.
    SessionEnded {
        /// The reason.
        reason: EndReason,
    },
    /// The agent ran its set-up.
    SetupRan {
        /// The trigger.
        trigger: SetupTrigger,
    },
    /// A prompt reached the agent.
    PromptSubmitted {
        /// The author of the prompt.
        origin: PromptOrigin,
        /// The whole text.
        prompt: String,
    },
    /// A slash command was turned into a prompt.
    PromptExpanded {
        /// The command's name.
        command: String,
        /// The text after the command's name.
        args: String,
        /// The place where the command is defined.
        source: Option<String>,
        /// The prompt as typed.
        prompt: String,
    },
    /// The agent wants to use a tool.
    ToolRequested(ToolCall),
    /// The agent is about to ask a person for permission.
    PermissionAsked {
        /// The call.
        call: ToolCall,
        /// Rules the agent offers to remember.
        suggestions: Vec<Value>,
    },
    /// The agent's own policy denied a tool call.
    PermissionDenied(Value),
    /// A tool succeeded.
    ToolSucceeded {
        /// The call.
        call: ToolCall,
        /// The tool's output.
        output: ToolOutput,
        /// Running time in milliseconds.
        duration_ms: Option<u64>,
    },
    /// A tool failed, for example a shell command with a nonzero exit code.
    ToolFailed {
        /// The call.
        call: ToolCall,
        /// The output as the agent got it.
        output: ToolOutput,
        /// Whether a person interrupted the tool.
        interruption: Interruption,
        /// Running time in milliseconds.
        duration_ms: Option<u64>,
    },
    /// A tool ended, and the client doesn't report whether it failed.
    ToolEnded {
        /// The call.
        call: ToolCall,
        /// The tool's output.
        output: ToolOutput,
        /// Running time in milliseconds.
        duration_ms: Option<u64>,
    },
    /// All tool calls of one model turn ended. This includes refused and invalid calls.
    ToolBatchEnded {
        /// The calls, with the outputs that the model got.
        calls: Vec<BatchedCall>,
    },
    /// The agent wants to stop working.
    StopRequested(StopRequest),
    /// The turn ended because the model could not be reached or refused.
    StopFailed {
        /// The class of error.
        error: String,
        /// Details of the error.
        details: Option<String>,
        /// The last message that the person saw.
        last_message: Option<String>,
    },
    /// A subagent started. The record's actor is the subagent.
    SubagentStarted,
    /// A subagent wants to stop. The record's actor is the subagent.
    SubagentStopRequested {
        /// The request.
        stop: StopRequest,
        /// The path of the subagent's transcript.
        transcript: Option<String>,
    },
    /// The fork that an agent starts to summarize its own conversation has ended. It is not one
    /// of the agent's subagents.
    CompactionForkEnded {
        /// The fork's id.
        fork: SubagentId,
        /// The summary that the fork wrote.
        summary: Option<String>,
    },
    /// The agent is about to summarise the conversation.
    CompactionStarted {
        /// The trigger.
        trigger: CompactionTrigger,
        /// The person's instructions for the summary.
        instructions: Option<String>,
    },
    /// The conversation was replaced by a summary.
    CompactionEnded {
        /// The trigger.
        trigger: CompactionTrigger,
        /// The summary.
        summary: Option<String>,
    },
    /// The agent wrote an item on its own to-do list.
    TodoCreated {
        /// The item.
        id: String,
        /// Its title.
        subject: String,
        /// Details of the item.
        description: Option<String>,
    },
    /// The agent marked an item of its own to-do list as done.
    TodoCompleted {
        /// The item.
        id: String,
        /// Its title.
        subject: String,
        /// Details of the item.
        description: Option<String>,
    },
    /// A teammate agent has nothing to do.
    TeammateIdle(Value),
    /// A tool server asks the person something.
    ElicitationAsked(Value),
    /// The person answered a tool server.
    ElicitationAnswered(Value),
    /// The agent told the person something.
    Notified {
        /// The kind of notice.
        kind: String,
        /// Its text.
        message: String,
    },
    /// The agent's configuration changed.
    ConfigChanged {
        /// The kind of configuration.
        source: String,
        /// Its file.
        path: Option<String>,
    },
    /// The agent read a file of instructions.
    InstructionsLoaded {
        /// The file.
        path: String,
        /// The kind of memory.
        memory: Option<String>,
        /// The reason for reading it.
        reason: Option<String>,
    },
    /// The agent's working directory changed.
    DirectoryChanged {
        /// The directory before.
        from: String,
        /// The directory after.
        to: String,
    },
    /// A watched file changed.
    FileChanged {
        /// The file.
        path: String,
        /// The kind of change.
        change: String,
    },
    /// A piece of the agent's message was shown.
    MessageShown {
        /// The message.
        message: String,
        /// The number of the piece.
        index: u64,
        /// The text.
        text: String,
    },
    /// The agent made a worktree.
    WorktreeCreated(Value),
    /// The agent removed a worktree.
    WorktreeRemoved(Value),

    /// verger gave an opinion.
    VerdictGiven {
        /// The opinion.
        verdict: Verdict,
        /// The record that the opinion is about.
        on: EventId,
        /// The opinions of the gates and guards that had one, in order.
        by: Vec<Opinion>,
        /// The notice for the person.
        notice: Option<String>,
    },
    /// The state of a gate changed.
    GateChanged {
        /// The gate.
        gate: GateName,
        /// The state before the change.
        from: String,
        /// The state after the change.
        to: String,
        /// The cause of the change.
        cause: String,
        /// The change in the gate's own format. The gate's state is a fold of these values.
        /// Records of the first releases don't have it.
        change: Option<Value>,
    },
    /// The guard of tool calls judged a call.
    GuardJudged {
        /// The record of the call.
        on: EventId,
        /// The guard's judgement.
        triage: Triage,
        /// The rule that decided.
        rule: String,
        /// The reason, worded as the end of a sentence.
        why: String,
        /// The guard's mode.
        mode: GuardMode,
        /// The answer sent to the agent's client.
        sent: Sent,
    },
    /// A guard changed the input of a call.
    CallRewritten {
        /// The record of the call.
        on: EventId,
        /// The guard that changed the input.
        by: GateName,
        /// The rules that required the change.
        rules: Vec<String>,
        /// The changes, in a few words for each rule.
        changes: Vec<String>,
        /// The changed input that the tool got.
        input: Value,
        /// The grounds for the change.
        grounds: Grounds,
    },
    /// The start tree of the current task was taken, before the task's first change.
    StartTreeTaken(StartTree),
    /// The session is idle, so the files of a start tree were moved into the log.
    StartTreePacked {
        /// The start tree's id.
        id: String,
        /// The state of the working tree, as the crate `worktree` encodes it.
        start: String,
        /// The lines that were changed before the task, as the crate `worktree` encodes them.
        begun: Option<String>,
    },
    /// A gate released the agent without being satisfied. The cause is a person or a policy.
    GateReleased {
        /// The gate.
        gate: GateName,
        /// The cause of the release.
        by: Releaser,
        /// The reason.
        reason: String,
    },
    /// A person saw the releases of unsatisfied gates, or claims without a green check.
    ReleasesSeen {
        /// The time of the last release or claim that was seen.
        until: Timestamp,
        /// The way in which the person saw them.
        by: SeenBy,
    },
    /// A reviewer made a decision.
    ReviewDecided {
        /// The decision.
        decision: ReviewDecision,
        /// A summary in one line.
        summary: String,
        /// The message for the agent.
        message: Option<String>,
        /// The content that was reviewed.
        content_hash: Option<ContentHash>,
        /// The reviewer. Records of the first releases don't have it.
        reviewer: Option<String>,
        /// The opinions of other models.
        opinions: Option<String>,
    },
    /// A verification ended.
    VerificationRecorded {
        /// The result.
        status: VerificationStatus,
        /// The depth of the verification.
        depth: VerificationDepth,
        /// The content that was verified.
        content_hash: ContentHash,
        /// A summary in one line.
        summary: String,
        /// The whole result, in the verification gate's own format.
        verified: Value,
    },
    /// Files that a call may destroy were saved before the call.
    UndoPointTaken {
        /// The record of the call.
        on: EventId,
        /// The undo point's id. `verger undo restore` takes it.
        point: EventId,
        /// The git reference or the directory that stores the undo point.
        kept_at: String,
        /// The working tree that was saved, or the agent's directory.
        root: String,
        /// Whether the undo point was made for this call.
        age: UndoPointAge,
        /// The first files that the undo point doesn't contain, each with the reason.
        left_out: Vec<String>,
        /// Number of further files that the undo point doesn't contain.
        more_left_out: u64,
    },
    /// Files that a call may destroy could not be saved before the call.
    UndoPointFailed {
        /// The record of the call.
        on: EventId,
        /// The reason, with the path.
        why: String,
    },
    /// A person restored an undo point.
    UndoPointRestored {
        /// The undo point.
        point: EventId,
        /// A new undo point with the files as they were before the restore.
        saved: EventId,
        /// Number of files that were written.
        written: u64,
        /// Number of files that were removed.
        removed: u64,
        /// Number of files that could be neither written nor removed.
        failed: u64,
    },
    /// A task of a session ended or was given up. Later sessions use the record.
    TaskRecorded {
        /// The number of the task in its session, starting with 1.
        number: u64,
        /// The number of the task that this task is a subtask of or parallel to.
        parent: Option<u64>,
        /// The task's status.
        status: TaskStatus,
        /// The cause of the ending.
        trigger: TaskEnding,
        /// The request, in the person's words.
        query: String,
        /// The goal, in one line.
        goal: String,
        /// The commit that contains the work, if there is one.
        commit: Option<String>,
        /// The whole task, in the format of the crate `drift`.
        task: Value,
    },
    /// A handoff was written. It has the facts that the agent needs after its conversation is
    /// compacted or its session has ended.
    HandoffWritten {
        /// The reason for writing the handoff.
        trigger: HandoffTrigger,
        /// The text.
        text: String,
    },
    /// Text was given to the agent.
    ContextInjected {
        /// The kind of the answered event.
        moment: String,
        /// The answered record. Records of the first release don't have it.
        on: Option<EventId>,
        /// The learnings or rules that the text comes from.
        sources: Vec<String>,
        /// The text.
        text: String,
        /// The grounds for giving this text with this event.
        grounds: Grounds,
        /// The score of each learning, in thousandths. 1000 is the score of a new learning that
        /// fits best. A learning that helped before may have more. Empty in records of the first
        /// releases.
        scores: BTreeMap<String, u64>,
        /// Learnings given earlier that are outdated. Empty in records of the first releases.
        corrections: Vec<Correction>,
    },
    /// A ticket was observed.
    TicketSeen {
        /// The ticket system.
        system: TicketSystem,
        /// The ticket.
        ticket: String,
        /// The observed change.
        change: TicketChange,
        /// The title, if the system reports it.
        title: Option<String>,
        /// The description, if the system reports it.
        description: Option<String>,
    },
    /// A backend for learnings was found.
    BackendFound {
        /// The backend's name.
        backend: BackendKind,
        /// The backend's location.
        location: String,
    },
    /// The agent wrote a reflection: the learnings from its work.
    ReflectionRecorded {
        /// The ids of the accepted learnings.
        learnings: Vec<String>,
        /// The number of rejected candidates.
        rejected: u64,
        /// The full learnings in their own format, so that a learning is not lost if no backend
        /// can store it. Empty in records of the first releases.
        kept: Vec<Value>,
        /// The rejected candidates in their own format, each with its reason. Empty in records of
        /// the first releases.
        rejections: Vec<Value>,
        /// The closed tickets that the reflection is about.
        tickets: Vec<String>,
    },
    /// A backend stored a learning.
    LearningStored {
        /// The learning.
        learning: String,
        /// The backend.
        backend: BackendKind,
    },
    /// An agent or subagent recorded an observation.
    ObservationRecorded {
        /// The text of the observation.
        text: String,
        /// The author of the observation, if known.
        author: Option<String>,
    },
    /// The fate of a learning was observed.
    LearningSeen {
        /// The learning.
        learning: String,
        /// The fate.
        fate: Fate,
        /// The way in which a reference was noticed. Records of the first releases don't have it.
        how: Option<Reference>,
    },
    /// verger could not do something. The agent was not stopped.
    Warned {
        /// The part that failed.
        area: WarningArea,
        /// The fault, its location, and the command that helps.
        message: String,
    },

    /// An event of an unknown kind, or with a payload that this version can't read.
    Unknown {
        /// The kind's name.
        kind: String,
        /// The unparsed payload.
        payload: Value,
    },
}

/// A tool call in a [`Event::ToolBatchEnded`].
#[derive(Debug, Clone, PartialEq)]
#[expect(clippy::large_enum_variant, reason = "a batch has few calls and is dropped soon")]
pub enum BatchedCall {
    /// A call with its input and output.
    Reported {
        /// The call.
        call: ToolCall,
        /// The output as the model got it.
        output: ToolOutput,
    },
    /// A call that has an earlier record of its own, with the input and output.
    Recorded(ToolUseId),
}

impl BatchedCall {
    /// The call, if it has no earlier record of its own.
    pub fn call(&self) -> Option<&ToolCall> {
        match self {
            Self::Reported { call, .. } => Some(call),
            Self::Recorded(_) => None,
        }
    }

    fn id(&self) -> Option<&ToolUseId> {
        match self {
            Self::Reported { call, .. } => call.id.as_ref(),
            Self::Recorded(id) => Some(id),
        }
    }
}

/// The author of a prompt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PromptOrigin {
    /// A person, or a program in a person's place.
    Person,
    /// The agent's own notice that a background task ended.
    TaskNotification {
        /// The task.
        task: Option<String>,
        /// The call that started the task.
        tool_use: Option<ToolUseId>,
        /// The final status of the task.
        status: Option<BackgroundStatus>,
    },
}

/// The start of a task's work, which later comparisons use.
#[derive(Debug, Clone, PartialEq)]
pub enum StartTree {
    /// A working tree under version control, in the format of the crate `worktree`.
    Tree(Value),
    /// There is no version control. The files that tools touch are compared instead.
    Touched {
        /// The reason.
        reason: String,
    },
    /// The working tree could not be read in time, so the task's changes are unknown.
    Unknown {
        /// The reason.
        reason: String,
    },
}

/// Whether a person interrupted a tool.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Interruption {
    /// The tool failed without an interruption.
    None,
    /// A person interrupted the tool.
    ByPerson,
}

/// A request to stop working.
#[derive(Debug, Clone, PartialEq)]
pub struct StopRequest {
    /// Whether a stop was refused before.
    pub continuation: Continuation,
    /// The agent's last message.
    pub last_message: Option<String>,
    /// Tasks that are running in the background.
    pub background: Vec<BackgroundTask>,
    /// The session's scheduled prompts, as the client sent them.
    pub crons: Vec<Value>,
}

/// A background task that is running while the agent stops.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BackgroundTask {
    /// A subagent.
    Subagent {
        /// The subagent's id.
        id: SubagentId,
        /// The subagent's type.
        agent_type: Option<String>,
        /// The subagent's status.
        status: BackgroundStatus,
        /// The purpose of the task.
        description: Option<String>,
    },
    /// Any other task, such as a shell command.
    Other {
        /// The task's id.
        id: String,
        /// The kind of the task.
        kind: BackgroundKind,
        /// The task's status.
        status: BackgroundStatus,
        /// The purpose of the task.
        description: Option<String>,
    },
}

/// A learning that an agent was given and that is outdated.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Correction {
    /// The learning's id.
    pub learning: String,
    /// The id of the learning that replaced it, if there is one.
    pub by: Option<String>,
}

impl Event {
    /// The event of a call that ended with this outcome.
    pub fn tool_ended(call: ToolCall, outcome: ToolOutcome, duration_ms: Option<u64>) -> Self {
        match outcome {
            ToolOutcome::Succeeded(output) => Self::ToolSucceeded { call, output, duration_ms },
            ToolOutcome::Failed { output, interruption } => {
                Self::ToolFailed { call, output, interruption, duration_ms }
            }
            ToolOutcome::Unknown(output) => Self::ToolEnded { call, output, duration_ms },
        }
    }

    /// The call that ended, and its output.
    pub fn ended_call(&self) -> Option<(&ToolCall, &ToolOutput)> {
        match self {
            Self::ToolSucceeded { call, output, .. }
            | Self::ToolFailed { call, output, .. }
            | Self::ToolEnded { call, output, .. } => Some((call, output)),
            _ => None,
        }
    }

    /// The event's kind in the stored vocabulary, such as `tool.requested`.
    pub fn kind(&self) -> &str {
        stored::kind_of(self)
    }

    /// Whether the record must outlive its session. Such a record is also stored in the project's
    /// segment.
    ///
    /// Only the kind decides, so a record with an unreadable payload is stored there too.
    pub fn is_durable(&self) -> bool {
        DURABLE_KINDS.contains(&self.kind())
    }

    /// Whether verger itself produced the event. Such an event is no sign that the agent is
    /// active.
    pub fn is_of_verger(&self) -> bool {
        matches!(
            self,
            Self::VerdictGiven { .. }
                | Self::GuardJudged { .. }
                | Self::CallRewritten { .. }
                | Self::GateChanged { .. }
                | Self::StartTreeTaken(_)
                | Self::StartTreePacked { .. }
                | Self::GateReleased { .. }
                | Self::ReleasesSeen { .. }
                | Self::ReviewDecided { .. }
                | Self::VerificationRecorded { .. }
                | Self::UndoPointTaken { .. }
                | Self::UndoPointFailed { .. }
                | Self::UndoPointRestored { .. }
                | Self::TaskRecorded { .. }
                | Self::HandoffWritten { .. }
                | Self::ContextInjected { .. }
                | Self::TicketSeen { .. }
                | Self::BackendFound { .. }
                | Self::LearningSeen { .. }
                | Self::LearningStored { .. }
                | Self::Warned { .. }
        )
    }

    /// The key that identifies a second report of this event as a duplicate. `None` if the event
    /// may happen several times per id.
    ///
    /// For example, every stop request has its prompt's id, and after a refused stop another one
    /// is sent.
    pub fn occurrence(&self, prompt: Option<&PromptId>) -> Option<Occurrence> {
        let id = match self {
            Self::ToolRequested(call)
            | Self::ToolSucceeded { call, .. }
            | Self::ToolFailed { call, .. }
            | Self::ToolEnded { call, .. } => call.id.as_ref()?.as_str(),
            Self::ToolBatchEnded { calls } => calls.first()?.id()?.as_str(),
            Self::PromptSubmitted { .. } | Self::PromptExpanded { .. } => prompt?.as_str(),
            _ => return None,
        };
        Some(Occurrence::new(self.kind(), id))
    }
}
