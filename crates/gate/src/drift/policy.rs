//! The settings of drift.

/// The reaction to a finding.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Mode {
    /// Drift isn't measured.
    Off,
    /// Findings are recorded; the agent gets no message.
    Observe,
    /// Findings are recorded, and the agent gets a correction.
    Correct,
}

/// The settings of drift.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Policy {
    /// The reaction to a finding.
    pub mode: Mode,
    /// The number of tool-call batches between two scores.
    pub every: u32,
    /// How often an action that broke a limit three times is denied before it may run.
    pub max_denials: u32,
}

impl Default for Policy {
    fn default() -> Self {
        Self { mode: Mode::Observe, every: 3, max_denials: 3 }
    }
}
