//! Decides about a lead agent's use of a work tool.

use verger_event::Timestamp;

use super::places::Target;
use super::policy::{Mode, Policy};
use super::role::{Role, RoleSource};
use super::{Change, Delegation};

/// A use of a work tool that the main agent requests.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Use {
    /// The role of the main agent.
    pub role: Role,
    /// The source of the main agent's role.
    pub source: RoleSource,
    /// The target of the tool call.
    pub target: Target,
}

/// The decision about a use of a work tool.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step {
    /// The message that the agent gets.
    pub say: Say,
    /// The change of the gate for the log. `None` if the use doesn't count.
    pub change: Option<Change>,
}

/// The message that the agent gets about its use of a work tool.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Say {
    /// The agent gets no message.
    Nothing,
    /// A reminder that the agent should delegate soon.
    Remind {
        /// The number of this use within the time window.
        number: u64,
    },
    /// The agent used work tools too often instead of delegating the work.
    TooMany {
        /// The number of this use within the time window.
        number: u64,
    },
    /// The agent is a section leader and changes a file that is neither a plan nor a document.
    Sources,
}

/// Decides about a use of a work tool. A denied use doesn't count, so the agent may continue when
/// earlier uses have left the time window.
pub fn step(state: &Delegation, used: Use, policy: &Policy, now: Timestamp) -> Step {
    let nothing = Step { say: Say::Nothing, change: None };
    let role = used.role.in_tiers(policy.tiers);
    let is_free = matches!(
        (role, used.target),
        (Role::Musician, _) | (_, Target::Allowed) | (Role::SectionLeader, Target::Document)
    );
    if policy.mode == Mode::Off || is_free {
        return nothing;
    }
    let number = state.uses_within(policy.window_millis, now) + 1;
    let say = if role == Role::SectionLeader && used.target == Target::Source {
        Say::Sources
    } else if number >= policy.deny_at {
        Say::TooMany { number }
    } else if number >= policy.remind_at {
        Say::Remind { number }
    } else {
        Say::Nothing
    };
    let happens = policy.mode == Mode::Warn || matches!(say, Say::Nothing | Say::Remind { .. });
    let change = happens.then_some(Change::Counted { role, source: used.source });
    Step { say, change }
}
