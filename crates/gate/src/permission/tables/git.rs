//! Rules about git commands that only read. The options are in the module `git_reads`.

use crate::permission::operands::Operands;
use crate::permission::rule::Rule;

pub(super) const RULES: &[Rule<'static>] = &[Rule::allow(
    "git-status",
    "git status",
    "-s -b -sb --short --branch --porcelain[=] -u[=] --ignored[=] -v",
    Operands::Files,
)
.examples(&["git status", "git status --short src"], &["git status --foo"])];
