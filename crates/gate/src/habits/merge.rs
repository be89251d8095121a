//! The habit of merging into a protected branch.

use super::about::Habit;
use super::arguments::Options;
use super::branches;
use super::git::Git;
use super::line::Line;
use super::look::Found;
use super::policy::Policy;
use super::push::{Change, Target, pushed};
use crate::permission::after_subcommands;

const MERGE: Options = Options::of_git(
    "abort continue quit m|message= F|file= s|strategy= X|strategy-option= into-name= cleanup= \
     S|gpg-sign[=] log[=] n|no-stat stat no-log commit no-commit ff no-ff ff-only squash no-squash \
     e|edit no-edit signoff verify no-verify q|quiet v|verbose progress no-progress \
     allow-unrelated-histories rerere-autoupdate autostash no-autostash verify-signatures",
);

const PULL: Options = Options::of_git(
    "r|rebase[=] no-rebase ff no-ff ff-only commit no-commit e|edit no-edit s|strategy= \
     X|strategy-option= squash no-squash autostash no-autostash a|append f|force k|keep t|tags \
     no-tags p|prune depth= deepen= j|jobs= q|quiet v|verbose all S|gpg-sign[=] log[=] n|no-stat \
     set-upstream upload-pack= refmap= o|server-option= signoff allow-unrelated-histories",
);

pub(super) fn find(line: &Line<'_>, policy: &Policy) -> Option<Found> {
    let request = merges_request(line).then(|| Found::new(Habit::Merge));
    request.or_else(|| {
        let target = merged_into(line, policy).or_else(|| pushed_into(line, policy))?;
        let why = format!("it merges other work into {target}");
        Some(Found { why, ..Found::new(Habit::Merge) })
    })
}

/// Whether the command line merges a pull request on its server.
fn merges_request(line: &Line<'_>) -> bool {
    line.calls(&["gh", "glab"]).any(|call| {
        let words = &call.argv[1..];
        let has = |rule: &str| after_subcommands(rule, words).filter(|after| !after.is_guess);
        let lifts = |text: &str| matches!(text, "--disable-auto" | "--help" | "-h");
        let is_merge = |rule| {
            has(rule).is_some_and(|after| !after.words.iter().any(|word| lifts(word.text())))
        };
        let by_api = || {
            has("gh api").is_some_and(|after| {
                let mut paths = after.words.iter().map(|word| word.text().trim_end_matches('/'));
                paths.any(|path| path.contains("/pulls/") && path.ends_with("/merge"))
                    && after.words.iter().any(|word| word.text().to_uppercase().ends_with("PUT"))
            })
        };
        is_merge("gh pr merge") || is_merge("glab mr merge|accept") || by_api()
    })
}

/// The protected branch into which a `git merge` or `git pull` merges another branch.
fn merged_into(line: &Line<'_>, policy: &Policy) -> Option<String> {
    Git::calls(line, &["merge", "pull"]).find_map(|git| {
        let is_pull = git.subcommand == "pull";
        let arguments = git.arguments(if is_pull { &PULL } else { &MERGE });
        if arguments.has_any(&["abort", "continue", "quit"]) {
            return None;
        }
        let others: Vec<_> = arguments.operands().skip(usize::from(is_pull)).collect();
        if others.is_empty() {
            return None;
        }
        let branch = branches::current(&git, line)?;
        let is_same = |text: &str| {
            let text = branches::bare(text);
            matches!(text, "@{u}" | "@{upstream}")
                || text == branch
                || text.strip_suffix(&branch).is_some_and(|remote| remote.ends_with('/'))
        };
        let target = Target::Branch(branch.clone()).protected(policy)?;
        let is_own = |word: &&verger_shell::Word| is_same(word.text());
        (!others.iter().all(is_own)).then_some(target)
    })
}

/// The protected branch to which a `git push` pushes another branch.
fn pushed_into(line: &Line<'_>, policy: &Policy) -> Option<String> {
    let mut all = Git::calls(line, &["push"]).flat_map(|git| pushed(&git, line));
    all.find_map(|pushed| {
        let Target::Branch(target) = &pushed.target else { return None };
        let is_other = pushed.source.as_ref().is_some_and(|source| source != target);
        let is_merge = is_other && pushed.change != Change::Deleted;
        pushed.target.protected(policy).filter(|_| is_merge)
    })
}
