//! The settings of habits, and the reaction to a habit.

use verger_shell::Glob;

use super::about::Habit;
use super::look::Remedy;

/// The setting of a habit, which selects the reaction. From the loosest to the strictest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub enum Mode {
    /// The guard doesn't search for the habit.
    #[default]
    Off,
    /// The agent gets one message about the habit.
    Advise,
    /// The call is rewritten without the habit. If it isn't certain that the new call is correct,
    /// the call is denied.
    Rewrite,
    /// The call is denied.
    Deny,
}

/// The settings of all habits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Policy {
    /// The modes of the habits, in the order of [`Habit::ALL`].
    pub modes: [Mode; Habit::COUNT],
    /// Patterns for the names of protected branches. `*` matches any text.
    pub protected: Vec<String>,
}

impl Default for Policy {
    fn default() -> Self {
        let protected = ["main", "master", "release*"].map(str::to_owned).into();
        Self { modes: [Mode::Off; Habit::COUNT], protected }
    }
}

/// The reaction to a call with a habit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// The call runs, and the agent gets one message about the habit.
    Advised,
    /// The call runs after it was rewritten without the habit.
    Rewritten,
    /// The call is denied, because it has the habit.
    Denied,
    /// The call is denied, because it isn't certain that a rewritten call would be correct.
    NotRewritten,
}

impl Policy {
    /// The setting of a habit.
    pub fn mode(&self, habit: Habit) -> Mode {
        self.modes[habit as usize]
    }

    /// Whether all habits are off.
    pub fn is_off(&self) -> bool {
        self.modes.iter().all(|mode| *mode == Mode::Off)
    }

    /// Whether this habit is searched for.
    pub fn is_on(&self, habit: Habit) -> bool {
        self.mode(habit) != Mode::Off
    }

    /// Whether a branch is protected.
    pub fn protects(&self, branch: &str) -> bool {
        self.protected.iter().any(|pattern| Glob::fits(pattern, branch))
    }

    /// The reaction to a habit that was found. `None` if there is no reaction. `can_rewrite` is
    /// whether the client accepts a changed command line.
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
