//! Ranks the learnings that a search found, by how well they match, how old they are, and whether
//! they helped before.

/// The strategy for choosing how many learnings are given.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Strategy {
    /// A few learnings whose scores are nearly as high as the best score.
    Conservative,
    /// Learnings whose scores are close to the best score.
    Moderate,
    /// As many learnings as the budget allows.
    Aggressive,
}

/// The properties by which a found learning is ranked.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Merits {
    /// The relevance from the search: 1 for the best result.
    pub relevance: f64,
    /// The learning's age in days.
    pub days: f64,
    /// The smoothed share of sessions in which the learning helped. It is 0.5 if nothing is known.
    pub usefulness: f64,
    /// Whether the code that the learning names changed since the learning was made.
    pub is_suspect: bool,
}

/// The amount by which the recency factor of a new learning exceeds that of an old one. The value
/// was best for labelled searches in the history of five projects. With a larger value, old
/// learnings that match get too low a rank.
const RECENCY_GAIN: f64 = 0.5;
const RECENCY_DAYS: f64 = 90.0;
const SUSPECT: f64 = 0.5;

impl Strategy {
    /// The maximum number of learnings that an agent is given.
    pub const fn most(self) -> usize {
        match self {
            Self::Conservative => 3,
            Self::Moderate => 5,
            Self::Aggressive => 10,
        }
    }

    /// The minimum score of a learning that is given, as a share of the best score.
    const fn least_share(self) -> f64 {
        match self {
            Self::Conservative => 0.6,
            Self::Moderate => 0.4,
            Self::Aggressive => 0.2,
        }
    }

    /// The list of learnings ends before one whose score is lower than the score before it by more
    /// than this factor.
    const fn gap(self) -> f64 {
        match self {
            Self::Conservative => 1.5,
            Self::Moderate => 2.0,
            Self::Aggressive => 4.0,
        }
    }
}

impl Merits {
    /// The factor for the learning's age: 1 for a new learning, and less for an older one.
    pub fn recency(&self) -> f64 {
        (1.0 + RECENCY_GAIN * (-self.days.max(0.0) / RECENCY_DAYS).exp()) / (1.0 + RECENCY_GAIN)
    }

    /// Relevance × recency × usefulness. For a new learning without known use, the score is its
    /// relevance.
    pub fn score(&self) -> f64 {
        let usefulness = 0.5 + self.usefulness.clamp(0.0, 1.0);
        let suspicion = if self.is_suspect { SUSPECT } else { 1.0 };
        self.relevance.max(0.0) * self.recency() * usefulness * suspicion
    }
}

/// Values, each with its score.
pub type Scored<T> = Vec<(f64, T)>;

/// Splits values into the best and the rest, both sorted by score. The best are at most `most`, and
/// no more than the strategy allows. `scored` may be in any order; values with the same score keep
/// their order.
pub fn best<T>(mut scored: Scored<T>, strategy: Strategy, most: usize) -> (Scored<T>, Scored<T>) {
    scored.sort_by(|(one, _), (other, _)| other.total_cmp(one));
    let Some((top, _)) = scored.first() else { return (scored, vec![]) };
    let least = top * strategy.least_share();
    let mut before = *top;
    let fits = scored.iter().take(most.min(strategy.most())).take_while(|(score, _)| {
        let is_near = *score > 0.0 && *score >= least && *score * strategy.gap() >= before;
        before = *score;
        is_near
    });
    let count = fits.count();
    let rest = scored.split_off(count);
    (scored, rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    const NEW: Merits = Merits { relevance: 1.0, days: 0.0, usefulness: 0.5, is_suspect: false };

    #[track_caller]
    fn check(merits: Merits, expected: f64) {
        let score = merits.score();
        assert!((score - expected).abs() < 0.001, "{score}, expected {expected}");
    }

    #[test]
    fn relevance_counts_most_then_use_then_age() {
        check(NEW, 1.0);
        check(Merits { relevance: 0.5, ..NEW }, 0.5);
        check(Merits { relevance: -1.0, ..NEW }, 0.0);
        check(Merits { days: 90.0, ..NEW }, 0.789);
        check(Merits { days: 10_000.0, ..NEW }, 0.667);
        check(Merits { days: -5.0, ..NEW }, 1.0);
        check(Merits { usefulness: 0.44, ..NEW }, 0.94);
        check(Merits { usefulness: 0.0, ..NEW }, 0.5);
        check(Merits { usefulness: 1.0, ..NEW }, 1.5);
        check(Merits { is_suspect: true, ..NEW }, 0.5);
    }

    fn chosen(scores: &[f64], strategy: Strategy, most: usize) -> Vec<usize> {
        let numbered = scores.iter().copied().zip(0..).collect();
        let (best, rest) = best(numbered, strategy, most);
        assert_eq!(best.len() + rest.len(), scores.len(), "nothing is lost");
        best.into_iter().map(|(_, place)| place).collect()
    }

    #[test]
    fn the_best_are_chosen_up_to_a_gap_and_a_number() {
        use Strategy::{Aggressive, Conservative, Moderate};
        let none: [usize; 0] = [];
        assert_eq!(chosen(&[], Moderate, 5), none);
        assert_eq!(chosen(&[0.0], Moderate, 5), none);
        assert_eq!(chosen(&[0.3, 1.0, 0.7], Moderate, 5), [1, 2]);
        assert_eq!(chosen(&[0.4, 0.4, 0.4], Moderate, 5), [0, 1, 2], "alike is no reason against");
        assert_eq!(chosen(&[1.0, 0.9, 0.41], Moderate, 5), [0, 1], "a gap ends it");
        assert_eq!(chosen(&[1.0, 0.7, 0.5, 0.39], Moderate, 5), [0, 1, 2]);
        assert_eq!(chosen(&[1.0, 0.7, 0.5, 0.39], Conservative, 5), [0, 1]);
        assert_eq!(chosen(&[1.0, 0.7, 0.5, 0.39, 0.1], Aggressive, 5), [0, 1, 2, 3]);
        assert_eq!(chosen(&[1.0; 20], Conservative, 50).len(), 3);
        assert_eq!(chosen(&[1.0; 20], Moderate, 50).len(), 5);
        assert_eq!(chosen(&[1.0; 20], Moderate, 2).len(), 2);
        assert_eq!(chosen(&[1.0; 20], Aggressive, 50).len(), 10);
    }
}
