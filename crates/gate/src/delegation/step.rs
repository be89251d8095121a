//! What the gate says of a use of a work tool.

use verger_event::Timestamp;

use super::places::Target;
use super::policy::{Mode, Policy};
use super::role::{Role, RoleSource};
use super::{Change, Delegation};

/// A main agent is about to use a work tool.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Use {
    /// As whom.
    pub role: Role,
    /// What says so.
    pub source: RoleSource,
    /// What it works on.
    pub target: Target,
}

/// What comes of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step {
    /// What there is to say.
    pub say: Say,
    /// What the log keeps.
    pub change: Option<Change>,
}

/// What there is to say.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Say {
    /// Nothing.
    Nothing,
    /// It should delegate soon.
    Remind {
        /// Which use this is.
        number: u64,
    },
    /// It works instead of delegating.
    TooMany {
        /// Which use this is.
        number: u64,
    },
    /// It is a section leader and changes sources.
    Sources,
}

/// Decides. What does not happen is not counted: whoever was stopped may go on when enough time has
/// passed.
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
