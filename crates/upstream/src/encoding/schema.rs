//! The smallest value that a JSON schema allows.

use serde_json::{Map, Value, json};

/// An instance of the schema with its required properties alone. Knows what clients ask for:
/// types in either case, `enum`, `minimum` and `minLength` are not all there is to schemas.
pub(super) fn instance(schema: &Value) -> Value {
    if let Some(first) = schema["enum"].as_array().and_then(|values| values.first()) {
        return first.clone();
    }
    match schema["type"].as_str().unwrap_or_default().to_ascii_lowercase().as_str() {
        "object" => {
            let required = schema["required"].as_array().into_iter().flatten();
            let property = |name: &Value| {
                let name = name.as_str()?;
                Some((name.to_owned(), instance(&schema["properties"][name])))
            };
            Value::Object(required.filter_map(property).collect::<Map<_, _>>())
        }
        "array" => json!([]),
        "integer" | "number" => schema["minimum"].as_number().map_or(json!(1), |n| json!(n)),
        "boolean" => json!(false),
        _ => json!("x"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_instance_has_the_required_properties_alone() {
        let schema = json!({
            "type": "OBJECT",
            "properties": {
                "why": { "type": "STRING" },
                "score": { "type": "INTEGER" },
                "weight": { "type": "number", "minimum": 5 },
                "choice": { "type": "string", "enum": ["flash", "pro"] },
                "sure": { "type": "boolean" },
                "names": { "type": "array", "items": { "type": "string" } },
                "note": { "type": "STRING" },
            },
            "required": ["why", "score", "weight", "choice", "sure", "names"],
        });
        assert_eq!(
            instance(&schema),
            json!({
                "why": "x",
                "score": 1,
                "weight": 5,
                "choice": "flash",
                "sure": false,
                "names": [],
            })
        );
    }
}
