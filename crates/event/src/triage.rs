//! What the guard of permissions thinks of a call, and what the agent's client is told of it.

use std::fmt;

/// What becomes of a call, from the weakest to the strongest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Triage {
    /// It only reads, or builds and tests the project in a worktree that the user trusts.
    Allow,
    /// No rule knows it: the client's own policy decides.
    Unknown,
    /// Parts of it are destructive or hidden: a person should look.
    Risky,
    /// It destroys, runs code from afar, or gives secrets away.
    Deny,
}

impl Triage {
    /// All of them, the weakest first.
    pub const ALL: [Self; 4] = [Self::Allow, Self::Unknown, Self::Risky, Self::Deny];
}

impl fmt::Display for Triage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Allow => "allow",
            Self::Unknown => "unknown",
            Self::Risky => "risky",
            Self::Deny => "deny",
        })
    }
}

/// What a client is told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sent {
    /// Nothing: its own policy decides.
    Silence,
    /// That the call may run.
    Allow,
    /// That a person should be asked.
    Ask,
    /// That the call must not run.
    Deny,
}

impl fmt::Display for Sent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Silence => "silence",
            Self::Allow => "allow",
            Self::Ask => "ask",
            Self::Deny => "deny",
        })
    }
}
