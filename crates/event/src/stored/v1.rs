//! Format version 1, exactly as it stands on disk. Never edited in a way that changes what an old
//! line means: fields are added as optional ones, and anything else is a new version.

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;
use serde_json::value::RawValue;

use crate::{
    AgentName, EventId, ProjectId, PromptId, SessionId, SubagentId, TaskId, Timestamp, ToolUseId,
};

/// One line of the log, without its checksum. What an outline has stands first, up to the kind: of most lines no more
/// is read.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Line<'a> {
    pub(super) v: u32,
    pub(super) seq: u64,
    pub(super) actor: Actor,
    pub(super) cwd: Option<String>,
    #[serde(borrow)]
    pub(super) kind: Cow<'a, str>,
    pub(super) id: EventId,
    pub(super) at_ms: Timestamp,
    pub(super) agent: AgentName,
    pub(super) agent_version: Option<String>,
    pub(super) session: SessionId,
    pub(super) user: Option<String>,
    pub(super) role: Option<String>,
    pub(super) task: Option<TaskId>,
    pub(super) outcome: Option<Outcome>,
    pub(super) evidence: Vec<EventId>,
    pub(super) project: Option<ProjectId>,
    pub(super) scope: Scope,
    pub(super) readers: Vec<String>,
    pub(super) importance: Option<f64>,
    pub(super) prompt: Option<PromptId>,
    pub(super) permission_mode: Option<String>,
    pub(super) effort: Option<String>,
    /// Absent when the payload is in a blob.
    #[serde(borrow, default, skip_serializing_if = "Option::is_none")]
    pub(super) payload: Option<&'a RawValue>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) blob: Option<BlobRef>,
    pub(super) prev: Option<String>,
}

/// Where a payload is that is too large for a line.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct BlobRef {
    /// Of the blob's bytes, and its name.
    pub sha256: String,
    /// How many bytes.
    pub bytes: u64,
}

macro_rules! words {
    ($($(#[$doc:meta])* $name:ident { $($word:ident),* $(,)? })*) => {$(
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, Serialize, Deserialize)]
        #[serde(rename_all = "snake_case")]
        #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
        pub(super) enum $name { $($word),* }

        impl From<crate::$name> for $name {
            fn from(value: crate::$name) -> Self {
                match value { $(crate::$name::$word => Self::$word),* }
            }
        }

        impl From<$name> for crate::$name {
            fn from(value: $name) -> Self {
                match value { $($name::$word => Self::$word),* }
            }
        }
    )*};
}

words! {
    Outcome { Succeeded, Failed, Interrupted }
    Scope { Session, Project, User, Team }
    Continuation { First, AfterRefusal }
    TicketChange { Found, CloseRequested, Closed, CloseFailed }
    Fate { Referenced, Dismissed, Corrected, Archived, Restored }
    Triage { Allow, Unknown, Risky, Deny }
    Sent { Silence, Allow, Ask, Deny }
    Reference { Explicit, Reflection, Implicit }
    UndoPointAge { New, Earlier }
}

#[derive(Debug, Serialize)]
#[serde(tag = "is", rename_all = "snake_case")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(super) enum Actor {
    Main { agent_type: Option<String> },
    Subagent { id: SubagentId, agent_type: String },
}

/// By way of all fields that there may be: a derived one puts them aside until it has found the tag, and every line
/// has an actor.
impl<'de> Deserialize<'de> for Actor {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(rename_all = "snake_case")]
        enum Is {
            Main,
            Subagent,
        }
        #[derive(Deserialize)]
        struct Fields {
            is: Is,
            id: Option<SubagentId>,
            agent_type: Option<String>,
        }
        let Fields { is, id, agent_type } = Fields::deserialize(deserializer)?;
        match is {
            Is::Main => Ok(Self::Main { agent_type }),
            Is::Subagent => Ok(Self::Subagent {
                id: id.ok_or_else(|| D::Error::missing_field("id"))?,
                agent_type: agent_type.ok_or_else(|| D::Error::missing_field("agent_type"))?,
            }),
        }
    }
}

impl From<Actor> for crate::Actor {
    fn from(actor: Actor) -> Self {
        match actor {
            Actor::Main { agent_type } => Self::Main { agent_type },
            Actor::Subagent { id, agent_type } => Self::Subagent { id, agent_type },
        }
    }
}

#[derive(Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(super) struct ToolCall {
    pub(super) tool_use: Option<ToolUseId>,
    pub(super) tool: String,
    pub(super) input: Value,
}

#[derive(Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(super) struct BatchedCall {
    pub(super) call: ToolCall,
    pub(super) response: Value,
}

#[derive(Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(super) struct StopRequest {
    pub(super) continuation: Continuation,
    pub(super) last_message: Option<String>,
    pub(super) background: Vec<BackgroundTask>,
    pub(super) crons: Vec<Value>,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(tag = "is", rename_all = "snake_case")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(super) enum BackgroundTask {
    Subagent {
        id: SubagentId,
        agent_type: Option<String>,
        status: String,
        description: Option<String>,
    },
    Other {
        id: String,
        kind: String,
        status: String,
        description: Option<String>,
    },
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(tag = "is", rename_all = "snake_case")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(super) enum PromptOrigin {
    Person,
    TaskNotification { task: Option<String>, tool_use: Option<ToolUseId>, status: Option<String> },
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(tag = "is", rename_all = "snake_case")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(super) enum Verdict {
    NoOpinion,
    Allow { reason: String },
    Ask { reason: String },
    Deny { reason: String },
}

#[derive(Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(super) struct Opinion {
    pub(super) by: String,
    pub(super) verdict: Verdict,
    pub(super) grounds: Grounds,
}

#[derive(Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(super) struct Grounds {
    pub(super) rule: Option<String>,
    pub(super) facts: Vec<Fact>,
    pub(super) settings: Vec<UsedSetting>,
}

#[derive(Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(super) struct Fact {
    pub(super) name: String,
    pub(super) value: String,
}

#[derive(Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(super) struct UsedSetting {
    pub(super) key: String,
    pub(super) value: String,
    pub(super) origin: String,
}

#[derive(Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(super) struct Correction {
    pub(super) learning: String,
    pub(super) by: Option<String>,
}

/// One struct per kind, the enum of them all, and the way between an enum value and its
/// `(kind, JSON)` pair.
macro_rules! payloads {
    ($($kind:literal => $name:ident { $($(#[$attribute:meta])* $field:ident: $type:ty),* $(,)? })*) => {
        $(
            #[derive(Debug, Serialize, Deserialize)]
            #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
            pub(super) struct $name { $($(#[$attribute])* pub(super) $field: $type),* }
        )*

        #[derive(Debug)]
        pub(super) enum Payload { $($name($name)),* }

        impl Payload {
            pub(super) fn to_json(&self) -> serde_json::Result<String> {
                match self { $(Self::$name(payload) => serde_json::to_string(payload)),* }
            }

            /// Nothing when the kind is not known or the payload is not of its form.
            pub(super) fn from_json(kind: &str, json: &str) -> Option<Self> {
                match kind {
                    $($kind => serde_json::from_str(json).ok().map(Self::$name),)*
                    _ => None,
                }
            }
        }

        /// Every kind of format version 1.
        pub const KINDS: &[&str] = &[$($kind),*];

        #[cfg(feature = "schema")]
        pub(super) fn payload_schemas(
            generator: &mut schemars::SchemaGenerator,
        ) -> Vec<(&'static str, schemars::Schema)> {
            vec![$(($kind, generator.subschema_for::<$name>())),*]
        }
    };
}

payloads! {
    "session.started" => SessionStarted { source: String, model: Option<String>, transcript: Option<String> }
    "session.ended" => SessionEnded { reason: String }
    "setup.ran" => SetupRan { trigger: String }
    "prompt.submitted" => PromptSubmitted { origin: PromptOrigin, prompt: String }
    "prompt.expanded" => PromptExpanded { command: String, args: String, source: Option<String>, prompt: String }
    "tool.requested" => ToolRequested { call: ToolCall }
    "permission.asked" => PermissionAsked { tool: String, input: Value, suggestions: Vec<Value> }
    "permission.denied" => PermissionDenied { payload: Value }
    "tool.succeeded" => ToolSucceeded { call: ToolCall, response: Value, duration_ms: Option<u64> }
    "tool.failed" => ToolFailed { call: ToolCall, error: String, interrupted: bool, duration_ms: Option<u64> }
    "tool_batch.ended" => ToolBatchEnded { calls: Vec<BatchedCall> }
    "stop.requested" => StopRequested { stop: StopRequest }
    "stop.failed" => StopFailed { error: String, details: Option<String>, last_message: Option<String> }
    "subagent.started" => SubagentStarted {}
    "subagent_stop.requested" => SubagentStopRequested { stop: StopRequest, transcript: Option<String> }
    "compaction_fork.ended" => CompactionForkEnded { fork: SubagentId, summary: Option<String> }
    "compaction.started" => CompactionStarted { trigger: String, instructions: Option<String> }
    "compaction.ended" => CompactionEnded { trigger: String, summary: Option<String> }
    "todo.created" => TodoCreated { id: String, subject: String, description: Option<String> }
    "todo.completed" => TodoCompleted { id: String, subject: String, description: Option<String> }
    "teammate.idle" => TeammateIdle { payload: Value }
    "elicitation.asked" => ElicitationAsked { payload: Value }
    "elicitation.answered" => ElicitationAnswered { payload: Value }
    "notification.shown" => Notified { kind: String, message: String }
    "config.changed" => ConfigChanged { source: String, path: Option<String> }
    "instructions.loaded" => InstructionsLoaded { path: String, memory: Option<String>, reason: Option<String> }
    "directory.changed" => DirectoryChanged { from: String, to: String }
    "file.changed" => FileChanged { path: String, change: String }
    "message.shown" => MessageShown { message: String, index: u64, text: String }
    "worktree.created" => WorktreeCreated { payload: Value }
    "worktree.removed" => WorktreeRemoved { payload: Value }
    "verdict.given" => VerdictGiven {
        verdict: Verdict, on: EventId, by: Vec<String>,
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        opinions: Vec<Opinion>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        notice: Option<String>,
    }
    "gate.changed" => GateChanged {
        gate: String, from: String, to: String, cause: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        change: Option<Value>,
    }
    "gate.released" => GateReleased { gate: String, by: String, reason: String }
    "review.decided" => ReviewDecided {
        decision: String, summary: String, message: Option<String>, content_hash: Option<String>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        reviewer: Option<String>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        opinions: Option<String>,
    }
    "context.injected" => ContextInjected {
        moment: String, sources: Vec<String>, text: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        on: Option<EventId>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        grounds: Option<Grounds>,
        #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
        scores: BTreeMap<String, u64>,
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        corrections: Vec<Correction>,
    }
    "ticket.seen" => TicketSeen {
        system: String, ticket: String, change: TicketChange,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        title: Option<String>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        description: Option<String>,
    }
    "backend.found" => BackendFound { backend: String, location: String }
    "reflection.recorded" => ReflectionRecorded {
        learnings: Vec<String>, rejected: u64,
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        kept: Vec<Value>,
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        rejections: Vec<Value>,
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        tickets: Vec<String>,
    }
    "observation.recorded" => ObservationRecorded {
        text: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        author: Option<String>,
    }
    "learning.seen" => LearningSeen {
        learning: String, fate: Fate,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        how: Option<Reference>,
    }
    "warning.raised" => Warned { area: String, message: String }
    "start_tree.taken" => StartTreeTaken {
        #[serde(default, skip_serializing_if = "Option::is_none")]
        tree: Option<Value>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        reason: Option<String>,
    }
    "learning.stored" => LearningStored { learning: String, backend: String }
    "guard.judged" => GuardJudged {
        on: EventId, triage: Triage, rule: String, why: String, mode: String, sent: Sent,
    }
    "verification.recorded" => VerificationRecorded {
        status: String, profile: String, content_hash: String, summary: String, verified: Value,
    }
    "undo_point.taken" => UndoPointTaken {
        on: EventId, point: EventId, kept_at: String, root: String, age: UndoPointAge,
        left_out: Vec<String>, more_left_out: u64,
    }
    "undo_point.failed" => UndoPointFailed { on: EventId, why: String }
    "undo_point.restored" => UndoPointRestored {
        point: EventId, saved: EventId, written: u64, removed: u64, failed: u64,
    }
    "call.rewritten" => CallRewritten {
        on: EventId, by: String, rules: Vec<String>, changes: Vec<String>, input: Value,
        grounds: Grounds,
    }
    "task.recorded" => TaskRecorded {
        number: u64, parent: Option<u64>, status: String, trigger: String, query: String,
        goal: String, commit: Option<String>, task: Value,
    }
    "handoff.written" => HandoffWritten { trigger: String, text: String }
}

/// The shape of a line for people who read the log with their own tools.
#[cfg(feature = "schema")]
#[derive(schemars::JsonSchema)]
#[schemars(title = "verger event record, format version 1")]
#[expect(dead_code, reason = "only its schema is used; the line itself borrows from its bytes")]
pub(super) struct Described {
    /// Format version.
    v: u32,
    /// Place in the segment, from 1; 0 in a spill file, where it has none yet.
    seq: u64,
    /// The main agent or a subagent.
    actor: Actor,
    /// The agent's working directory.
    cwd: Option<String>,
    /// What happened. A reader keeps kinds it does not know.
    kind: String,
    /// ULID.
    id: EventId,
    /// Milliseconds since the Unix epoch, by the wall clock.
    at_ms: Timestamp,
    /// Which program the agent is.
    agent: AgentName,
    /// Its version, where it is known.
    agent_version: Option<String>,
    /// Its session.
    session: SessionId,
    /// Whose session it is: the configured name, else git's identity.
    user: Option<String>,
    /// In which role the agent works.
    role: Option<String>,
    /// The task, named by the prompt that began it.
    task: Option<TaskId>,
    /// How it went.
    outcome: Option<Outcome>,
    /// Records that show it.
    evidence: Vec<EventId>,
    /// The project.
    project: Option<ProjectId>,
    /// How far the record reaches.
    scope: Scope,
    /// Who else may read it; empty means the owner alone.
    readers: Vec<String>,
    /// From 0 to 1; may be empty.
    importance: Option<f64>,
    /// The prompt the agent works on.
    prompt: Option<PromptId>,
    /// The agent's permission mode, in its own word.
    permission_mode: Option<String>,
    /// The agent's reasoning effort, in its own word.
    effort: Option<String>,
    /// What the kind carries; absent when it is in a blob.
    #[serde(default)]
    payload: Option<Value>,
    /// Where the payload is when a line would be too long with it.
    #[serde(default)]
    blob: Option<BlobRef>,
    /// Hash of the previous intact line: 32 hexadecimal digits of SHA-256; empty in the first.
    prev: Option<String>,
    /// CRC-32 of every byte before `,"crc":`, as 8 hexadecimal digits. Always the last field.
    crc: String,
}
