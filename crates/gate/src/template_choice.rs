//! Chooses one of several templates for a message, by weight and deterministically.

use sha2::{Digest, Sha256};

/// The inputs of a choice between templates.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Draw<'a> {
    /// The seed of all choices.
    pub seed: u64,
    /// The id of the task that the message is about.
    pub task: &'a str,
    /// The number of the message in the task.
    pub attempt: u32,
}

/// Chooses one of the weighted candidates. Returns `None` if all weights are 0. The result depends
/// only on the draw and the set of candidates, not on the order of the candidates.
pub fn choose<T: Ord + Copy>(candidates: &[(T, u64)], draw: Draw<'_>) -> Option<T> {
    let mut candidates = candidates.to_vec();
    candidates.sort_unstable();
    let total = candidates.iter().map(|(_, weight)| u128::from(*weight)).sum();
    let mut left = u128::from(draw.number()).checked_rem(total)?;
    let chosen = candidates.iter().find(|(_, weight)| {
        let weight = u128::from(*weight);
        let is_chosen = left < weight;
        left = left.saturating_sub(weight);
        is_chosen
    });
    chosen.map(|(candidate, _)| *candidate)
}

impl Draw<'_> {
    fn number(self) -> u64 {
        let hash = Sha256::new()
            .chain_update(self.seed.to_be_bytes())
            .chain_update(self.attempt.to_be_bytes())
            .chain_update(self.task.as_bytes())
            .finalize();
        hash.iter().take(8).fold(0, |number, byte| number << 8 | u64::from(*byte))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;

    use super::*;

    const CANDIDATES: [(&str, u64); 3] = [("default", 3), ("short", 1), ("tried", 0)];

    fn draw(seed: u64, task: &str, attempt: u32) -> Draw<'_> {
        Draw { seed, task, attempt }
    }

    #[test]
    fn where_nothing_has_a_weight_nothing_is_drawn() {
        assert_eq!(choose::<&str>(&[], draw(0, "t", 1)), None);
        assert_eq!(choose(&CANDIDATES[2..], draw(0, "t", 1)), None);
    }

    #[test]
    fn the_same_draw_gives_the_same_template() {
        let chosen =
            |seed| (1..=12).map(move |attempt| choose(&CANDIDATES, draw(seed, "t", attempt)));
        let words = |seed| chosen(seed).map(Option::unwrap).collect::<Vec<_>>().join(" ");
        assert_eq!(words(1), words(1));
        insta::assert_snapshot!(format!("{}\n{}", words(1), words(3)), @r#"
        default default default default default default default default default default short default
        default short default short short default default default short default default default
        "#);
    }

    #[test]
    fn templates_are_drawn_by_weight() {
        let mut counts = BTreeMap::new();
        for number in 0..4000 {
            let task = number.to_string();
            *counts.entry(choose(&CANDIDATES, draw(7, &task, 1)).unwrap()).or_insert(0) += 1;
        }
        insta::assert_debug_snapshot!(counts, @r#"
        {
            "default": 2978,
            "short": 1022,
        }
        "#);
    }

    proptest! {
        #[test]
        fn only_what_has_a_weight_is_drawn_in_whatever_order_it_is_given(
            weights in prop::collection::btree_map("[a-z]{1,3}", 0..3_u64, 0..8),
            (seed, task, attempt) in any::<(u64, String, u32)>(),
            turn in any::<prop::sample::Index>(),
        ) {
            let mut candidates: Vec<_> =
                weights.iter().map(|(id, weight)| (id.as_str(), *weight)).collect();
            let chosen = choose(&candidates, draw(seed, &task, attempt));
            prop_assert_eq!(chosen.is_some(), weights.values().any(|weight| *weight > 0));
            prop_assert!(chosen.is_none_or(|id| weights[id] > 0));
            if !candidates.is_empty() {
                let by = turn.index(candidates.len());
                candidates.rotate_left(by);
            }
            prop_assert_eq!(choose(&candidates, draw(seed, &task, attempt)), chosen);
        }
    }
}
