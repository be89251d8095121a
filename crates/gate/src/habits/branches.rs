//! Finds the branch on which a git command works.

use super::arguments::Options;
use super::git::Git;
use super::line::Line;

const CHECKOUT: Options = Options::of_git(
    "b= B= orphan= t|track[=] no-track d|detach f|force q|quiet m|merge ours theirs p|patch l \
     guess no-guess conflict= pathspec-from-file= pathspec-file-nul overlay no-overlay \
     recurse-submodules[=] no-recurse-submodules progress ignore-other-worktrees",
);

const SWITCH: Options = Options::of_git(
    "c|create= C|force-create= orphan= d|detach t|track[=] no-track f|force|discard-changes \
     q|quiet m|merge conflict= guess no-guess recurse-submodules[=] progress ignore-other-worktrees",
);

/// The branch that is checked out when this git command runs, if it is known. An earlier command of
/// the command line may have switched branches.
pub(super) fn current(git: &Git<'_>, line: &Line<'_>) -> Option<String> {
    let directory = git.directory(line)?;
    let mut earlier = Git::calls(line, &["checkout", "switch"]).filter(|other| {
        line.is_before(other.call.index, git.call.index)
            && other.directory(line).as_ref() == Some(&directory)
    });
    match earlier.by_ref().filter_map(|other| checked_out(&other)).last() {
        Some(Branch::Known(name)) => Some(name),
        Some(Branch::Hidden) => None,
        None => line.scene.surroundings.branch(&directory),
    }
}

/// The bare name of a branch, without a prefix such as `refs/heads/`.
pub(super) fn bare(name: &str) -> &str {
    let name = name.strip_prefix("refs/").filter(|rest| rest.starts_with("heads/")).unwrap_or(name);
    name.strip_prefix("heads/").unwrap_or(name)
}

enum Branch {
    Known(String),
    Hidden,
}

/// The branch to which a git command switches. `None` if the command restores files instead.
fn checked_out(git: &Git<'_>) -> Option<Branch> {
    let (options, new) = match git.subcommand {
        "switch" => (&SWITCH, ["create", "force-create", "orphan"]),
        _ => (&CHECKOUT, ["b", "B", "orphan"]),
    };
    let arguments = git.arguments(options);
    if arguments.has_any(&["detach", "patch", "ours", "theirs"]) {
        return arguments.has("detach").then_some(Branch::Hidden);
    }
    if let Some(name) = new.into_iter().flat_map(|name| arguments.values(name)).next() {
        return Some(Branch::Known(name.to_owned()));
    }
    let has_files = git.words().iter().any(|word| word.text() == "--");
    let mut operands = arguments.operands();
    match (operands.next(), operands.next()) {
        (Some(word), None) if !has_files => Some(match word.literal() {
            None | Some("-") => Branch::Hidden,
            Some(name) => Branch::Known(name.to_owned()),
        }),
        _ => None,
    }
}
