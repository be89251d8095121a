//! Sets and unsets one key in the text of a configuration file. All other bytes stay unchanged.
//!
//! The value is inserted at its position in the text, without a TOML writer. A writer would also
//! change a person's line endings and spaces.

use std::ops::Range;

use toml::de::{DeTable, DeValue};

use crate::document::nearest_key;
use crate::keys::{KEYS, Key, Settings};
use crate::layers::{Layers, Origin, Source};
use crate::problem::ProblemKind;
use crate::resolve::resolve;
use crate::rule::{Offer, Standing};
use crate::statement::{Statement, Statements, end_position};
use crate::value::Given;

/// The name of a key that exists.
#[derive(Clone, Copy)]
pub struct KeyName(&'static Key);

/// The reason why a configuration file is not edited: the edit would not be safe.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}, column {column}: {message}")]
pub struct EditError {
    pub line: u32,
    pub column: u32,
    pub message: String,
}

/// The result of unsetting a key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Unset {
    /// The text without the key.
    Removed(String),
    /// The key was not set in the text.
    Absent,
}

impl KeyName {
    /// Parses the path of a key, such as `record.role`. The error names the key that was probably
    /// meant.
    pub fn parse(path: &str) -> Result<Self, ProblemKind> {
        let known = KEYS.iter().find(|key| key.path() == path).map(Self);
        known.ok_or_else(|| ProblemKind::UnknownKey {
            key: path.to_owned(),
            nearest: nearest_key(path),
        })
    }

    pub fn path(self) -> String {
        self.0.path()
    }

    /// Converts a typed value to the form in which it is written to a file. A person may type the
    /// value in the syntax of a file or of a variable.
    pub fn canonical(self, typed: &str) -> Result<String, ProblemKind> {
        let line = format!("value = {typed}");
        let parsed = DeTable::parse(&line).ok();
        let as_in_file = parsed.as_ref().filter(|table| table.get_ref().len() == 1);
        let as_in_file = as_in_file.and_then(|table| table.get_ref().get("value"));
        if let Some(value) = as_in_file {
            let read = self.read(Given::Toml(value.get_ref()));
            let is_plainly_toml = matches!(value.get_ref(), DeValue::Array(_) | DeValue::Table(_));
            if read.is_ok() || is_plainly_toml {
                return read;
            }
        }
        match typed {
            "" => Err(ProblemKind::BadValue {
                key: self.path(),
                expected: (self.0.expected)(),
                found: "nothing".to_owned(),
                nearest: None,
            }),
            _ => self.read(Given::Variable(typed)),
        }
    }

    fn read(self, given: Given<'_>) -> Result<String, ProblemKind> {
        let mut settings = Settings::default();
        let offer = Offer { given, origin: Origin::Default, standing: Standing::User };
        (self.0.take)(&mut settings, offer, &self.path())?;
        Ok(self.0.render(&settings))
    }

    /// Sets this key in a text to a [canonical](Self::canonical) value. Returns the new text.
    pub fn set_in(self, text: &str, value: &str) -> Result<String, EditError> {
        let Key { section, name, .. } = self.0;
        let newline = if text.contains("\r\n") { "\r\n" } else { "\n" };
        let (at, new) = match self.place_in(text)? {
            Place::Value { value: at, .. } => (at, value.to_owned()),
            Place::Inline { table, holds: Holds::Keys } => {
                (table.start + 1..table.start + 1, format!(" {name} = {value},"))
            }
            Place::Inline { table, holds: Holds::Nothing } => {
                (table, format!("{{ {name} = {value} }}"))
            }
            Place::Section { end } => (end..end, format!("{name} = {value}{newline}")),
            Place::Dotted { end } => (end..end, format!("{section}.{name} = {value}{newline}")),
            Place::Nowhere => {
                let blank = if text.trim_ascii().is_empty() { "" } else { newline };
                let lines = format!("{blank}[{section}]{newline}{name} = {value}{newline}");
                (text.len()..text.len(), lines)
            }
        };
        let needs_newline = at.start == text.len() && !text.is_empty() && !text.ends_with('\n');
        let before = if needs_newline { newline } else { "" };
        let edited = [&text[..at.start], before, &new, &text[at.end..]].concat();
        if self.counts_in(&edited, value) { Ok(edited) } else { Err(self.in_the_way(text)) }
    }

    /// Whether the text is valid TOML in which this key has this value. It is `false` if, for
    /// example, the name of the key's section is used for another value.
    fn counts_in(self, text: &str, value: &str) -> bool {
        let user = Some(Source { file: "", bytes: text.as_bytes() });
        let (settings, _) = resolve(&Layers { user, ..Layers::default() });
        parse(text).is_ok() && self.0.render(&settings) == value
    }

    /// The error that reports the first statement in which the section's name is used for another
    /// value.
    fn in_the_way(self, text: &str) -> EditError {
        let is_about = |statement: &Statement<'_>| {
            statement.parse().is_ok_and(|parsed| parsed.get_ref().contains_key(self.0.section))
        };
        let mut statements = Statements::new(text);
        let first = std::iter::from_fn(|| statements.next()).find(is_about);
        let (line, column) = first.map_or((1, 1), |statement| statement.position(0));
        let message = format!("{} cannot be set: it conflicts with text in this file", self.path());
        EditError { line, column, message }
    }

    /// Removes this key from a text. Returns the new text, unless the key was not set.
    pub fn unset_in(self, text: &str) -> Result<Unset, EditError> {
        let mut unset = Unset::Absent;
        // A value that is a table may be set by several dotted keys, so each line is removed.
        loop {
            let text = if let Unset::Removed(text) = &unset { text } else { text };
            let Place::Value { removal, .. } = self.place_in(text)? else { return Ok(unset) };
            unset = Unset::Removed([&text[..removal.start], &text[removal.end..]].concat());
        }
    }

    fn place_in(self, text: &str) -> Result<Place, EditError> {
        parse(text)?;
        let mut place = Place::Nowhere;
        let mut section = Vec::new();
        let mut statements = Statements::new(text);
        while let Some(statement) = statements.next() {
            let end = text.len() - statements.remaining();
            // The whole text is valid TOML. A statement that isn't valid alone doesn't contain a
            // key of the section.
            let Ok(parsed) = statement.parse() else { continue };
            if statement.is_header() {
                section = header_path(parsed.get_ref());
                if section == [self.0.section] {
                    place = Place::Section { end };
                }
                continue;
            }
            match self.place_of(&section, &statement, parsed.get_ref(), end) {
                Some(found @ Place::Value { .. }) => return Ok(found),
                Some(other) => place = other,
                None => {}
            }
        }
        Ok(place)
    }

    /// Finds the place of the key in one statement, or a place in the statement to insert it.
    fn place_of(
        self,
        section: &[String],
        statement: &Statement<'_>,
        table: &DeTable<'_>,
        end: usize,
    ) -> Option<Place> {
        let Key { section: wanted, name, .. } = self.0;
        let start = end - statement.text.len();
        let at = |span: Range<usize>| start + span.start..start + span.end;
        if section == [*wanted] {
            let value = table.get(*name).map(|value| at(value.span()));
            let place = value.map(|value| Place::Value { value, removal: start..end });
            return Some(place.unwrap_or(Place::Section { end }));
        }
        if !section.is_empty() {
            return None;
        }
        let (outer, inner) = table.get(*wanted).map(|value| (value.span(), value.get_ref()))?;
        let DeValue::Table(inner) = inner else { return None };
        let is_inline = statement.text[outer.clone()].starts_with('{');
        let Some((key, value)) = inner.get_key_value(*name) else {
            let holds = if inner.is_empty() { Holds::Nothing } else { Holds::Keys };
            let inline = || Place::Inline { table: at(outer), holds };
            return Some(if is_inline { inline() } else { Place::Dotted { end } });
        };
        let removal = if is_inline {
            at(entry_span(inner, key.span().start, value.span().end, outer.end - 1))
        } else {
            start..end
        };
        Some(Place::Value { value: at(value.span()), removal })
    }
}

fn parse(text: &str) -> Result<(), EditError> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    DeTable::parse(text).map(drop).map_err(|error| {
        let at = error.span().map_or(0, |span| span.start);
        let (line, column) = end_position(text.get(..at).unwrap_or(text));
        EditError { line, column, message: error.message().to_owned() }
    })
}

/// The place of a key's value in a text, or the place at which to insert the key.
enum Place {
    /// The key is set. `value` is the range of the value. `removal` is the range that unsetting
    /// removes: a whole line, or a part of an inline table.
    Value {
        value: Range<usize>,
        removal: Range<usize>,
    },
    Inline {
        table: Range<usize>,
        holds: Holds,
    },
    /// The key isn't set. It can be inserted after the last line of its section.
    Section {
        end: usize,
    },
    /// The key isn't set. It can be inserted after a line such as `record.role = "reviewer"`.
    Dotted {
        end: usize,
    },
    Nowhere,
}

enum Holds {
    Keys,
    Nothing,
}

fn header_path(header: &DeTable<'_>) -> Vec<String> {
    let mut path = Vec::new();
    let mut level = Some(header);
    while let Some((key, value)) = level.and_then(|table| table.iter().next()) {
        path.push(key.get_ref().to_string());
        level = value.get_ref().as_table();
    }
    path
}

/// The range of an entry in an inline table, including one comma beside the entry.
fn entry_span(table: &DeTable<'_>, start: usize, end: usize, close: usize) -> Range<usize> {
    let next = table.keys().map(|key| key.span().start).filter(|&other| other > start).min();
    let previous =
        table.values().map(|value| value.span().end).filter(|&other| other < start).max();
    match (next, previous) {
        (Some(next), _) => start..next,
        (None, Some(previous)) => previous..end,
        (None, None) => start..close,
    }
}

#[cfg(test)]
mod tests;
