//! What a prompt is to the work before it.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use super::Instruction;

/// The work before a prompt.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Work<'a> {
    /// What it is about.
    pub(crate) words: &'a BTreeSet<String>,
    /// How far it is.
    pub(crate) progress: Progress,
}

/// How far work is, as the agent said last.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Progress {
    /// It is worked on.
    #[default]
    Open,
    /// Only an answer is wanted.
    Questioned,
    /// The agent asked something.
    Asked,
    /// The agent said that it is finished.
    Complete,
}

/// What a prompt is to the work before it: the goal's turn and the task's action both follow.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Relation {
    /// It says only to go on.
    GoesOn,
    /// It says more about the same work.
    Refines,
    /// Something has to be done before the work goes on.
    ComesFirst,
    /// Something is to be done that does not hold the work up.
    IsBeside,
    /// It is about other work.
    Replaces,
    /// It seems to be about other work, though nothing says that the work before is over.
    SeemsNew,
}

impl Instruction {
    /// What it is to the work before it.
    pub(crate) fn relation(&self, work: Work<'_>) -> Relation {
        let signs = self.signs;
        let is_open = work.progress != Progress::Complete;
        let shared = self.words.intersection(work.words).count();
        // When the work is over, one word of several is in common by chance.
        let is_about_it = shared > 0 && (is_open || signs.asks || shared * 4 > self.words.len());
        let says_other = !is_about_it && self.words.len() >= 2;
        let is_other_work = says_other && signs.wants_work;
        let names_nothing = self.keywords.is_empty() && self.scope.paths.is_empty();
        let is_wanted = |word: &String| work.words.contains(word);
        let ends = signs.ends
            && !signs.swaps
            && !self.ends_a_part(work)
            && self.ending.iter().any(|one| one.ends(is_wanted));
        let is_by_the_way = is_open && signs.adds && signs.leaves && !ends;
        if !is_by_the_way
            && ((!names_nothing && (ends || signs.leaves)) || (signs.comes_next && says_other))
        {
            return Relation::Replaces;
        }
        if is_open && signs.comes_first {
            return Relation::ComesFirst;
        }
        if signs.is_beside || is_by_the_way || (signs.adds && signs.names_side_work) {
            return Relation::IsBeside;
        }
        let is_other_issue = signs.names_an_issue
            && signs.wants_work
            && !is_about_it
            && !signs.refers
            && work.progress != Progress::Asked;
        if is_other_issue && !signs.adds {
            return Relation::SeemsNew;
        }
        if names_nothing && self.ending.is_empty() {
            return Relation::GoesOn;
        }
        if signs.adds || is_about_it || self.only_limits() || self.replies(work, is_other_work) {
            Relation::Refines
        } else {
            Relation::SeemsNew
        }
    }

    /// Whether it ends a small part of the work, and goes on about the rest: "forget the badge, also it has to work in Firefox".
    fn ends_a_part(&self, work: Work<'_>) -> bool {
        let signs = self.signs;
        let shared: usize = self.ending.iter().map(|one| one.shared(work.words)).sum();
        let goes_on = (signs.adds && signs.refers) || signs.offers_another;
        goes_on && shared > 0 && shared * 4 <= work.words.len()
    }

    /// Whether it is a question and wants no work.
    pub(crate) fn only_asks(&self) -> bool {
        self.signs.asks && !self.signs.wants_work
    }

    /// Whether every sentence of it says what may be done and what not.
    fn only_limits(&self) -> bool {
        self.constraints.len() + self.allowed.len() >= self.signs.sentences
    }

    /// Whether it is said to the agent that does the work, though in other words.
    fn replies(&self, work: Work<'_>, is_other_work: bool) -> bool {
        let signs = self.signs;
        let is_open = work.progress != Progress::Complete;
        let answers = signs.is_short || (signs.answers && signs.count <= 12);
        let refers = signs.refers && (signs.asks || is_open);
        let is_small =
            (is_open && (signs.asks || signs.count <= 9)) || (signs.asks && self.words.len() <= 2);
        signs.passes_on
            || signs.points_back
            || signs.asks_further
            || (signs.swaps && signs.count <= 6)
            || (signs.is_of_a_case && self.words.len() <= 4)
            || (is_open && signs.is_aside)
            || (work.progress == Progress::Asked && !(is_other_work && self.words.len() >= 4))
            || (!is_other_work && (answers || refers || is_small))
    }
}
