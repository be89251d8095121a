//! The status of a learning. The status isn't stored in the learning: it is computed from later
//! events.

use verger_event::Timestamp;

use crate::learning_id::LearningId;

/// The status of a learning.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Status {
    /// Searches find the learning, and agents are given it.
    Active,
    /// The learning wasn't used for a long time. A person can restore it.
    Archived,
    /// Another learning replaces it permanently.
    Superseded {
        /// The id of the replacement.
        by: LearningId,
    },
}

impl Status {
    /// The words that stand for the statuses in filters.
    pub const WORDS: &[&str] = &["active", "archived", "superseded"];

    /// The word that stands for the status.
    pub const fn as_str(&self) -> &'static str {
        match self {
            Self::Active => "active",
            Self::Archived => "archived",
            Self::Superseded { .. } => "superseded",
        }
    }
}

/// A change of the status of one learning.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct StatusChange {
    /// The id of the learning.
    pub learning: LearningId,
    /// The time of the change.
    pub at: Timestamp,
    /// The kind of the status change.
    pub moved: StatusMove,
}

/// The kinds of status changes of a learning.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum StatusMove {
    /// The learning was archived.
    Archived,
    /// The learning was restored.
    Restored,
    /// Another learning replaced the learning.
    Superseded {
        /// The id of the replacement.
        by: LearningId,
    },
}

/// The status after all changes of one learning. The changes may be in any order and may repeat,
/// because a merge of two branches can put their lines anywhere.
pub fn status_of<'a>(changes: impl IntoIterator<Item = &'a StatusChange>) -> Status {
    let (mut replaced, mut moved) = (None, None);
    for change in changes {
        let slot = match &change.moved {
            StatusMove::Superseded { .. } => &mut replaced,
            StatusMove::Archived | StatusMove::Restored => &mut moved,
        };
        let is_later =
            |latest: &&StatusChange| (change.at, &change.moved) > (latest.at, &latest.moved);
        if slot.as_ref().is_none_or(is_later) {
            *slot = Some(change);
        }
    }
    match (replaced.map(|change| &change.moved), moved.map(|change| &change.moved)) {
        (Some(StatusMove::Superseded { by }), _) => Status::Superseded { by: by.clone() },
        (_, Some(StatusMove::Archived)) => Status::Archived,
        _ => Status::Active,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn change(at: u64, moved: &StatusMove) -> StatusChange {
        let learning = "learn-a".parse().unwrap();
        StatusChange { learning, at: Timestamp::from_millis(at), moved: moved.clone() }
    }

    #[test]
    fn the_latest_change_counts_and_a_replacement_is_for_good() {
        use StatusMove::{Archived, Restored};
        let by = |id: &str| StatusMove::Superseded { by: id.parse().unwrap() };
        let replaced = |id: &str| Status::Superseded { by: id.parse().unwrap() };
        let cases: &[(&[(u64, StatusMove)], Status)] = &[
            (&[], Status::Active),
            (&[(1, Archived)], Status::Archived),
            (&[(1, Archived), (2, Restored)], Status::Active),
            (&[(1, Archived), (1, Restored)], Status::Active),
            (&[(1, Archived), (2, Restored), (3, Archived)], Status::Archived),
            (&[(1, by("learn-b")), (2, Archived), (3, Restored)], replaced("learn-b")),
            (&[(1, by("learn-b")), (2, by("learn-c"))], replaced("learn-c")),
        ];
        for (moves, expected) in cases {
            let forth: Vec<_> = moves.iter().map(|(at, moved)| change(*at, moved)).collect();
            assert_eq!(&status_of(&forth), expected, "{moves:?}");
            let merged = forth.iter().rev().chain(&forth);
            assert_eq!(&status_of(merged), expected, "{moves:?} merged");
        }
    }
}
