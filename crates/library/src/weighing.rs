//! What speaks for the learnings that were found: the same for sessions, which are given the best of
//! them, and for whoever searches.

use std::time::Duration;

use verger_event::Timestamp;
use verger_memory::ranking::Merits;
use verger_recall::Hit;

use crate::catalogue::{Filed, Standing};
use crate::statistics::Statistics;

const SECONDS_A_DAY: f64 = 86_400.0;

/// A learning that was found.
#[derive(Debug, Clone, PartialEq)]
pub struct Weighed {
    /// The learning.
    pub filed: Filed,
    /// How it was found.
    pub hit: Hit,
    /// What speaks for it.
    pub merits: Merits,
}

/// Weighs those of an answer of the index that are wanted. What became of the others is not looked
/// up.
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
