//! The registration through which an agent's client reports events.

/// The registration through which an agent reports an event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Registered {
    /// The agent has the plugin, and with it the reviewer.
    ByPlugin,
    /// There are hooks and nothing else.
    BySettings,
}
