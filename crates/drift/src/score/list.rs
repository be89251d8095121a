//! The agent's own list of what it is going to do, as far as the work is measured by it.

use serde::{Deserialize, Serialize};

use crate::bounded::{Recent, RecentWords};
use crate::goal::{Breadth, Goal};
use crate::step::{Agenda, Items};
use crate::words::is_common_stem;

/// A list with fewer words that only it has is one of kinds: models, pages, tests.
const MIN_WORDS: usize = 3;

/// What is left of it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct List {
    left: u32,
    /// Of what that speaks.
    words: RecentWords<64>,
    /// All that was on it when it was written last.
    items: Vec<u64>,
}

impl List {
    /// The list after a call. Of one that nobody saw being written it is not known what is left, and of one that is
    /// cleared nothing is left only where all was done.
    pub(super) fn after(before: Option<&Self>, agenda: &Agenda) -> Option<Self> {
        let mut list = before.cloned().unwrap_or_default();
        match agenda {
            Agenda::Written(Items { over, left, .. }) if over.is_empty() && left.is_empty() => {
                return before.filter(|before| before.left == 0).cloned();
            }
            Agenda::Written(Items { over, left, words }) => {
                list.left = u32::try_from(left.len()).unwrap_or(u32::MAX);
                list.words = words.iter().cloned().collect();
                list.items = over.iter().chain(left).copied().collect();
            }
            Agenda::Added(words) => {
                list.left = list.left.saturating_add(1);
                list.words.note_all(words);
            }
            Agenda::Ended => list.left = before?.left.saturating_sub(1),
        }
        Some(list)
    }

    /// Whether a call finds all done that was on the list, and puts more there. Large work is planned in parts: there only what
    /// the goal does not speak of is more.
    pub(super) fn is_outgrown_by(&self, agenda: &Agenda, goal: &Goal) -> bool {
        let Agenda::Written(Items { over, left, words }) = agenda else { return false };
        let is_part = || {
            let is_of_goal = |word: &String| goal.keywords.contains(word);
            goal.scope.breadth >= Breadth::Long && words.iter().any(is_of_goal)
        };
        !self.items.is_empty()
            && !left.is_empty()
            && self.items.iter().all(|one| over.contains(one))
            && !is_part()
    }

    /// So many things are left.
    pub(super) fn left(&self) -> u32 {
        self.left
    }

    /// Nothing is left.
    pub(super) fn end(&mut self) {
        (self.left, self.words) = (0, Recent::default());
    }

    /// Whether what is left speaks of one of the words; nothing where it speaks of none at all.
    pub(super) fn speaks_of<'a>(
        &self,
        mut words: impl Iterator<Item = &'a String>,
    ) -> Option<bool> {
        let own = self.words.iter().filter(|word| !is_common_stem(word)).count();
        let is_telling = self.left > 0 && own >= MIN_WORDS;
        is_telling.then(|| words.any(|word| self.words.has(word.as_str())))
    }
}
