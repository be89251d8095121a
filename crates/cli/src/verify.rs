//! Verifying work: the target, its plan, and the background process that runs the checks.

pub(crate) mod last_green;
pub(crate) mod live;
pub(crate) mod looking;
pub(crate) mod order;
pub(crate) mod program_check;
pub(crate) mod progress;
pub(crate) mod recording;
pub(crate) mod result;
pub(crate) mod runner;
pub(crate) mod stats;
pub(crate) mod target;
pub(crate) mod text;
