//! Generates the JSON Schema of one line of the log.

pub(crate) fn render() -> String {
    // The alternate form of a JSON value is indented. Formatting it can't fail.
    format!("{:#}\n", verger_event::stored::schema())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_schema_is_indented_json_and_the_same_every_time() {
        let text = render();
        assert!(text.starts_with("{\n  \""));
        assert!(text.ends_with("}\n"));
        assert_eq!(text, render());
    }
}
