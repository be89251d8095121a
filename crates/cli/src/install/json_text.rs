//! Changes a JSON text in place: all bytes outside of the change are kept.
//!
//! `serde_json` determines whether a text is JSON and where each value lies, as strictly as the
//! programs that read the text. A change replaces only the bytes between two of these positions.
//! New entries are added at the end of their container in the existing layout. Removing an entry
//! removes exactly the bytes that adding it wrote.

mod layout;
mod span;

use std::ops::Range;

use serde_json::{Value, json};

use layout::Layout;
use span::{Entry, entries, root};

const BYTE_ORDER_MARK: char = '\u{feff}';

/// The reason why a text is not changed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum JsonTextError {
    #[error("it is not text: byte {offset} is not UTF-8")]
    NotText { offset: usize },
    #[error("it is not JSON: line {line}, column {column}: {problem}")]
    NotJson { line: usize, column: usize, problem: String },
    #[error("line {line}: {place} is {found}, but must be {expected}")]
    WrongKind { line: usize, place: String, found: &'static str, expected: &'static str },
}

/// A step of a path through objects and arrays.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Step {
    /// The last member with this name. Readers also use the last one.
    Key(String),
    Element(usize),
}

/// The steps through these keys.
pub(crate) fn keys(names: &[&str]) -> Vec<Step> {
    names.iter().map(|&name| Step::Key(name.to_owned())).collect()
}

/// The text of a JSON file. A file with only white space counts as an empty object, as it does for
/// programs that read it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct JsonText {
    has_byte_order_mark: bool,
    text: String,
}

impl JsonText {
    pub(crate) fn parse(bytes: &[u8]) -> Result<Self, JsonTextError> {
        let text = std::str::from_utf8(bytes)
            .map_err(|error| JsonTextError::NotText { offset: error.valid_up_to() })?;
        let stripped = text.strip_prefix(BYTE_ORDER_MARK);
        let text = stripped.unwrap_or(text);
        if !text.trim_ascii().is_empty() {
            let root = root(text)?;
            expect_kind(text, &root, &[], Kind::Object)?;
        }
        Ok(Self { has_byte_order_mark: stripped.is_some(), text: text.to_owned() })
    }

    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        let mark = self.has_byte_order_mark.then_some(BYTE_ORDER_MARK);
        mark.into_iter().chain(self.text.chars()).collect::<String>().into_bytes()
    }

    /// Whether the object has no members.
    pub(crate) fn is_empty(&self) -> bool {
        self.length(&[]).is_ok_and(|length| length.unwrap_or(0) == 0)
    }

    /// The value at the end of a path, if there is one.
    pub(crate) fn value(&self, path: &[Step]) -> Result<Option<Value>, JsonTextError> {
        let Some(span) = self.find(path)? else { return Ok(None) };
        serde_json::from_str(&self.text[span.clone()])
            .map(Some)
            .map_err(|error| not_json(&self.text, span.start, &error))
    }

    /// The number of entries of the object or array at the end of a path.
    pub(crate) fn length(&self, path: &[Step]) -> Result<Option<usize>, JsonTextError> {
        let Some(span) = self.find(path)? else { return Ok(None) };
        Ok(Some(entries(&self.text, &span)?.len()))
    }

    /// Sets the value of a member. Missing objects on the path are created.
    pub(crate) fn set(&mut self, path: &[Step], value: &Value) -> Result<(), JsonTextError> {
        match self.find(path)? {
            Some(span) => {
                let (layout, indent) = Layout::at(&self.text, &span);
                self.text.replace_range(span, &layout.render(value, &indent));
                Ok(())
            }
            None => self.insert_missing(path, value),
        }
    }

    /// Adds an element to the end of an array. A missing array is created.
    pub(crate) fn push(&mut self, path: &[Step], value: &Value) -> Result<(), JsonTextError> {
        match self.find(path)? {
            Some(span) => {
                expect_kind(&self.text, &span, path, Kind::Array)?;
                self.insert(&span, None, value)
            }
            None => self.insert_missing(path, &json!([value])),
        }
    }

    /// Removes an entry. An empty container stays.
    pub(crate) fn remove(&mut self, path: &[Step]) -> Result<(), JsonTextError> {
        let Some((last, above)) = path.split_last() else { return Ok(()) };
        let Some(container) = self.find(above)? else { return Ok(()) };
        let entries = entries(&self.text, &container)?;
        let Some(index) = index_of(&entries, last) else { return Ok(()) };
        let range = match (index.checked_sub(1), entries.get(index + 1)) {
            (Some(before), _) => entries[before].span().end..entries[index].span().end,
            (None, Some(after)) => entries[index].span().start..after.span().start,
            (None, None) => container.start + 1..container.end - 1,
        };
        self.text.replace_range(range, "");
        Ok(())
    }

    fn find(&self, path: &[Step]) -> Result<Option<Range<usize>>, JsonTextError> {
        if self.text.trim_ascii().is_empty() {
            return Ok(None);
        }
        let mut span = root(&self.text)?;
        for (index, step) in path.iter().enumerate() {
            let kind = match step {
                Step::Key(_) => Kind::Object,
                Step::Element(_) => Kind::Array,
            };
            expect_kind(&self.text, &span, &path[..index], kind)?;
            let entries = entries(&self.text, &span)?;
            let Some(index) = index_of(&entries, step) else { return Ok(None) };
            span = entries[index].value.clone();
        }
        Ok(Some(span))
    }

    /// Inserts the missing part of a path. Its last step gets the value.
    fn insert_missing(&mut self, path: &[Step], value: &Value) -> Result<(), JsonTextError> {
        if self.text.trim_ascii().is_empty() {
            "{}\n".clone_into(&mut self.text);
        }
        let mut depth = 0;
        let mut container = self.find(&[])?.unwrap_or_default();
        while let Some(span) = self.find(&path[..=depth])? {
            (container, depth) = (span, depth + 1);
        }
        expect_kind(&self.text, &container, &path[..depth], Kind::Object)?;
        let value = path[depth + 1..].iter().rev().fold(value.clone(), |value, step| match step {
            Step::Key(key) => json!({ key: value }),
            Step::Element(_) => json!([value]),
        });
        let Step::Key(key) = &path[depth] else { return Ok(()) };
        self.insert(&container, Some(key), &value)
    }

    fn insert(
        &mut self,
        container: &Range<usize>,
        key: Option<&str>,
        value: &Value,
    ) -> Result<(), JsonTextError> {
        let entries = entries(&self.text, container)?;
        let (layout, indent) = Layout::of_entries(&self.text, container, &entries);
        let rendered = layout.render(value, &indent);
        let entry = match key {
            Some(key) => format!("{}{}{rendered}", Value::from(key), layout.colon()),
            None => rendered,
        };
        if let Some(last) = entries.last() {
            let text = format!(",{}{entry}", layout.before_next(&indent));
            self.text.insert_str(last.span().end, &text);
        } else {
            let (_, outer) = Layout::at(&self.text, container);
            let text =
                format!("{}{entry}{}", layout.before_first(&indent), layout.after_last(&outer));
            self.text.replace_range(container.start + 1..container.end - 1, &text);
        }
        Ok(())
    }
}

fn index_of(entries: &[Entry], step: &Step) -> Option<usize> {
    match step {
        Step::Key(key) => entries.iter().rposition(|entry| entry.key.as_ref() == Some(key)),
        Step::Element(index) => (*index < entries.len()).then_some(*index),
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Object,
    Array,
}

fn expect_kind(
    text: &str,
    span: &Range<usize>,
    path: &[Step],
    kind: Kind,
) -> Result<(), JsonTextError> {
    let (found, expected) = (text.as_bytes().get(span.start), kind);
    let is_expected = match expected {
        Kind::Object => found == Some(&b'{'),
        Kind::Array => found == Some(&b'['),
    };
    if is_expected {
        return Ok(());
    }
    Err(JsonTextError::WrongKind {
        line: line_of(text, span.start),
        place: place(path),
        found: match found {
            Some(b'{') => "an object",
            Some(b'[') => "an array",
            Some(b'"') => "a string",
            Some(b't' | b'f') => "true or false",
            Some(b'n') => "null",
            _ => "a number",
        },
        expected: match expected {
            Kind::Object => "an object",
            Kind::Array => "an array",
        },
    })
}

/// A path as people write it: `permissions.allow`.
fn place(path: &[Step]) -> String {
    if path.is_empty() {
        return "the whole file".to_owned();
    }
    let parts = path.iter().map(|step| match step {
        Step::Key(key) => format!(".{key}"),
        Step::Element(index) => format!("[{index}]"),
    });
    parts.collect::<String>().trim_start_matches('.').to_owned()
}

fn line_of(text: &str, offset: usize) -> usize {
    text[..offset].matches('\n').count() + 1
}

/// Converts the position of an error in a part of the text to a position in the whole text.
fn not_json(text: &str, start: usize, error: &serde_json::Error) -> JsonTextError {
    let before_first_column = if error.line() == 1 {
        text[..start].rfind('\n').map_or(start, |newline| start - newline - 1)
    } else {
        0
    };
    let (line, column) =
        (line_of(text, start) + error.line() - 1, error.column() + before_first_column);
    let source_line = text.lines().nth(line - 1).unwrap_or_default().as_bytes();
    let message = error.to_string();
    let problem = match column.checked_sub(1).and_then(|index| source_line.get(index)) {
        Some(b'/') => "a comment, which JSON does not have",
        Some(b'}' | b']') => "a comma before the end, which JSON does not have",
        _ => message.rsplit_once(" at line ").map_or(message.as_str(), |(problem, _)| problem),
    };
    JsonTextError::NotJson { line, column, problem: problem.to_owned() }
}

#[cfg(test)]
mod tests;
