//! Checks that comments give reasons. A comment that repeats the next line, or only draws a
//! separator, is a finding.

use super::Finding;
use super::source::Line;
use super::tree::Tree;

/// Imperatives with which a comment begins that only repeats the next line.
const NARRATING: &[&str] = &[
    "Add",
    "Append",
    "Assert",
    "Build",
    "Calculate",
    "Call",
    "Check",
    "Clean up",
    "Clear",
    "Close",
    "Compute",
    "Convert",
    "Copy",
    "Create",
    "Define",
    "Delete",
    "Ensure",
    "Extract",
    "Fetch",
    "Filter",
    "Finally",
    "Find",
    "First",
    "Format",
    "Generate",
    "Get",
    "Handle",
    "Helper",
    "Increment",
    "Init",
    "Initialise",
    "Initialize",
    "Insert",
    "Iterate",
    "Load",
    "Loop",
    "Make",
    "Next",
    "Now",
    "Open",
    "Parse",
    "Prepare",
    "Print",
    "Process",
    "Push",
    "Read",
    "Remove",
    "Return",
    "Run",
    "Save",
    "Send",
    "Set",
    "Set up",
    "Setup",
    "Sort",
    "Spawn",
    "Start",
    "Step",
    "Store",
    "Then",
    "Try",
    "Update",
    "Use",
    "Validate",
    "Verify",
    "Write",
];

/// Words by which such a comment also gives a reason. It is then no finding.
const REASONS: &[&str] = &[
    "because",
    "before",
    "but",
    "cannot",
    "even",
    "for",
    "if not",
    "instead",
    "must",
    "never",
    "not",
    "only",
    "otherwise",
    "rather",
    "since",
    "so",
    "to",
    "until",
    "unless",
    "when",
    "would",
];

const BANNER_MARKS: &[char] = &['-', '=', '*', '#', '~', '_', '+', '/', '─', '═', '━'];

pub(crate) fn comments_do_not_narrate(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    for file in tree.rust_files() {
        let plain: Vec<Option<&str>> = file.lines.iter().map(whole_line_comment).collect();
        for (index, comment) in plain.iter().enumerate() {
            let is_alone = index.checked_sub(1).is_none_or(|before| plain[before].is_none())
                && plain.get(index + 1).copied().flatten().is_none();
            if let (Some(text), true) = (comment, is_alone)
                && narrates(text)
            {
                let advice = "say why, or delete the comment: the next line says what";
                findings.push(Finding::at(&file.path, index + 1, advice));
            }
        }
    }
    findings
}

pub(crate) fn no_banners(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    for file in tree.rust_files() {
        for (number, line) in file.numbered() {
            if line
                .comment
                .as_ref()
                .is_some_and(|comment| !comment.is_doc && is_banner(&comment.text))
            {
                let advice = "delete the banner: a file that needs one is two files";
                findings.push(Finding::at(&file.path, number, advice));
            }
        }
    }
    findings
}

/// The text of a comment on a line of its own. `None` for documentation and for other lines.
fn whole_line_comment(line: &Line) -> Option<&str> {
    let comment = line.comment.as_ref().filter(|comment| !comment.is_doc)?;
    line.code.trim().is_empty().then_some(comment.text.trim())
}

fn narrates(text: &str) -> bool {
    let begins = NARRATING.iter().any(|word| {
        text.strip_prefix(word)
            .is_some_and(|rest| rest.is_empty() || rest.starts_with([' ', ',', ':', '.']))
    });
    // A colon or semicolon introduces a reason. The first word alone is not a reason.
    let has_reason = text.contains([';', ':'])
        || text.split(' ').skip(1).any(|word| {
            let word = word.trim_matches(|c: char| !c.is_alphanumeric());
            REASONS.contains(&word)
        });
    begins && !has_reason
}

fn is_banner(text: &str) -> bool {
    let text = text.trim();
    let leading = text.chars().take_while(|c| BANNER_MARKS.contains(c)).count();
    let trailing = text.chars().rev().take_while(|c| BANNER_MARKS.contains(c)).count();
    leading >= 4 || (leading >= 2 && trailing >= 2)
}

#[cfg(test)]
mod tests {
    use super::super::test_tree::tree_of;
    use super::*;

    fn narration(text: &str) -> Vec<Option<usize>> {
        let tree = tree_of(&[("crates/sample/src/lib.rs", text)]);
        comments_do_not_narrate(&tree).into_iter().map(|finding| finding.line).collect()
    }

    #[test]
    fn a_comment_that_repeats_the_code_is_found() {
        assert_eq!(narration("// Check if the file exists\nfn a() {}\n"), [Some(1)]);
        assert_eq!(narration("fn a() {\n    // Create the buffer.\n    b();\n}\n"), [Some(2)]);
        assert_eq!(narration("// Finally, return the result\n"), [Some(1)]);
    }

    #[test]
    fn a_reason_documentation_or_prose_is_no_narration() {
        assert_eq!(narration("// Check twice: the first answer may be stale.\n"), []);
        assert_eq!(narration("// Set early, because a signal may arrive any time.\n"), []);
        assert_eq!(narration("/// Create a buffer.\nfn a() {}\n"), []);
        assert_eq!(narration("// Setting this is racy.\n"), []);
        assert_eq!(narration("// The lock is held here.\n// Check nothing twice.\n"), []);
        assert_eq!(narration("let a = \"// Check if\";\n"), []);
    }

    #[test]
    fn banners_are_found_in_every_spelling() {
        let text = "// ---------\n// === Tests ===\n//////////\n// -- fine\n// a - b\n\
                    /// --- | ---\nlet a = \"// ----\";\n";
        let lines: Vec<_> = no_banners(&tree_of(&[("crates/sample/src/lib.rs", text)]))
            .into_iter()
            .map(|finding| finding.line)
            .collect();
        assert_eq!(lines, [Some(1), Some(2), Some(3)]);
    }
}
