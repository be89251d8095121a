//! Whether a learning is in use. Never a field of the learning: a fold of what was appended since.

use verger_event::Timestamp;

use crate::learning_id::LearningId;

/// Whether a learning is in use.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Status {
    /// It is found and given back.
    Active,
    /// Nobody needed it for long; it can be restored.
    Archived,
    /// Another learning says it better, for good.
    Superseded {
        /// Which.
        by: LearningId,
    },
}

impl Status {
    /// The words for them, as filters take them.
    pub const WORDS: &[&str] = &["active", "archived", "superseded"];

    /// The word.
    pub const fn as_str(&self) -> &'static str {
        match self {
            Self::Active => "active",
            Self::Archived => "archived",
            Self::Superseded { .. } => "superseded",
        }
    }
}

/// Something that was done to a learning.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct StatusChange {
    /// The learning.
    pub learning: LearningId,
    /// When.
    pub at: Timestamp,
    /// What.
    pub moved: StatusMove,
}

/// What can be done to a learning.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum StatusMove {
    /// It was put away.
    Archived,
    /// It was taken out again.
    Restored,
    /// It was replaced.
    Superseded {
        /// By which.
        by: LearningId,
    },
}

/// What all changes of one learning come to, in whatever order and however often they are read:
/// a merge of two branches puts lines where it likes.
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
