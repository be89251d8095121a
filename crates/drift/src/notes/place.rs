//! Where in a file something was done, as far as calls and answers tell.

use serde_json::Value;
use verger_event::ToolCall;

use crate::words::{DOLLAR, LINE_END, OF_NAME, WIDE, class};

/// So much of a changed text is looked at for the function that it is in.
const MAX_TEXT: usize = 4 * 1024;
/// So many words of a line stand before the name of what it defines: `pub(crate) async unsafe fn`.
const MAX_BEFORE: usize = 5;
/// Longer names are none.
const MAX_NAME: usize = 60;

/// `:47 in parse()`, as it stands behind the file.
pub(super) fn place(call: &ToolCall, response: &Value) -> Option<String> {
    let line = changed_line(response).or_else(|| call.input.get("offset").and_then(Value::as_u64));
    let texts = ["old_string", "new_string"].map(|key| call.input.get(key).and_then(Value::as_str));
    let name = texts.into_iter().flatten().find_map(defined);
    let line = line.map(|line| format!(":{line}")).unwrap_or_default();
    let name = name.map(|name| format!(" in {name}")).unwrap_or_default();
    Some(line + &name).filter(|place| !place.is_empty())
}

fn changed_line(response: &Value) -> Option<u64> {
    let first = response.get("structuredPatch")?.as_array()?.first()?;
    first.get("newStart")?.as_u64()
}

/// The first function or type that a text defines.
fn defined(text: &str) -> Option<String> {
    let mut rest = &text[..text.floor_char_boundary(MAX_TEXT)];
    loop {
        let (mut before, mut is_name_next) = (0, false);
        while let Some(word) = next_of_line(&mut rest) {
            if is_name_next {
                if word.len() <= MAX_NAME && !word.starts_with(|c: char| c.is_ascii_digit()) {
                    return Some(word.to_owned());
                }
                break;
            }
            before += 1;
            is_name_next = is_defining(word);
            if before == MAX_BEFORE && !is_name_next {
                break;
            }
        }
        rest = rest.split_once('\n')?.1;
    }
}

/// The next word or name of a line of code, where more lines may follow.
fn next_of_line<'a>(rest: &mut &'a str) -> Option<&'a str> {
    // Most of a line is ASCII, and is told by its bytes.
    let is_begin = |b: &u8| class(*b) & (OF_NAME | DOLLAR | WIDE | LINE_END) != 0;
    let begin = rest.bytes().position(|b| is_begin(&b))?;
    *rest = &rest[begin..];
    let plain = rest.bytes().position(|b| class(b) & (OF_NAME | DOLLAR) == 0);
    let mut len = plain.unwrap_or(rest.len());
    if !rest.as_bytes().get(len).is_none_or(u8::is_ascii) {
        let is_of_word = |c: char| c.is_alphanumeric() || c == '_' || c == '$';
        *rest = rest.trim_start_matches(|c| c != '\n' && !is_of_word(c));
        len = rest.find(|c| !is_of_word(c)).unwrap_or(rest.len());
    }
    let (word, after) = rest.split_at(len);
    *rest = after;
    Some(word).filter(|word| !word.is_empty())
}

/// Whether it stands before the name of a function or type.
fn is_defining(word: &str) -> bool {
    matches!(
        word,
        "fn" | "def"
            | "function"
            | "func"
            | "class"
            | "struct"
            | "enum"
            | "trait"
            | "interface"
            | "impl"
            | "sub"
            | "module"
            | "type"
    )
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_change_is_told_with_its_line_and_its_function() {
        let call = |input: Value| ToolCall { id: None, tool: "Edit".to_owned(), input };
        let patch = json!({ "structuredPatch": [{ "newStart": 47 }] });
        let cases = [
            (json!({ "old_string": "let x = 1;" }), Value::Null, None),
            (json!({ "old_string": "let x = 1;" }), patch.clone(), Some(":47")),
            (json!({ "old_string": "pub fn parse(a: u8) {" }), patch, Some(":47 in parse")),
            (json!({ "new_string": "async def load_user(id):" }), json!(7), Some(" in load_user")),
            (json!({ "new_string": "→fn größe(x)" }), Value::Null, Some(" in größe")),
            (json!({ "new_string": "éfn a; type $b" }), Value::Null, Some(" in $b")),
            (json!({ "offset": 12 }), Value::Null, Some(":12")),
            (json!({ "old_string": 7 }), json!({ "structuredPatch": "no" }), None),
        ];
        for (input, response, expected) in cases {
            assert_eq!(place(&call(input.clone()), &response).as_deref(), expected, "{input}");
        }
    }
}
