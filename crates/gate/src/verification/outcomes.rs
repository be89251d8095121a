//! Stores the outcomes of the last verifications, by the content that they checked.

use serde::{Deserialize, Serialize};
use verger_event::{ContentHash, Timestamp};

use super::Depth;
use super::verified::{Status, Verified};

/// The maximum number of outcomes in the state. The newest outcomes are kept.
const REMEMBERED: usize = 8;

/// The outcomes of the last verifications. The newest is last.
///
/// There is at most one outcome for a content and a depth. Green outcomes of a content are always
/// shallower than its other outcomes. A shallow green verification doesn't disprove a deeper
/// failure, but a failure disproves earlier green verifications.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Outcomes(Vec<Outcome>);

/// The outcome of a verification.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Outcome {
    /// The id of the verification's run.
    pub run: String,
    /// The depth of the verification.
    pub depth: Depth,
    /// The content of the work that the verification checked.
    pub content: ContentHash,
    /// The status without live checks, whose results can change while the content stays the same.
    pub status: Status,
    /// The name of the verification's plan of checks, if it is known.
    pub plan: Option<String>,
    /// The time at which the verification ended.
    pub at: Timestamp,
}

impl Outcomes {
    pub(super) fn ended(&mut self, verified: &Verified, at: Timestamp) {
        let Verified { run, depth, content, plan, .. } = verified.clone();
        let status = verified.lasting();
        self.0.retain(|known| {
            let is_refuted = known.status == Status::Green && status != Status::Green;
            known.content != content || known.depth > depth && !is_refuted
        });
        if self.0.len() == REMEMBERED {
            self.0.remove(0);
        }
        self.0.push(Outcome { run, depth, content, status, plan, at });
    }

    /// Removes all outcomes that aren't green, at the start of a task.
    pub(super) fn begin_task(&mut self) {
        self.0.retain(|known| known.status == Status::Green);
    }

    /// The last green outcome of any content.
    pub fn last_green(&self) -> Option<&Outcome> {
        self.0.iter().rfind(|known| known.status == Status::Green)
    }

    /// The deepest green outcome of this content.
    pub fn green(&self, content: &ContentHash) -> Option<&Outcome> {
        let of_it = self.of(content).filter(|known| known.status == Status::Green);
        of_it.max_by_key(|known| known.depth)
    }

    /// The deepest outcome of this content that wasn't green. Another verification of the content,
    /// at least as deep, replaces this outcome.
    pub fn wrong(&self, content: &ContentHash) -> Option<&Outcome> {
        let of_it = self.of(content).filter(|known| known.status != Status::Green);
        of_it.max_by_key(|known| known.depth)
    }

    /// Whether the state has the outcome of this run.
    pub fn contains(&self, run: &str) -> bool {
        self.0.iter().any(|known| known.run == run)
    }

    fn of(&self, content: &ContentHash) -> impl Iterator<Item = &Outcome> {
        self.0.iter().filter(move |known| known.content == *content)
    }
}
