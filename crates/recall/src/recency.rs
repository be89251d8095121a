//! The gain of a document for being new.

use std::time::Duration;

use verger_event::Timestamp;

use crate::document::Attributes;

/// How much the factor of a new document exceeds that of an old one, and the time in which this
/// gain decays.
const GAIN: f64 = 0.5;
const DAYS: f64 = 90.0;
const SECONDS_A_DAY: f64 = 86_400.0;

/// The factor of the score for the document's age.
pub(crate) fn recency(now: Option<Timestamp>, attributes: &Attributes) -> f64 {
    if attributes.ages { most_recency(now, attributes.at) } else { 1.0 }
}

/// The greatest factor of a group of documents, given the time of its newest one.
pub(crate) fn most_recency(now: Option<Timestamp>, newest: Timestamp) -> f64 {
    let Some(now) = now else { return 1.0 };
    let age = Duration::from_millis(now.millis_since(newest)).as_secs_f64();
    1.0 + GAIN * (-age / SECONDS_A_DAY / DAYS).exp()
}
