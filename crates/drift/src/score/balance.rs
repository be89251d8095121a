//! What the last changes weigh together.

use std::collections::VecDeque;

use serde::{Deserialize, Serialize};

use super::weight::ON_COURSE;
use super::{Reason, Score};

/// The score looks back at so many changes.
const WINDOW: usize = 8;

/// So much is forgiven for each change for the goal beyond half of them.
const FORGIVEN: u32 = 15;

/// What weighs so much needs no other reason to be named first.
const MUCH: u32 = 50;

/// The weights of the last changes, in hundredths, the oldest first.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub(super) struct Balance {
    changes: VecDeque<(u32, Option<Reason>)>,
}

impl Balance {
    /// Takes in a change.
    pub(super) fn push(&mut self, weight: u32, reason: Option<Reason>) {
        if self.changes.len() >= WINDOW {
            self.changes.pop_front();
        }
        self.changes.push_back((weight, reason));
    }

    /// What lay beside the way was perhaps part of it. What came after the work was not.
    pub(super) fn back_at_work(&mut self) {
        for (weight, reason) in &mut self.changes {
            if !matches!(reason, Some(Reason::OldGoal { .. } | Reason::AfterDone { .. })) {
                *weight = *weight * 6 / 10;
            }
        }
    }

    /// Forgets what these files weigh: they are as they were.
    pub(super) fn take_back(&mut self, files: &[String]) {
        let is_back = |reason: &Reason| files.iter().any(|file| file == reason.what());
        self.changes.retain(|(_, reason)| !reason.as_ref().is_some_and(is_back));
    }

    /// Two changes that have nothing to do with the goal ask for a correction, unless most of the others are for it: nobody
    /// looks up from good work for the first that is not.
    pub(super) fn score(&self) -> Score {
        // What there is no reason for to tell of does not weigh.
        if self.changes.iter().all(|(_, reason)| reason.is_none()) {
            return Score::BEST;
        }
        let sum: u32 = self.changes.iter().map(|(weight, _)| weight).sum();
        let is_good = |(weight, _): &&(u32, Option<Reason>)| *weight <= ON_COURSE;
        let good = self.changes.iter().filter(is_good).count().saturating_sub(WINDOW / 2);
        let held = sum.saturating_sub(u32::try_from(good).unwrap_or(0) * FORGIVEN);
        Score::new(10 - i64::from((held * 3 + 120) / 200))
    }

    /// What weighs, the weightiest first; what has nothing to do with the goal in the order in which it happened.
    pub(super) fn reasons(&self) -> impl Iterator<Item = &Reason> {
        let mut weighing: Vec<&(u32, Option<Reason>)> = self.changes.iter().collect();
        weighing.sort_by_key(|(weight, _)| std::cmp::Reverse((*weight).min(MUCH)));
        weighing.into_iter().filter_map(|(_, reason)| reason.as_ref())
    }
}
