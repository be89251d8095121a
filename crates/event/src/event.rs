//! What happened, in one vocabulary for all agents.
//!
//! The first group is what agents report; the second is what verger did itself; [`Event::Unknown`]
//! is what a newer version wrote. Events that no agent was ever seen to send keep the agent's
//! payload as it came, until a real one has been captured.

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

/// Something that happened.
#[derive(Debug, Clone, PartialEq)]
pub enum Event {
    /// A session began, was resumed, cleared or compacted.
    SessionStarted {
        /// What began it.
        source: StartSource,
        /// The model, where the agent says it.
        model: Option<String>,
        /// Where the agent keeps its own transcript.
        transcript: Option<String>,
        /// The client's process, by its id and the clock tick at which it started (`4711@98765`).
        /// The engine adds it, where the system tells which process sent the payload.
        client: Option<String>,
    },
    /// A session ended. Some sessions never report it.
    SessionEnded {
        /// Why.
        reason: EndReason,
    },
    /// The agent ran its set-up.
    SetupRan {
        /// What asked for it.
        trigger: SetupTrigger,
    },
    /// A prompt reached the agent.
    PromptSubmitted {
        /// Who wrote it.
        origin: PromptOrigin,
        /// Its text, whole.
        prompt: String,
    },
    /// A slash command was turned into a prompt.
    PromptExpanded {
        /// The command's name.
        command: String,
        /// What followed it.
        args: String,
        /// Where the command is defined.
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
        /// What it gave back.
        output: ToolOutput,
        /// How long it took.
        duration_ms: Option<u64>,
    },
    /// A tool failed; a shell command with a non-zero exit is one.
    ToolFailed {
        /// The call.
        call: ToolCall,
        /// What the agent was told.
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
        /// What it gave back.
        output: ToolOutput,
        /// How long it took.
        duration_ms: Option<u64>,
    },
    /// All tool calls of one model turn are done, the refused and invalid ones too.
    ToolBatchEnded {
        /// The calls, with what the model was told.
        calls: Vec<BatchedCall>,
    },
    /// The agent wants to stop working.
    StopRequested(StopRequest),
    /// The turn ended because the model could not be reached or refused.
    StopFailed {
        /// The class of error.
        error: String,
        /// More of it.
        details: Option<String>,
        /// What the person was shown.
        last_message: Option<String>,
    },
    /// A subagent began; it is the record's actor.
    SubagentStarted,
    /// A subagent wants to stop; it is the record's actor.
    SubagentStopRequested {
        /// The request.
        stop: StopRequest,
        /// Where its transcript is.
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
        /// What asked for it.
        trigger: CompactionTrigger,
        /// What the person asked to keep.
        instructions: Option<String>,
    },
    /// The conversation was replaced by a summary.
    CompactionEnded {
        /// What asked for it.
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
        /// More of it.
        description: Option<String>,
    },
    /// The agent ticked an item off its own to-do list.
    TodoCompleted {
        /// The item.
        id: String,
        /// Its title.
        subject: String,
        /// More of it.
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
        /// Which configuration.
        source: String,
        /// Its file.
        path: Option<String>,
    },
    /// The agent read a file of instructions.
    InstructionsLoaded {
        /// The file.
        path: String,
        /// Which kind of memory it is.
        memory: Option<String>,
        /// Why it was read.
        reason: Option<String>,
    },
    /// The agent's working directory changed.
    DirectoryChanged {
        /// Before.
        from: String,
        /// After.
        to: String,
    },
    /// A watched file changed.
    FileChanged {
        /// The file.
        path: String,
        /// What happened to it.
        change: String,
    },
    /// A piece of the agent's message was shown.
    MessageShown {
        /// The message.
        message: String,
        /// Which piece.
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
        /// On which record.
        on: EventId,
        /// What the gates and guards said that spoke, in order.
        by: Vec<Opinion>,
        /// What the person was told beside it.
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
        /// What moved it.
        cause: String,
        /// The change in the gate's own form, from which its state is folded; not known in records
        /// of the first releases.
        change: Option<Value>,
    },
    /// The guard of permissions judged a call.
    GuardJudged {
        /// The record of the call.
        on: EventId,
        /// What it thinks of it.
        triage: Triage,
        /// The rule that decided.
        rule: String,
        /// Why, as the end of a sentence.
        why: String,
        /// How the guard was set.
        mode: GuardMode,
        /// What the agent's client was told.
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
        /// What was changed, in a few words for each rule.
        changes: Vec<String>,
        /// The input that the tool was given instead.
        input: Value,
        /// Why.
        grounds: Grounds,
    },
    /// Where the work of the task in hand starts from, taken before its first change.
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
        /// Who or what released it.
        by: Releaser,
        /// Why.
        reason: String,
    },
    /// A person saw releases of unsatisfied gates.
    ReleasesSeen {
        /// The time of the last release that was seen.
        until: Timestamp,
        /// How the person saw them.
        by: SeenBy,
    },
    /// A reviewer decided.
    ReviewDecided {
        /// The decision.
        decision: ReviewDecision,
        /// In one line.
        summary: String,
        /// What the agent is told.
        message: Option<String>,
        /// The content it speaks of.
        content_hash: Option<ContentHash>,
        /// Who decided; not known in records of the first releases.
        reviewer: Option<String>,
        /// What other models thought.
        opinions: Option<String>,
    },
    /// A verification ended.
    VerificationRecorded {
        /// The result.
        status: VerificationStatus,
        /// How deep it looked.
        depth: VerificationDepth,
        /// The content that it looked at.
        content_hash: ContentHash,
        /// In one line.
        summary: String,
        /// All that it found, in the gate's own form.
        verified: Value,
    },
    /// What a call may destroy was saved before it.
    UndoPointTaken {
        /// The record of the call.
        on: EventId,
        /// The point's id, by which it is brought back.
        point: EventId,
        /// What keeps it: a reference of git's, or a directory.
        kept_at: String,
        /// The working tree that was saved, or where the agent works.
        root: String,
        /// Whether it was made for this call.
        age: UndoPointAge,
        /// The first of the files that it leaves out, each with the reason.
        left_out: Vec<String>,
        /// How many more it leaves out.
        more_left_out: u64,
    },
    /// What a call may destroy could not be saved before it.
    UndoPointFailed {
        /// The record of the call.
        on: EventId,
        /// Why, and where.
        why: String,
    },
    /// A person brought an undo point back.
    UndoPointRestored {
        /// The point.
        point: EventId,
        /// The point with the files as they were before that.
        saved: EventId,
        /// How many files were written.
        written: u64,
        /// How many files were removed.
        removed: u64,
        /// How many could be neither.
        failed: u64,
    },
    /// A task of a session ended, or was given up: what became of it, for whoever comes after.
    TaskRecorded {
        /// Which of the session's tasks, from 1.
        number: u64,
        /// Whose subtask or parallel task it was.
        parent: Option<u64>,
        /// How far it came.
        status: TaskStatus,
        /// What ended it.
        trigger: TaskEnding,
        /// What was asked for, in the person's words.
        query: String,
        /// What it was about, in a line.
        goal: String,
        /// The commit that holds it, where one was made.
        commit: Option<String>,
        /// All that is known of it, in the form of `drift`.
        task: Value,
    },
    /// What an agent must not lose when its memory is cut was written down.
    HandoffWritten {
        /// What is about to cut it.
        trigger: HandoffTrigger,
        /// The text.
        text: String,
    },
    /// Text was given to the agent.
    ContextInjected {
        /// At which moment: the kind of the event answered.
        moment: String,
        /// The record answered; not known in records of the first release.
        on: Option<EventId>,
        /// The learnings or rules it came from.
        sources: Vec<String>,
        /// The text.
        text: String,
        /// Why this text at this moment.
        grounds: Grounds,
        /// How well each of the learnings fitted, in thousandths of one that is new and fits best:
        /// more if it had helped before. None in records of the first releases.
        scores: BTreeMap<String, u64>,
        /// Learnings given earlier that it says do not hold any more; none in records of the first
        /// releases.
        corrections: Vec<Correction>,
    },
    /// Something was seen of a ticket.
    TicketSeen {
        /// The ticket system.
        system: TicketSystem,
        /// The ticket.
        ticket: String,
        /// What was seen.
        change: TicketChange,
        /// Its title, where the system told it.
        title: Option<String>,
        /// What it asks for, where the system told it.
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
        /// How many candidates were turned away.
        rejected: u64,
        /// The learnings whole, in their own form, so that what no backend could take is not lost;
        /// none in records of the first releases.
        kept: Vec<Value>,
        /// The candidates that were turned away, each with its reason, in their own form; none in
        /// records of the first releases.
        rejections: Vec<Value>,
        /// The closed tickets that it looks back on.
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
        /// Who noted it, where that is known.
        author: Option<String>,
    },
    /// Something became of a learning.
    LearningSeen {
        /// The learning.
        learning: String,
        /// What became of it.
        fate: Fate,
        /// How a reference was noticed; not known in records of the first releases.
        how: Option<Reference>,
    },
    /// verger could not do something and let the agent go on.
    Warned {
        /// The part that failed.
        area: WarningArea,
        /// What happened, where, and the command that helps.
        message: String,
    },

    /// A kind that this version does not know, or whose payload it cannot read. Kept as it is.
    Unknown {
        /// The kind's name.
        kind: String,
        /// What it carries.
        payload: Value,
    },
}

/// A use of a tool as it stands at the end of a model turn.
#[derive(Debug, Clone, PartialEq)]
#[expect(clippy::large_enum_variant, reason = "a batch has few calls, each for a moment only")]
pub enum BatchedCall {
    /// As the agent reports it.
    Reported {
        /// The call.
        call: ToolCall,
        /// What the model was told.
        output: ToolOutput,
    },
    /// One that ended earlier, in the log: the record of that has its input and output.
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

/// Who wrote a prompt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PromptOrigin {
    /// A person, or the program that stands for one.
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

/// Where the work of a task starts from.
#[derive(Debug, Clone, PartialEq)]
pub enum StartTree {
    /// A tree of the version control, in that crate's own form.
    Tree(Value),
    /// There is none: the files that tools touch stand for the work.
    Touched {
        /// Why.
        reason: String,
    },
    /// There is version control, and it could not be read in time: nothing can say later what the work
    /// changed.
    Unknown {
        /// Why.
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

/// A wish to stop working.
#[derive(Debug, Clone, PartialEq)]
pub struct StopRequest {
    /// First, or after a refusal.
    pub continuation: Continuation,
    /// What the agent said last.
    pub last_message: Option<String>,
    /// What still runs behind it.
    pub background: Vec<BackgroundTask>,
    /// Scheduled prompts of the session, as they came.
    pub crons: Vec<Value>,
}

/// Something that runs while the agent stops.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BackgroundTask {
    /// A subagent.
    Subagent {
        /// Which.
        id: SubagentId,
        /// Of which type.
        agent_type: Option<String>,
        /// How it stands.
        status: BackgroundStatus,
        /// What it is for.
        description: Option<String>,
    },
    /// Anything else, such as a shell command.
    Other {
        /// Its id.
        id: String,
        /// What it is.
        kind: BackgroundKind,
        /// How it stands.
        status: BackgroundStatus,
        /// What it is for.
        description: Option<String>,
    },
}

/// A learning that an agent was given and that does not hold any more.
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

    /// The call that ended, and what it gave back.
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

    /// Whether it is something that verger said, did or noticed itself, and not a sign of life of
    /// the agent.
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

    /// What makes a second report of this event a duplicate, where something does.
    ///
    /// A prompt's id also stands on every request to stop that follows it, and stops repeat
    /// legitimately after a refusal: only events that happen once per id have an occurrence.
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
