//! Whether something that can be found is looked for.

/// As the configuration says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Switch {
    On,
    Off,
}
