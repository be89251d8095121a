//! How the gate is set. The settings' own words are in `config`; the hook puts them into this form.

use verger_event::{ToolCall, ToolUse};

/// What the user wants of agents that lead.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Policy {
    /// What becomes of work that an agent should delegate.
    pub mode: Mode,
    /// How many tiers there are.
    pub tiers: Tiers,
    /// From which use on the agent is reminded.
    pub remind_at: u64,
    /// Which use is one too many.
    pub deny_at: u64,
    /// Uses longer ago than this no longer count.
    pub window_millis: u64,
    /// The tools whose use counts, by the client's names. If it is empty, shell lines and changes of files count.
    pub work_tools: Vec<String>,
}

impl Policy {
    /// Whether a call counts as work.
    pub fn counts(&self, call: &ToolCall) -> bool {
        let is_work =
            || matches!(call.action, ToolUse::Shell(_) | ToolUse::Edit(_) | ToolUse::Write(_));
        if self.work_tools.is_empty() { is_work() } else { self.work_tools.contains(&call.tool) }
    }
}

/// What becomes of work that an agent should delegate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Mode {
    /// Nothing.
    Off,
    /// The agent is told.
    Warn,
    /// It does not happen.
    Enforce,
}

/// How many tiers there are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tiers {
    /// Conductor and musicians.
    Two,
    /// With section leaders between them.
    Three,
}

impl Default for Policy {
    fn default() -> Self {
        Self {
            mode: Mode::Off,
            tiers: Tiers::Two,
            remind_at: 3,
            deny_at: 5,
            window_millis: 600_000,
            work_tools: vec![],
        }
    }
}
