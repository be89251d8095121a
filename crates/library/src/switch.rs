//! A setting that is either on or off.

/// The value of such a setting: whether verger looks for a ticket system or backend.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Switch {
    On,
    Off,
}
