//! What is written to disk: one JSON object per line, versioned, checksummed and chained.
//!
//! Writing is [`payload_json`] (so that secrets can be taken out of the text), then [`encode`].
//! Reading is [`decode`], then [`StoredLine::into_record`]. A line of an unknown version and a
//! record of an unknown kind are kept, never dropped: an older verger must not lose what a newer
//! one wrote.

mod frame;
mod outlined;
mod payload;
mod v1;

use std::borrow::Cow;

use serde::Deserialize;
use serde_json::value::RawValue;

pub use frame::{LineHash, follows, is_intact, seal};
pub use payload::{event_from, kind_of, payload_json};
pub use v1::{BlobRef, KINDS};

use crate::{Access, Actor, Circumstance, Draft, EventId, Origin, Outline, Record, Standing};

/// The version that is written.
pub const VERSION: u32 = 1;

/// The longest line, its newline included. A longer payload goes to a blob.
pub const MAX_LINE_BYTES: usize = 64 * 1024;

/// Where the payload of a line is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Body<'a> {
    /// In the line, as JSON text.
    Inline(Cow<'a, str>),
    /// In a blob.
    Blob(BlobRef),
}

/// A record could not be put into a line.
#[derive(Debug, thiserror::Error)]
pub enum EncodeError {
    /// The payload given is not JSON.
    #[error("write a payload that is not JSON")]
    Payload(#[source] serde_json::Error),
    /// The envelope could not be serialised.
    #[error("serialise a record")]
    Envelope(#[source] serde_json::Error),
}

/// Why a line is not a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Damage {
    /// The checksum is missing or does not fit: torn, cut or changed.
    #[error("the checksum does not fit")]
    Checksum,
    /// The checksum fits, and still it is no record.
    #[error("the line is intact but is not a record")]
    Form,
}

/// An intact line.
#[derive(Debug)]
pub enum Decoded<'a> {
    /// Of a version that this program reads.
    Line(Box<StoredLine<'a>>),
    /// Of another version. It takes its place in the chain and is passed over.
    Foreign {
        /// The version it names.
        version: u32,
        /// Its place in the segment, where it says so.
        seq: Option<u64>,
    },
}

/// An intact line whose payload was not looked at yet.
#[derive(Debug)]
pub struct StoredLine<'a>(v1::Line<'a>);

/// A line, newline included.
pub fn encode(
    draft: &Draft,
    seq: u64,
    prev: Option<&LineHash>,
    body: &Body<'_>,
) -> Result<Vec<u8>, EncodeError> {
    let (payload, blob) = match body {
        Body::Inline(json) => (Some(json.as_ref()), None),
        Body::Blob(blob) => (None, Some(blob.clone())),
    };
    let payload: Option<&RawValue> =
        payload.map(serde_json::from_str).transpose().map_err(EncodeError::Payload)?;
    let Origin { agent, agent_version, session, actor, user, role, project, circumstance } =
        draft.origin.clone();
    let Circumstance { cwd, prompt, permission_mode, effort } = circumstance;
    let Standing { task, outcome, evidence, importance } = draft.standing.clone();
    let line = v1::Line {
        v: VERSION,
        id: draft.id,
        seq,
        at_ms: draft.at,
        agent,
        agent_version,
        session,
        actor: match actor {
            Actor::Main { agent_type } => v1::Actor::Main { agent_type },
            Actor::Subagent { id, agent_type } => v1::Actor::Subagent { id, agent_type },
        },
        user,
        role,
        task,
        outcome: outcome.map(Into::into),
        evidence,
        project,
        scope: draft.access.scope.into(),
        readers: draft.access.readers.clone(),
        importance,
        cwd,
        prompt,
        permission_mode,
        effort,
        kind: kind_of(&draft.event).into(),
        payload,
        blob,
        prev: prev.map(|hash| hash.as_str().to_owned()),
    };
    serde_json::to_vec(&line).map(seal).map_err(EncodeError::Envelope)
}

/// Reads a line without its newline.
pub fn decode(line: &[u8]) -> Result<Decoded<'_>, Damage> {
    if is_intact(line) { decode_intact(line) } else { Err(Damage::Checksum) }
}

/// As much of a line as somebody needs who looks only into events of some kinds.
#[derive(Debug)]
pub enum Glance<'a> {
    /// It is of another kind, or the change of another gate. What stands behind that was not looked at.
    Outline(Outline<'a>),
    /// All of it.
    Whole(Decoded<'a>),
}

/// What somebody looks into; nothing stands for all.
#[derive(Debug, Clone, Copy, Default)]
pub struct Interest<'a> {
    /// Events of these kinds.
    pub kinds: Option<&'a [&'a str]>,
    /// Of changes of gates those of these.
    pub gates: Option<&'a [&'a str]>,
}

/// Reads a line without its newline, no further than to what says that it is not looked into.
pub fn glance<'a>(line: &'a [u8], interest: Interest<'_>) -> Result<Glance<'a>, Damage> {
    if !is_intact(line) {
        return Err(Damage::Checksum);
    }
    match outlined::outline(line, interest) {
        Some(outline) => Ok(Glance::Outline(outline)),
        None => decode_intact(line).map(Glance::Whole),
    }
}

fn decode_intact(line: &[u8]) -> Result<Decoded<'_>, Damage> {
    // Looked at once as a whole, instead of each of its strings for itself.
    if let Ok(text) = str::from_utf8(line)
        && let Ok(line) = serde_json::from_str::<v1::Line<'_>>(text)
        && line.v == VERSION
        && line.payload.is_some() != line.blob.is_some()
    {
        return Ok(Decoded::Line(Box::new(StoredLine(line))));
    }
    match serde_json::from_slice(line) {
        Ok(Versioned { v, seq }) if v != VERSION => Ok(Decoded::Foreign { version: v, seq }),
        _ => Err(Damage::Form),
    }
}

/// What every version promises to have.
#[derive(Deserialize)]
struct Versioned {
    v: u32,
    seq: Option<u64>,
}

impl StoredLine<'_> {
    /// The record's id.
    pub fn id(&self) -> EventId {
        self.0.id
    }

    /// The record's place in its segment.
    pub fn seq(&self) -> u64 {
        self.0.seq
    }

    /// The hash of the line before it, as written.
    pub fn prev(&self) -> Option<&str> {
        self.0.prev.as_deref()
    }

    /// The kind of its event.
    pub fn kind(&self) -> &str {
        &self.0.kind
    }

    /// Where the payload is.
    pub fn body(&self) -> Body<'_> {
        match (&self.0.payload, &self.0.blob) {
            (Some(json), _) => Body::Inline(json.get().into()),
            (None, Some(blob)) => Body::Blob(blob.clone()),
            (None, None) => Body::Inline("null".into()),
        }
    }

    /// The record, its payload in the line or, if it has a blob, in `blob`.
    ///
    /// Without the blob's text the record keeps its kind and says which blob is missing.
    pub fn into_record(self, blob: Option<&str>) -> Record {
        let line = self.0;
        let event = match (line.payload, &line.blob, blob) {
            (Some(json), _, _) => event_from(&line.kind, json.get()),
            (None, Some(_), Some(json)) => event_from(&line.kind, json),
            (None, reference, _) => crate::Event::Unknown {
                kind: line.kind.clone().into_owned(),
                payload: serde_json::json!({ "missing_blob": reference }),
            },
        };
        let origin = Origin {
            agent: line.agent,
            agent_version: line.agent_version,
            session: line.session,
            actor: line.actor.into(),
            user: line.user,
            role: line.role,
            project: line.project,
            circumstance: Circumstance {
                cwd: line.cwd,
                prompt: line.prompt,
                permission_mode: line.permission_mode,
                effort: line.effort,
            },
        };
        let standing = Standing {
            task: line.task,
            outcome: line.outcome.map(Into::into),
            evidence: line.evidence,
            importance: line.importance,
        };
        let access = Access { scope: line.scope.into(), readers: line.readers };
        Record {
            seq: line.seq,
            draft: Draft { id: line.id, at: line.at_ms, origin, standing, access, event },
        }
    }
}

/// JSON Schema of a line.
#[cfg(feature = "schema")]
pub fn schema() -> serde_json::Value {
    let mut generator = schemars::generate::SchemaSettings::draft2020_12().into_generator();
    let payloads = v1::payload_schemas(&mut generator);
    let mut root = generator.into_root_schema_for::<v1::Described>();
    let by_kind: Vec<_> = payloads
        .into_iter()
        .map(|(kind, payload)| {
            serde_json::json!({
                "if": { "properties": { "kind": { "const": kind } }, "required": ["kind", "payload"] },
                "then": { "properties": { "payload": payload } },
            })
        })
        .collect();
    root.insert("allOf".to_owned(), by_kind.into());
    root.to_value()
}

#[cfg(test)]
mod tests;
