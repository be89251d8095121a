//! The payloads of format version 2, exactly as they are on disk. In this version, new fields may
//! only be added as optional fields. Any other change needs a new version.

use std::collections::BTreeMap;

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;

use crate::{
    BackendKind, BackgroundKind, BackgroundStatus, CompactionTrigger, ContentHash, Continuation,
    EndReason, EventId, Fate, GateName, GuardMode, HandoffTrigger, Reference, Releaser,
    ReviewDecision, Scope, SeenBy, Sent, SetupTrigger, StartSource, SubagentId, TaskEnding,
    TaskStatus, TicketChange, TicketSystem, Timestamp, ToolOutput, ToolUse, ToolUseId, Triage,
    UndoPointAge, VerificationDepth, VerificationStatus, WarningArea,
};

/// Where a payload is that is too large for a line.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct BlobRef {
    /// Of the blob's bytes, and its name.
    pub sha256: String,
    /// How many bytes.
    pub bytes: u64,
}

#[derive(Debug, Serialize)]
#[serde(tag = "is", rename_all = "snake_case")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(super) enum Actor {
    Main {
        #[serde(skip_serializing_if = "absent")]
        agent_type: Option<String>,
    },
    Subagent {
        id: SubagentId,
        agent_type: String,
    },
}

/// The actor of a line that has no actor: the main agent, started without an agent type.
impl Default for Actor {
    fn default() -> Self {
        Self::Main { agent_type: None }
    }
}

/// Deserializes an actor from a struct with all possible fields. serde's derived implementation
/// would buffer all fields until it finds the tag. That is slow, and every line has an actor.
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

impl From<crate::Actor> for Actor {
    fn from(actor: crate::Actor) -> Self {
        match actor {
            crate::Actor::Main { agent_type } => Self::Main { agent_type },
            crate::Actor::Subagent { id, agent_type } => Self::Subagent { id, agent_type },
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
    #[serde(default, skip_serializing_if = "absent")]
    pub(super) tool_use: Option<ToolUseId>,
    pub(super) tool: String,
    /// The use of the tool.
    pub(super) does: ToolUse,
    /// The part of the client's input that `does` lacks; an empty object where it is absent.
    #[serde(default = "no_fields", skip_serializing_if = "is_no_fields")]
    pub(super) rest: Value,
}

fn no_fields() -> Value {
    Value::Object(serde_json::Map::new())
}

fn is_no_fields(rest: &Value) -> bool {
    rest.as_object().is_some_and(serde_json::Map::is_empty)
}

#[derive(Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
#[expect(clippy::large_enum_variant, reason = "a batch has few calls and is dropped soon")]
pub(super) enum BatchedCall {
    Reported { call: ToolCall, output: ToolOutput },
    Recorded(ToolUseId),
}

#[derive(Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(super) struct StopRequest {
    pub(super) continuation: Continuation,
    #[serde(default, skip_serializing_if = "absent")]
    pub(super) last_message: Option<String>,
    #[serde(default, skip_serializing_if = "absent")]
    pub(super) background: Vec<BackgroundTask>,
    #[serde(default, skip_serializing_if = "absent")]
    pub(super) crons: Vec<Value>,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(tag = "is", rename_all = "snake_case")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(super) enum BackgroundTask {
    Subagent {
        id: SubagentId,
        #[serde(default, skip_serializing_if = "absent")]
        agent_type: Option<String>,
        status: BackgroundStatus,
        #[serde(default, skip_serializing_if = "absent")]
        description: Option<String>,
    },
    Other {
        id: String,
        kind: BackgroundKind,
        status: BackgroundStatus,
        #[serde(default, skip_serializing_if = "absent")]
        description: Option<String>,
    },
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(tag = "is", rename_all = "snake_case")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(super) enum PromptOrigin {
    Person,
    TaskNotification {
        #[serde(default, skip_serializing_if = "absent")]
        task: Option<String>,
        #[serde(default, skip_serializing_if = "absent")]
        tool_use: Option<ToolUseId>,
        #[serde(default, skip_serializing_if = "absent")]
        status: Option<BackgroundStatus>,
    },
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
    pub(super) by: GateName,
    pub(super) verdict: Verdict,
    #[serde(default, skip_serializing_if = "absent")]
    pub(super) grounds: Grounds,
}

#[derive(Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(super) struct Grounds {
    #[serde(default, skip_serializing_if = "absent")]
    pub(super) rule: Option<String>,
    #[serde(default, skip_serializing_if = "absent")]
    pub(super) facts: Vec<Fact>,
    #[serde(default, skip_serializing_if = "absent")]
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
    #[serde(default, skip_serializing_if = "absent")]
    pub(super) by: Option<String>,
}

/// Tells whether a value is empty. An empty value is not serialized.
pub(super) trait Absent {
    fn is_absent(&self) -> bool;
}

impl<T> Absent for Option<T> {
    fn is_absent(&self) -> bool {
        self.is_none()
    }
}

impl<T> Absent for Vec<T> {
    fn is_absent(&self) -> bool {
        self.is_empty()
    }
}

impl<K, V> Absent for BTreeMap<K, V> {
    fn is_absent(&self) -> bool {
        self.is_empty()
    }
}

impl Absent for bool {
    fn is_absent(&self) -> bool {
        !self
    }
}

impl Absent for Scope {
    fn is_absent(&self) -> bool {
        matches!(self, Self::Session)
    }
}

impl Absent for Actor {
    fn is_absent(&self) -> bool {
        matches!(self, Self::Main { agent_type: None })
    }
}

impl Absent for Grounds {
    fn is_absent(&self) -> bool {
        self.rule.is_none() && self.facts.is_empty() && self.settings.is_empty()
    }
}

pub(super) fn absent(value: &impl Absent) -> bool {
    value.is_absent()
}

/// Declares one struct for each kind of payload, an enum of all kinds, and the conversions to and
/// from a kind and JSON. A field marked `"absent"` is not serialized if it is empty.
macro_rules! payloads {
    ($($kind:literal => $name:ident { $($field:ident: $type:ty $(= $is_absent:literal)?),* $(,)? })*) => {
        $(
            #[derive(Debug, Serialize, Deserialize)]
            #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
            pub(super) struct $name {
                $(
                    $(#[serde(default, skip_serializing_if = $is_absent)])?
                    pub(super) $field: $type,
                )*
            }
        )*

        #[derive(Debug)]
        pub(super) enum Payload { $($name($name)),* }

        impl Payload {
            pub(super) fn to_json(&self) -> serde_json::Result<String> {
                match self { $(Self::$name(payload) => serde_json::to_string(payload)),* }
            }

            /// Returns `None` if the kind is unknown or the payload has another structure.
            pub(super) fn from_json(kind: &str, json: &str) -> Option<Self> {
                match kind {
                    $($kind => serde_json::from_str(json).ok().map(Self::$name),)*
                    _ => None,
                }
            }
        }

        /// Every kind of format version 2.
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
    "session.started" => SessionStarted {
        source: StartSource, model: Option<String> = "absent", transcript: Option<String> = "absent",
        client: Option<String> = "absent",
    }
    "session.ended" => SessionEnded { reason: EndReason }
    "setup.ran" => SetupRan { trigger: SetupTrigger }
    "prompt.submitted" => PromptSubmitted { origin: PromptOrigin, prompt: String }
    "prompt.expanded" => PromptExpanded {
        command: String, args: String, source: Option<String> = "absent", prompt: String,
    }
    "tool.requested" => ToolRequested { call: ToolCall }
    "permission.asked" => PermissionAsked {
        call: ToolCall, suggestions: Vec<Value> = "absent",
    }
    "permission.denied" => PermissionDenied { payload: Value }
    "tool.succeeded" => ToolSucceeded {
        call: ToolCall, output: ToolOutput, duration_ms: Option<u64> = "absent",
    }
    "tool.failed" => ToolFailed {
        call: ToolCall, output: ToolOutput, interrupted: bool, duration_ms: Option<u64> = "absent",
    }
    "tool.ended" => ToolEnded {
        call: ToolCall, output: ToolOutput, duration_ms: Option<u64> = "absent",
    }
    "tool_batch.ended" => ToolBatchEnded { calls: Vec<BatchedCall> }
    "stop.requested" => StopRequested { stop: StopRequest }
    "stop.failed" => StopFailed {
        error: String, details: Option<String> = "absent", last_message: Option<String> = "absent",
    }
    "subagent.started" => SubagentStarted {}
    "subagent_stop.requested" => SubagentStopRequested {
        stop: StopRequest, transcript: Option<String> = "absent",
    }
    "compaction_fork.ended" => CompactionForkEnded {
        fork: SubagentId, summary: Option<String> = "absent",
    }
    "compaction.started" => CompactionStarted {
        trigger: CompactionTrigger, instructions: Option<String> = "absent",
    }
    "compaction.ended" => CompactionEnded {
        trigger: CompactionTrigger, summary: Option<String> = "absent",
    }
    "todo.created" => TodoCreated {
        id: String, subject: String, description: Option<String> = "absent",
    }
    "todo.completed" => TodoCompleted {
        id: String, subject: String, description: Option<String> = "absent",
    }
    "teammate.idle" => TeammateIdle { payload: Value }
    "elicitation.asked" => ElicitationAsked { payload: Value }
    "elicitation.answered" => ElicitationAnswered { payload: Value }
    "notification.shown" => Notified { kind: String, message: String }
    "config.changed" => ConfigChanged { source: String, path: Option<String> = "absent" }
    "instructions.loaded" => InstructionsLoaded {
        path: String, memory: Option<String> = "absent", reason: Option<String> = "absent",
    }
    "directory.changed" => DirectoryChanged { from: String, to: String }
    "file.changed" => FileChanged { path: String, change: String }
    "message.shown" => MessageShown { message: String, index: u64, text: String }
    "worktree.created" => WorktreeCreated { payload: Value }
    "worktree.removed" => WorktreeRemoved { payload: Value }
    "verdict.given" => VerdictGiven {
        verdict: Verdict, on: EventId, by: Vec<GateName> = "absent",
        opinions: Vec<Opinion> = "absent",
        notice: Option<String> = "absent",
    }
    "gate.changed" => GateChanged {
        gate: GateName, from: String, to: String, cause: String,
        change: Option<Value> = "absent",
    }
    "gate.released" => GateReleased { gate: GateName, by: Releaser, reason: String }
    "review.decided" => ReviewDecided {
        decision: ReviewDecision, summary: String, message: Option<String> = "absent",
        content_hash: Option<ContentHash> = "absent",
        reviewer: Option<String> = "absent",
        opinions: Option<String> = "absent",
    }
    "context.injected" => ContextInjected {
        moment: String, sources: Vec<String> = "absent", text: String,
        on: Option<EventId> = "absent",
        grounds: Option<Grounds> = "absent",
        scores: BTreeMap<String, u64> = "absent",
        corrections: Vec<Correction> = "absent",
    }
    "ticket.seen" => TicketSeen {
        system: TicketSystem, ticket: String, change: TicketChange,
        title: Option<String> = "absent",
        description: Option<String> = "absent",
    }
    "backend.found" => BackendFound { backend: BackendKind, location: String }
    "reflection.recorded" => ReflectionRecorded {
        learnings: Vec<String> = "absent", rejected: u64,
        kept: Vec<Value> = "absent",
        rejections: Vec<Value> = "absent",
        tickets: Vec<String> = "absent",
    }
    "observation.recorded" => ObservationRecorded {
        text: String,
        author: Option<String> = "absent",
    }
    "learning.seen" => LearningSeen {
        learning: String, fate: Fate,
        how: Option<Reference> = "absent",
    }
    "warning.raised" => Warned { area: WarningArea, message: String }
    "start_tree.taken" => StartTreeTaken {
        tree: Option<Value> = "absent",
        reason: Option<String> = "absent",
        unknown: bool = "absent",
    }
    "learning.stored" => LearningStored { learning: String, backend: BackendKind }
    "guard.judged" => GuardJudged {
        on: EventId, triage: Triage, rule: String, why: String, mode: GuardMode, sent: Sent,
    }
    "verification.recorded" => VerificationRecorded {
        status: VerificationStatus, depth: VerificationDepth, content_hash: ContentHash,
        summary: String, verified: Value,
    }
    "undo_point.taken" => UndoPointTaken {
        on: EventId, point: EventId, kept_at: String, root: String, age: UndoPointAge,
        left_out: Vec<String> = "absent", more_left_out: u64,
    }
    "undo_point.failed" => UndoPointFailed { on: EventId, why: String }
    "undo_point.restored" => UndoPointRestored {
        point: EventId, saved: EventId, written: u64, removed: u64, failed: u64,
    }
    "call.rewritten" => CallRewritten {
        on: EventId, by: GateName, rules: Vec<String> = "absent",
        changes: Vec<String> = "absent", input: Value,
        grounds: Grounds = "absent",
    }
    "task.recorded" => TaskRecorded {
        number: u64, parent: Option<u64> = "absent", status: TaskStatus,
        trigger: TaskEnding, query: String, goal: String, commit: Option<String> = "absent", task: Value,
    }
    "handoff.written" => HandoffWritten { trigger: HandoffTrigger, text: String }
    "start_tree.packed" => StartTreePacked {
        id: String, start: String, begun: Option<String> = "absent",
    }
    "releases.seen" => ReleasesSeen { until: Timestamp, by: SeenBy }
}
