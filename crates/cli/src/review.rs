//! The reviews of a session: their assignment, history, statistics and gate.

pub(crate) mod assignment;
pub(crate) mod reviewer_program;
pub(crate) mod stats;
pub(crate) mod story;
pub(crate) mod subagent_texts;
pub(crate) mod text;
pub(crate) mod work_summary;
