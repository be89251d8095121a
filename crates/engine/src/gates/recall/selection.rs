//! Selects the learnings that an agent is given from those found. Each learning left out has a
//! reason.

use verger_library::{Standing, Weighed};
use verger_memory::LearningId;
use verger_memory::injection::{Budget, Told, injection};
use verger_memory::ranking::{Strategy, best};

/// The learnings selected on one occasion.
#[derive(Debug)]
pub struct Selection {
    /// The query to the index.
    pub asked: String,
    /// The text for the agent. `None` if nothing is given.
    pub text: Option<String>,
    /// The given learnings, best first.
    pub given: Vec<Weighed>,
    /// The other learnings that were found, with the reason for leaving each out.
    pub left_out: Vec<(LeftOut, Weighed)>,
}

/// The reason why a found learning is not given.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LeftOut {
    /// The session was given this learning before.
    GivenBefore,
    /// The learning matches too little of the query.
    HardlyFits,
    /// Other learnings fit much better, or enough are given already.
    BehindOthers,
    /// The learning doesn't fit into the budget.
    NoRoom,
}

/// The limits of a selection.
pub(super) struct Limits<'a> {
    pub(super) strategy: Strategy,
    pub(super) most: usize,
    pub(super) budget: Budget,
    /// The session id in the text. The agent uses it to report which learnings helped.
    pub(super) session: &'a str,
}

impl Limits<'_> {
    pub(super) fn select(
        &self,
        asked: String,
        found: Vec<Weighed>,
        is_told: impl Fn(&LearningId) -> bool,
    ) -> Selection {
        let (mut fitting, mut left_out) = (vec![], vec![]);
        for one in found {
            if !one.hit.fits() {
                left_out.push((LeftOut::HardlyFits, one));
            } else if is_told(&one.filed.learning.id) {
                left_out.push((LeftOut::GivenBefore, one));
            } else {
                fitting.push((one.merits.score(), one));
            }
        }
        let (chosen, behind) = best(fitting, self.strategy, self.most);
        left_out.extend(behind.into_iter().map(|(_, one)| (LeftOut::BehindOthers, one)));
        let told: Vec<_> = chosen
            .iter()
            .map(|(_, one)| Told {
                learning: &one.filed.learning,
                is_suspect: one.filed.standing == Standing::Suspect,
            })
            .collect();
        let (text, ids) = match injection(&told, self.session, self.budget) {
            Some(injection) => (Some(injection.text), injection.learnings),
            None => (None, vec![]),
        };
        let chosen = chosen.into_iter().map(|(_, one)| one);
        let (given, without): (Vec<_>, Vec<_>) =
            chosen.partition(|one| ids.contains(&one.filed.learning.id));
        left_out.extend(without.into_iter().map(|one| (LeftOut::NoRoom, one)));
        Selection { asked, text, given, left_out }
    }
}
