//! Whether verger registers a hook for an event.

use crate::spec::HookEvent;

/// The registration of an event. Every call costs a process, so each registered event needs a
/// reason.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Registration {
    /// verger registers a hook.
    Registered {
        /// How often the event comes, which determines the cost.
        frequency: &'static str,
        /// The use that verger makes of it.
        reason: &'static str,
        /// The time limit of the hook, if the agent's own limit doesn't fit.
        timeout_seconds: Option<u32>,
    },
    /// verger registers no hook.
    Left {
        /// The reason.
        reason: &'static str,
    },
}

impl HookEvent {
    /// The same event with a time limit for the hook. No effect on an event that is not registered.
    #[must_use]
    pub(crate) const fn within(mut self, seconds: u32) -> Self {
        if let Registration::Registered { timeout_seconds, .. } = &mut self.registration {
            *timeout_seconds = Some(seconds);
        }
        self
    }
}
