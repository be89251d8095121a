//! How much a document gains by being new.

use std::time::Duration;

use verger_event::Timestamp;

use crate::document::Attributes;

/// What a document that was written just now gains over one that is old, and how fast that goes.
const GAIN: f64 = 0.5;
const DAYS: f64 = 90.0;
const SECONDS_A_DAY: f64 = 86_400.0;

/// By how much the document's age multiplies its score.
pub(crate) fn recency(now: Option<Timestamp>, attributes: &Attributes) -> f64 {
    if attributes.ages { most_recency(now, attributes.at) } else { 1.0 }
}

/// The same for the newest of some documents: none of them gains more.
pub(crate) fn most_recency(now: Option<Timestamp>, newest: Timestamp) -> f64 {
    let Some(now) = now else { return 1.0 };
    let age = Duration::from_millis(now.millis_since(newest)).as_secs_f64();
    1.0 + GAIN * (-age / SECONDS_A_DAY / DAYS).exp()
}
