//! What holds for every agent's payload: UTF-8 text, one JSON object, ids of a bounded length.

use std::fmt;
use std::marker::PhantomData;

use serde::Deserialize;
use serde::de::value::MapAccessDeserializer;
use serde::de::{Deserializer, MapAccess, Visitor};

use crate::Malformed;

/// The longest id that an agent may give, in bytes. Real ones have fewer than 50.
pub(crate) const MAX_ID_BYTES: usize = 512;

/// The text that came with a call.
pub(crate) struct Payload<'a> {
    event: &'static str,
    text: &'a str,
}

impl<'a> Payload<'a> {
    /// The text of `bytes`, without a byte order mark.
    pub(crate) fn new(event: &'static str, bytes: &'a [u8]) -> Result<Self, Malformed> {
        let text = std::str::from_utf8(bytes).map_err(|source| Malformed::NotUtf8 {
            event,
            offset: source.valid_up_to(),
            source,
        })?;
        Ok(Self { event, text: text.strip_prefix('\u{feff}').unwrap_or(text) })
    }

    /// The payload as `T`. Fields that `T` does not have are passed over.
    pub(crate) fn read<T: Deserialize<'a>>(&self) -> Result<T, Malformed> {
        serde_json::from_str(self.text)
            .map(|Object(whole)| whole)
            .map_err(|source| Malformed::Form { event: self.event, source })
    }
}

/// A `T` that stands in the text as an object. A derived struct would also take an array of its
/// fields in order, which no agent sends.
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

/// An id as an agent gives it: any text of at most [`MAX_ID_BYTES`].
#[derive(Deserialize)]
#[serde(try_from = "String")]
pub(crate) struct Id(String);

/// The id has more bytes than any real one.
#[derive(Debug, thiserror::Error)]
#[error("an id of {0} bytes, more than {MAX_ID_BYTES}")]
pub(crate) struct IdTooLong(usize);

impl TryFrom<String> for Id {
    type Error = IdTooLong;

    fn try_from(text: String) -> Result<Self, IdTooLong> {
        if text.len() <= MAX_ID_BYTES { Ok(Self(text)) } else { Err(IdTooLong(text.len())) }
    }
}

impl From<Id> for String {
    fn from(id: Id) -> Self {
        id.0
    }
}
