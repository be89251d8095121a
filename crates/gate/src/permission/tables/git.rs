//! The rule that approves `git status`. Rules for other git commands that only read are in
//! `git_reads`.

use crate::permission::operands::Operands;
use crate::permission::rule::Rule;

pub(super) const RULES: &[Rule<'static>] = &[Rule::allow(
    "git-status",
    "git status",
    "-s -b -sb --short --branch --porcelain[=] -u[=] --ignored[=] -v",
    Operands::Files,
)
.examples(&["git status", "git status --short src"], &["git status --foo"])];
