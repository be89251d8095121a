//! The settings of the gate. `config` parses them; the hook converts them into this form.

use verger_event::{ToolCall, ToolUse};

/// The settings for leading agents.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Policy {
    /// The reaction to work that an agent should delegate.
    pub mode: Mode,
    /// The number of tiers.
    pub tiers: Tiers,
    /// The number of the use from which the agent is reminded.
    pub remind_at: u64,
    /// The number of the use from which there are too many.
    pub deny_at: u64,
    /// The length of the time window; older uses don't count.
    pub window_millis: u64,
    /// The tools whose use counts, by the client's names. If the list is empty, shell lines and
    /// changes of files count.
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

/// The reaction to work that an agent should delegate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Mode {
    /// No reaction.
    Off,
    /// The agent is warned.
    Warn,
    /// The call is denied.
    Enforce,
}

/// The number of tiers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tiers {
    /// Two roles: a main agent that plans (conductor) and subagents that do the work (musicians).
    Two,
    /// Conductor, section leaders and musicians.
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
