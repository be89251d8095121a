//! Finds subagent files that may have the name of verger's reviewer.
//!
//! A subagent's type is its name. For a plugin's subagent, the plugin's name and a colon come
//! first. Version 2.1.197 accepts any name in a file and prefers the file to the plugin. Version
//! 2.1.325 ignores names with a colon. No event says whether a subagent comes from a file or from
//! a plugin.

/// The type of verger's reviewer.
const REVIEWER: &str = "verger:reviewer";

const FENCE: &str = "---";

/// Whether the subagent in this file may have the reviewer's name. Names are normally plain
/// words, so a header that this simple parser doesn't understand counts as yes.
pub(super) fn may_be_namesake(file: &str) -> bool {
    let Some(text) = file.trim_start_matches('\u{feff}').trim_start().strip_prefix(FENCE) else {
        return false;
    };
    let header = text.split_once("\n---").map_or(text, |(header, _)| header);
    header.lines().any(names_reviewer)
}

/// Whether a line of the YAML header may set the reviewer's name.
fn names_reviewer(line: &str) -> bool {
    let line = line.trim_end();
    match line.bytes().next() {
        // An empty line, a comment, a list item, or an indented continuation of the line above.
        None | Some(b'#' | b'-' | b' ' | b'\t') => false,
        // A mapping in braces, an alias, a tag, or a key of several lines.
        Some(b'{' | b'[' | b'?' | b'<' | b'*' | b'&' | b'!' | b'|' | b'>') => true,
        Some(_) => line.split_once(':').is_some_and(|(key, value)| {
            key.contains('\\') || (unquoted(key) == "name" && may_mean_reviewer(value.trim()))
        }),
    }
}

/// Whether a YAML value may be the reviewer's name. A value without a colon is another name,
/// unless YAML reads the value from another line or resolves escapes in it.
fn may_mean_reviewer(value: &str) -> bool {
    let is_indirect =
        value.is_empty() || value.starts_with(['|', '>', '*', '&', '!', '{', '[', '#']);
    is_indirect || value.contains('\\') || unquoted(value).starts_with(REVIEWER)
}

fn unquoted(word: &str) -> &str {
    word.trim().trim_matches(['"', '\''])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(header: &str, expected: bool) {
        let file =
            format!("---\n{header}\ndescription: Looks at things.\n---\n\nname: verger:reviewer\n");
        assert_eq!(may_be_namesake(&file), expected, "{header}");
    }

    #[test]
    fn whoever_may_be_called_like_the_reviewer_is_suspected() {
        for header in [
            "name: verger:reviewer",
            "name:   \"verger:reviewer\"  ",
            "name: 'verger:reviewer' # ours",
            "\"name\": verger:reviewer",
            "tools: Read\nname: verger:reviewer",
            "name: good\nname: verger:reviewer",
            r#"name: "\x76erger:reviewer""#,
            r#""n\x61me": "verger:reviewer""#,
            "name: >-\n  verger:reviewer",
            "name:\n  verger:reviewer",
            "x: &a verger:reviewer\nname: *a",
            "{name: verger:reviewer}",
            "? name\n: verger:reviewer",
            "<<: {name: verger:reviewer}",
            "!!map {name: x}",
        ] {
            check(header, true);
        }
    }

    #[test]
    fn an_agent_with_a_name_of_its_own_is_not() {
        for header in [
            "name: reviewer",
            "name: 'reviewer'",
            "name: code-reviewer # not verger:reviewer",
            "name: other:reviewer",
            "description: Like verger:reviewer: reviews.\nname: helper",
            "nickname: verger:reviewer",
            "2nd: verger:reviewer",
            "prénom: verger:reviewer",
            "metadata:\n  name: verger:reviewer",
            "# name: verger:reviewer",
            "tools:\n- name: verger:reviewer",
        ] {
            check(header, false);
        }
        assert!(!may_be_namesake("name: verger:reviewer\n"));
        assert!(!may_be_namesake(""));
        assert!(may_be_namesake("\u{feff}---\r\nname: verger:reviewer\r\n---\r\n"));
    }
}
