//! Tests that a change keeps the text around it.

use super::*;

#[track_caller]
fn check(
    before: &str,
    change: impl FnOnce(&mut JsonText) -> Result<(), JsonTextError>,
    after: &str,
) {
    let mut text = JsonText::parse(before.as_bytes()).unwrap();
    change(&mut text).unwrap();
    assert_eq!(String::from_utf8(text.to_bytes()).unwrap(), after);
}

#[track_caller]
fn check_set(before: &str, path: &[&str], value: impl Into<Value>, after: &str) {
    let value = value.into();
    check(before, |text| text.set(&keys(path), &value), after);
}

#[track_caller]
fn check_error(text: &str, expected: &str) {
    let set = |mut text: JsonText| text.set(&keys(&["a", "b"]), &json!(1));
    let error = JsonText::parse(text.as_bytes()).and_then(set).unwrap_err();
    assert_eq!(error.to_string(), expected);
}

#[test]
fn a_new_member_follows_the_layout_that_is_there() {
    check_set("{}", &["a"], json!(1), "{\n  \"a\": 1\n}");
    check_set(
        "{}\n",
        &["a", "b"],
        json!([1]),
        "{\n  \"a\": {\n    \"b\": [\n      1\n    ]\n  }\n}\n",
    );
    check_set("", &["a"], json!(1), "{\n  \"a\": 1\n}\n");
    check_set(
        "{\r\n\t\"x\": 1\r\n}",
        &["a"],
        json!({"b": 1}),
        "{\r\n\t\"x\": 1,\r\n\t\"a\": {\r\n\t\t\"b\": 1\r\n\t}\r\n}",
    );
    check_set("{\n    \"x\": 1\n}\n", &["a"], json!([]), "{\n    \"x\": 1,\n    \"a\": []\n}\n");
    check_set(r#"{"x":1}"#, &["a", "b"], json!([1, 2]), r#"{"x":1,"a":{"b":[1,2]}}"#);
    check_set(r#"{ "x": 1 }"#, &["a", "b"], json!([1, 2]), r#"{ "x": 1, "a": {"b": [1, 2]} }"#);
    check_set("{\n  \"a\": {}\n}", &["a", "b"], json!(1), "{\n  \"a\": {\n    \"b\": 1\n  }\n}");
    check_set(
        "{\n  \"a\": {\"c\": 2}\n}",
        &["a", "b"],
        json!(1),
        "{\n  \"a\": {\"c\": 2, \"b\": 1}\n}",
    );
    check_set("\u{feff}{\"a\":1}", &["b"], json!(1), "\u{feff}{\"a\":1,\"b\":1}");
}

#[test]
fn a_member_that_is_there_gets_its_new_value_in_its_place() {
    check_set(r#"{"a": 1, "b": 2}"#, &["a"], json!("x"), r#"{"a": "x", "b": 2}"#);
    check_set(r#"{"a": 1, "a": 2}"#, &["a"], json!(3), r#"{"a": 1, "a": 3}"#);
    check_set(
        "{\n \"a\" : 1 ,\n \"b\":2 }",
        &["a"],
        json!({"c": 1}),
        "{\n \"a\" : {\n  \"c\": 1\n } ,\n \"b\":2 }",
    );
}

#[test]
fn an_element_is_added_at_the_end() {
    let push = |text: &mut JsonText| text.push(&keys(&["a", "b"]), &json!("x"));
    check(r#"{"a":{"b":["y"]}}"#, push, r#"{"a":{"b":["y", "x"]}}"#);
    check(
        "{\n  \"a\": {\n    \"b\": [\n      1\n    ]\n  }\n}",
        push,
        "{\n  \"a\": {\n    \"b\": [\n      1,\n      \"x\"\n    ]\n  }\n}",
    );
    check("{\n  \"a\": {\"b\": []}\n}", push, "{\n  \"a\": {\"b\": [\n    \"x\"\n  ]}\n}");
    check(r#"{"z":0}"#, push, r#"{"z":0,"a":{"b":["x"]}}"#);
}

#[test]
fn an_entry_is_removed_with_the_comma_that_was_its_own() {
    let remove = |path: &'static [Step]| move |text: &mut JsonText| text.remove(path);
    let key = |name: &str| -> &'static [Step] { Box::leak(keys(&[name]).into_boxed_slice()) };
    check(r#"{"a": 1, "b": 2, "c": 3}"#, remove(key("a")), r#"{"b": 2, "c": 3}"#);
    check(r#"{"a": 1, "b": 2, "c": 3}"#, remove(key("b")), r#"{"a": 1, "c": 3}"#);
    check("{\n  \"a\": 1,\n  \"b\": 2\n}\n", remove(key("b")), "{\n  \"a\": 1\n}\n");
    check("{\n  \"a\": 1\n}\n", remove(key("a")), "{}\n");
    check(r#"{"a": 1}"#, remove(key("x")), r#"{"a": 1}"#);
    check(r#"{"a": "}\"", "b": 2}"#, remove(key("a")), r#"{"b": 2}"#);
    check("{}", remove(&[]), "{}");
    check(
        "{\"a\": [1, 2, 3]}",
        |text| text.remove(&[Step::Key("a".into()), Step::Element(1)]),
        "{\"a\": [1, 3]}",
    );
}

#[test]
fn invalid_json_is_reported_with_its_line() {
    check_error(
        "{\n  // mine\n  \"a\": 1\n}",
        "it is not JSON: line 2, column 3: a comment, which JSON does not have",
    );
    check_error(
        "{\n  \"x\": 1,\n}",
        "it is not JSON: line 3, column 1: a comma before the end, which JSON does not have",
    );
    check_error("{\n  \"x\": 'y'\n}", "it is not JSON: line 2, column 8: expected value");
    check_error("{x: 1}", "it is not JSON: line 1, column 2: key must be a string");
    check_error(
        "{\"x\": \"a\nb\"}",
        "it is not JSON: line 1, column 8: control character (\\u0000-\\u001F) found while parsing a string",
    );
    check_error("{\"x\": 1} {}", "it is not JSON: line 1, column 10: trailing characters");
    check_error("{\"x\": ", "it is not JSON: line 1, column 6: EOF while parsing a value");
    check_error("[1]", "line 1: the whole file is an array, but must be an object");
    check_error("{\n \"a\": null}", "line 2: a is null, but must be an object");
    let error = JsonText::parse(b"{\"a\": \"\xff\"}").unwrap_err();
    assert_eq!(error.to_string(), "it is not text: byte 7 is not UTF-8");
}

#[test]
fn values_are_found_among_odd_ones() {
    let text =
        r#"{"n": 1e999, "deep": {"a\u0062": [null, {"x": "\ud800"}]}, "d": 1, "d": {"e": true}}"#;
    let text = JsonText::parse(text.as_bytes()).unwrap();
    assert_eq!(text.value(&keys(&["d", "e"])), Ok(Some(json!(true))));
    assert_eq!(text.length(&keys(&["deep", "ab"])), Ok(Some(2)));
    assert_eq!(text.value(&keys(&["x"])), Ok(None));
}
