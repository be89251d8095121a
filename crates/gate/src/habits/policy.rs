//! What becomes of a habit.

use verger_shell::Glob;

use super::about::Habit;
use super::look::Remedy;

/// How a habit is set, from the loosest to the strictest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub enum Mode {
    /// Nobody looks.
    #[default]
    Off,
    /// The agent is told once.
    Advise,
    /// The call is changed so that it does without; where that cannot be done for certain, it is
    /// denied.
    Rewrite,
    /// The call is denied.
    Deny,
}

/// How all of them are set.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Policy {
    /// For [`Habit::ALL`], in that order.
    pub modes: [Mode; Habit::COUNT],
    /// The branches that are protected; `*` stands for any text.
    pub protected: Vec<String>,
}

impl Default for Policy {
    fn default() -> Self {
        let protected = ["main", "master", "release*"].map(str::to_owned).into();
        Self { modes: [Mode::Off; Habit::COUNT], protected }
    }
}

/// What is done about a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// The agent is told, once.
    Advised,
    /// It runs changed.
    Rewritten,
    /// It does not run.
    Denied,
    /// It would have been changed, and cannot be for certain: it does not run.
    NotRewritten,
}

impl Policy {
    /// How a habit is set.
    pub fn mode(&self, habit: Habit) -> Mode {
        self.modes[habit as usize]
    }

    /// Whether nobody looks at anything.
    pub fn is_off(&self) -> bool {
        self.modes.iter().all(|mode| *mode == Mode::Off)
    }

    /// Whether somebody looks at this.
    pub fn is_on(&self, habit: Habit) -> bool {
        self.mode(habit) != Mode::Off
    }

    /// Whether a branch is protected.
    pub fn protects(&self, branch: &str) -> bool {
        self.protected.iter().any(|pattern| Glob::fits(pattern, branch))
    }

    /// What is done about a habit that was found, where the client can be given another line or not.
    pub fn outcome(&self, habit: Habit, remedy: &Remedy, can_rewrite: bool) -> Option<Outcome> {
        match (self.mode(habit), remedy) {
            (Mode::Off, _) => None,
            (Mode::Advise, _) => Some(Outcome::Advised),
            (Mode::Rewrite, Remedy::Edits(_)) if can_rewrite => Some(Outcome::Rewritten),
            (Mode::Rewrite, Remedy::Unsure) => Some(Outcome::NotRewritten),
            (Mode::Rewrite | Mode::Deny, _) => Some(Outcome::Denied),
        }
    }
}
