//! A line of format version 2, without its checksum. Empty fields are not written.

use std::borrow::Cow;

use serde::{Deserialize, Deserializer, Serialize};
use serde_json::value::RawValue;

use super::carried::{Changes, with_values};
use super::v2::{Actor, BlobRef, absent};
use super::{Body, EncodeError, LineHash, VERSION, kind_of};
use crate::{
    AgentName, Draft, EventId, Outcome, ProjectId, PromptId, Scope, SessionId, Standing, TaskId,
    Timestamp,
};

macro_rules! line {
    ($($field:ident: $type:ty),* $(,)?) => {
        /// The kind and the fields before it come first, because an outline needs only these. The
        /// rest of most lines isn't parsed.
        #[derive(Debug, Serialize, Deserialize)]
        pub(super) struct Line<'a> {
            pub(super) v: u32,
            pub(super) seq: u64,
            #[serde(default, skip_serializing_if = "absent")]
            pub(super) actor: Actor,
            #[serde(skip_serializing_if = "Option::is_none")]
            agent: Option<AgentName>,
            #[serde(skip_serializing_if = "Option::is_none")]
            session: Option<SessionId>,
            $(
                #[serde(
                    default,
                    deserialize_with = "value_or_null",
                    skip_serializing_if = "Option::is_none"
                )]
                $field: Option<Option<$type>>,
            )*
            #[serde(skip_serializing_if = "Option::is_none")]
            readers: Option<Vec<String>>,
            #[serde(borrow)]
            pub(super) kind: Cow<'a, str>,
            pub(super) id: EventId,
            pub(super) at_ms: Timestamp,
            #[serde(skip_serializing_if = "Option::is_none")]
            pub(super) outcome: Option<Outcome>,
            #[serde(default, skip_serializing_if = "Vec::is_empty")]
            pub(super) evidence: Vec<EventId>,
            #[serde(default, skip_serializing_if = "absent")]
            pub(super) scope: Scope,
            #[serde(skip_serializing_if = "Option::is_none")]
            pub(super) importance: Option<f64>,
            /// The payload as JSON. `None` if the payload is in a blob.
            #[serde(borrow, skip_serializing_if = "Option::is_none")]
            pub(super) payload: Option<&'a RawValue>,
            #[serde(skip_serializing_if = "Option::is_none")]
            pub(super) blob: Option<BlobRef>,
            #[serde(skip_serializing_if = "Option::is_none")]
            pub(super) prev: Option<String>,
        }

        impl<'a> Line<'a> {
            /// Takes the carried fields out of the line.
            pub(super) fn take_changes(&mut self) -> Changes {
                Changes {
                    agent: self.agent.take(),
                    session: self.session.take(),
                    $($field: self.$field.take(),)*
                    readers: self.readers.take(),
                }
            }

            pub(super) fn of(
                draft: &Draft,
                (seq, prev): (u64, Option<&LineHash>),
                changes: Changes,
                body: &'a Body<'_>,
            ) -> Result<Self, EncodeError> {
                let (payload, blob) = match body {
                    Body::Inline(json) => (Some(json.as_ref()), None),
                    Body::Blob(blob) => (None, Some(blob.clone())),
                };
                let payload = payload.map(serde_json::from_str).transpose();
                let Standing { task: _, outcome, evidence, importance } = draft.standing.clone();
                Ok(Self {
                    v: VERSION,
                    seq,
                    actor: draft.origin.actor.clone().into(),
                    agent: changes.agent,
                    session: changes.session,
                    $($field: changes.$field,)*
                    readers: changes.readers,
                    kind: kind_of(&draft.event).to_owned().into(),
                    id: draft.id,
                    at_ms: draft.at,
                    outcome,
                    evidence,
                    scope: draft.access.scope,
                    importance,
                    payload: payload.map_err(EncodeError::Payload)?,
                    blob,
                    prev: prev.map(|hash| hash.as_str().to_owned()),
                })
            }
        }
    };
}

with_values!(line);

/// Deserializes a field that may be missing, `null` or a value. Returns `Some(None)` for `null`; a
/// missing field gets the default `None`.
#[expect(clippy::option_option, reason = "a field is absent, null or has a value")]
fn value_or_null<'de, T: Deserialize<'de>, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<Option<T>>, D::Error> {
    Option::deserialize(deserializer).map(Some)
}

/// The shape of a line for people who read the log with their own tools.
#[cfg(feature = "schema")]
#[derive(schemars::JsonSchema)]
#[schemars(title = "verger event record, format version 2")]
#[expect(dead_code, reason = "only its schema is used; the line itself borrows from its bytes")]
pub(super) struct Described {
    /// Format version.
    v: u32,
    /// Place in the segment, from 1; 0 in a spill file, where it has none yet.
    seq: u64,
    /// The main agent or a subagent. A line without it is the main agent's.
    #[serde(default)]
    actor: Actor,
    /// Which program the agent is. A line that has agent and session is whole; any other continues the line before it: of
    /// the fields from here to `readers` it has those that changed, with null for one that is empty from here on.
    agent: Option<AgentName>,
    /// Its session.
    session: Option<SessionId>,
    /// The agent's version, where it is known.
    agent_version: Option<String>,
    /// The user who owns the session: the configured name, else git's identity.
    user: Option<String>,
    /// In which role the agent works.
    role: Option<String>,
    /// The project.
    project: Option<ProjectId>,
    /// The agent's working directory.
    cwd: Option<String>,
    /// The prompt the agent works on.
    prompt: Option<PromptId>,
    /// The agent's permission mode, in its own word.
    permission_mode: Option<String>,
    /// The agent's reasoning effort, in its own word.
    effort: Option<String>,
    /// The task, named by the prompt that began it.
    task: Option<TaskId>,
    /// Further readers; empty means the owner alone.
    readers: Option<Vec<String>>,
    /// The kind of the event. A reader keeps kinds it does not know.
    kind: String,
    /// ULID.
    id: EventId,
    /// Milliseconds since the Unix epoch, by the wall clock.
    at_ms: Timestamp,
    /// How it went.
    outcome: Option<Outcome>,
    /// Records that show it.
    #[serde(default)]
    evidence: Vec<EventId>,
    /// How far the record reaches: as far as its session where it does not say.
    #[serde(default)]
    scope: Scope,
    /// From 0 to 1.
    importance: Option<f64>,
    /// The payload of the kind; absent when it is in a blob.
    payload: Option<serde_json::Value>,
    /// Where the payload is when a line would be too long with it.
    blob: Option<BlobRef>,
    /// Hash of the previous intact line: 32 hexadecimal digits of SHA-256; absent in the first.
    prev: Option<String>,
    /// CRC-32 of every byte before `,"crc":`, as 8 hexadecimal digits. Always the last field.
    crc: String,
}
