//! The factor by which newer documents get a higher score.

use std::time::Duration;

use verger_event::Timestamp;

use crate::document::Attributes;

/// Two parameters of the recency factor: the amount by which the factor of a new document exceeds
/// that of an old one, and the number of days in which this amount decays.
const GAIN: f64 = 0.5;
const DAYS: f64 = 90.0;
const SECONDS_A_DAY: f64 = 86_400.0;

/// The factor by which a document's score is multiplied because of its age.
pub(crate) fn recency(now: Option<Timestamp>, attributes: &Attributes) -> f64 {
    if attributes.ages { most_recency(now, attributes.at) } else { 1.0 }
}

/// The greatest factor of any document in a group, given the time of the group's newest document.
pub(crate) fn most_recency(now: Option<Timestamp>, newest: Timestamp) -> f64 {
    let Some(now) = now else { return 1.0 };
    let age = Duration::from_millis(now.millis_since(newest)).as_secs_f64();
    1.0 + GAIN * (-age / SECONDS_A_DAY / DAYS).exp()
}
