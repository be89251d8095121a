//! The last step before a record is written anywhere: secrets are taken out of every text in it.

use verger_event::Draft;
use verger_event::stored::{EncodeError, event_from, payload_json};

/// Gives the text without its secrets, or nothing when it has none.
pub type Redact<'a> = &'a dyn Fn(&str) -> Option<String>;

/// No honest path or name is longer. The envelope must fit into a line whatever comes from outside.
const MAX_ENVELOPE_TEXT_BYTES: usize = 4096;
const CUT: &str = "[cut]";

/// A record as it will be written, and as every reader will see it.
#[derive(Debug, Clone, PartialEq)]
pub struct Prepared {
    /// The record.
    pub draft: Draft,
    /// Its payload as JSON text.
    pub payload: String,
}

/// Takes the secrets out of a record.
///
/// The event is read back from its redacted text, so that a state folded now equals the state
/// folded from the log later.
pub fn prepare(mut draft: Draft, redact: Redact<'_>) -> Result<Prepared, EncodeError> {
    for text in draft.envelope_texts() {
        if text.len() > MAX_ENVELOPE_TEXT_BYTES {
            text.truncate(text.floor_char_boundary(MAX_ENVELOPE_TEXT_BYTES));
            text.push_str(CUT);
        }
        if let Some(clean) = redact(text) {
            *text = clean;
        }
    }
    let mut payload = payload_json(&draft.event).map_err(EncodeError::Payload)?;
    if let Some(clean) = redact(&payload) {
        draft.event = event_from(draft.event.kind(), &clean);
        payload = clean;
    }
    Ok(Prepared { draft, payload })
}
