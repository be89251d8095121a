//! The search for all habits on a line.

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
    /// The change of the line, if it is changed.
    pub what: String,
    /// The way to run the line without the habit.
    pub remedy: Remedy,
}

/// The way to run a line without a habit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Remedy {
    /// There is none: it would be another line.
    None,
    /// These changes.
    Edits(Vec<Edit>),
    /// The line should be changed, but a correct change isn't certain.
    Unsure,
}

impl Remedy {
    /// Combines two remedies.
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
    /// A found habit with the default words for it.
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

/// The enabled habits that the line shows. The content of a commit is looked up by the caller: see
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
