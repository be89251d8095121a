//! Shows a change as a diff, for a person who wants to see it first.

use similar::TextDiff;

use super::transaction::FileChange;

/// The spaces that replace a tab.
pub(crate) const TAB: &str = "    ";

/// The lines of a unified diff.
pub(crate) fn unified(change: &FileChange) -> Vec<String> {
    let text = |bytes: &Option<Vec<u8>>| {
        String::from_utf8_lossy(bytes.as_deref().unwrap_or_default()).into_owned()
    };
    let name = |bytes: &Option<Vec<u8>>| match bytes {
        Some(_) => change.path.display().to_string(),
        None => "/dev/null".to_owned(),
    };
    let (before, after) = (text(&change.before), text(&change.after));
    let diff = TextDiff::from_lines(&before, &after);
    let (old, new) = (name(&change.before), name(&change.after));
    diff.unified_diff().header(&old, &new).to_string().lines().map(str::to_owned).collect()
}
