//! Misses: candidates that were rejected and later accepted in another session. The gate may have
//! been too strict.

use verger_event::{SessionId, Timestamp};

use super::line::{StatsEvent, StatsLine};
use super::overview::distinct;
use crate::learning::Learning;
use crate::learning_id::LearningId;
use crate::near_duplicate::NearDuplicates;

/// The maximum number of rejections that are examined, starting with the newest.
const MAX_REJECTIONS: usize = 200;

/// The minimum percentage of shared words with which a rejected candidate and a learning with a
/// common tag count as the same content.
const SAME_TOPIC: u32 = 50;

/// A rejected candidate, and the later learning with the same content.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Miss {
    /// The time of the rejection.
    pub at: Timestamp,
    /// The candidate's summary.
    pub summary: String,
    /// The reasons for the rejection.
    pub reasons: Vec<String>,
    /// The learning that was accepted later.
    pub learning: LearningId,
    /// The summary of the learning that was accepted later.
    pub learned: String,
}

struct Rejection<'a> {
    at: Timestamp,
    session: Option<&'a SessionId>,
    summary: &'a str,
    tags: &'a [String],
    reasons: &'a [String],
}

/// The candidates that were rejected first and accepted later, the newest first. A candidate that
/// repeated a known learning, or that its own session corrected, isn't a miss.
pub fn misses<'a>(
    lines: &[StatsLine],
    learnings: impl IntoIterator<Item = &'a Learning>,
) -> Vec<Miss> {
    let rejections = newest(lines);
    let summaries: Vec<_> = rejections.iter().map(|rejection| rejection.summary).collect();
    let mut words = NearDuplicates::of(&summaries);
    let mut fates = vec![Fate::Open; rejections.len()];
    for learning in learnings {
        let same = words.like(&learning.summary);
        for (index, (rejection, fate)) in rejections.iter().zip(&mut fates).enumerate() {
            let mut is_topic = || {
                rejection.shares_tag(learning)
                    && words.shared_percent(index, &learning.summary) >= SAME_TOPIC
            };
            if same.contains(&index) || (rejection.is_before(learning) && is_topic()) {
                fate.meet(rejection, learning);
            }
        }
    }
    rejections.iter().zip(fates).filter_map(|(rejection, fate)| fate.miss(rejection)).collect()
}

fn newest(lines: &[StatsLine]) -> Vec<Rejection<'_>> {
    let mut rejections: Vec<_> = distinct(lines)
        .into_iter()
        .filter_map(|line| match &line.event {
            StatsEvent::Rejected { summary, tags, reasons } => Some(Rejection {
                at: line.at,
                session: line.session.as_ref(),
                summary,
                tags,
                reasons,
            }),
            _ => None,
        })
        .collect();
    rejections.sort_by_key(|rejection| std::cmp::Reverse(rejection.at));
    rejections.truncate(MAX_REJECTIONS);
    rejections
}

impl Rejection<'_> {
    fn is_before(&self, learning: &Learning) -> bool {
        self.at < learning.created
    }

    fn shares_tag(&self, learning: &Learning) -> bool {
        let has = |tag: &String| learning.tags.iter().any(|other| other.eq_ignore_ascii_case(tag));
        self.tags.iter().any(has)
    }
}

/// The later result for the content of a rejected candidate.
#[derive(Debug, Clone, Copy)]
enum Fate<'a> {
    Open,
    /// The rejection was right, because the candidate repeated a known learning or its own session
    /// corrected it.
    Settled,
    /// Another session made this learning with the same content, which wasn't known before.
    Learned(&'a Learning),
}

impl<'a> Fate<'a> {
    fn meet(&mut self, rejection: &Rejection<'_>, learning: &'a Learning) {
        let session = learning.provenance.session.as_ref();
        let is_its_own = session.is_some() && session == rejection.session;
        *self = match *self {
            _ if is_its_own || !rejection.is_before(learning) => Fate::Settled,
            Fate::Open => Fate::Learned(learning),
            Fate::Learned(other) if learning.created < other.created => Fate::Learned(learning),
            fate => fate,
        };
    }

    fn miss(self, rejection: &Rejection<'_>) -> Option<Miss> {
        let Fate::Learned(learning) = self else { return None };
        Some(Miss {
            at: rejection.at,
            summary: rejection.summary.to_owned(),
            reasons: rejection.reasons.to_vec(),
            learning: learning.id.clone(),
            learned: learning.summary.clone(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::samples::{in_session, moment};
    use super::*;
    use crate::learning::Provenance;
    use crate::samples::bare;

    fn rejected(at: u64, summary: &str, tags: &[&str]) -> StatsLine {
        let event = StatsEvent::Rejected {
            summary: summary.to_owned(),
            tags: tags.iter().map(|tag| (*tag).to_owned()).collect(),
            reasons: vec!["summary: is too short".to_owned()],
        };
        in_session("one", at, event)
    }

    fn learned(session: &str, at: u64, summary: &str, tags: &[&str]) -> Learning {
        Learning {
            summary: summary.to_owned(),
            tags: tags.iter().map(|tag| (*tag).to_owned()).collect(),
            created: moment(at),
            provenance: Provenance {
                session: Some(SessionId::new(session)),
                ..Provenance::default()
            },
            ..bare()
        }
    }

    #[test]
    fn a_topic_that_another_session_learned_later_is_a_miss() {
        const SAID: &str = "Migrations run before the server starts";
        const TOPIC: &str = "Long migrations lock the schema and the server waits for them";
        let line = || rejected(10, SAID, &["Database"]);
        let is_missed =
            |lines: &[StatsLine], learnings: &[Learning]| !misses(lines, learnings).is_empty();
        let table = [
            (learned("two", 11, SAID, &[]), true, "the same words"),
            (learned("two", 11, TOPIC, &["database"]), true, "a shared tag and topic"),
            (learned("two", 11, TOPIC, &["deploy"]), false, "no shared tag"),
            (learned("two", 11, "Use cargo nextest for tests", &["database"]), false, "no topic"),
            (learned("two", 10, SAID, &["database"]), false, "it was known"),
            (learned("one", 11, SAID, &["database"]), false, "its session set it right"),
        ];
        for (learning, expected, why) in table {
            assert_eq!(is_missed(&[line(), line()], &[learning]), expected, "{why}");
        }
        let later = [learned("two", 11, SAID, &[]), learned("two", 9, SAID, &[])];
        assert!(!is_missed(&[line()], &later), "known before, whatever came later");
    }

    #[test]
    fn the_first_learning_and_the_newest_rejection_are_told() {
        let lines =
            [rejected(10, "Seeds are loaded by make seed", &["db"]), rejected(20, "x", &[])];
        let learnings = [
            Learning { id: "learn-later".parse().unwrap(), ..learned("two", 30, "x", &[]) },
            Learning { id: "learn-first".parse().unwrap(), ..learned("two", 25, "x", &[]) },
            learned("two", 12, "Seeds are loaded by make seed", &[]),
        ];
        let found = misses(&lines, &learnings);
        let told: Vec<_> =
            found.iter().map(|m| (m.summary.as_str(), m.learning.as_str())).collect();
        let expected = [("x", "learn-first"), ("Seeds are loaded by make seed", "learn-abc123")];
        assert_eq!(told, expected);
        assert_eq!(found[0].reasons, ["summary: is too short"]);
    }
}
