//! The guard in the current directory: its rules, its judgements and its statistics.

pub(crate) mod approvals;
pub(crate) mod habit_stats;
pub(crate) mod judged_line;
pub(crate) mod local;
pub(crate) mod rule_check;
pub(crate) mod rule_text;
pub(crate) mod stats;
