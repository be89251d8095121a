//! Telling a person's words from what machines put beside them.

/// What clients wrap in tags of their own.
const MACHINE_TAGS: &[&str] = &[
    "system-reminder",
    "task-notification",
    "local-command-stdout",
    "local-command-stderr",
    "local-command-caveat",
    "command-name",
    "command-message",
    "bash-stdout",
    "bash-stderr",
    "ide_opened_file",
    "ide_selection",
    "ide_diagnostics",
    "new-diagnostics",
    "user-prompt-submit-hook",
    "environment_details",
];

/// A prompt without what machines added. A tag that is not closed ends with the prompt.
pub fn persons_words(prompt: &str) -> String {
    let mut kept = String::new();
    let mut rest = prompt;
    while let Some(at) = rest.find('<') {
        let (before, from) = rest.split_at(at);
        kept.push_str(before);
        if let Some(tag) = machine_tag(from) {
            kept.push('\n');
            let close = format!("</{tag}>");
            rest = from.find(&close).map_or("", |end| &from[end + close.len()..]);
        } else {
            kept.push('<');
            rest = &from[1..];
        }
    }
    kept.push_str(rest);
    kept
}

fn machine_tag(from: &str) -> Option<&'static str> {
    let opened = from.strip_prefix('<')?;
    // Most of them open nothing: code and comparisons are full of them.
    opened.strip_prefix(|first: char| first.is_ascii_lowercase())?;
    MACHINE_TAGS
        .iter()
        .copied()
        .find(|tag| opened.strip_prefix(tag).is_some_and(|rest| rest.starts_with(['>', ' '])))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_persons_words_are_left() {
        let cases = [
            ("<system-reminder>x</system-reminder>fix it", "\nfix it"),
            ("fix it\n<task-notification>done</task-notification>", "fix it\n\n"),
            ("a < b and <Button>", "a < b and <Button>"),
            ("<system-reminder>never closed", "\n"),
        ];
        for (prompt, expected) in cases {
            assert_eq!(persons_words(prompt), expected, "{prompt}");
        }
    }
}
