//! The limit on refused stops, so that no gate can block an agent forever.
//!
//! A gate refuses up to `max_blocks` stops in a row without progress. The next stop passes with a
//! warning, and the gate stays open for `cooldown_millis`.
//!
//! The count starts again at 1 when the gate is satisfied or released, when a task starts, when
//! `cooldown_millis` have passed since the last refusal, or when the content or the findings
//! changed since the last refusal.

use serde::{Deserialize, Serialize};
use verger_event::{ContentHash, Timestamp};

/// The limits for refused stops.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Policy {
    /// The maximum number of stops in a row that a gate refuses without progress.
    pub max_blocks: u32,
    /// The time after which a refusal no longer counts. A gate that let an agent stop because of
    /// the limit stays open for the same time.
    pub cooldown_millis: u64,
}

impl Default for Policy {
    fn default() -> Self {
        Self { max_blocks: 3, cooldown_millis: 300_000 }
    }
}

/// The agent's progress at a refusal. If the marks of two refusals are equal, there was no progress
/// between them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Mark {
    /// The content of the task at the time of the refusal.
    pub content: ContentHash,
    /// The findings about the content, if there were any.
    pub findings: Option<String>,
}

/// The refused stops of one gate in the current task.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Blocks {
    last: Option<Block>,
}

/// A stop that the gate refused.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Block {
    /// The number of this refusal among the refusals in a row, from 1.
    pub number: u32,
    /// The time of the refusal.
    pub at: Timestamp,
    /// The agent's progress at the time of the refusal.
    pub mark: Mark,
}

/// The result of an agent's attempt to stop while the gate isn't satisfied.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Attempt {
    /// The gate refuses the stop.
    Refused(Block),
    /// The stop passes, because there were too many refusals without progress.
    Tripped,
}

impl Blocks {
    /// Decides whether the gate refuses a stop at the time `now`.
    pub fn attempt(&self, mark: Mark, policy: &Policy, now: Timestamp) -> Attempt {
        let counted = match &self.last {
            Some(last)
                if last.mark == mark && now.millis_since(last.at) < policy.cooldown_millis =>
            {
                last.number
            }
            Some(_) | None => 0,
        };
        if counted >= policy.max_blocks {
            Attempt::Tripped
        } else {
            Attempt::Refused(Block { number: counted + 1, at: now, mark })
        }
    }

    /// Records that the gate refused a stop.
    pub fn refused(&mut self, block: Block) {
        self.last = Some(block);
    }

    /// Resets the count. Called when the gate is satisfied or released, or when a new task begins.
    pub fn forget(&mut self) {
        self.last = None;
    }

    /// The last refusal of the current task.
    pub fn last(&self) -> Option<&Block> {
        self.last.as_ref()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mark(content: &str, findings: Option<&str>) -> Mark {
        Mark { content: ContentHash::new(content), findings: findings.map(str::to_owned) }
    }

    #[test]
    fn the_count_begins_anew_with_progress_and_with_the_cooldown() {
        let at = |seconds: u64| Timestamp::from_millis(seconds * 1000);
        let mut blocks = Blocks::default();
        let last = Block { number: 2, at: at(100), mark: mark("a", None) };
        blocks.refused(last.clone());
        assert_eq!(blocks.last(), Some(&last));
        let number = |blocks: &Blocks, mark: Mark, max_blocks, second| {
            let policy = Policy { max_blocks, ..Policy::default() };
            match blocks.attempt(mark.clone(), &policy, at(second)) {
                Attempt::Refused(block) => {
                    assert_eq!((block.at, block.mark), (at(second), mark));
                    Some(block.number)
                }
                Attempt::Tripped => None,
            }
        };
        for (mark, max_blocks, second, expected) in [
            (mark("a", None), 3, 100, Some(3)),
            (mark("a", None), 3, 399, Some(3)),
            (mark("a", None), 3, 400, Some(1)),
            (mark("a", None), 2, 399, None),
            (mark("a", None), 2, 400, Some(1)),
            (mark("b", None), 2, 100, Some(1)),
            (mark("a", Some("a bug")), 2, 100, Some(1)),
            // If the clock was set back, the earlier refusals still count.
            (mark("a", None), 2, 50, None),
            // With a limit of 0, no stop is refused.
            (mark("b", None), 0, 400, None),
        ] {
            assert_eq!(number(&blocks, mark, max_blocks, second), expected, "at {second}");
        }
        blocks.forget();
        assert_eq!(number(&blocks, mark("a", None), 3, 100), Some(1));
    }
}
