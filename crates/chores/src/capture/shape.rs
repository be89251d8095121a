//! The shape of a payload: its fields and their types, without their values.

use std::collections::BTreeSet;

use serde_json::Value;

/// The field of a payload whose content comes from the model and not from the client.
const MODELS_OWN: &str = "tool_input";

/// The shape of a payload as lines. Each line is a field and its type, such as
/// `tool_response.stdout string`.
pub(super) fn shape(payload: &Value) -> BTreeSet<String> {
    let mut lines = BTreeSet::new();
    collect(payload, "", &mut lines);
    lines
}

/// Compares two shapes. Returns the lines that only `new` has, marked `+`, and those that only
/// `old` has, marked `-`.
pub(super) fn difference(old: &BTreeSet<String>, new: &BTreeSet<String>) -> Vec<String> {
    let added = new.difference(old).map(|line| format!("+ {line}"));
    let removed = old.difference(new).map(|line| format!("- {line}"));
    added.chain(removed).collect()
}

fn collect(value: &Value, path: &str, lines: &mut BTreeSet<String>) {
    let kind = match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(_) => "number",
        Value::String(_) => "string",
        Value::Array(items) => {
            for item in items {
                collect(item, &format!("{path}[]"), lines);
            }
            "array"
        }
        Value::Object(fields) => {
            for (name, field) in fields {
                let dot = if path.is_empty() { "" } else { "." };
                let field = if name == MODELS_OWN { &Value::Null } else { field };
                collect(field, &format!("{path}{dot}{name}"), lines);
            }
            "object"
        }
    };
    if !path.is_empty() {
        lines.insert(format!("{path} {kind}"));
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn only_fields_and_their_types_make_the_shape() {
        let one =
            shape(&json!({ "a": "x", "b": [{ "c": 1 }, { "c": 2 }], "tool_input": { "x": 1 } }));
        assert_eq!(one, shape(&json!({ "a": "y", "b": [{ "c": 3 }], "tool_input": {} })));
        let other = shape(&json!({ "a": null, "b": [], "tool_input": {} }));
        assert_eq!(
            difference(&one, &other),
            ["+ a null", "- a string", "- b[] object", "- b[].c number"]
        );
    }
}
