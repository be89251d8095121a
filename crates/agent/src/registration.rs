//! Whether verger registers a hook for an event.

use crate::spec::HookEvent;

/// Whether and why an event is registered. Every hook call starts a process, so each registered
/// event needs a reason.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Registration {
    /// verger registers a hook.
    Registered {
        /// How often the event is sent, which determines the cost.
        frequency: &'static str,
        /// verger's use of the event.
        reason: &'static str,
        /// The time limit of the hook, if the agent's default doesn't fit.
        timeout_seconds: Option<u32>,
    },
    /// verger registers no hook.
    Left {
        /// The reason.
        reason: &'static str,
    },
}

impl HookEvent {
    /// The same event, with a time limit for its hook. It has no effect if the event is not
    /// registered.
    #[must_use]
    pub(crate) const fn within(mut self, seconds: u32) -> Self {
        if let Registration::Registered { timeout_seconds, .. } = &mut self.registration {
            *timeout_seconds = Some(seconds);
        }
        self
    }
}
