//! An entry of the log, as text for people.

use verger_event::Actor;
use verger_store::Entry;

use crate::render::time::local_time;
use crate::sessions::event_summary::summary;

/// An entry in words.
pub(crate) enum EntryText {
    Event {
        number: String,
        at: String,
        kind: String,
        actor: Actor,
        summary: String,
    },
    /// The reason why the entry can't be read.
    Unread(String),
}

pub(crate) fn entry_text(entry: &Entry) -> EntryText {
    let (record, number) = match entry {
        Entry::Record(record) => (record, record.seq.to_string()),
        Entry::Spilled(record) => (record, "spilled".to_owned()),
        Entry::Foreign { version } => {
            let text = format!("a line of format version {version}: update verger to read it");
            return EntryText::Unread(text);
        }
        Entry::Bad { offset, damage } => {
            return EntryText::Unread(format!("a bad line at byte {offset}: {damage}"));
        }
    };
    let draft = &record.draft;
    EntryText::Event {
        number,
        at: local_time(draft.at),
        kind: draft.event.kind().to_owned(),
        actor: draft.origin.actor.clone(),
        summary: summary(&draft.event),
    }
}
