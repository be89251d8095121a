//! How the gate is set. The settings' own words are in `config`; the hook puts them into this form.

use super::Profile;
use super::judged::Requirement;
use crate::blocks;

/// What the user wants of verifications.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Policy {
    /// When one is asked for.
    pub mode: Mode,
    /// How deep it looks where nothing speaks for more.
    pub profile: Profile,
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
    /// When an agent that wants to stop says that the work is done, or a watched tool failed and did
    /// not succeed since.
    Claims,
    /// Whenever a task changed something.
    Always,
}

impl Default for Policy {
    fn default() -> Self {
        Self {
            mode: Mode::Off,
            profile: Profile::Quick,
            required: vec![
                Requirement::Acceptance,
                Requirement::Tests,
                Requirement::NoRegressions,
                Requirement::OpenTasks,
            ],
            blocks: blocks::Policy::default(),
        }
    }
}
