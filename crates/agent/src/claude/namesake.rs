//! Agents' files that may take the name of verger's reviewer.
//!
//! The type of a subagent is its name, for a plugin's with the plugin's name and a colon before it.
//! 2.1.197 takes any file's word for its name and prefers the file to the plugin; 2.1.325 passes
//! over names with a colon in them. No event tells one from the other.

/// The type of the reviewer in our plugin.
const REVIEWER: &str = "verger:reviewer";

const FENCE: &str = "---";

/// Whether the agent in this file may be called like the reviewer. A file that says its name in a
/// way that takes more than a look is taken for one: names are plain words everywhere.
pub(super) fn may_be_namesake(file: &str) -> bool {
    let Some(text) = file.trim_start_matches('\u{feff}').trim_start().strip_prefix(FENCE) else {
        return false;
    };
    let header = text.split_once("\n---").map_or(text, |(header, _)| header);
    header.lines().any(names_reviewer)
}

/// Whether one line of the header, which is YAML, may give that name.
fn names_reviewer(line: &str) -> bool {
    let line = line.trim_end();
    match line.bytes().next() {
        // Nothing, a comment, or what belongs to the line above it.
        None | Some(b'#' | b'-' | b' ' | b'\t') => false,
        // A mapping in braces, an alias, a tag, a key of several lines.
        Some(b'{' | b'[' | b'?' | b'<' | b'*' | b'&' | b'!' | b'|' | b'>') => true,
        Some(_) => line.split_once(':').is_some_and(|(key, value)| {
            key.contains('\\') || (unquoted(key) == "name" && may_mean_reviewer(value.trim()))
        }),
    }
}

/// The reviewer's name has a colon. Text without one means another name, unless YAML reads the value
/// from somewhere else or has a way to write it in other letters.
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
