//! Judges words that are git revisions, or files in a revision.

use verger_shell::Word;

use super::paths::is_secret;
use super::scene::Scene;

/// Whether the word is a revision or a file without credentials: `HEAD~2`, `main..HEAD`,
/// `HEAD:src/lib.rs`.
pub(super) fn is_revision(word: &Word, scene: &Scene<'_>) -> bool {
    let in_revision = word.text().rsplit_once(':').map_or("", |(_, path)| path);
    (scene.is_harmless_file(word) || is_made_by_git(word)) && !is_secret(in_revision)
}

/// Whether a single git substitution computes the revision: `$(git merge-base main HEAD)..HEAD`.
fn is_made_by_git(word: &Word) -> bool {
    let text = word.text();
    let inner = text.split_once("$(git ").map(|(_, inner)| inner);
    let makes = inner.and_then(|inner| inner.split([' ', ')']).next());
    text.matches(['$', '`']).count() == 1
        && matches!(makes, Some("merge-base" | "rev-parse" | "describe" | "rev-list"))
}
