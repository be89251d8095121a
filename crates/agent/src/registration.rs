//! Whether verger asks an agent to be called for an event.

use crate::spec::HookEvent;

/// Every call costs a process, so that an event is registered only for a reason.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Registration {
    /// verger is called.
    Registered {
        /// How often the event comes, which is what it costs.
        frequency: &'static str,
        /// What verger does with it.
        reason: &'static str,
        /// After how long the agent may give up, where its own limit does not do.
        timeout_seconds: Option<u32>,
    },
    /// verger is not called.
    Left {
        /// Why not.
        reason: &'static str,
    },
}

impl HookEvent {
    /// The same event with a limit for the hook; without an effect on one that is not registered.
    #[must_use]
    pub(crate) const fn within(mut self, seconds: u32) -> Self {
        if let Registration::Registered { timeout_seconds, .. } = &mut self.registration {
            *timeout_seconds = Some(seconds);
        }
        self
    }
}
