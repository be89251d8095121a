//! The stored form of records: one JSON object per line, versioned, checksummed and chained.
//!
//! Writing is [`payload_json`] (so that secrets can be redacted in the text), then
//! [`Carried::encode`] or, for a standalone line, [`encode`]. Reading is [`Carried::decode`] or
//! [`decode`], then [`StoredLine::into_record`]. A line of an unknown version and a record of an
//! unknown kind are kept, never dropped: an older verger must not lose records of a newer one.

mod carried;
mod frame;
mod line;
mod outlined;
mod payload;
mod v2;

use std::borrow::Cow;

use serde::Deserialize;

pub use carried::Carried;
pub use frame::{LineHash, follows, is_intact, seal};
pub use payload::{event_from, kind_of, payload_json};
pub use v2::{BlobRef, KINDS};

use crate::{Access, Circumstance, Draft, EventId, Origin, Outline, Record, Standing};
use carried::{Changes, Known};
use line::Line;

/// The version that is written.
pub const VERSION: u32 = 2;

/// The longest line, with its newline. A longer payload goes to a blob.
pub const MAX_LINE_BYTES: usize = 64 * 1024;

/// The place of a line's payload.
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
    /// The checksum is missing or wrong: the line is torn, cut or changed.
    #[error("the checksum does not match")]
    Checksum,
    /// The checksum is right, but the line is not a record.
    #[error("the line is intact but is not a record")]
    Form,
}

/// An intact line.
#[derive(Debug)]
pub enum Decoded<'a> {
    /// A line of a version that this program reads.
    Line(Box<StoredLine<'a>>),
    /// A line of another version. It keeps its place in the chain and is skipped.
    Foreign {
        /// Its version.
        version: u32,
        /// Its number in the segment, if it has one.
        seq: Option<u64>,
    },
}

/// An intact line whose payload was not parsed yet.
#[derive(Debug)]
pub struct StoredLine<'a> {
    line: Line<'a>,
    known: Cow<'a, Known>,
}

/// Encodes a standalone line, with its newline.
pub fn encode(
    draft: &Draft,
    seq: u64,
    prev: Option<&LineHash>,
    body: &Body<'_>,
) -> Result<Vec<u8>, EncodeError> {
    written(draft, (seq, prev), carried::all_of(draft), body)
}

fn written(
    draft: &Draft,
    place: (u64, Option<&LineHash>),
    changes: Changes,
    body: &Body<'_>,
) -> Result<Vec<u8>, EncodeError> {
    let line = Line::of(draft, place, changes, body)?;
    serde_json::to_vec(&line).map(seal).map_err(EncodeError::Envelope)
}

/// Decodes a standalone line, without its newline. Fails for a line that continues another.
pub fn decode(line: &[u8]) -> Result<Decoded<'_>, Damage> {
    let mut carried = Carried::default();
    if !is_intact(line) {
        return Err(Damage::Checksum);
    }
    match parse_intact(line) {
        Ok(mut line) => {
            carried.take(line.take_changes());
            let known = carried.known.map(Cow::Owned).ok_or(Damage::Form)?;
            Ok(Decoded::Line(Box::new(StoredLine { line, known })))
        }
        Err(other) => other.decoded(),
    }
}

/// A line, parsed only as far as a reader of some kinds needs.
#[derive(Debug)]
pub enum Glance<'a> {
    /// The outline of an event of another kind, or of another gate's change. The rest was not
    /// parsed.
    Outline(Outline<'a>),
    /// The whole line.
    Whole(Decoded<'a>),
}

/// The events that a reader wants. `None` means all.
#[derive(Debug, Clone, Copy, Default)]
pub struct Interest<'a> {
    /// Events of these kinds.
    pub kinds: Option<&'a [&'a str]>,
    /// The gates whose changes the reader wants.
    pub gates: Option<&'a [&'a str]>,
}

/// An intact line that is no record of this version.
enum OtherLine {
    Foreign { version: u32, seq: Option<u64> },
    Formless,
}

impl OtherLine {
    fn decoded<'a>(self) -> Result<Decoded<'a>, Damage> {
        match self {
            Self::Foreign { version, seq } => Ok(Decoded::Foreign { version, seq }),
            Self::Formless => Err(Damage::Form),
        }
    }
}

/// Parses an intact line, independently of the lines before it.
fn parse_intact(line: &[u8]) -> Result<Line<'_>, OtherLine> {
    // UTF-8 is checked once for the whole line instead of for each string.
    if let Ok(text) = str::from_utf8(line)
        && let Ok(line) = serde_json::from_str::<Line<'_>>(text)
        && line.v == VERSION
        && line.payload.is_some() != line.blob.is_some()
    {
        return Ok(line);
    }
    Err(match serde_json::from_slice(line) {
        Ok(Versioned { v, seq }) if v != VERSION => OtherLine::Foreign { version: v, seq },
        _ => OtherLine::Formless,
    })
}

/// The fields that every version must have.
#[derive(Deserialize)]
struct Versioned {
    v: u32,
    seq: Option<u64>,
}

impl StoredLine<'_> {
    /// The record's id.
    pub fn id(&self) -> EventId {
        self.line.id
    }

    /// The record's number in its segment.
    pub fn seq(&self) -> u64 {
        self.line.seq
    }

    /// The hash of the previous line, as it is written.
    pub fn prev(&self) -> Option<&str> {
        self.line.prev.as_deref()
    }

    /// The kind of its event.
    pub fn kind(&self) -> &str {
        &self.line.kind
    }

    /// The place of the payload.
    pub fn body(&self) -> Body<'_> {
        match (&self.line.payload, &self.line.blob) {
            (Some(json), _) => Body::Inline(json.get().into()),
            (None, Some(blob)) => Body::Blob(blob.clone()),
            (None, None) => Body::Inline("null".into()),
        }
    }

    /// The record, with its payload from the line or from the text of its blob.
    ///
    /// Without the blob's text, the record keeps its kind and says which blob is missing.
    pub fn into_record(self, blob: Option<&str>) -> Record {
        let Self { line, known } = self;
        let event = match (line.payload, &line.blob, blob) {
            (Some(json), _, _) => event_from(&line.kind, json.get()),
            (None, Some(_), Some(json)) => event_from(&line.kind, json),
            (None, reference, _) => crate::Event::Unknown {
                kind: line.kind.clone().into_owned(),
                payload: serde_json::json!({ "missing_blob": reference }),
            },
        };
        let Known { key, values } = known.into_owned();
        let origin = Origin {
            agent: key.agent,
            agent_version: values.agent_version,
            session: key.session,
            actor: line.actor.into(),
            user: values.user,
            role: values.role,
            project: values.project,
            circumstance: Circumstance {
                cwd: values.cwd,
                prompt: values.prompt,
                permission_mode: values.permission_mode,
                effort: values.effort,
            },
        };
        let standing = Standing {
            task: values.task,
            outcome: line.outcome,
            evidence: line.evidence,
            importance: line.importance,
        };
        let access = Access { scope: line.scope, readers: values.readers };
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
    let payloads = v2::payload_schemas(&mut generator);
    let mut root = generator.into_root_schema_for::<line::Described>();
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
