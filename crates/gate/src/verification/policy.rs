//! The settings of the gate. `config` parses them; the hook converts them into this form.

use super::Depth;
use super::judged::Requirement;
use crate::blocks;

/// The settings for verifications.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Policy {
    /// The condition for requesting a verification.
    pub mode: Mode,
    /// The depth of a verification if no risk requires a deeper one.
    pub depth: Depth,
    /// The requirements.
    pub required: Vec<Requirement>,
    /// The limits for refused stops.
    pub blocks: blocks::Policy,
}

/// The condition for requesting a verification.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Mode {
    /// Never.
    Off,
    /// Never. The gate only records a claim that the work is done without a green verification.
    Observe,
    /// If the agent claims that the work is done when it wants to stop, or a watched tool failed
    /// and didn't succeed since then.
    Claims,
    /// For every task that changed something.
    Always,
}

impl Default for Policy {
    fn default() -> Self {
        Self {
            mode: Mode::Observe,
            depth: Depth::Quick,
            required: vec![Requirement::Tests, Requirement::NoRegressions, Requirement::OpenTasks],
            blocks: blocks::Policy::default(),
        }
    }
}
