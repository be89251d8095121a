//! Reads and writes the fields of JSON objects in stored forms. Empty fields are left out, and
//! missing fields are read as empty. An error names the field that can't be read.

use serde_json::{Map, Value};

/// A field of a stored form cannot be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is missing or has the wrong type")]
pub struct WrongField(pub &'static str);

/// A JSON object to which fields are being added.
#[derive(Debug, Default)]
pub(crate) struct Fields(Map<String, Value>);

impl Fields {
    pub(crate) fn set(&mut self, name: &str, value: impl Into<Value>) {
        self.put(name, value.into());
    }

    fn put(&mut self, name: &str, value: Value) {
        let is_empty = match &value {
            Value::Null => true,
            Value::Array(items) => items.is_empty(),
            Value::Object(members) => members.is_empty(),
            _ => false,
        };
        if !is_empty {
            self.0.insert(name.to_owned(), value);
        }
    }

    pub(crate) fn into_json(self) -> Value {
        Value::Object(self.0)
    }
}

pub(crate) fn texts(items: &[impl ToString]) -> Value {
    items.iter().map(ToString::to_string).collect::<Vec<_>>().into()
}

pub(crate) fn text<'a>(value: &'a Value, field: &'static str) -> Result<&'a str, WrongField> {
    optional_text(value, field)?.ok_or(WrongField(field))
}

pub(crate) fn optional_text<'a>(
    value: &'a Value,
    field: &'static str,
) -> Result<Option<&'a str>, WrongField> {
    match value.get(field) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(text)) => Ok(Some(text)),
        Some(_) => Err(WrongField(field)),
    }
}

pub(crate) fn number(value: &Value, field: &'static str) -> Result<u64, WrongField> {
    optional_number(value, field)?.ok_or(WrongField(field))
}

pub(crate) fn optional_number(
    value: &Value,
    field: &'static str,
) -> Result<Option<u64>, WrongField> {
    match value.get(field) {
        None | Some(Value::Null) => Ok(None),
        Some(number) => number.as_u64().map(Some).ok_or(WrongField(field)),
    }
}

/// Reads a field with a list of texts and parses each item. A missing field gives an empty list.
/// Fails if an item can't be parsed.
pub(crate) fn list<T>(
    value: &Value,
    field: &'static str,
    read: impl Fn(&str) -> Option<T>,
) -> Result<Vec<T>, WrongField> {
    let wrong = || WrongField(field);
    let items = match value.get(field) {
        None | Some(Value::Null) => return Ok(Vec::new()),
        Some(value) => value.as_array().ok_or_else(wrong)?,
    };
    items.iter().map(|item| item.as_str().and_then(&read).ok_or_else(wrong)).collect()
}

/// Reads a field with a list of texts. A missing field gives an empty list.
pub(crate) fn text_list(value: &Value, field: &'static str) -> Result<Vec<String>, WrongField> {
    list(value, field, |text| Some(text.to_owned()))
}
