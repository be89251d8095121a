//! A setting that decides whether something is looked for.

/// The value in the configuration.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Switch {
    On,
    Off,
}
