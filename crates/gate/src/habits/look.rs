//! Searches a command line for all habits.

use super::about::Habit;
use super::line::{Line, Scene};
use super::policy::Policy;
use super::rewriting::Edit;
use super::{add_all, attribution, builds, draft, merge, push, search};

/// A habit that was found on a command line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    /// The habit that was found.
    pub habit: Habit,
    /// The reason why the habit isn't wanted, as a sentence without a full stop.
    pub why: String,
    /// The recommended alternative to the habit.
    pub instead: String,
    /// A description of the change, if the command line is changed.
    pub what: String,
    /// The change that removes the habit from the command line.
    pub remedy: Remedy,
}

/// The change that removes a habit from a command line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Remedy {
    /// The habit can't be removed, because the command line would do something else.
    None,
    /// These edits of the command line remove the habit.
    Edits(Vec<Edit>),
    /// The habit could be removed, but it isn't certain that the new command line would be correct.
    Unsure,
}

impl Remedy {
    /// Combines the remedies for two commands of the same command line.
    pub(super) fn and(self, other: Self) -> Self {
        match (self, other) {
            (Self::Edits(mut one), Self::Edits(other)) => {
                one.extend(other);
                Self::Edits(one)
            }
            (Self::None, Self::None) => Self::None,
            _ => Self::Unsure,
        }
    }
}

impl Found {
    /// A found habit with its default description and no change of the command line.
    pub fn new(habit: Habit) -> Self {
        let about = habit.about();
        Self {
            habit,
            why: about.why.to_owned(),
            instead: about.instead.to_owned(),
            what: String::new(),
            remedy: Remedy::None,
        }
    }
}

/// The habits on the command line that the settings enable. The caller must check the content of
/// commits itself: see [`super::commits`].
pub fn look(scene: &Scene<'_>, policy: &Policy) -> Vec<Found> {
    let line = Line::new(scene);
    let find = |habit: &Habit| match habit {
        Habit::AddAll => add_all::find(&line),
        Habit::Attribution => attribution::find(&line),
        Habit::StagedSecrets => None,
        Habit::ForcePush => push::find(&line, policy),
        Habit::DraftPr => draft::find(&line),
        Habit::Merge => merge::find(&line, policy),
        Habit::SearchTools => search::find(&line),
        Habit::SubagentBuilds => builds::find(&line),
    };
    Habit::ALL.iter().filter(|habit| policy.is_on(**habit)).filter_map(find).collect()
}
