//! The rules for every agent's payload: UTF-8 text with one JSON object, and ids of limited
//! length.

use std::borrow::Cow;
use std::fmt;
use std::marker::PhantomData;

use serde::Deserialize;
use serde::de::value::MapAccessDeserializer;
use serde::de::{
    self, DeserializeOwned, DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor,
};
use serde_json::{Map, Value};
use verger_event::{Actor, SubagentId};

use crate::Malformed;

/// Maximum length of an agent's id in bytes. Real ids have fewer than 50.
pub(crate) const MAX_ID_BYTES: usize = 512;

/// Maximum nesting depth of a value that is stored unparsed. A record adds a few levels, and JSON
/// with more than 127 levels can be written but not parsed again.
pub(crate) const MAX_DEPTH: usize = 100;

/// The text of a payload.
pub(crate) struct Payload<'a> {
    event: &'static str,
    text: Cow<'a, str>,
}

impl<'a> Payload<'a> {
    /// The text of `bytes`, without a byte order mark and with lone surrogates replaced.
    pub(crate) fn new(event: &'static str, bytes: &'a [u8]) -> Result<Self, Malformed> {
        let text = std::str::from_utf8(bytes).map_err(|source| Malformed::NotUtf8 {
            event,
            offset: source.valid_up_to(),
            source,
        })?;
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        Ok(Self { event, text: without_lone_surrogates(text) })
    }

    /// Parses the payload as `T`. Fields that `T` doesn't have are ignored.
    pub(crate) fn read<T: DeserializeOwned>(&self) -> Result<T, Malformed> {
        serde_json::from_str(&self.text)
            .map(|Object(whole)| whole)
            .map_err(|source| Malformed::Form { event: self.event, source })
    }
}

/// Replaces escapes of lone surrogates by the replacement character.
///
/// A program that cuts text by UTF-16 units, as JavaScript does, may send half an emoji as such
/// an escape. The JSON parser would reject the whole payload.
fn without_lone_surrogates(text: &str) -> Cow<'_, str> {
    if !text.contains("\\ud") && !text.contains("\\uD") {
        return Cow::Borrowed(text);
    }
    let mut whole = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('\\') {
        whole.push_str(&rest[..at]);
        rest = &rest[at..];
        let len = match (unit(rest), unit(rest.get(6..).unwrap_or_default())) {
            (Some(0xd800..=0xdbff), Some(0xdc00..=0xdfff)) => 12,
            (Some(0xd800..=0xdfff), _) => {
                whole.push_str("\\ufffd");
                rest = &rest[6..];
                continue;
            }
            (Some(_), _) => 6,
            (None, _) => rest.char_indices().nth(2).map_or(rest.len(), |(end, _)| end),
        };
        whole.push_str(&rest[..len]);
        rest = &rest[len..];
    }
    whole.push_str(rest);
    Cow::Owned(whole)
}

/// The UTF-16 unit of the escape at the start of the text.
fn unit(text: &str) -> Option<u16> {
    let digits = text.strip_prefix("\\u")?.get(..4)?;
    u16::from_str_radix(digits, 16).ok().filter(|_| !digits.starts_with('+'))
}

/// A `T` whose JSON is an object. A derived struct would also accept an array of its fields,
/// which no agent sends.
pub(crate) struct Object<T>(pub(crate) T);

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Object<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct AsMap<T>(PhantomData<T>);

        impl<'de, T: Deserialize<'de>> Visitor<'de> for AsMap<T> {
            type Value = T;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<T, A::Error> {
                T::deserialize(MapAccessDeserializer::new(map))
            }
        }

        deserializer.deserialize_map(AsMap(PhantomData)).map(Self)
    }
}

/// An agent's id: any text of at most [`MAX_ID_BYTES`] bytes.
#[derive(Deserialize)]
#[serde(try_from = "String")]
pub(crate) struct Id(String);

/// The id is too long.
#[derive(Debug, thiserror::Error)]
#[error("an id of {0} bytes, more than {MAX_ID_BYTES}")]
pub(crate) struct IdTooLong(usize);

impl TryFrom<String> for Id {
    type Error = IdTooLong;

    fn try_from(text: String) -> Result<Self, IdTooLong> {
        if text.len() <= MAX_ID_BYTES { Ok(Self(text)) } else { Err(IdTooLong(text.len())) }
    }
}

impl Id {
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl From<Id> for String {
    fn from(id: Id) -> Self {
        id.0
    }
}

/// The actor of an event. An agent id means a subagent, whatever the type is. A type alone
/// belongs to the main agent. An empty id counts as missing, so that an event with an empty id
/// never gets a subagent's rights.
pub(crate) fn actor(agent_id: Option<Id>, agent_type: Option<String>) -> Actor {
    match agent_id.filter(|id| !id.is_empty()) {
        Some(id) => {
            Actor::Subagent { id: SubagentId::new(id), agent_type: agent_type.unwrap_or_default() }
        }
        None => Actor::Main { agent_type: agent_type.filter(|name| !name.is_empty()) },
    }
}

/// An id that must not be empty, because the event requires it.
#[derive(Deserialize)]
#[serde(try_from = "Id")]
pub(crate) struct FilledId(Id);

/// The id is empty.
#[derive(Debug, thiserror::Error)]
#[error("an empty id")]
pub(crate) struct IdEmpty;

impl TryFrom<Id> for FilledId {
    type Error = IdEmpty;

    fn try_from(id: Id) -> Result<Self, IdEmpty> {
        if id.is_empty() { Err(IdEmpty) } else { Ok(Self(id)) }
    }
}

impl From<FilledId> for Id {
    fn from(FilledId(id): FilledId) -> Self {
        id
    }
}

/// A value that is stored unparsed, with at most [`MAX_DEPTH`] levels. An object with a duplicate
/// key is an error, because two parsers could read it differently.
#[derive(Default)]
pub(crate) struct Kept(Value);

impl<'de> Deserialize<'de> for Kept {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let value = deserializer.deserialize_any(Unambiguous)?;
        if fits_in(&value, MAX_DEPTH) {
            Ok(Self(value))
        } else {
            Err(de::Error::custom(format!("a value nested deeper than {MAX_DEPTH} levels")))
        }
    }
}

impl Kept {
    pub(crate) fn value(&self) -> &Value {
        &self.0
    }
}

/// Deserializes any value in which no object has a duplicate key.
#[derive(Clone, Copy)]
struct Unambiguous;

impl<'de> DeserializeSeed<'de> for Unambiguous {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Unambiguous {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any value")
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_f64<E>(self, value: f64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_string<E>(self, value: String) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let mut list = Vec::new();
        while let Some(item) = items.next_element_seed(self)? {
            list.push(item);
        }
        Ok(Value::Array(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> Result<Value, A::Error> {
        let mut object = Map::new();
        while let Some(key) = fields.next_key::<String>()? {
            let value = fields.next_value_seed(self)?;
            if object.insert(key, value).is_some() {
                return Err(de::Error::custom("a duplicate key"));
            }
        }
        Ok(Value::Object(object))
    }
}

impl From<Kept> for Value {
    fn from(kept: Kept) -> Self {
        kept.0
    }
}

/// Whether lists and objects are nested at most `levels` deep.
fn fits_in(value: &Value, levels: usize) -> bool {
    let Some(below) = levels.checked_sub(1) else {
        return !value.is_array() && !value.is_object();
    };
    match value {
        Value::Array(items) => items.iter().all(|item| fits_in(item, below)),
        Value::Object(fields) => fields.values().all(|field| fits_in(field, below)),
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_are_documented() {
        let page = include_str!("../../../docs/how-a-hook-call-is-decided.md");
        for row in [
            format!("| depth of a payload | {MAX_DEPTH} levels |"),
            format!("| an id in a payload | {MAX_ID_BYTES} bytes |"),
        ] {
            assert!(page.contains(&row), "the page does not have: {row}");
        }
    }

    #[track_caller]
    fn check(text: &str, whole: &str) {
        assert_eq!(without_lone_surrogates(text), whole);
    }

    #[test]
    fn half_a_character_is_replaced_and_everything_else_kept() {
        check(r#"{"a":"b\n\u00e9"}"#, r#"{"a":"b\n\u00e9"}"#);
        check(r"\ud83d\ude00", r"\ud83d\ude00");
        check(r"\uD83D\uDE00 \ud83d", r"\uD83D\uDE00 \ufffd");
        check(r"x\ud83dy", r"x\ufffdy");
        check(r"\ude00\ud83d", r"\ufffd\ufffd");
        check(r"\ud83d\ud83d\ude00", r"\ufffd\ud83d\ude00");
        check(r"\\ud83d", r"\\ud83d");
        check(r"\\\ud83d", r"\\\ufffd");
        check(r"\ud83", r"\ud83");
        check(r"\ud8é\ud", r"\ud8é\ud");
        check(r"\é\ud83d\", r"\é\ufffd\");
    }
}
