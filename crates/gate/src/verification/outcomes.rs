//! What the last verifications came to, by the content that they looked at.

use serde::{Deserialize, Serialize};
use verger_event::{ContentHash, Timestamp};

use super::Depth;
use super::verified::{Status, Verified};

/// How many are remembered; the newest are.
const REMEMBERED: usize = 8;

/// What the last verifications came to, the newest last.
///
/// Of one content at most one of each depth is here, and every green one is shallower than every one
/// that is not: what a deeper look found wrong is not made well by a shallower one, and what is found
/// wrong was not well before.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Outcomes(Vec<Outcome>);

/// What a verification came to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Outcome {
    /// The run's id.
    pub run: String,
    /// How deep it looked.
    pub depth: Depth,
    /// The content that it looked at.
    pub content: ContentHash,
    /// What it came to without what can change while the content stays.
    pub status: Status,
    /// Names the checks that were planned.
    pub plan: Option<String>,
    /// When.
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

    /// What is green stays so in the next task.
    pub(super) fn begin_task(&mut self) {
        self.0.retain(|known| known.status == Status::Green);
    }

    /// The last one that was green, of whatever content.
    pub fn last_green(&self) -> Option<&Outcome> {
        self.0.iter().rfind(|known| known.status == Status::Green)
    }

    /// The deepest look at this content that was green.
    pub fn green(&self, content: &ContentHash) -> Option<&Outcome> {
        let of_it = self.of(content).filter(|known| known.status == Status::Green);
        of_it.max_by_key(|known| known.depth)
    }

    /// The deepest look at this content that was not green, where none as deep was since.
    pub fn wrong(&self, content: &ContentHash) -> Option<&Outcome> {
        let of_it = self.of(content).filter(|known| known.status != Status::Green);
        of_it.max_by_key(|known| known.depth)
    }

    /// Whether it is known what this run came to.
    pub fn contains(&self, run: &str) -> bool {
        self.0.iter().any(|known| known.run == run)
    }

    fn of(&self, content: &ContentHash) -> impl Iterator<Item = &Outcome> {
        self.0.iter().filter(move |known| known.content == *content)
    }
}
