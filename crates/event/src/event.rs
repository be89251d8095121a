//! Events, in one vocabulary for all agents.
//!
//! The first group of variants has the events that agents report. The second group records verger's
//! own actions. [`Event::Unknown`] is an event that a newer version wrote. For some kinds, no
//! payload of a real agent has been captured yet; their variants keep the payload unparsed.

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

/// One event of a session, with its data.
#[derive(Debug, Clone, PartialEq)]
pub enum Event {
    /// A session began, was resumed, cleared or compacted.
    SessionStarted {
        /// The way in which the session started.
        source: StartSource,
        /// The name of the model, if the agent reports it.
        model: Option<String>,
        /// The path of the agent's own transcript.
        transcript: Option<String>,
        /// The client's process: its id, and the clock tick of its start (`4711@98765`). The
        /// engine adds this field if the operating system reports the sender of the payload.
        client: Option<String>,
    },
    /// A session ended. Some sessions never report it.
    SessionEnded {
        /// The reason for the end.
        reason: EndReason,
    },
    /// The agent ran its set-up.
    SetupRan {
        /// The trigger of the set-up.
        trigger: SetupTrigger,
    },
    /// A prompt reached the agent.
    PromptSubmitted {
        /// The author of the prompt.
        origin: PromptOrigin,
        /// The whole text of the prompt.
        prompt: String,
    },
    /// A slash command was turned into a prompt.
    PromptExpanded {
        /// The name of the slash command.
        command: String,
        /// The text that follows the name of the slash command.
        args: String,
        /// The place where the command is defined, if the agent reports it.
        source: Option<String>,
        /// The prompt as the person typed it.
        prompt: String,
    },
    /// The agent wants to use a tool.
    ToolRequested(ToolCall),
    /// The agent is about to ask a person for permission.
    PermissionAsked {
        /// The tool call that needs permission.
        call: ToolCall,
        /// The rules that the agent offers to remember, in the agent's own format.
        suggestions: Vec<Value>,
    },
    /// The agent's own policy denied a tool call. The value is the unparsed payload.
    PermissionDenied(Value),
    /// A tool call succeeded.
    ToolSucceeded {
        /// The tool call that succeeded.
        call: ToolCall,
        /// The output of the tool.
        output: ToolOutput,
        /// The running time of the tool in milliseconds.
        duration_ms: Option<u64>,
    },
    /// A tool failed, for example a shell command with a nonzero exit code.
    ToolFailed {
        /// The tool call that failed.
        call: ToolCall,
        /// The tool's output, as the agent got it.
        output: ToolOutput,
        /// Whether a person interrupted the tool.
        interruption: Interruption,
        /// The running time of the tool in milliseconds.
        duration_ms: Option<u64>,
    },
    /// A tool ended, but the client doesn't report whether it succeeded.
    ToolEnded {
        /// The tool call that ended.
        call: ToolCall,
        /// The output of the tool.
        output: ToolOutput,
        /// The running time of the tool in milliseconds.
        duration_ms: Option<u64>,
    },
    /// All tool calls of one model turn ended, including refused and invalid ones.
    ToolBatchEnded {
        /// The tool calls, with the outputs that the model got.
        calls: Vec<BatchedCall>,
    },
    /// The agent wants to stop working.
    StopRequested(StopRequest),
    /// The agent's turn ended with an error: the model could not be reached, or refused.
    StopFailed {
        /// The class of the error.
        error: String,
        /// Details of the error, if the agent reports any.
        details: Option<String>,
        /// The last message that the person saw in this turn.
        last_message: Option<String>,
    },
    /// A subagent started. The record's actor is the subagent.
    SubagentStarted,
    /// A subagent wants to stop. The record's actor is the subagent.
    SubagentStopRequested {
        /// The subagent's request to stop.
        stop: StopRequest,
        /// The path of the subagent's transcript.
        transcript: Option<String>,
    },
    /// The fork that an agent starts to summarize its own conversation has ended. The fork is not
    /// one of the agent's subagents.
    CompactionForkEnded {
        /// The id of the fork, which is a subagent id.
        fork: SubagentId,
        /// The summary that the fork wrote.
        summary: Option<String>,
    },
    /// The agent is about to summarise the conversation.
    CompactionStarted {
        /// The trigger of the summary.
        trigger: CompactionTrigger,
        /// The person's instructions for the summary, if there are any.
        instructions: Option<String>,
    },
    /// The conversation was replaced by a summary.
    CompactionEnded {
        /// The trigger of the summary.
        trigger: CompactionTrigger,
        /// The text of the summary.
        summary: Option<String>,
    },
    /// The agent wrote an item on its own to-do list.
    TodoCreated {
        /// The id of the to-do item.
        id: String,
        /// The title of the to-do item.
        subject: String,
        /// Details of the to-do item, if there are any.
        description: Option<String>,
    },
    /// The agent marked an item of its own to-do list as done.
    TodoCompleted {
        /// The id of the to-do item.
        id: String,
        /// The title of the to-do item.
        subject: String,
        /// Details of the to-do item, if there are any.
        description: Option<String>,
    },
    /// A teammate agent has nothing to do. The value is the unparsed payload.
    TeammateIdle(Value),
    /// A tool server asks the person something. The value is the unparsed payload.
    ElicitationAsked(Value),
    /// The person answered a tool server. The value is the unparsed payload.
    ElicitationAnswered(Value),
    /// The agent showed a notice to the person.
    Notified {
        /// The kind of notice, as the agent names it.
        kind: String,
        /// The text of the notice.
        message: String,
    },
    /// The agent's configuration changed.
    ConfigChanged {
        /// The kind of configuration that changed, as the agent names it.
        source: String,
        /// The path of the changed file, if the agent reports it.
        path: Option<String>,
    },
    /// The agent read a file of instructions.
    InstructionsLoaded {
        /// The path of the file of instructions.
        path: String,
        /// The kind of memory to which the file belongs, as the agent names it.
        memory: Option<String>,
        /// The reason why the agent read the file.
        reason: Option<String>,
    },
    /// The agent's working directory changed.
    DirectoryChanged {
        /// The working directory before the change.
        from: String,
        /// The working directory after the change.
        to: String,
    },
    /// A watched file changed.
    FileChanged {
        /// The path of the watched file.
        path: String,
        /// The kind of change of the file, as the agent names it.
        change: String,
    },
    /// A piece of the agent's message was shown.
    MessageShown {
        /// The id of the message.
        message: String,
        /// The number of the piece in the message.
        index: u64,
        /// The text of the piece.
        text: String,
    },
    /// The agent made a worktree. The value is the unparsed payload.
    WorktreeCreated(Value),
    /// The agent removed a worktree. The value is the unparsed payload.
    WorktreeRemoved(Value),

    /// verger gave its verdict on an event.
    VerdictGiven {
        /// The joined verdict of all gates and guards.
        verdict: Verdict,
        /// The id of the record that the verdict is about.
        on: EventId,
        /// The opinions of the gates and guards that had an opinion, in order.
        by: Vec<Opinion>,
        /// The notice that was shown to the person.
        notice: Option<String>,
    },
    /// The state of a gate changed.
    GateChanged {
        /// The name of the gate whose state changed.
        gate: GateName,
        /// The gate's state before the change.
        from: String,
        /// The gate's state after the change.
        to: String,
        /// The cause of the gate's change.
        cause: String,
        /// The change in the gate's own format. The gate's state is a fold of these values.
        /// Records of the first releases don't have it.
        change: Option<Value>,
    },
    /// The guard of tool calls judged a call.
    GuardJudged {
        /// The id of the record of the tool call.
        on: EventId,
        /// The guard's judgement of the call.
        triage: Triage,
        /// The name of the rule that decided.
        rule: String,
        /// The reason for the judgement, worded as the end of a sentence.
        why: String,
        /// The mode of the guard at that time.
        mode: GuardMode,
        /// The guard's answer to the agent's client.
        sent: Sent,
    },
    /// A guard changed the input of a tool call.
    CallRewritten {
        /// The id of the record of the tool call.
        on: EventId,
        /// The name of the guard that changed the input.
        by: GateName,
        /// The names of the rules that required the change.
        rules: Vec<String>,
        /// Short descriptions of the changes, one for each rule.
        changes: Vec<String>,
        /// The changed input that the tool got.
        input: Value,
        /// The grounds for changing the input.
        grounds: Grounds,
    },
    /// The start tree of the current task was taken, before the task's first change.
    StartTreeTaken(StartTree),
    /// The session is idle, so the files of a start tree were moved into the log.
    StartTreePacked {
        /// The id of the start tree.
        id: String,
        /// The state of the working tree, as the crate `worktree` encodes it.
        start: String,
        /// The lines that were already changed when the task started, as the crate `worktree`
        /// encodes them.
        begun: Option<String>,
    },
    /// A gate released the agent without being satisfied, because of a person or a policy.
    GateReleased {
        /// The name of the gate that released the agent.
        gate: GateName,
        /// The person or policy that caused the release.
        by: Releaser,
        /// The reason for the release.
        reason: String,
    },
    /// A person saw the releases of unsatisfied gates, or claims without a green check.
    ReleasesSeen {
        /// The time of the last release or claim that was seen.
        until: Timestamp,
        /// The way in which the person saw the releases.
        by: SeenBy,
    },
    /// A reviewer made a decision.
    ReviewDecided {
        /// The decision of the reviewer.
        decision: ReviewDecision,
        /// A summary of the review in one line.
        summary: String,
        /// The reviewer's message for the agent.
        message: Option<String>,
        /// The hash of the content that was reviewed.
        content_hash: Option<ContentHash>,
        /// The name of the reviewer. Records of the first releases don't have it.
        reviewer: Option<String>,
        /// The opinions of other models on the reviewed work.
        opinions: Option<String>,
    },
    /// A verification ended.
    VerificationRecorded {
        /// The result of the verification.
        status: VerificationStatus,
        /// The depth with which the work was verified.
        depth: VerificationDepth,
        /// The hash of the content that was verified.
        content_hash: ContentHash,
        /// A summary of the verification in one line.
        summary: String,
        /// The whole result of the verification, in the gate's own format.
        verified: Value,
    },
    /// Files that a tool call may destroy were saved before the call.
    UndoPointTaken {
        /// The id of the record of the tool call.
        on: EventId,
        /// The undo point's id, as `verger undo restore` takes it.
        point: EventId,
        /// The git reference or the directory that stores the undo point.
        kept_at: String,
        /// The working tree that was saved, or the directory in which the agent worked.
        root: String,
        /// Whether the undo point was made for this call, or an earlier one was reused.
        age: UndoPointAge,
        /// Some of the files that the undo point doesn't contain, each with the reason.
        left_out: Vec<String>,
        /// Number of further files that the undo point doesn't contain.
        more_left_out: u64,
    },
    /// Files that a tool call may destroy could not be saved before the call.
    UndoPointFailed {
        /// The id of the record of the tool call.
        on: EventId,
        /// The reason why the files could not be saved, with a path.
        why: String,
    },
    /// A person restored an undo point.
    UndoPointRestored {
        /// The id of the undo point that was restored.
        point: EventId,
        /// The id of a new undo point, with the files as they were before the restore.
        saved: EventId,
        /// Number of files that the restore wrote.
        written: u64,
        /// Number of files that the restore removed.
        removed: u64,
        /// Number of files that the restore could not write or remove.
        failed: u64,
    },
    /// A task of a session ended or was given up. Later sessions use this record.
    TaskRecorded {
        /// The number of the task in its session, starting with 1.
        number: u64,
        /// The number of the task that this task is a subtask of or parallel to.
        parent: Option<u64>,
        /// The status with which the task ended.
        status: TaskStatus,
        /// The cause of the task's end.
        trigger: TaskEnding,
        /// The request that started the task, in the person's words.
        query: String,
        /// The goal of the task, in one line.
        goal: String,
        /// The commit that contains the work of the task, if there is one.
        commit: Option<String>,
        /// The whole task, in the format of the crate `drift`.
        task: Value,
    },
    /// A handoff was written. It has the facts that the agent needs after its conversation is
    /// compacted or its session has ended.
    HandoffWritten {
        /// The reason for writing the handoff.
        trigger: HandoffTrigger,
        /// The text of the handoff.
        text: String,
    },
    /// Text was given to the agent.
    ContextInjected {
        /// The kind of the event that verger answered with the text.
        moment: String,
        /// The id of the record of that event. Records of the first release don't have it.
        on: Option<EventId>,
        /// The ids of the learnings or rules that the text comes from.
        sources: Vec<String>,
        /// The text that the agent was given.
        text: String,
        /// The grounds for giving this text with this event.
        grounds: Grounds,
        /// The score of each learning, in thousandths. 1000 is the score of a new learning that
        /// fits best. A learning that helped before may have a higher score. Empty in records of
        /// the first releases.
        scores: BTreeMap<String, u64>,
        /// Corrections of learnings that the agent was given earlier and that are outdated. Empty
        /// in records of the first releases.
        corrections: Vec<Correction>,
    },
    /// A change of a ticket was observed.
    TicketSeen {
        /// The ticket system that has the ticket.
        system: TicketSystem,
        /// The id of the ticket that was observed.
        ticket: String,
        /// The change of the ticket that was observed.
        change: TicketChange,
        /// The title of the ticket, if the system reports it.
        title: Option<String>,
        /// The description of the ticket, if the system reports it.
        description: Option<String>,
    },
    /// A backend that stores learnings was found.
    BackendFound {
        /// The kind of the backend.
        backend: BackendKind,
        /// The location of the backend, such as a path.
        location: String,
    },
    /// The agent wrote a reflection: the learnings from its work.
    ReflectionRecorded {
        /// The ids of the accepted learnings.
        learnings: Vec<String>,
        /// The number of rejected candidates.
        rejected: u64,
        /// The accepted learnings in their own format, so that a learning is not lost if no backend
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
        /// The id of the learning.
        learning: String,
        /// The kind of the backend.
        backend: BackendKind,
    },
    /// An agent or subagent recorded an observation.
    ObservationRecorded {
        /// The text of the observation.
        text: String,
        /// The author of the observation, if known.
        author: Option<String>,
    },
    /// The fate of a learning was observed, such as a use or its replacement.
    LearningSeen {
        /// The id of the learning.
        learning: String,
        /// The fate that was observed.
        fate: Fate,
        /// The way in which a use was detected. Records of the first releases don't have it.
        how: Option<Reference>,
    },
    /// An action of verger failed. The agent was not stopped because of that.
    Warned {
        /// The part of verger that failed.
        area: WarningArea,
        /// A message with the fault, its location, and the command that helps.
        message: String,
    },

    /// An event of a kind that this version doesn't know, or with a payload that it can't read.
    Unknown {
        /// The name of the event's kind.
        kind: String,
        /// The payload of the event, unparsed.
        payload: Value,
    },
}

/// A tool call in a [`Event::ToolBatchEnded`].
#[derive(Debug, Clone, PartialEq)]
#[expect(clippy::large_enum_variant, reason = "a batch has few calls and is dropped soon")]
pub enum BatchedCall {
    /// A tool call with its input and output.
    Reported {
        /// The tool call of the batch.
        call: ToolCall,
        /// The tool's output, as the model got it.
        output: ToolOutput,
    },
    /// The id of a tool call that has an earlier record of its own, with its input and output.
    Recorded(ToolUseId),
}

impl BatchedCall {
    /// The tool call. `None` if it has an earlier record of its own.
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
    /// A person, or a program that acts for a person.
    Person,
    /// The agent's own notice that a background task ended.
    TaskNotification {
        /// The id of the background task.
        task: Option<String>,
        /// The id of the tool call that started the background task.
        tool_use: Option<ToolUseId>,
        /// The final status of the background task.
        status: Option<BackgroundStatus>,
    },
}

/// The state at the start of a task's work. It is the basis for later comparisons.
#[derive(Debug, Clone, PartialEq)]
pub enum StartTree {
    /// A working tree under version control, in the format of the crate `worktree`.
    Tree(Value),
    /// There is no version control. The files that tools touch are compared instead.
    Touched {
        /// The reason why there is no version control.
        reason: String,
    },
    /// The working tree could not be read in time, so the task's changes are unknown.
    Unknown {
        /// The reason why the working tree could not be read.
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
    /// Whether an earlier stop of the turn was refused.
    pub continuation: Continuation,
    /// The agent's last message before the request.
    pub last_message: Option<String>,
    /// Tasks that are running in the background.
    pub background: Vec<BackgroundTask>,
    /// The session's scheduled prompts, as the client sent them.
    pub crons: Vec<Value>,
}

/// A background task that is running while the agent stops.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BackgroundTask {
    /// A subagent that is running in the background.
    Subagent {
        /// The id of the subagent.
        id: SubagentId,
        /// The type of the subagent.
        agent_type: Option<String>,
        /// The status of the subagent.
        status: BackgroundStatus,
        /// The purpose of the subagent's task.
        description: Option<String>,
    },
    /// Any other background task, such as a shell command.
    Other {
        /// The id of the background task.
        id: String,
        /// The kind of the background task.
        kind: BackgroundKind,
        /// The status of the background task.
        status: BackgroundStatus,
        /// The purpose of the background task.
        description: Option<String>,
    },
}

/// A learning that an agent was given and that is outdated.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Correction {
    /// The id of the outdated learning.
    pub learning: String,
    /// The id of the learning that replaced it, if one did.
    pub by: Option<String>,
}

impl Event {
    /// The event for a tool call that ended with this outcome.
    pub fn tool_ended(call: ToolCall, outcome: ToolOutcome, duration_ms: Option<u64>) -> Self {
        match outcome {
            ToolOutcome::Succeeded(output) => Self::ToolSucceeded { call, output, duration_ms },
            ToolOutcome::Failed { output, interruption } => {
                Self::ToolFailed { call, output, interruption, duration_ms }
            }
            ToolOutcome::Unknown(output) => Self::ToolEnded { call, output, duration_ms },
        }
    }

    /// The tool call that ended, and its output. `None` if the event is not the end of a call.
    pub fn ended_call(&self) -> Option<(&ToolCall, &ToolOutput)> {
        match self {
            Self::ToolSucceeded { call, output, .. }
            | Self::ToolFailed { call, output, .. }
            | Self::ToolEnded { call, output, .. } => Some((call, output)),
            _ => None,
        }
    }

    /// The kind of the event in the stored vocabulary, such as `tool.requested`.
    pub fn kind(&self) -> &str {
        stored::kind_of(self)
    }

    /// Whether the record must outlive its session. Such a record is also stored in the project's
    /// segment.
    ///
    /// Only the kind decides, so a record with an unreadable payload counts too.
    pub fn is_durable(&self) -> bool {
        DURABLE_KINDS.contains(&self.kind())
    }

    /// Whether verger itself produced the event. Such an event doesn't show that the agent is
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
    /// For example, every stop request has the id of its prompt. After a refused stop, the agent
    /// sends another stop request with the same id.
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
