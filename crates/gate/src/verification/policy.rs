//! The settings of the verification gate. `config` parses them, and the hook converts them into
//! this form.

use super::Depth;
use super::judged::Requirement;
use crate::blocks;

/// The settings for verifications.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Policy {
    /// The condition under which the gate requests a verification.
    pub mode: Mode,
    /// The depth of a verification if no risk requires a deeper one.
    pub depth: Depth,
    /// The requirements that the user chose.
    pub required: Vec<Requirement>,
    /// The limits on refused stops.
    pub blocks: blocks::Policy,
}

/// The condition under which the gate requests a verification.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Mode {
    /// The gate never requests a verification.
    Off,
    /// The gate never requests a verification. It only records a claim that the work is done
    /// without a green verification.
    Observe,
    /// The gate requests a verification if the agent claims that the work is done when it wants to
    /// stop, or if a watched tool failed and didn't succeed since.
    Claims,
    /// The gate requests a verification of every task that changed something.
    Always,
}

impl Default for Policy {
    fn default() -> Self {
        Self {
            mode: Mode::Observe,
            depth: Depth::Quick,
            required: vec![Requirement::Tests, Requirement::NoRegressions, Requirement::OpenTasks],
            blocks: blocks::Policy::default(),
        }
    }
}
