//! Records the learnings that a session was shown, and how the session used them.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use verger_event::{Event, Fate};

/// The maximum number of learnings in the state. Each prompt adds a few.
const REMEMBERED: usize = 200;
/// The prefix of the source ids of learnings.
const LEARNING: &str = "learn-";
const MAX_ID_BYTES: usize = 80;

/// The learnings that a session was shown.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Shown(BTreeMap<String, Use>);

/// The known use of a learning by the session.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Use {
    None,
    /// The session used the learning, or reported that it didn't use it.
    Told,
    /// The session was told that the learning is no longer valid.
    Corrected,
}

impl Shown {
    pub(super) fn apply(&mut self, event: &Event) {
        match event {
            Event::ContextInjected { sources, corrections, .. } => {
                let learnings = sources.iter().filter(|source| source.starts_with(LEARNING));
                for learning in learnings.filter(|learning| learning.len() <= MAX_ID_BYTES) {
                    if self.0.len() < REMEMBERED {
                        self.0.entry(learning.clone()).or_insert(Use::None);
                    }
                }
                for correction in corrections {
                    self.set(&correction.learning, Use::Corrected);
                }
            }
            Event::LearningSeen { learning, fate: Fate::Referenced | Fate::Dismissed, .. } => {
                self.set(learning, Use::Told);
            }
            _ => {}
        }
    }

    fn set(&mut self, learning: &str, new: Use) {
        if let Some(used) = self.0.get_mut(learning).filter(|used| **used != Use::Corrected) {
            *used = new;
        }
    }

    /// Whether the session was shown this learning.
    pub fn contains(&self, learning: &str) -> bool {
        self.0.contains_key(learning)
    }

    /// The ids of all learnings that the session was shown.
    pub fn iter(&self) -> impl Iterator<Item = &str> {
        self.0.keys().map(String::as_str)
    }

    /// The ids of the learnings that the session was not told to be invalid.
    pub fn current(&self) -> impl Iterator<Item = &str> {
        self.0.iter().filter(|(_, used)| **used != Use::Corrected).map(|(id, _)| id.as_str())
    }

    /// The ids of the learnings whose use is unknown.
    pub fn unused(&self) -> impl Iterator<Item = &str> {
        self.0.iter().filter(|(_, used)| **used == Use::None).map(|(id, _)| id.as_str())
    }
}

#[cfg(test)]
mod tests {
    use verger_event::{Correction, Grounds};

    use super::*;

    fn given(sources: &[&str]) -> Event {
        Event::ContextInjected {
            moment: "session.started".to_owned(),
            on: None,
            sources: sources.iter().copied().map(str::to_owned).collect(),
            text: String::new(),
            grounds: Grounds::default(),
            scores: BTreeMap::new(),
            corrections: vec![],
        }
    }

    #[test]
    fn learnings_are_known_until_something_is_heard_of_them() {
        let mut shown = Shown::default();
        shown.apply(&given(&["review gate", "learn-1", "learn-2", "learn-3"]));
        for (learning, fate) in [
            ("learn-1", Fate::Referenced),
            ("learn-2", Fate::Dismissed),
            ("learn-3", Fate::Archived),
            ("learn-9", Fate::Referenced),
        ] {
            shown.apply(&Event::LearningSeen { learning: learning.to_owned(), fate, how: None });
        }
        shown.apply(&given(&["learn-1"]));
        assert_eq!(shown.iter().collect::<Vec<_>>(), ["learn-1", "learn-2", "learn-3"]);
        assert_eq!(shown.unused().collect::<Vec<_>>(), ["learn-3"]);
        assert!(shown.contains("learn-1") && !shown.contains("learn-9"));
        let mut taken_back = given(&["learn-4"]);
        if let Event::ContextInjected { corrections, .. } = &mut taken_back {
            let correction =
                |learning: &str| Correction { learning: learning.to_owned(), by: None };
            corrections.extend([correction("learn-3"), correction("learn-9")]);
        }
        shown.apply(&taken_back);
        let used = Event::LearningSeen {
            learning: "learn-3".to_owned(),
            fate: Fate::Referenced,
            how: None,
        };
        shown.apply(&used);
        assert_eq!(shown.current().collect::<Vec<_>>(), ["learn-1", "learn-2", "learn-4"]);
        assert_eq!(shown.unused().collect::<Vec<_>>(), ["learn-4"]);
    }
}
