//! The registration through which an agent's client reports events.

/// The registration through which an agent reports an event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Registered {
    /// Through verger's plugin, which also installs the reviewer.
    ByPlugin,
    /// Through hooks in the agent's settings, without a reviewer.
    BySettings,
}
