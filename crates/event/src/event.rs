//! Events in one vocabulary for all agents.
//!
//! The first group is reported by agents; the second records verger's own actions;
//! [`Event::Unknown`] was written by a newer version. An event that no agent was ever seen to send
//! keeps the agent's payload as it is, until a real one has been captured.

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

/// The kinds whose records must outlive their session.
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
        /// The client's process, by its id and the clock tick of its start (`4711@98765`). The
        /// engine adds it, if the system tells which process sent the payload.
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
    /// The agent's own policy refused a tool.
    PermissionDenied(Value),
    /// A tool did its work.
    ToolSucceeded {
        /// The call.
        call: ToolCall,
        /// The tool's output.
        output: ToolOutput,
        /// How long it took.
        duration_ms: Option<u64>,
    },
    /// A tool failed; a shell command with a non-zero exit is one.
    ToolFailed {
        /// The call.
        call: ToolCall,
        /// The output as the agent got it.
        output: ToolOutput,
        /// Whether a person stopped it.
        interruption: Interruption,
        /// How long it took.
        duration_ms: Option<u64>,
    },
    /// A tool ended, and the client does not say whether it failed.
    ToolEnded {
        /// The call.
        call: ToolCall,
        /// The tool's output.
        output: ToolOutput,
        /// How long it took.
        duration_ms: Option<u64>,
    },
    /// All tool calls of one model turn are done, the refused and invalid ones too.
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
    /// A subagent began; it is the record's actor.
    SubagentStarted,
    /// A subagent wants to stop; it is the record's actor.
    SubagentStopRequested {
        /// The request.
        stop: StopRequest,
        /// The path of its transcript.
        transcript: Option<String>,
    },
    /// The fork that an agent makes to summarise itself is done. It is not a subagent of anyone.
    CompactionForkEnded {
        /// The fork.
        fork: SubagentId,
        /// The summary it wrote.
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
    /// The agent ticked an item off its own to-do list.
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
    /// A gate went from one state to another.
    GateChanged {
        /// The gate.
        gate: GateName,
        /// The state it left.
        from: String,
        /// The state it is in.
        to: String,
        /// The cause of the change.
        cause: String,
        /// The change in the gate's own form, from which its state is folded. Records of the first
        /// releases don't have it.
        change: Option<Value>,
    },
    /// The guard of permissions judged a call.
    GuardJudged {
        /// The record of the call.
        on: EventId,
        /// The guard's judgement.
        triage: Triage,
        /// The rule that decided.
        rule: String,
        /// Why, as the end of a sentence.
        why: String,
        /// The guard's mode.
        mode: GuardMode,
        /// The answer sent to the agent's client.
        sent: Sent,
    },
    /// A call was given another input than the agent's.
    CallRewritten {
        /// The record of the call.
        on: EventId,
        /// The guard that did it.
        by: GateName,
        /// The rules that asked for it.
        rules: Vec<String>,
        /// The changes, in a few words for each rule.
        changes: Vec<String>,
        /// The changed input that the tool got.
        input: Value,
        /// Why.
        grounds: Grounds,
    },
    /// The start of the current task's work, taken before its first change.
    StartTreeTaken(StartTree),
    /// A session is idle: the files that a start tree stands for were moved into the log.
    StartTreePacked {
        /// The start tree's id.
        id: String,
        /// The state of the working tree, in the form of `worktree`.
        start: String,
        /// The lines that were begun before the task, in the form of `worktree`.
        begun: Option<String>,
    },
    /// A person or policy let the agent pass a gate that was not satisfied.
    GateReleased {
        /// The gate.
        gate: GateName,
        /// The cause of the release.
        by: Releaser,
        /// The reason.
        reason: String,
    },
    /// A person saw releases of unsatisfied gates.
    ReleasesSeen {
        /// The time of the last release that was seen.
        until: Timestamp,
        /// The way in which the person saw them.
        by: SeenBy,
    },
    /// A reviewer decided.
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
        /// The whole result, in the gate's own form.
        verified: Value,
    },
    /// Files that a call may destroy were saved before it.
    UndoPointTaken {
        /// The record of the call.
        on: EventId,
        /// The point's id, by which it is restored.
        point: EventId,
        /// The git reference or the directory that keeps the point.
        kept_at: String,
        /// The working tree that was saved, or the agent's directory.
        root: String,
        /// Whether it was made for this call.
        age: UndoPointAge,
        /// The first files that the point leaves out, each with the reason.
        left_out: Vec<String>,
        /// The number of further files that the point leaves out.
        more_left_out: u64,
    },
    /// Files that a call may destroy could not be saved before it.
    UndoPointFailed {
        /// The record of the call.
        on: EventId,
        /// The reason, with the path.
        why: String,
    },
    /// A person restored an undo point.
    UndoPointRestored {
        /// The point.
        point: EventId,
        /// A new point with the files as they were before the restore.
        saved: EventId,
        /// The number of files written.
        written: u64,
        /// The number of files removed.
        removed: u64,
        /// The number of files that could be neither written nor removed.
        failed: u64,
    },
    /// A task of a session ended or was given up. The record is for later sessions.
    TaskRecorded {
        /// The number of the task in its session, from 1.
        number: u64,
        /// The task that this is a subtask of, or parallel to.
        parent: Option<u64>,
        /// The task's status.
        status: TaskStatus,
        /// The cause of the ending.
        trigger: TaskEnding,
        /// The request, in the person's words.
        query: String,
        /// The goal, in one line.
        goal: String,
        /// The commit that holds the work, if one was made.
        commit: Option<String>,
        /// The whole task, in the form of `drift`.
        task: Value,
    },
    /// A handoff was written: the facts that the agent needs after its context is cut.
    HandoffWritten {
        /// The reason for which the context is cut.
        trigger: HandoffTrigger,
        /// The text.
        text: String,
    },
    /// Text was given to the agent.
    ContextInjected {
        /// The moment: the kind of the answered event.
        moment: String,
        /// The answered record. Records of the first release don't have it.
        on: Option<EventId>,
        /// The learnings or rules it came from.
        sources: Vec<String>,
        /// The text.
        text: String,
        /// The reason for this text at this moment.
        grounds: Grounds,
        /// How well each of the learnings fitted, in thousandths of a new one with the best fit. A
        /// learning that helped before may have more. Empty in records of the first releases.
        scores: BTreeMap<String, u64>,
        /// Learnings given earlier that no longer hold. Empty in records of the first releases.
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
        /// The title, if the system tells it.
        title: Option<String>,
        /// The description, if the system tells it.
        description: Option<String>,
    },
    /// A place that keeps learnings was found.
    BackendFound {
        /// Its name.
        backend: BackendKind,
        /// Where it is.
        location: String,
    },
    /// The agent wrote down what it learned.
    ReflectionRecorded {
        /// The ids of the learnings kept.
        learnings: Vec<String>,
        /// The number of rejected candidates.
        rejected: u64,
        /// The whole learnings in their own form, so that those that no backend could store are not
        /// lost. Empty in records of the first releases.
        kept: Vec<Value>,
        /// The rejected candidates, each with its reason, in their own form. Empty in records of
        /// the first releases.
        rejections: Vec<Value>,
        /// The closed tickets that the reflection is about.
        tickets: Vec<String>,
    },
    /// A backend has a learning.
    LearningStored {
        /// The learning.
        learning: String,
        /// The backend.
        backend: BackendKind,
    },
    /// An agent or subagent noted something in passing.
    ObservationRecorded {
        /// The note.
        text: String,
        /// The author of the note, if known.
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
    /// verger could not do something and let the agent go on.
    Warned {
        /// The part that failed.
        area: WarningArea,
        /// The fault, its place, and the command that helps.
        message: String,
    },

    /// A kind that this version does not know, or whose payload it cannot read. Kept as it is.
    Unknown {
        /// The kind's name.
        kind: String,
        /// The payload as it is.
        payload: Value,
    },
}

/// A tool call in the report at the end of a model turn.
#[derive(Debug, Clone, PartialEq)]
#[expect(clippy::large_enum_variant, reason = "a batch has few calls, each for a moment only")]
pub enum BatchedCall {
    /// A call with its input and output.
    Reported {
        /// The call.
        call: ToolCall,
        /// The output as the model got it.
        output: ToolOutput,
    },
    /// A call that ended earlier in the log. Its own record has the input and output.
    Recorded(ToolUseId),
}

impl BatchedCall {
    /// The call, unless another record has it.
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
        /// The call that began it.
        tool_use: Option<ToolUseId>,
        /// How it ended.
        status: Option<BackgroundStatus>,
    },
}

/// The start of a task's work.
#[derive(Debug, Clone, PartialEq)]
pub enum StartTree {
    /// A tree from version control, in that crate's own form.
    Tree(Value),
    /// There is no version control. The files that tools touch stand for the work.
    Touched {
        /// The reason.
        reason: String,
    },
    /// Version control could not be read in time. The task's changes stay unknown.
    Unknown {
        /// The reason.
        reason: String,
    },
}

/// Whether a person stopped a tool.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Interruption {
    /// It failed by itself.
    None,
    /// A person stopped it.
    ByPerson,
}

/// A request to stop working.
#[derive(Debug, Clone, PartialEq)]
pub struct StopRequest {
    /// Whether a stop was refused before.
    pub continuation: Continuation,
    /// The agent's last message.
    pub last_message: Option<String>,
    /// Tasks that still run in the background.
    pub background: Vec<BackgroundTask>,
    /// The session's scheduled prompts, as the client sent them.
    pub crons: Vec<Value>,
}

/// Something that runs while the agent stops.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BackgroundTask {
    /// A subagent.
    Subagent {
        /// The subagent's id.
        id: SubagentId,
        /// The subagent's type.
        agent_type: Option<String>,
        /// Its status.
        status: BackgroundStatus,
        /// The purpose of the task.
        description: Option<String>,
    },
    /// Anything else, such as a shell command.
    Other {
        /// Its id.
        id: String,
        /// The kind of the task.
        kind: BackgroundKind,
        /// Its status.
        status: BackgroundStatus,
        /// The purpose of the task.
        description: Option<String>,
    },
}

/// A learning that an agent was given and that no longer holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Correction {
    /// The learning.
    pub learning: String,
    /// The one that took its place, if one did.
    pub by: Option<String>,
}

impl Event {
    /// A call that ended in this way.
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

    /// The event's name in the stored vocabulary, such as `tool.requested`.
    pub fn kind(&self) -> &str {
        stored::kind_of(self)
    }

    /// Whether the record must outlive its session: it is then also kept in the project's segment.
    ///
    /// The kind decides, so that a record whose payload cannot be read just now is kept too.
    pub fn is_durable(&self) -> bool {
        DURABLE_KINDS.contains(&self.kind())
    }

    /// Whether verger itself produced the event, so that it is no sign of activity of the agent.
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

    /// The key by which a second report of this event is recognized as a duplicate, if the event
    /// has one.
    ///
    /// A prompt's id is also on every later request to stop, and stops repeat legitimately after a
    /// refusal. So only events that happen once per id have an occurrence.
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
