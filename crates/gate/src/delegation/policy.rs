//! The settings of the delegation gate. `config` parses them, and the hook converts them into this
//! form.

use verger_event::{ToolCall, ToolUse};

/// The settings of the delegation gate for lead agents.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Policy {
    /// The reaction when a lead agent does work that it should delegate.
    pub mode: Mode,
    /// The number of tiers of agents in the project.
    pub tiers: Tiers,
    /// The number of uses of work tools from which the agent is reminded to delegate.
    pub remind_at: u64,
    /// The number of uses of work tools from which the reaction in `mode` follows.
    pub deny_at: u64,
    /// The length of the time window. Older uses don't count.
    pub window_millis: u64,
    /// The tools whose use counts, by the client's names. If the list is empty, shell commands and
    /// changes of files count.
    pub work_tools: Vec<String>,
}

impl Policy {
    /// Whether a tool call counts as a use of a work tool.
    pub fn counts(&self, call: &ToolCall) -> bool {
        let is_work =
            || matches!(call.action, ToolUse::Shell(_) | ToolUse::Edit(_) | ToolUse::Write(_));
        if self.work_tools.is_empty() { is_work() } else { self.work_tools.contains(&call.tool) }
    }
}

/// The reaction when a lead agent does work that it should delegate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Mode {
    /// There is no reaction, and uses aren't counted.
    Off,
    /// The agent is warned, and the call runs.
    Warn,
    /// The agent's call is denied.
    Enforce,
}

/// The number of tiers of agents: the roles between which the work is divided.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tiers {
    /// Two roles: a main agent that plans (conductor), and subagents that do the work (musicians).
    Two,
    /// Three roles: conductor, section leaders and musicians.
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
