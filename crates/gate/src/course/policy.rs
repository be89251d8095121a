//! How agents are kept on course.

/// What is done about an agent that leaves its course.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// Nothing, and it is not looked.
    Off,
    /// It is scored, and the record says so.
    Observe,
    /// It is told.
    Correct,
}

/// The settings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Policy {
    /// What is done.
    pub mode: Mode,
    /// After how many batches of tool calls the course is scored.
    pub every: u32,
    /// How many changes of an agent that does not go back are denied before it is let go.
    pub max_denials: u32,
}

impl Default for Policy {
    fn default() -> Self {
        Self { mode: Mode::Observe, every: 3, max_denials: 3 }
    }
}
