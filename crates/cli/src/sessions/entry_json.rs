//! An entry of the log, as JSON for programs.

use serde_json::{Value, json};
use verger_event::Record;
use verger_event::stored::{Body, encode, payload_json};
use verger_store::Entry;

/// The stored form of an entry without the frame around its line. A payload in a blob is included.
pub(crate) fn entry_json(entry: &Entry) -> Value {
    match entry {
        Entry::Record(record) => json!({ "entry": "record", "record": record_json(record) }),
        Entry::Spilled(record) => json!({ "entry": "spilled", "record": record_json(record) }),
        Entry::Foreign { version } => json!({ "entry": "foreign", "version": version }),
        Entry::Bad { offset, damage } => {
            json!({ "entry": "bad", "offset": offset, "damage": damage.to_string() })
        }
    }
}

pub(crate) fn record_json(record: &Record) -> Value {
    let line = payload_json(&record.draft.event).ok().and_then(|payload| {
        encode(&record.draft, record.seq, None, &Body::Inline(payload.into())).ok()
    });
    let mut value: Value =
        line.and_then(|line| serde_json::from_slice(&line).ok()).unwrap_or_default();
    if let Some(fields) = value.as_object_mut() {
        fields.remove("prev");
        fields.remove("crc");
    }
    value
}
