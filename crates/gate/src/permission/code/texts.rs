//! Finds the parts of a program's argument that may be commands.

/// The maximum length of a text in bytes. A longer text is skipped.
pub(super) const MAX_TEXT: usize = 4096;
/// The maximum number of parts that are returned for one text.
const MAX_CANDIDATES: usize = 24;

/// The parts of a text that may be commands. Without `marks`, these are the text itself, its
/// strings, and the rest after a mark that often precedes a command. With `marks`, only the rest
/// after each of these marks.
pub(super) fn candidates(text: &str, marks: &[&str]) -> Vec<String> {
    const MARKS: &[&str] =
        &["!", "=", ":;", "system ", "shell ", "exec ", "spawn ", "run ", "script "];
    // A single word can't be a destructive command.
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

/// The texts between two equal quotes.
fn strings(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut rest = text;
    while let Some(start) = rest.find(['\'', '"', '`']) {
        let quote = &rest[start..=start];
        let after = &rest[start + 1..];
        // In m4, a string begins with a backtick and ends with a single quote.
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
