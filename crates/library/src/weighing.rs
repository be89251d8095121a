//! Ranks the learnings that a search found. The same ranking is used for people's searches and for
//! the learnings that sessions are given.

use std::time::Duration;

use verger_event::Timestamp;
use verger_memory::ranking::Merits;
use verger_recall::Hit;

use crate::catalogue::{Filed, Standing};
use crate::statistics::Statistics;

const SECONDS_A_DAY: f64 = 86_400.0;

/// A learning that a search found, with the facts by which it is ranked.
#[derive(Debug, Clone, PartialEq)]
pub struct Weighed {
    /// The learning, with its standing in the index.
    pub filed: Filed,
    /// The hit in the index, with its relevance.
    pub hit: Hit,
    /// The facts by which the learning is ranked.
    pub merits: Merits,
}

/// Ranks the results of a search. Looks up the usage of these learnings only.
pub fn weighed(
    found: Vec<(Hit, Filed)>,
    statistics: &Statistics,
    now: Timestamp,
    is_wanted: impl Fn(&Filed) -> bool,
) -> impl Iterator<Item = Weighed> {
    let wanted = found.into_iter().filter(move |(_, filed)| is_wanted(filed));
    wanted.map(move |(hit, filed)| {
        let age = Duration::from_millis(now.millis_since(filed.learning.created));
        let merits = Merits {
            relevance: hit.relevance,
            days: age.as_secs_f64() / SECONDS_A_DAY,
            usefulness: statistics.usage(&filed.learning.id).usefulness(),
            is_suspect: filed.standing == Standing::Suspect,
        };
        Weighed { filed, hit, merits }
    })
}
