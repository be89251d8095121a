//! How often a gate may refuse a stop: the rules that keep every gate from being a trap.
//!
//! A gate refuses `max_blocks` stops of a task that stands still; the next attempt passes with a
//! warning and the gate is tripped for the cooldown. The count begins anew when the gate is
//! satisfied, when a task starts, when the cooldown has passed since the last block, and when
//! there was progress since then: the content or the findings changed.

use serde::{Deserialize, Serialize};
use verger_event::{ContentHash, Timestamp};

/// How patient gates are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Policy {
    /// How many stops in a row are refused when nothing changes.
    pub max_blocks: u32,
    /// For how long a tripped gate stays open, and after how long a block is forgotten.
    pub cooldown_millis: u64,
}

impl Default for Policy {
    fn default() -> Self {
        Self { max_blocks: 3, cooldown_millis: 300_000 }
    }
}

/// What an agent could have changed since the last block. Two equal marks mean that it stood still.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Mark {
    /// The content at that moment.
    pub content: ContentHash,
    /// What was found wrong with it, if anything was.
    pub findings: Option<String>,
}

/// The blocks of one gate in the task in hand.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Blocks {
    last: Option<Block>,
}

/// A refused stop.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Block {
    /// Which one in a row, from 1.
    pub number: u32,
    /// When.
    pub at: Timestamp,
    /// What the agent had by then.
    pub mark: Mark,
}

/// What becomes of an attempt to stop that the gate does not like.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Attempt {
    /// It is refused.
    Refused(Block),
    /// It passes: the agent stood still too often.
    Tripped,
}

impl Blocks {
    /// What becomes of an attempt made now.
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

    /// Takes a refusal into account.
    pub fn refused(&mut self, block: Block) {
        self.last = Some(block);
    }

    /// Forgets the count: satisfied, released, or a new task.
    pub fn forget(&mut self) {
        self.last = None;
    }

    /// The last refusal of the task in hand.
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
            // The clock was set back.
            (mark("a", None), 2, 50, None),
            // Whoever wants no blocks at all gets none.
            (mark("b", None), 0, 400, None),
        ] {
            assert_eq!(number(&blocks, mark, max_blocks, second), expected, "at {second}");
        }
        blocks.forget();
        assert_eq!(number(&blocks, mark("a", None), 3, 100), Some(1));
    }
}
