//! The fields of a line that seldom change in a session, and so are not written in every line.
//!
//! A *whole* line names its session. It has all of these fields; one that it lacks is empty. Any other line *continues*
//! the one before it: it has the fields that changed, with `null` for one that is empty from here on.

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

/// Gives the fields that may be empty, and the types of their values, to another macro.
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

/// One line in so many is whole, so that a damaged line takes little with it.
const WHOLE_EVERY: u64 = 64;

/// The fields that a line takes over from the lines before it, as they are at one place of a segment.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Carried {
    pub(super) known: Option<Known>,
    /// Whether every line since the last whole one was read. Only then may a line continue them.
    is_complete: bool,
}

/// The values of these fields. The session is known before the rest, by the segment's name.
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

        /// The fields that one line has of them.
        #[derive(Debug, Default)]
        pub(super) struct Changes {
            pub(super) agent: Option<AgentName>,
            pub(super) session: Option<SessionId>,
            $(pub(super) $field: Option<Option<$type>>,)*
            pub(super) readers: Option<Vec<String>>,
        }

        impl Changes {
            /// Reads the value of a field; `false` if it is none of these.
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

            /// All that are not empty.
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

/// Every field of a record, whatever stands before it.
pub(super) fn all_of(draft: &Draft) -> Changes {
    Changes {
        agent: Some(draft.origin.agent.clone()),
        session: Some(draft.origin.session.clone()),
        ..Values::of(draft).all()
    }
}

impl Carried {
    /// Before the first line of a segment, or anywhere in it where the lines before were not read: its name tells the
    /// session, and nothing else is known.
    pub fn in_segment_of(key: SessionKey) -> Self {
        Self { known: Some(Known { key, values: Values::default() }), is_complete: false }
    }

    /// Whether it is not even known which session the lines are of.
    pub fn is_unknown(&self) -> bool {
        self.known.is_none()
    }

    /// Takes note that a line could not be read. The next one that is written will be whole.
    pub fn lose_line(&mut self) {
        self.is_complete = false;
    }

    /// The next line of the segment, newline included.
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
                // Duplicates are told by it, also by a reader that begins in the middle of a segment.
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

    /// Reads the next line of the segment, without its newline.
    pub fn decode<'a>(&'a mut self, line: &'a [u8]) -> Result<Decoded<'a>, Damage> {
        if is_intact(line) {
            self.decode_intact(line)
        } else {
            self.lose_line();
            Err(Damage::Checksum)
        }
    }

    /// Reads the next line, without its newline, no further than to what says that it is not looked into.
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

    /// The values from a line on.
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
