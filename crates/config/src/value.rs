//! The types that values of settings can have: how they are parsed from TOML and from variables,
//! and their limits.

use std::ops::RangeInclusive;

use serde_json::Value as Json;
use toml::de::{DeArray, DeInteger, DeValue};

use crate::{MAX_LIST_ENTRIES, MAX_NAME_BYTES};

/// A value as a layer gives it, not parsed yet.
#[derive(Clone, Copy)]
pub(crate) enum Given<'a> {
    Toml(&'a DeValue<'a>),
    Variable(&'a str),
}

/// A description of an invalid value. It doesn't contain the value itself, which may be secret.
pub(crate) struct Found {
    pub(crate) what: String,
    /// The valid word that was probably meant, if any.
    pub(crate) nearest: Option<&'static str>,
}

impl From<String> for Found {
    fn from(what: String) -> Self {
        Self { what, nearest: None }
    }
}

impl From<&str> for Found {
    fn from(what: &str) -> Self {
        what.to_owned().into()
    }
}

/// A type that values of settings can have.
pub(crate) trait Value: Clone + PartialEq {
    type Bounds: 'static;

    /// Parses a value. Returns `Ok(None)` for an empty variable if that means that the value isn't
    /// set.
    fn read(given: Given<'_>, bounds: &Self::Bounds) -> Result<Option<Self>, Found>;

    /// A description of valid values, which follows the word "expected".
    fn expected(bounds: &Self::Bounds) -> String;

    /// Converts the value to JSON. `null` only for an optional value that isn't set.
    fn to_json(&self) -> Json;
}

impl Value for bool {
    type Bounds = ();

    fn read(given: Given<'_>, (): &()) -> Result<Option<Self>, Found> {
        match given {
            Given::Toml(DeValue::Boolean(value)) => Ok(Some(*value)),
            Given::Toml(other) => Err(kind_of(other).into()),
            Given::Variable("") => Ok(None),
            Given::Variable("true" | "1") => Ok(Some(true)),
            Given::Variable("false" | "0") => Ok(Some(false)),
            Given::Variable(_) => Err("other text".into()),
        }
    }

    fn expected((): &()) -> String {
        "true or false".to_owned()
    }

    fn to_json(&self) -> Json {
        (*self).into()
    }
}

impl Value for u64 {
    type Bounds = RangeInclusive<Self>;

    fn read(given: Given<'_>, bounds: &Self::Bounds) -> Result<Option<Self>, Found> {
        let read = match given {
            Given::Toml(DeValue::Integer(integer)) => integer_value(integer),
            Given::Toml(other) => return Err(kind_of(other).into()),
            Given::Variable("") => return Ok(None),
            Given::Variable(text) => Some(text.parse::<i128>().map_err(|_| "other text")?),
        };
        let in_bounds =
            read.and_then(|read| Self::try_from(read).ok()).filter(|read| bounds.contains(read));
        match (in_bounds, read) {
            (Some(value), _) => Ok(Some(value)),
            (None, Some(read)) => Err(read.to_string().into()),
            (None, None) => Err("a larger integer".into()),
        }
    }

    fn expected(bounds: &Self::Bounds) -> String {
        format!("an integer from {} to {}", bounds.start(), bounds.end())
    }

    fn to_json(&self) -> Json {
        (*self).into()
    }
}

/// A name as a value, such as that of a user or a role.
impl Value for String {
    type Bounds = ();

    fn read(given: Given<'_>, (): &()) -> Result<Option<Self>, Found> {
        match given {
            Given::Toml(DeValue::String(text)) => Ok(Some(line_of_text(text, MAX_NAME_BYTES)?)),
            Given::Toml(other) => Err(kind_of(other).into()),
            Given::Variable("") => Ok(None),
            Given::Variable(text) => Ok(Some(line_of_text(text, MAX_NAME_BYTES)?)),
        }
    }

    fn expected((): &()) -> String {
        format!("a string of 1 to {MAX_NAME_BYTES} bytes without control characters")
    }

    fn to_json(&self) -> Json {
        self.as_str().into()
    }
}

/// A value of another type that may be absent.
impl<T: Value> Value for Option<T> {
    type Bounds = T::Bounds;

    fn read(given: Given<'_>, bounds: &Self::Bounds) -> Result<Option<Self>, Found> {
        Ok(T::read(given, bounds)?.map(Some))
    }

    fn expected(bounds: &Self::Bounds) -> String {
        T::expected(bounds)
    }

    fn to_json(&self) -> Json {
        self.as_ref().map_or(Json::Null, T::to_json)
    }
}

/// A set of names as a value. The names keep the order in which they first occur.
impl Value for Vec<String> {
    type Bounds = ();

    fn read(given: Given<'_>, (): &()) -> Result<Option<Self>, Found> {
        let given: Self = match given {
            Given::Toml(DeValue::Array(array)) => strings(array, MAX_NAME_BYTES)?,
            Given::Toml(other) => return Err(kind_of(other).into()),
            Given::Variable(text) => entries_of_variable(text)
                .map(|entry| line_of_text(entry, MAX_NAME_BYTES))
                .collect::<Result<_, _>>()?,
        };
        let mut names = Self::new();
        for name in given {
            if names.contains(&name) {
                continue;
            }
            if names.len() == MAX_LIST_ENTRIES {
                return Err("more entries".into());
            }
            names.push(name);
        }
        Ok(Some(names))
    }

    fn expected((): &()) -> String {
        format!(
            "at most {MAX_LIST_ENTRIES} strings of 1 to {MAX_NAME_BYTES} bytes \
             without control characters"
        )
    }

    fn to_json(&self) -> Json {
        self.as_slice().into()
    }
}

/// The entries of a variable, which are separated by commas. Empty entries are left out.
pub(crate) fn entries_of_variable(text: &str) -> impl Iterator<Item = &str> {
    text.split(',').map(str::trim).filter(|entry| !entry.is_empty())
}

pub(crate) fn strings(array: &DeArray<'_>, max_bytes: usize) -> Result<Vec<String>, String> {
    let entries = array.iter().map(|entry| match entry.get_ref() {
        DeValue::String(text) => line_of_text(text, max_bytes),
        other => Err(format!("{} in it", kind_of(other))),
    });
    entries.collect()
}

fn line_of_text(text: &str, max_bytes: usize) -> Result<String, String> {
    if text.is_empty() {
        Err("an empty string".to_owned())
    } else if text.len() > max_bytes {
        Err(format!("a string of {} bytes", text.len()))
    } else if text.chars().any(char::is_control) {
        Err("a control character".to_owned())
    } else {
        Ok(text.to_owned())
    }
}

fn integer_value(integer: &DeInteger<'_>) -> Option<i128> {
    // The TOML parser has already removed the underscores of a number such as `1_000`.
    // `from_str_radix` accepts the sign of `+5`.
    i128::from_str_radix(integer.as_str(), integer.radix()).ok()
}

pub(crate) fn kind_of(value: &DeValue<'_>) -> String {
    match value {
        DeValue::String(_) => "a string",
        DeValue::Integer(_) => "an integer",
        DeValue::Float(_) => "a float",
        DeValue::Boolean(_) => "a boolean",
        DeValue::Datetime(_) => "a date or time",
        DeValue::Array(_) => "a list",
        DeValue::Table(_) => "a table",
    }
    .to_owned()
}
