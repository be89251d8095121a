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

/// A prompt without what machines added.
///
/// A client puts whole blocks beside a person's words, each on lines of its own. A tag within a line, or one that nothing closes,
/// is something that the person wrote.
pub fn persons_words(prompt: &str) -> String {
    let mut kept = String::new();
    let mut rest = prompt;
    let mut is_line_begun = false;
    while let Some(at) = rest.find('<') {
        let (before, from) = rest.split_at(at);
        kept.push_str(before);
        let (is_same_line, last) =
            before.rsplit_once('\n').map_or((true, before), |(_, last)| (false, last));
        is_line_begun = (is_line_begun && is_same_line) || !last.trim().is_empty();
        if !is_line_begun && let Some(after) = behind_block(from) {
            kept.push('\n');
            rest = after;
        } else {
            kept.push('<');
            is_line_begun = true;
            rest = &from[1..];
        }
    }
    kept.push_str(rest);
    kept
}

/// What comes behind the block of a machine that begins here. A tag that opens again before it is closed was not closed.
fn behind_block(from: &str) -> Option<&str> {
    let tag = machine_tag(from)?;
    let inside = &from[1..];
    for (at, _) in inside.match_indices('<') {
        let here = &inside[at..];
        let closed = here.strip_prefix("</").and_then(|here| here.strip_prefix(tag));
        if let Some(after) = closed.and_then(|here| here.strip_prefix('>')) {
            return Some(after);
        }
        if machine_tag(here) == Some(tag) {
            break;
        }
    }
    None
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
            ("<system-reminder>never closed", "<system-reminder>never closed"),
            (
                "Why is <command-name> not parsed?\nDon't touch src/b.rs",
                "Why is <command-name> not parsed?\nDon't touch src/b.rs",
            ),
            ("<command-name>\nis never closed, fix it", "<command-name>\nis never closed, fix it"),
            (
                "drop <command-name>x</command-name> in src/a.rs",
                "drop <command-name>x</command-name> in src/a.rs",
            ),
            (
                "<system-reminder> is not stripped\n<system-reminder>x</system-reminder>",
                "<system-reminder> is not stripped\n\n",
            ),
            (
                "  <system-reminder>x</system-reminder> <system-reminder>y</system-reminder>\nfix it",
                "  \n \n\nfix it",
            ),
            ("<note>keep this</note> <div>", "<note>keep this</note> <div>"),
        ];
        for (prompt, expected) in cases {
            assert_eq!(persons_words(prompt), expected, "{prompt}");
        }
    }
}
