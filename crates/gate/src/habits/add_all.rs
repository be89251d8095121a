//! The habit of staging everything in the working tree.

use verger_shell::Word;

use super::about::Habit;
use super::git::{ADD, COMMIT, Git};
use super::line::Line;
use super::listing::{is_given, is_given_all};
use super::look::Found;

pub(super) fn find(line: &Line<'_>) -> Option<Found> {
    let staging = Git::calls(line, &["add", "stage"]).find(|git| stages_all(git, line));
    let found =
        staging.or_else(|| Git::calls(line, &["commit"]).find(|git| commits_all(git, line)));
    found.map(|_| Found::new(Habit::AddAll))
}

fn stages_all(git: &Git<'_>, line: &Line<'_>) -> bool {
    let arguments = git.arguments(&ADD);
    if arguments.has_any(&["dry-run", "patch", "interactive", "edit"]) {
        return false;
    }
    let directory = git.directory(line);
    let is_whole = |word: &Word| is_whole_tree(word, directory.as_deref(), line);
    let is_of_all = arguments.has_any(&["all", "update"]);
    if arguments.operand_count() == 0 {
        return is_of_all;
    }
    let (is_given, is_only_given) = (
        arguments.operands().any(is_given),
        // If `xargs` adds no paths to the command, git stages everything.
        arguments.operands().all(is_given),
    );
    arguments.operands().any(is_whole)
        || is_only_given && is_of_all
        || is_given && is_given_all(git.call.index, line)
}

fn commits_all(git: &Git<'_>, line: &Line<'_>) -> bool {
    let arguments = git.arguments(&COMMIT);
    let directory = git.directory(line);
    let is_whole = |word: &Word| is_whole_tree(word, directory.as_deref(), line);
    !arguments.has_any(&["dry-run", "patch", "interactive"])
        && (arguments.has("all") || arguments.operands().any(is_whole))
}

/// The path without the shell's expression for the working directory, such as `$PWD/`.
fn here(text: &str) -> &str {
    let rest = ["$PWD", "${PWD}", "$(pwd)", "`pwd`"].iter().find_map(|pwd| text.strip_prefix(pwd));
    match rest {
        Some("" | "/") => ".",
        Some(rest) if rest.starts_with('/') => &rest[1..],
        _ => text,
    }
}

/// Whether the name is a pattern that matches every name: `*`, `?*` or `**`.
fn is_any_name(name: &str) -> bool {
    name.contains('*') && name.bytes().all(|byte| matches!(byte, b'*' | b'?'))
}

/// Whether a path means the whole repository: its top directory, or all files in it.
pub(super) fn is_whole_tree(word: &Word, directory: Option<&str>, line: &Line<'_>) -> bool {
    let text = word.text();
    if matches!(text, ":" | ":/" | ":/." | ":/*" | ":(top)" | ":(top)." | ":(top)*") {
        return true;
    }
    let text = here(text);
    let path = match text.rsplit_once('/') {
        Some((path, name)) if is_any_name(name) => path,
        None if is_any_name(text) => ".",
        _ => text,
    };
    if path.contains(['$', '`', '*', '?', '[', '{']) {
        return false;
    }
    match directory {
        Some(directory) => line.scene.surroundings.is_top(&line.path(directory, path)),
        // If the working directory is unknown, it may be the top directory.
        None => path == "." || path == "./",
    }
}
