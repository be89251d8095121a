//! Where in a file something was done, as far as calls and answers tell.

use serde_json::Value;
use verger_event::ToolCall;

use crate::step::Step;

/// `:47 in parse()`, as it stands behind the file.
pub(super) fn place(step: &Step, call: &ToolCall, response: &Value) -> Option<String> {
    let line = changed_line(response).or_else(|| call.input.get("offset").and_then(Value::as_u64));
    let line = line.map(|line| format!(":{line}")).unwrap_or_default();
    let name = step.defines.as_ref().map(|name| format!(" in {name}")).unwrap_or_default();
    Some(line + &name).filter(|place| !place.is_empty())
}

fn changed_line(response: &Value) -> Option<u64> {
    let first = response.get("structuredPatch")?.as_array()?.first()?;
    first.get("newStart")?.as_u64()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::step::Outcome;

    #[test]
    fn a_change_is_told_with_its_line_and_its_function() {
        let patch = json!({ "structuredPatch": [{ "newStart": 47 }] });
        let cases = [
            (json!({ "old_string": "let x = 1;" }), Value::Null, None),
            (json!({ "old_string": "let x = 1;" }), patch.clone(), Some(":47")),
            (json!({ "old_string": "pub fn parse(a: u8) {" }), patch, Some(":47 in parse")),
            (json!({ "new_string": "async def load_user(id):" }), json!(7), Some(" in load_user")),
            (json!({ "offset": 12 }), Value::Null, Some(":12")),
            (json!({ "old_string": 7 }), json!({ "structuredPatch": "no" }), None),
        ];
        for (input, response, expected) in cases {
            let step = Step::of_call("Edit", &input, Outcome::default(), None);
            let call = ToolCall { id: None, tool: "Edit".to_owned(), input };
            assert_eq!(place(&step, &call, &response).as_deref(), expected, "{call:?}");
        }
    }
}
