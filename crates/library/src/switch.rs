//! A setting that decides whether verger looks for something.

/// The value in the configuration.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Switch {
    On,
    Off,
}
