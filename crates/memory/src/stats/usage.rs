//! The usage of one learning: the totals of all lines about it, in a few bytes.

use sha2::{Digest, Sha256};
use verger_event::{Reference, Timestamp};

use crate::learning_id::LearningId;

/// The number of sessions that were given a learning, and how many used it. Several events in one
/// session count once, with the strongest evidence of use.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Usage {
    /// Number of sessions that were given the learning.
    pub surfaced: u32,
    /// Number of sessions in which the agent said that it used the learning.
    pub explicit: u32,
    /// Number of sessions whose reflection named the learning as helpful.
    pub reflection: u32,
    /// Number of sessions in which the agent's work shows that it used the learning without naming
    /// it.
    pub implicit: u32,
    /// Number of sessions that ended without any use of the learning.
    pub dismissed: u32,
    /// Number of sessions in which the learning proved wrong.
    pub corrected: u32,
    /// The last time when the learning was given to an agent.
    pub last_surfaced: Option<Timestamp>,
    /// The last time when the learning was used.
    pub last_referenced: Option<Timestamp>,
    /// The last time when the learning was archived.
    pub archived: Option<Timestamp>,
    /// The last time when the learning was restored.
    pub restored: Option<Timestamp>,
    /// The time when the learning was replaced.
    pub superseded: Option<Timestamp>,
}

/// The size of a [`Usage`] in its binary form.
pub const USAGE_BYTES: usize = 6 * 4 + 5 * 8;

impl Usage {
    /// Number of sessions that used the learning, by any evidence.
    pub const fn referenced(&self) -> u32 {
        self.explicit.saturating_add(self.reflection).saturating_add(self.implicit)
    }

    /// Whether the learning was archived and not restored since. Ignores whether the learning was
    /// replaced.
    pub fn is_archived(&self) -> bool {
        self.archived > self.restored
    }

    /// Whether searches find the learning and agents are given it: it is neither archived nor
    /// replaced.
    pub fn is_active(&self) -> bool {
        self.superseded.is_none() && !self.is_archived()
    }

    /// Adds the usage from other lines. A line that is in both counts twice; the fold of all lines
    /// corrects that.
    #[must_use]
    pub fn with(self, other: Self) -> Self {
        Self {
            surfaced: self.surfaced.saturating_add(other.surfaced),
            explicit: self.explicit.saturating_add(other.explicit),
            reflection: self.reflection.saturating_add(other.reflection),
            implicit: self.implicit.saturating_add(other.implicit),
            dismissed: self.dismissed.saturating_add(other.dismissed),
            corrected: self.corrected.saturating_add(other.corrected),
            last_surfaced: self.last_surfaced.max(other.last_surfaced),
            last_referenced: self.last_referenced.max(other.last_referenced),
            archived: self.archived.max(other.archived),
            restored: self.restored.max(other.restored),
            superseded: self.superseded.max(other.superseded),
        }
    }

    pub(super) fn count(&mut self, how: Reference) {
        let count = match how {
            Reference::Explicit => &mut self.explicit,
            Reference::Reflection => &mut self.reflection,
            Reference::Implicit => &mut self.implicit,
        };
        *count = count.saturating_add(1);
    }

    /// The binary form, which has a fixed size. A time is stored as its milliseconds plus one, and
    /// zero means never.
    pub fn to_bytes(self) -> [u8; USAGE_BYTES] {
        let mut bytes = [0; USAGE_BYTES];
        let counts = [
            self.surfaced,
            self.explicit,
            self.reflection,
            self.implicit,
            self.dismissed,
            self.corrected,
        ];
        let moments = [
            self.last_surfaced,
            self.last_referenced,
            self.archived,
            self.restored,
            self.superseded,
        ];
        let moments = moments.map(|at| at.map_or(0, |at| at.as_millis().saturating_add(1)));
        let all = counts.iter().flat_map(|count| count.to_le_bytes());
        let all = all.chain(moments.iter().flat_map(|moment| moment.to_le_bytes()));
        bytes.iter_mut().zip(all).for_each(|(byte, value)| *byte = value);
        bytes
    }

    /// Reads the binary form that [`Usage::to_bytes`] writes.
    pub fn from_bytes(bytes: &[u8; USAGE_BYTES]) -> Self {
        let (counts, moments) = bytes.split_at(24);
        let count =
            |at: usize| counts[at * 4..].first_chunk().map_or(0, |b| u32::from_le_bytes(*b));
        let moment = |at: usize| {
            let bytes = moments[at * 8..].first_chunk();
            let millis = bytes.map_or(0, |bytes| u64::from_le_bytes(*bytes)).checked_sub(1);
            millis.map(Timestamp::from_millis)
        };
        Self {
            surfaced: count(0),
            explicit: count(1),
            reflection: count(2),
            implicit: count(3),
            dismissed: count(4),
            corrected: count(5),
            last_surfaced: moment(0),
            last_referenced: moment(1),
            archived: moment(2),
            restored: moment(3),
            superseded: moment(4),
        }
    }
}

/// A key derived from a learning's id, with a fixed size, for sorting and lookup. Different ids
/// have different keys.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LearningKey(pub [u8; 16]);

impl LearningKey {
    /// The key of a learning's id.
    pub fn of(learning: &LearningId) -> Self {
        let digest = Sha256::digest(learning.as_str());
        let mut key = [0; 16];
        key.copy_from_slice(&digest[..16]);
        Self(key)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_usage_has_64_bytes_and_is_read_back() {
        let at = |millis| Some(Timestamp::from_millis(millis));
        let usage = Usage {
            surfaced: 1,
            explicit: 2,
            reflection: 3,
            implicit: 4,
            dismissed: 5,
            corrected: u32::MAX,
            last_surfaced: at(0),
            last_referenced: at(1_794_767_961_556),
            archived: None,
            restored: at(7),
            superseded: at(8),
        };
        let bytes = usage.to_bytes();
        assert_eq!(bytes.len(), 64);
        assert_eq!(Usage::from_bytes(&bytes), usage);
        assert_eq!(Usage::from_bytes(&[0; 64]), Usage::default());
    }

    #[test]
    fn a_key_is_of_the_whole_id() {
        let key = |id: &str| LearningKey::of(&id.parse().unwrap());
        assert_eq!(key("learn-a"), key("learn-a"));
        assert_ne!(key("learn-a"), key("learn-A"));
    }
}
