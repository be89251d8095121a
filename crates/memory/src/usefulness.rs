//! The usefulness of a learning, estimated from few sessions.

use crate::stats::Usage;

/// The weight of an implicit use: the agent's work looks as if it used the learning, but this may
/// be a coincidence.
const IMPLICIT: f64 = 0.5;

/// The number of sessions with a use that the estimate starts with, and the number without one.
/// With these, one more session changes the result little.
const PRIOR: f64 = 4.0;

impl Usage {
    /// The number of uses of the learning. An implicit use counts less than one.
    pub fn hits(&self) -> f64 {
        f64::from(self.explicit) + f64::from(self.reflection) + IMPLICIT * f64::from(self.implicit)
    }

    /// The number of chances to use the learning. A use after a search counts as a chance too. A
    /// session in which the learning was wrong counts as an additional missed chance.
    pub fn chances(&self) -> f64 {
        f64::from(self.surfaced.max(self.referenced()).saturating_add(self.corrected))
    }

    /// The share of the chances in which the learning was used. `None` if there was no chance.
    pub fn hit_rate(&self) -> Option<f64> {
        (self.chances() > 0.0).then(|| self.hits() / self.chances())
    }

    /// The hit rate, computed with one additional session with a use and one without. So a few
    /// sessions never give a rate of 0 or 1.
    pub fn smoothed_hit_rate(&self) -> f64 {
        smoothed(self, 1.0)
    }

    /// The expected usefulness of the learning. It is 0.5 if nothing is known, and approaches the
    /// hit rate slowly.
    pub fn usefulness(&self) -> f64 {
        smoothed(self, PRIOR)
    }
}

/// The mean of a Beta distribution that starts out as Beta(`prior`, `prior`).
fn smoothed(usage: &Usage, prior: f64) -> f64 {
    (usage.hits() + prior) / (usage.chances() + 2.0 * prior)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_sessions_change_little_and_many_decide() {
        let with = |surfaced, explicit, implicit, corrected| Usage {
            surfaced,
            explicit,
            implicit,
            corrected,
            ..Usage::default()
        };
        let table = [
            (with(0, 0, 0, 0), None, 0.5, 0.5),
            (with(1, 0, 0, 0), Some(0.0), 0.333, 0.444),
            (with(1, 1, 0, 0), Some(1.0), 0.667, 0.556),
            (with(1, 0, 1, 0), Some(0.5), 0.5, 0.5),
            (with(5, 5, 0, 0), Some(1.0), 0.857, 0.692),
            (with(5, 4, 0, 0), Some(0.8), 0.714, 0.615),
            (with(10, 9, 0, 0), Some(0.9), 0.833, 0.722),
            (with(20, 0, 0, 0), Some(0.0), 0.045, 0.143),
            (with(0, 2, 0, 0), Some(1.0), 0.75, 0.6),
            (with(2, 2, 0, 1), Some(0.667), 0.6, 0.545),
        ];
        for (usage, hit_rate, smoothed, usefulness) in table {
            let near = |one: f64, other: f64| (one - other).abs() < 0.001;
            assert_eq!(usage.hit_rate().is_some(), hit_rate.is_some(), "{usage:?}");
            let pairs = usage.hit_rate().zip(hit_rate);
            assert!(pairs.is_none_or(|(is, expected)| near(is, expected)), "{usage:?}");
            assert!(near(usage.smoothed_hit_rate(), smoothed), "{usage:?}");
            assert!(near(usage.usefulness(), usefulness), "{usage:?}");
        }
    }
}
