//! The types a key can have: how they are read from TOML and from a variable, and their limits.

use std::ops::RangeInclusive;

use toml::de::{DeArray, DeInteger, DeValue};

use crate::{MAX_LIST_ENTRIES, MAX_NAME_BYTES};

/// A value as a layer gives it.
#[derive(Clone, Copy)]
pub(crate) enum Given<'a> {
    Toml(&'a DeValue<'a>),
    Variable(&'a str),
}

/// A type that a key can have.
pub(crate) trait Value: Clone + PartialEq {
    type Bounds: 'static;

    /// `Ok(None)` when an empty variable stands for "not set"; an error says what was found
    /// instead, without repeating it.
    fn read(given: Given<'_>, bounds: &Self::Bounds) -> Result<Option<Self>, String>;

    /// Read after "expected".
    fn expected(bounds: &Self::Bounds) -> String;

    /// As it would stand in a file; empty for an optional value that is not set.
    fn render(&self) -> String;
}

impl Value for bool {
    type Bounds = ();

    fn read(given: Given<'_>, (): &()) -> Result<Option<Self>, String> {
        match given {
            Given::Toml(DeValue::Boolean(value)) => Ok(Some(*value)),
            Given::Toml(other) => Err(kind_of(other)),
            Given::Variable("") => Ok(None),
            Given::Variable("true" | "1") => Ok(Some(true)),
            Given::Variable("false" | "0") => Ok(Some(false)),
            Given::Variable(_) => Err("other text".to_owned()),
        }
    }

    fn expected((): &()) -> String {
        "true or false".to_owned()
    }

    fn render(&self) -> String {
        self.to_string()
    }
}

impl Value for u64 {
    type Bounds = RangeInclusive<Self>;

    fn read(given: Given<'_>, bounds: &Self::Bounds) -> Result<Option<Self>, String> {
        let read = match given {
            Given::Toml(DeValue::Integer(integer)) => integer_value(integer),
            Given::Toml(other) => return Err(kind_of(other)),
            Given::Variable("") => return Ok(None),
            Given::Variable(text) => {
                Some(text.parse::<i128>().map_err(|_| "other text".to_owned())?)
            }
        };
        let in_bounds =
            read.and_then(|read| Self::try_from(read).ok()).filter(|read| bounds.contains(read));
        match (in_bounds, read) {
            (Some(value), _) => Ok(Some(value)),
            (None, Some(read)) => Err(read.to_string()),
            (None, None) => Err("a larger integer".to_owned()),
        }
    }

    fn expected(bounds: &Self::Bounds) -> String {
        format!("an integer from {} to {}", bounds.start(), bounds.end())
    }

    fn render(&self) -> String {
        self.to_string()
    }
}

/// A name that may be absent.
impl Value for Option<String> {
    type Bounds = ();

    fn read(given: Given<'_>, (): &()) -> Result<Option<Self>, String> {
        match given {
            Given::Toml(DeValue::String(text)) => Ok(Some(Some(name(text)?))),
            Given::Toml(other) => Err(kind_of(other)),
            Given::Variable("") => Ok(None),
            Given::Variable(text) => Ok(Some(Some(name(text)?))),
        }
    }

    fn expected((): &()) -> String {
        format!("a string of 1 to {MAX_NAME_BYTES} bytes without control characters")
    }

    fn render(&self) -> String {
        self.as_deref().map(quoted).unwrap_or_default()
    }
}

/// A set of names in the order they were first given.
impl Value for Vec<String> {
    type Bounds = ();

    fn read(given: Given<'_>, (): &()) -> Result<Option<Self>, String> {
        match given {
            Given::Toml(DeValue::Array(array)) => names_of_array(array).map(Some),
            Given::Toml(other) => Err(kind_of(other)),
            Given::Variable(text) => {
                names(text.split(',').map(str::trim).filter(|entry| !entry.is_empty()).map(Ok))
                    .map(Some)
            }
        }
    }

    fn expected((): &()) -> String {
        format!(
            "at most {MAX_LIST_ENTRIES} strings of 1 to {MAX_NAME_BYTES} bytes \
             without control characters"
        )
    }

    fn render(&self) -> String {
        let entries: Self = self.iter().map(|entry| quoted(entry)).collect();
        format!("[{}]", entries.join(", "))
    }
}

fn names_of_array(array: &DeArray<'_>) -> Result<Vec<String>, String> {
    names(array.iter().map(|entry| match entry.get_ref() {
        DeValue::String(text) => Ok(text.as_ref()),
        other => Err(format!("{} in it", kind_of(other))),
    }))
}

fn names<'a>(
    entries: impl Iterator<Item = Result<&'a str, String>>,
) -> Result<Vec<String>, String> {
    let mut names = Vec::new();
    for entry in entries {
        let name = name(entry?)?;
        if names.contains(&name) {
            continue;
        }
        if names.len() == MAX_LIST_ENTRIES {
            return Err("more entries".to_owned());
        }
        names.push(name);
    }
    Ok(names)
}

fn name(text: &str) -> Result<String, String> {
    if text.is_empty() {
        Err("an empty string".to_owned())
    } else if text.len() > MAX_NAME_BYTES {
        Err(format!("a string of {} bytes", text.len()))
    } else if text.chars().any(char::is_control) {
        Err("a control character".to_owned())
    } else {
        Ok(text.to_owned())
    }
}

fn integer_value(integer: &DeInteger<'_>) -> Option<i128> {
    // TOML writes `1_000` and `+5`; the parser has removed the underscores, and Rust takes the sign.
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

/// A TOML basic string. Names hold no control characters.
fn quoted(text: &str) -> String {
    let mut quoted = String::with_capacity(text.len() + 2);
    quoted.push('"');
    for character in text.chars() {
        if matches!(character, '"' | '\\') {
            quoted.push('\\');
        }
        quoted.push(character);
    }
    quoted.push('"');
    quoted
}
