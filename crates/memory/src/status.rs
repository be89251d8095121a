//! The status of a learning. It isn't stored in the learning: it is a fold of later events.

use verger_event::Timestamp;

use crate::learning_id::LearningId;

/// The status of a learning.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Status {
    /// Searches find the learning, and agents are given it.
    Active,
    /// The learning wasn't used for a long time. It can be restored.
    Archived,
    /// Another learning replaces it permanently.
    Superseded {
        /// The replacement.
        by: LearningId,
    },
}

impl Status {
    /// The words for the statuses in filters.
    pub const WORDS: &[&str] = &["active", "archived", "superseded"];

    /// The word for the status.
    pub const fn as_str(&self) -> &'static str {
        match self {
            Self::Active => "active",
            Self::Archived => "archived",
            Self::Superseded { .. } => "superseded",
        }
    }
}

/// A change of a learning's status.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct StatusChange {
    /// The learning.
    pub learning: LearningId,
    /// The time.
    pub at: Timestamp,
    /// The kind of change.
    pub moved: StatusMove,
}

/// The kinds of changes.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum StatusMove {
    /// It was archived.
    Archived,
    /// It was restored.
    Restored,
    /// It was replaced.
    Superseded {
        /// The replacement.
        by: LearningId,
    },
}

/// The status after all changes of one learning. The changes may be in any order and may repeat,
/// because a merge of two branches can put lines anywhere.
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
