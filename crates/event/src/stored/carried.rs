//! The carried fields of a line. They seldom change in a session, so a line may leave them out and
//! take over their values from earlier lines.
//!
//! A *whole* line has the agent and the session, and all other carried fields that are not empty.
//! Any other line *continues* the line before it: it has only the fields that changed, with `null`
//! for a field that is empty now.

use std::borrow::Cow;

use serde::de::MapAccess;
use serde::{Deserialize, Serialize};

use super::outlined::read_outline;
use super::{
    Body, Damage, Decoded, EncodeError, Glance, Interest, LineHash, StoredLine, is_intact,
    parse_intact, written,
};
use crate::{
    AgentName, Circumstance, Draft, Event, Origin, Outline, ProjectId, PromptId, SessionId,
    SessionKey, TaskId,
};

/// Passes the names and types of those carried fields that may be empty to another macro.
macro_rules! with_values {
    ($macro:ident) => {
        $macro! {
            agent_version: String,
            user: String,
            role: String,
            project: ProjectId,
            cwd: String,
            prompt: PromptId,
            permission_mode: String,
            effort: String,
            task: TaskId,
        }
    };
}

pub(super) use with_values;

/// The interval of whole lines: every 64th line is whole, so that a damaged line affects few later
/// lines.
const WHOLE_EVERY: u64 = 64;

/// The current values of the carried fields while a segment is read or written line by line.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Carried {
    pub(super) known: Option<Known>,
    /// Whether every line since the last whole line was read. If not, the next written line must be
    /// whole.
    is_complete: bool,
}

/// The known values of the carried fields. Before the first line, only the session's key is known,
/// from the segment's name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Known {
    pub(super) key: SessionKey,
    pub(super) values: Values,
}

macro_rules! values {
    ($($field:ident: $type:ty),* $(,)?) => {
        #[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
        pub(super) struct Values {
            $(pub(super) $field: Option<$type>,)*
            pub(super) readers: Vec<String>,
        }

        /// The carried fields that are present in one line.
        #[derive(Debug, Default)]
        pub(super) struct Changes {
            pub(super) agent: Option<AgentName>,
            pub(super) session: Option<SessionId>,
            $(pub(super) $field: Option<Option<$type>>,)*
            pub(super) readers: Option<Vec<String>>,
        }

        impl Changes {
            /// Reads the value of `field` if it is a carried field. Returns `false` if it isn't.
            pub(super) fn read<'de, A: MapAccess<'de>>(
                &mut self,
                field: &str,
                map: &mut A,
            ) -> Result<bool, A::Error> {
                match field {
                    "agent" => self.agent = map.next_value()?,
                    "session" => self.session = map.next_value()?,
                    $(stringify!($field) => self.$field = Some(map.next_value()?),)*
                    "readers" => self.readers = map.next_value()?,
                    _ => return Ok(false),
                }
                Ok(true)
            }
        }

        impl Values {
            fn set(&mut self, changes: Changes) {
                $(if let Some(value) = changes.$field { self.$field = value; })*
                if let Some(readers) = changes.readers { self.readers = readers; }
            }

            /// Returns all carried values that are not empty, for a whole line.
            fn all(&self) -> Changes {
                Changes {
                    $($field: self.$field.clone().map(Some),)*
                    readers: Some(self.readers.clone()).filter(|readers| !readers.is_empty()),
                    ..Changes::default()
                }
            }

            fn since(&self, before: &Self) -> Changes {
                Changes {
                    $($field: (self.$field != before.$field).then(|| self.$field.clone()),)*
                    readers: (self.readers != before.readers).then(|| self.readers.clone()),
                    ..Changes::default()
                }
            }
        }
    };
}

with_values!(values);

impl Values {
    fn of(draft: &Draft) -> Self {
        let Origin { agent_version, user, role, project, circumstance, .. } = &draft.origin;
        let Circumstance { cwd, prompt, permission_mode, effort } = circumstance;
        Self {
            agent_version: agent_version.clone(),
            user: user.clone(),
            role: role.clone(),
            project: project.clone(),
            cwd: cwd.clone(),
            prompt: prompt.clone(),
            permission_mode: permission_mode.clone(),
            effort: effort.clone(),
            task: draft.standing.task,
            readers: draft.access.readers.clone(),
        }
    }
}

/// All carried fields of a record, for a whole line.
pub(super) fn all_of(draft: &Draft) -> Changes {
    Changes {
        agent: Some(draft.origin.agent.clone()),
        session: Some(draft.origin.session.clone()),
        ..Values::of(draft).all()
    }
}

impl Carried {
    /// The values before a segment's first line, or after lines that were not read. Only the
    /// session's key is known, from the segment's name.
    pub fn in_segment_of(key: SessionKey) -> Self {
        Self { known: Some(Known { key, values: Values::default() }), is_complete: false }
    }

    /// Whether even the session's key is unknown.
    pub fn is_unknown(&self) -> bool {
        self.known.is_none()
    }

    /// Notes that a line could not be read. The next line that is written will be whole.
    pub fn lose_line(&mut self) {
        self.is_complete = false;
    }

    /// Encodes a record as the next line of the segment. Returns the line with its newline.
    pub fn encode(
        &mut self,
        draft: &Draft,
        seq: u64,
        prev: Option<&LineHash>,
        body: &Body<'_>,
    ) -> Result<Vec<u8>, EncodeError> {
        let known = Known { key: draft.origin.session_key(), values: Values::of(draft) };
        let changes = match &self.known {
            Some(before)
                if self.is_complete && before.key == known.key && seq % WHOLE_EVERY != 1 =>
            {
                let mut changes = known.values.since(&before.values);
                // The prompt identifies duplicates, so every prompt event has it. A reader that
                // starts in the middle of the segment then recognizes them too.
                if is_prompt(&draft.event) {
                    changes.prompt = Some(known.values.prompt.clone());
                }
                changes
            }
            _ => all_of(draft),
        };
        let line = written(draft, (seq, prev), changes, body)?;
        *self = Self { known: Some(known), is_complete: true };
        Ok(line)
    }

    /// Decodes the next line of the segment, without its newline.
    pub fn decode<'a>(&'a mut self, line: &'a [u8]) -> Result<Decoded<'a>, Damage> {
        if is_intact(line) {
            self.decode_intact(line)
        } else {
            self.lose_line();
            Err(Damage::Checksum)
        }
    }

    /// Decodes the next line, given without its newline. Parses only the outline if the reader
    /// doesn't want the event.
    pub fn glance<'a>(
        &'a mut self,
        line: &'a [u8],
        interest: Interest<'_>,
    ) -> Result<Glance<'a>, Damage> {
        if !is_intact(line) {
            self.lose_line();
            return Err(Damage::Checksum);
        }
        let Some((outline, changes)) = read_outline(line, interest) else {
            return self.decode_intact(line).map(Glance::Whole);
        };
        self.take(changes);
        let cwd = self.known.as_ref().and_then(|known| known.values.cwd.as_deref());
        Ok(Glance::Outline(Outline { cwd, ..outline }))
    }

    fn decode_intact<'a>(&'a mut self, line: &'a [u8]) -> Result<Decoded<'a>, Damage> {
        match parse_intact(line) {
            Ok(mut line) => {
                self.take(line.take_changes());
                let known = self.known.as_ref().map(Cow::Borrowed).ok_or(Damage::Form)?;
                Ok(Decoded::Line(Box::new(StoredLine { line, known })))
            }
            Err(other) => {
                self.lose_line();
                other.decoded()
            }
        }
    }

    /// Updates the carried values from the fields of a line.
    pub(super) fn take(&mut self, mut changes: Changes) {
        if let (Some(agent), Some(session)) = (changes.agent.take(), changes.session.take()) {
            *self = Self::in_segment_of(SessionKey { agent, session });
            self.is_complete = true;
        }
        if let Some(known) = &mut self.known {
            known.values.set(changes);
        }
    }
}

fn is_prompt(event: &Event) -> bool {
    matches!(event, Event::PromptSubmitted { .. } | Event::PromptExpanded { .. })
}

#[cfg(test)]
mod tests;
