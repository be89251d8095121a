//! Searches a line for all habits.

use super::about::Habit;
use super::line::{Line, Scene};
use super::policy::Policy;
use super::rewriting::Edit;
use super::{add_all, attribution, builds, draft, merge, push, search};

/// A habit that was found on a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    /// The habit.
    pub habit: Habit,
    /// The reason why it isn't wanted, as a sentence without its end.
    pub why: String,
    /// The recommended alternative.
    pub instead: String,
    /// A description of the change, if the line is changed.
    pub what: String,
    /// The change that removes the habit from the line.
    pub remedy: Remedy,
}

/// The change that removes a habit from a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Remedy {
    /// There is no such change, because the line would do something else.
    None,
    /// The edits of the line.
    Edits(Vec<Edit>),
    /// The line should be changed, but it isn't certain that the change is correct.
    Unsure,
}

impl Remedy {
    /// Combines the remedies for two parts of a line.
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
    /// A habit on a line, with the default words for it.
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

/// The enabled habits on the line. The caller has to check the content of commits: see
/// [`super::commits`].
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
