//! Decides from the reflog how a reference moved: by a commit that was made in this worktree, or by
//! one that came from elsewhere.
//!
//! Uses only the reflog, because anyone can set the author and dates of a commit freely.

use crate::reflog::Move;

/// Whether a move of HEAD made a new commit in this worktree. `false` if HEAD moved to a commit
/// that already existed.
pub(crate) fn is_made_here(step: &Move) -> bool {
    let message = step.message.as_str();
    let action = message.split(':').next().unwrap_or_default();
    let is_arrival = action == "checkout"
        || action == "reset"
        || action == "clone"
        || action == "Branch"
        || ["(start)", "(finish)", "(abort)"].iter().any(|step| action.ends_with(step))
        || is_fast_forward(message);
    step.from != step.to && !is_arrival
}

fn is_fast_forward(message: &str) -> bool {
    let is_named = ["pull", "merge"].iter().any(|action| {
        message.strip_prefix(action).is_some_and(|rest| rest.starts_with([' ', ':']))
    });
    is_named && message.ends_with(": Fast-forward")
}

/// Whether a fetch, and not a push, moved the reference. A pull moves a remote branch by fetching,
/// but may move a local branch by merging. A fetch from a local path doesn't count, because its
/// commits may have been made here just before.
pub(crate) fn is_fetched(reference: &str, step: &Move) -> bool {
    if step.message.split(' ').any(is_path) {
        return false;
    }
    let begins = |action: &str| {
        step.message.strip_prefix(action).is_some_and(|rest| rest.starts_with([' ', ':']))
    };
    begins("fetch")
        || (begins("pull") && reference.starts_with("refs/remotes/"))
        || (begins("pull") && step.message.ends_with(": Fast-forward"))
}

fn is_path(word: &str) -> bool {
    let word = word.trim_end_matches(':');
    word == "."
        || word == ".."
        || ["./", "../", "/", "~", "file:"].iter().any(|begin| word.starts_with(begin))
}

/// Whether the moves lead from commit `from` to commit `to` without a gap. An id of zeros means no
/// commit.
pub(crate) fn is_unbroken(moves: &[Move], from: Option<&str>, to: Option<&str>) -> bool {
    let mut at = from;
    for step in moves {
        if named(&step.from) != at {
            return false;
        }
        at = named(&step.to);
    }
    at == to
}

fn named(id: &str) -> Option<&str> {
    Some(id).filter(|id| id.bytes().any(|byte| byte != b'0'))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn step(message: &str) -> Move {
        Move { from: "1".repeat(40), to: "2".repeat(40), message: message.to_owned() }
    }

    #[test]
    fn commits_made_here_are_told_from_those_moved_to() {
        for message in [
            "commit: x",
            "commit (initial): x",
            "commit (amend): checkout: moving",
            "commit (merge): Merge branch 'x'",
            "cherry-pick: x",
            "revert: Revert \"x\"",
            "am: x",
            "rebase (pick): x",
            "rebase (continue): x",
            "rebase -i (squash): x",
            "pull --rebase (pick): x",
            "pull: Merge made by the 'ort' strategy.",
            "merge topic: Merge made by the 'ort' strategy.",
            "commit: merge: Fast-forward",
            "",
            "something new",
        ] {
            assert!(is_made_here(&step(message)), "{message}");
        }
        for message in [
            "checkout: moving from a to b",
            "reset: moving to HEAD~",
            "rebase (start): checkout origin/main",
            "rebase (finish): returning to refs/heads/main",
            "rebase (abort): returning to refs/heads/main",
            "pull --rebase (start): checkout abc",
            "pull: Fast-forward",
            "pull --ff-only origin main: Fast-forward",
            "merge origin/main: Fast-forward",
            "clone: from somewhere",
        ] {
            assert!(!is_made_here(&step(message)), "{message}");
        }
    }

    #[test]
    fn only_a_fetch_brings_what_others_made() {
        for (reference, message, expected) in [
            ("refs/remotes/origin/main", "fetch: fast-forward", true),
            ("refs/remotes/origin/main", "fetch origin main: forced-update", true),
            ("refs/remotes/origin/main", "pull: fast-forward", true),
            ("refs/remotes/origin/main", "pull --rebase origin: storing head", true),
            ("refs/remotes/origin/main", "update by push", false),
            ("refs/remotes/origin/main", "", false),
            ("refs/remotes/origin/main", "fetched: by hand", false),
            ("refs/heads/pr", "fetch origin pull/1/head:pr: storing head", true),
            ("refs/heads/pr", "fetch . topic:pr: storing head", false),
            ("refs/heads/main", "pull --quiet ../clone main: Fast-forward", false),
            ("refs/heads/main", "pull file:///clone: Fast-forward", false),
            ("refs/heads/main", "pull: Fast-forward", true),
            ("refs/heads/main", "pull: Merge made by the 'ort' strategy.", false),
            ("refs/heads/main", "pull --rebase (finish): refs/heads/main onto abc", false),
            ("refs/heads/main", "commit: pull", false),
            ("refs/heads/main", "merge origin/main: Fast-forward", false),
        ] {
            assert_eq!(is_fetched(reference, &step(message)), expected, "{reference} {message}");
        }
    }

    #[test]
    fn a_gap_in_the_moves_is_noticed() {
        let to = |from: char, to: char| Move {
            from: from.to_string().repeat(40),
            to: to.to_string().repeat(40),
            message: String::new(),
        };
        let id = |digit: &str| digit.repeat(40);
        let (one, two) = (id("1"), id("2"));
        assert!(is_unbroken(&[], Some(&one), Some(&one)));
        assert!(!is_unbroken(&[], Some(&one), Some(&two)));
        assert!(is_unbroken(&[to('1', '3'), to('3', '2')], Some(&one), Some(&two)));
        assert!(!is_unbroken(&[to('1', '3'), to('4', '2')], Some(&one), Some(&two)));
        assert!(is_unbroken(&[to('0', '2')], None, Some(&two)));
        assert!(!is_unbroken(&[to('1', '3')], Some(&one), Some(&two)));
    }
}
