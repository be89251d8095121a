//! The settings of drift detection.

/// The reaction to drift.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Mode {
    /// Drift isn't measured.
    Off,
    /// Findings are recorded, but the agent gets no message.
    Observe,
    /// Findings are recorded, and the agent gets a correction.
    Correct,
}

/// The settings of drift detection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Policy {
    /// The reaction to drift.
    pub mode: Mode,
    /// The number of tool-call batches from one score to the next.
    pub every: u32,
    /// The maximum number of denials of an action that broke a limit three times. After that, the
    /// action may run.
    pub max_denials: u32,
}

impl Default for Policy {
    fn default() -> Self {
        Self { mode: Mode::Observe, every: 3, max_denials: 3 }
    }
}
