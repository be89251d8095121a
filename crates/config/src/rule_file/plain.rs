//! Parses the most common lines of a rule file without a TOML parser. Every tool call reads the
//! rule files, and a generated file may have thousands of lines.
//!
//! All other lines are parsed by the TOML parser.

use std::borrow::Cow;

use toml::de::DeValue;

use crate::value::kind_of;

/// The value of a key as written in the file. It is sorted by the types that rules use.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Written<'a> {
    Text(Cow<'a, str>),
    List(Vec<Cow<'a, str>>),
    /// A value of another type, with a description of it.
    Other(String),
    /// A list with an entry of another type, with a description of that entry.
    OtherInList(String),
}

impl<'a> Written<'a> {
    pub(super) fn of(value: &'a DeValue<'_>) -> Self {
        let list = match value {
            DeValue::String(text) => return Self::Text(Cow::Borrowed(text)),
            DeValue::Array(list) => list,
            other => return Self::Other(kind_of(other)),
        };
        let texts = list.iter().map(|entry| match entry.get_ref() {
            DeValue::String(text) => Ok(Cow::Borrowed(text.as_ref())),
            other => Err(kind_of(other)),
        });
        texts.collect::<Result<_, _>>().map_or_else(Self::OtherInList, Self::List)
    }
}

/// Whether the statement is exactly `[[rule]]`, the header of a rule.
pub(super) fn is_header(statement: &str) -> bool {
    statement.trim_ascii_end() == "[[rule]]"
}

/// Parses a statement such as `why = "it only reads"` into its key and value. `None` if it needs
/// the TOML parser.
pub(super) fn assignment(statement: &str) -> Option<(&str, Written<'_>)> {
    let (key, value) = statement.trim_ascii_end().split_once('=')?;
    let key = key.trim_ascii_end();
    if key.is_empty() || !key.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_') {
        return None;
    }
    let value = value.trim_ascii_start();
    if let Some(rest) = value.strip_prefix('[') {
        return Some((key, Written::List(list(rest)?)));
    }
    let (text, rest) = text(value)?;
    rest.is_empty().then_some((key, Written::Text(text)))
}

fn list(mut rest: &str) -> Option<Vec<Cow<'_, str>>> {
    let mut entries = Vec::new();
    while let Some((entry, after)) = text(rest.trim_ascii_start()) {
        entries.push(entry);
        rest = after.trim_ascii_start();
        match rest.strip_prefix(',') {
            Some(after) => rest = after,
            None => break,
        }
    }
    (rest.trim_ascii_start() == "]").then_some(entries)
}

/// Parses a text in double quotes at the start of `value`. Returns the text and the rest of the
/// line. `None` if the text has escapes.
fn text(value: &str) -> Option<(Cow<'_, str>, &str)> {
    let rest = value.strip_prefix('"')?;
    let end =
        rest.bytes().position(|byte| byte == b'"' || byte == b'\\' || byte.is_ascii_control())?;
    let after = rest[end..].strip_prefix('"')?;
    // Two quotes may be the start of `"""`.
    let is_whole = end > 0 || !after.starts_with('"');
    is_whole.then_some((Cow::Borrowed(&rest[..end]), after))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use toml::de::DeTable;

    use super::*;

    proptest! {
        /// Every line that this module parses must have the same value in the TOML parser.
        #[test]
        fn plain_lines_are_read_as_the_parser_reads_them(
            key in "[a-z_]{1,4}",
            value in prop_oneof![
                r#"[a-z"\\\[\], #'=\t]{0,12}"#,
                r#"\[("[a-z é]{0,3}"[ ,]{0,2}){0,3}\]"#,
                r#""[a-z é|<>*-]{0,8}"( |#)?"#,
            ],
        ) {
            let line = format!("{key} = {value}\n");
            if let Some((name, written)) = assignment(&line) {
                let parsed = DeTable::parse(&line).unwrap();
                let (parsed_key, parsed_value) = parsed.get_ref().iter().next().unwrap();
                prop_assert_eq!(parsed_key.get_ref().as_ref(), name);
                prop_assert_eq!(Written::of(parsed_value.get_ref()), written);
            }
        }
    }

    #[test]
    fn common_lines_are_plain() {
        let list =
            |texts: &[&'static str]| Written::List(texts.iter().map(|t| (*t).into()).collect());
        for (line, expected) in [
            ("why = \"it reads\"\n", Some(("why", Written::Text("it reads".into())))),
            ("why=\"\"\r\n", Some(("why", Written::Text("".into())))),
            ("match = [\"a b\", \"c\",]\n", Some(("match", list(&["a b", "c"])))),
            ("match = []\n", Some(("match", list(&[])))),
            ("why = \"a\" # b\n", None),
            ("why = \"a\\n\"\n", None),
            ("why = \"\"\"a\"\"\"\n", None),
            ("why = 'a'\n", None),
            ("match = [\"a\" \"b\"]\n", None),
            ("match = [\n\"a\"]\n", Some(("match", list(&["a"])))),
            (" why = \"a\"\n", None),
        ] {
            assert_eq!(assignment(line), expected, "{line}");
        }
        assert!(is_header("[[rule]]\n") && !is_header("[[rule]] # x\n") && !is_header("[rule]"));
    }
}
