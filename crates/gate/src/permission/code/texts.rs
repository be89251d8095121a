//! Finds the parts of a text that may be commands, when the text as a whole is not one.

/// Longer texts are not looked at.
pub(super) const MAX_TEXT: usize = 4096;
/// More are not looked at.
const MAX_CANDIDATES: usize = 24;

/// The text, its strings, and the rest after a mark that programs put before commands. If `marks`
/// holds the program's own marks, only the rest after these.
pub(super) fn candidates(text: &str, marks: &[&str]) -> Vec<String> {
    const MARKS: &[&str] =
        &["!", "=", ":;", "system ", "shell ", "exec ", "spawn ", "run ", "script "];
    // One word alone is no command that destroys.
    if text.len() > MAX_TEXT || !text.contains([' ', '\t', ',', '$', '`']) {
        return Vec::new();
    }
    let after = |marks: &[&str]| -> Vec<String> {
        let found = marks.iter().filter_map(|mark| text.split_once(mark));
        found.map(|(_, rest)| rest.trim_start().to_owned()).collect()
    };
    if !marks.is_empty() {
        return after(marks);
    }
    let mut found = vec![text.to_owned()];
    found.extend(after(MARKS));
    let outer = strings(text);
    if outer.len() > 1 {
        found.push(outer.join(" "));
    }
    for string in outer {
        found.push(string.to_owned());
        found.extend(strings(string).into_iter().map(str::to_owned));
    }
    found.truncate(MAX_CANDIDATES);
    found
}

/// The texts between quotes of one kind.
fn strings(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut rest = text;
    while let Some(start) = rest.find(['\'', '"', '`']) {
        let quote = &rest[start..=start];
        let after = &rest[start + 1..];
        // m4 begins a string with one and ends it with another.
        let end = after.find(quote).or_else(|| after.find('\''));
        let Some(end) = end else { break };
        found.push(&after[..end]);
        rest = &after[end + 1..];
        if found.len() >= MAX_CANDIDATES {
            break;
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_found_behind_signs_and_in_strings() {
        for (text, expected) in [
            (":!rm -rf x", "rm -rf x"),
            ("x:;rm -rf x", "rm -rf x"),
            ("shell rm -rf x", "rm -rf x"),
            ("a=[\"rm\",\"-rf\",\"x\"]", "rm -rf x"),
            ("os:cmd(\"rm -rf x\")", "rm -rf x"),
            ("syscmd(`rm -rf x')", "rm -rf x"),
        ] {
            assert!(candidates(text, &[]).iter().any(|found| found == expected), "{text}");
        }
        assert!(candidates("--verbose", &[]).is_empty());
        assert_eq!(candidates("select 'rm -rf x'", &["\\!"]), Vec::<String>::new());
        assert_eq!(candidates("\\! rm -rf x", &["\\!"]), ["rm -rf x"]);
    }
}
