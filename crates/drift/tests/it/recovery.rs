//! The way back, for any order of scores, steps and prompts.

use std::collections::BTreeMap;

use proptest::prelude::*;
use verger_drift::Level;
use verger_drift::recovery::{Alignment, FindingKey, MAX_FAILURES, Phase, Recovery};
use verger_drift::score::Score;

/// What is remembered of what was said is part of a snapshot, too.
const MAX_BYTES: usize = 2 * 1024;

#[derive(Debug, Clone)]
enum Happening {
    Scored(u8, Vec<u8>),
    Stepped(Alignment, Vec<u8>),
    Prompted,
    Delivered,
    LetGo,
}

fn keys(found: &[u8]) -> Vec<FindingKey> {
    found.iter().map(|finding| FindingKey(finding.to_string())).collect()
}

fn happening() -> impl Strategy<Value = Happening> {
    let alignments = [Alignment::Aligned, Alignment::Astray, Alignment::Neutral];
    let found = || prop::collection::btree_set(prop_oneof![0_u8..4, any::<u8>()], 0..4);
    let found = || found().prop_map(|found| found.into_iter().collect::<Vec<u8>>()).prop_shuffle();
    prop_oneof![
        4 => (0_u8..=11, found())
            .prop_map(|(score, found)| Happening::Scored(score, found)),
        4 => (prop::sample::select(alignments.to_vec()), found())
            .prop_map(|(alignment, found)| Happening::Stepped(alignment, found)),
        1 => Just(Happening::Prompted),
        4 => Just(Happening::Delivered),
        1 => Just(Happening::LetGo),
    ]
}

proptest! {
    /// What was found is said once at each level until a person speaks or all is well, nothing is said of what is over, failures are bounded.
    #[test]
    fn nothing_is_said_twice_or_after_it_is_over(
        happenings in prop::collection::vec(happening(), 0..600),
    ) {
        let mut recovery = Recovery::default();
        let mut said: BTreeMap<FindingKey, Level> = BTreeMap::new();
        let (mut is_over, mut scored) = (true, None);
        let mut released: Vec<FindingKey> = vec![];
        for happening in &happenings {
            match happening {
                Happening::Scored(score, found) => {
                    let score = Score::new(i64::from(*score));
                    recovery.scored(score, &keys(found));
                    scored = score.level();
                    is_over = scored.is_none();
                    if is_over {
                        released.clear();
                        said.retain(|_, level| *level <= Level::Correct);
                    }
                }
                Happening::Stepped(alignment, found) => {
                    let was_waiting = matches!(recovery.phase(), Phase::Waiting { .. });
                    recovery.stepped(*alignment, &keys(found));
                    is_over |= was_waiting && *alignment == Alignment::Aligned;
                }
                Happening::Prompted => {
                    recovery.prompted();
                    is_over = true;
                    released.clear();
                    said.retain(|_, level| *level <= Level::Correct);
                }
                Happening::LetGo => {
                    recovery.let_go();
                    is_over = true;
                    released.extend(said.keys().cloned());
                }
                Happening::Delivered => {
                    let Some(correction) = recovery.deliver() else { continue };
                    prop_assert!(!is_over, "{:?}", correction);
                    let is_normal = *recovery.phase() == Phase::Normal;
                    // After a recovery only what the course is worth now is said.
                    prop_assert!(!is_normal || Some(correction.level) == scored, "{:?}", correction);
                    prop_assert!(correction.failures <= MAX_FAILURES);
                    for finding in [vec![correction.finding], correction.also].concat() {
                        let before = said.insert(finding, correction.level);
                        prop_assert!(before.is_none_or(|before| before < correction.level));
                    }
                }
            }
            if let Phase::Waiting { failures, .. } = recovery.phase() {
                prop_assert!(*failures < MAX_FAILURES);
            }
            // Who was let go is not held to the same again.
            if let Phase::Waiting { finding, .. } | Phase::Forced { finding } = recovery.phase() {
                prop_assert!(!released.contains(finding), "{:?}", finding);
            }
        }
        let stored = serde_json::to_string(&recovery).unwrap();
        prop_assert!(stored.len() < MAX_BYTES, "{} bytes", stored.len());
        prop_assert_eq!(serde_json::from_str::<Recovery>(&stored).unwrap(), recovery);
    }
}
