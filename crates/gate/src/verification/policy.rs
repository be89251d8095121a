//! The settings of the gate. `config` parses them; the hook converts them into this form.

use super::Depth;
use super::judged::Requirement;
use crate::blocks;

/// The settings for verifications.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Policy {
    /// The condition under which one is requested.
    pub mode: Mode,
    /// The depth if no risk asks for more.
    pub depth: Depth,
    /// The requirements.
    pub required: Vec<Requirement>,
    /// The limits for refused stops.
    pub blocks: blocks::Policy,
}

/// The condition under which a verification is requested.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Mode {
    /// Never.
    Off,
    /// Never. A claim that the work is done without a green check is recorded.
    Observe,
    /// When an agent that wants to stop claims that the work is done, or a watched tool failed and
    /// didn't succeed since.
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
