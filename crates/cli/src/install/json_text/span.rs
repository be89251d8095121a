//! The positions of values in a JSON text.

use std::fmt;
use std::ops::Range;

use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;

use super::{JsonTextError, not_json};

/// A member of an object or an element of an array.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Entry {
    pub(super) key: Option<String>,
    start: usize,
    pub(super) value: Range<usize>,
}

impl Entry {
    /// The range from the beginning of the key, if there is one, to the end of the value.
    pub(super) fn span(&self) -> Range<usize> {
        self.start..self.value.end
    }
}

/// The range of the text's only value.
pub(super) fn root(text: &str) -> Result<Range<usize>, JsonTextError> {
    let raw: &RawValue = serde_json::from_str(text).map_err(|error| not_json(text, 0, &error))?;
    Ok(span_in(text, raw))
}

/// The entries of the object or array in this range. Other values have no entries.
pub(super) fn entries(text: &str, span: &Range<usize>) -> Result<Vec<Entry>, JsonTextError> {
    if !matches!(text.as_bytes().get(span.start), Some(b'{' | b'[')) {
        return Ok(Vec::new());
    }
    let part = &text[span.clone()];
    let Children(children) =
        serde_json::from_str(part).map_err(|error| not_json(text, span.start, &error))?;
    let mut free = span.start + 1;
    let entry = |(key, raw): (Option<String>, &RawValue)| {
        let value = span_in(text, raw);
        let start = first_solid(text, free);
        free = value.end;
        Entry { key, start, value }
    };
    Ok(children.into_iter().map(entry).collect())
}

/// The first byte that is neither white space nor the comma between two entries.
fn first_solid(text: &str, from: usize) -> usize {
    let is_between = |byte: &u8| byte.is_ascii_whitespace() || *byte == b',';
    from + text.as_bytes()[from..].iter().take_while(|byte| is_between(byte)).count()
}

fn span_in(text: &str, raw: &RawValue) -> Range<usize> {
    // A borrowed raw value is a slice of the text that it was read from.
    let start = raw.get().as_ptr().addr() - text.as_ptr().addr();
    start..start + raw.get().len()
}

/// The members of an object or elements of an array, in order. Repeated names are kept.
struct Children<'a>(Vec<(Option<String>, &'a RawValue)>);

impl<'de> Deserialize<'de> for Children<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(ChildrenVisitor)
    }
}

struct ChildrenVisitor;

impl<'de> Visitor<'de> for ChildrenVisitor {
    type Value = Children<'de>;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("an object or an array")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut children = Vec::new();
        while let Some((key, value)) = map.next_entry::<String, &RawValue>()? {
            children.push((Some(key), value));
        }
        Ok(Children(children))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut sequence: A) -> Result<Self::Value, A::Error> {
        let mut children = Vec::new();
        while let Some(value) = sequence.next_element::<&RawValue>()? {
            children.push((None, value));
        }
        Ok(Children(children))
    }
}
