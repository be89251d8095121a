//! Ids, time, events, verdicts, and the versioned form in which an event is stored.
//!
//! Everything that happens is an [`Event`]. A [`Record`] is an event with its envelope: agent,
//! session, project, time and task. The log is a sequence of records, and every state is a
//! [`Fold`] of the log. This crate is pure: time and ids are parameters, and there is no I/O.
//!
//! The domain types may change at any time. The form on disk is in [`stored`], which is versioned
//! and converts to and from the domain types.
#![warn(missing_docs)]

mod event;
mod fold;
mod gathered;
mod grounds;
mod id;
mod record;
mod session;
pub mod stored;
mod tamed;
mod time;
mod tool_call;
mod tool_outcome;
mod tool_use;
mod unsatisfied;
mod verdict;
mod vocabulary;
mod words;

pub use event::{
    BackgroundTask, BatchedCall, Correction, Event, Interruption, PromptOrigin, StartTree,
    StopRequest,
};
pub use fold::{Fold, Form};
pub use gathered::gathered;
pub use grounds::{Fact, Grounds, MAX_GROUND_BYTES, MAX_GROUNDS, Opinion, UsedSetting};
pub use id::{
    AgentName, BadAgentName, BadGateName, ContentHash, EventId, GateName, Occurrence, ProjectId,
    PromptId, SessionId, SessionKey, SubagentId, TaskId, ToolUseId, hex,
};
pub use record::{Access, Actor, Circumstance, Draft, Origin, Outline, Record, Standing};
pub use session::{LastReason, Life, Session, TaskState, Warning};
pub use tamed::{tamed, tamed_within};
pub use time::Timestamp;
pub use tool_call::{Delegation, SubagentMessage, Subject, ToolCall};
pub use tool_outcome::{FileOutcome, ToolOutcome, ToolOutput};
pub use tool_use::{
    AskCall, DelegateCall, EditCall, FileChange, FileEdit, McpCall, MessageCall, OtherCall,
    ReadCall, SearchCall, SearchTarget, ShellCall, TextEdit, TodoItem, TodosCall, ToolUse, WebCall,
    WriteCall,
};
pub use unsatisfied::{
    LEARNING_GATE, ProjectReleases, REVIEW_GATE, ReleaseOfSession, UnsatisfiedRelease,
    UnsatisfiedReleases, VERIFICATION_GATE,
};
pub use verdict::{Answer, Verdict};
pub use vocabulary::{
    BackendKind, BackgroundKind, BackgroundStatus, CompactionTrigger, Continuation, EndReason,
    Fate, GuardMode, HandoffTrigger, Outcome, Reference, Releaser, ReviewDecision, Scope, SeenBy,
    Sent, SetupTrigger, StartSource, TaskEnding, TaskStatus, TicketChange, TicketSystem,
    TodoStatus, Triage, UndoPointAge, VergerPart, VerificationDepth, VerificationStatus,
    WarningArea,
};
pub use words::UnknownWord;
