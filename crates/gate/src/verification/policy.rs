//! How the gate is set. The settings' own words are in `config`; the hook puts them into this form.

use super::Depth;
use super::judged::Requirement;
use crate::blocks;

/// What the user wants of verifications.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Policy {
    /// When one is asked for.
    pub mode: Mode,
    /// How deep it looks where nothing speaks for more.
    pub depth: Depth,
    /// What must be well.
    pub required: Vec<Requirement>,
    /// How patient the gate is.
    pub blocks: blocks::Policy,
}

/// When a verification is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Mode {
    /// Never.
    Off,
    /// Never, but a claim that the work is done without a green check is recorded.
    Observe,
    /// When an agent that wants to stop says that the work is done, or a watched tool failed and did
    /// not succeed since.
    Claims,
    /// Whenever a task changed something.
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
