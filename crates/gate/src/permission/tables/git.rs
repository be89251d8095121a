//! git: what only reads, and what throws work away.

use crate::permission::operands::Operands;
use crate::permission::rule::Rule;

pub(super) const RULES: &[Rule<'static>] = &[
    Rule::deny(
        "git-reset-hard",
        "git reset",
        "--hard",
        "it throws away changes that are not committed",
    )
    .instead("`git stash` keeps them; `git restore --staged` only unstages")
    .examples(
        &["git reset --hard", "git -C . reset --hard HEAD~1", "git reset --har"],
        &["git reset --soft HEAD~1", "git commit -m 'git reset --hard'"],
    ),
    Rule::allow(
        "git-status",
        "git status",
        "-s -b -sb --short --branch --porcelain[=] -u[=] --ignored[=] -v",
        Operands::Files,
    )
    .examples(&["git status", "git status --short src"], &["git status --foo"]),
];
