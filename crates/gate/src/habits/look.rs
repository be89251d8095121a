//! All habits at once.

use super::about::Habit;
use super::line::{Line, Scene};
use super::policy::Policy;
use super::rewriting::Edit;
use super::{add_all, attribution, builds, draft, merge, push, search};

/// A habit that was found on a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    /// Which.
    pub habit: Habit,
    /// Why it is not wanted, as a sentence without its end.
    pub why: String,
    /// What to do instead.
    pub instead: String,
    /// What is changed about the line, where it is.
    pub what: String,
    /// How the line does without.
    pub remedy: Remedy,
}

/// How a line does without a habit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Remedy {
    /// It would be another line.
    None,
    /// With these changes.
    Edits(Vec<Edit>),
    /// It should, and cannot be changed with certainty.
    Unsure,
}

impl Remedy {
    /// Both of them.
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
    /// With the words that always hold of the habit.
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

/// The habits that are on and that the line shows. What a commit holds is looked up by whoever can:
/// see [`super::commits`].
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
