//! The stored form of records: one JSON object per line, with a version, a checksum and the hash of
//! the previous line.
//!
//! To write a record, call [`payload_json`], redact secrets in its text, and call
//! [`Carried::encode`] or, for a standalone line, [`encode`]. To read a line, call
//! [`Carried::decode`] or [`decode`], then [`StoredLine::into_record`]. Lines of an unknown version
//! and records of an unknown kind are kept: an older verger must not lose records of a newer one.

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

/// The version of lines that this program writes.
pub const VERSION: u32 = 2;

/// Maximum length of a line with its newline. If the payload makes a line longer, the payload is
/// stored in a blob.
pub const MAX_LINE_BYTES: usize = 64 * 1024;

/// The place of a line's payload.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Body<'a> {
    /// The payload is in the line itself, as JSON text.
    Inline(Cow<'a, str>),
    /// The payload is in a blob.
    Blob(BlobRef),
}

/// A record could not be encoded as a line.
#[derive(Debug, thiserror::Error)]
pub enum EncodeError {
    /// The payload is not JSON.
    #[error("write a payload that is not JSON")]
    Payload(#[source] serde_json::Error),
    /// The envelope could not be serialised.
    #[error("serialise a record")]
    Envelope(#[source] serde_json::Error),
}

/// The reason why a line can't be decoded as a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Damage {
    /// The line's checksum is missing or wrong, because the line was cut or changed.
    #[error("the checksum does not match")]
    Checksum,
    /// The line's checksum is right, but the line doesn't contain a record.
    #[error("the line is intact but is not a record")]
    Form,
}

/// A line whose checksum is right: a record, or a line of another version.
#[derive(Debug)]
pub enum Decoded<'a> {
    /// A line of the version that this program reads, with a record.
    Line(Box<StoredLine<'a>>),
    /// A line of another version. It is skipped, but the chain of hashes includes it.
    Foreign {
        /// The version of the line's format.
        version: u32,
        /// The line's number in the segment, if it has one.
        seq: Option<u64>,
    },
}

/// A line whose checksum is right and whose payload is not parsed yet.
#[derive(Debug)]
pub struct StoredLine<'a> {
    line: Line<'a>,
    known: Cow<'a, Known>,
}

/// Encodes a standalone line, which repeats all fields. Returns the line with its newline.
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

/// Decodes a standalone line without its newline. A line that takes over fields from earlier lines
/// is an error.
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

/// The result of parsing a line only as far as the reader needs.
#[derive(Debug)]
pub enum Glance<'a> {
    /// The outline of the record, because the reader doesn't want the event. The rest of the line
    /// was not parsed.
    Outline(Outline<'a>),
    /// The completely decoded line.
    Whole(Decoded<'a>),
}

/// The events that a reader wants. `None` means all of them.
#[derive(Debug, Clone, Copy, Default)]
pub struct Interest<'a> {
    /// The kinds of events that the reader wants.
    pub kinds: Option<&'a [&'a str]>,
    /// The gates whose changes the reader wants.
    pub gates: Option<&'a [&'a str]>,
}

/// A line whose checksum is right, but that has no record of this version.
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

/// Parses a line whose checksum is right. Fields that the line takes over from earlier lines stay
/// empty.
fn parse_intact(line: &[u8]) -> Result<Line<'_>, OtherLine> {
    // Checking the UTF-8 of the whole line once is faster than checking each string.
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

/// The fields that lines of every format version have.
#[derive(Deserialize)]
struct Versioned {
    v: u32,
    seq: Option<u64>,
}

impl StoredLine<'_> {
    /// The id of the line's record.
    pub fn id(&self) -> EventId {
        self.line.id
    }

    /// The sequence number of the line's record in its segment.
    pub fn seq(&self) -> u64 {
        self.line.seq
    }

    /// The hash of the previous line, as this line has it.
    pub fn prev(&self) -> Option<&str> {
        self.line.prev.as_deref()
    }

    /// The kind of the event in the line's record.
    pub fn kind(&self) -> &str {
        &self.line.kind
    }

    /// The place of the line's payload.
    pub fn body(&self) -> Body<'_> {
        match (&self.line.payload, &self.line.blob) {
            (Some(json), _) => Body::Inline(json.get().into()),
            (None, Some(blob)) => Body::Blob(blob.clone()),
            (None, None) => Body::Inline("null".into()),
        }
    }

    /// Converts the line to a record. The payload comes from the line or from `blob`, the text of
    /// its blob.
    ///
    /// If the payload is in a blob and `blob` is `None`, the record keeps its kind, and its payload
    /// names the missing blob.
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

/// The JSON Schema of a line.
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
