//! Renders a value in the syntax of a configuration file.

use serde_json::Value as Json;

/// Renders a value as TOML on one line. Empty for a value that isn't set. Texts must not contain
/// control characters, and the keys of tables must be valid without quotes.
pub(crate) fn toml_text(value: &Json) -> String {
    match value {
        Json::Null => String::new(),
        Json::Bool(_) | Json::Number(_) => value.to_string(),
        Json::String(text) => quoted(text),
        Json::Array(entries) => {
            let entries: Vec<String> = entries.iter().map(toml_text).collect();
            format!("[{}]", entries.join(", "))
        }
        Json::Object(entries) if entries.is_empty() => "{}".to_owned(),
        Json::Object(entries) => {
            let entries =
                entries.iter().map(|(key, value)| format!("{key} = {}", toml_text(value)));
            format!("{{ {} }}", entries.collect::<Vec<_>>().join(", "))
        }
    }
}

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
