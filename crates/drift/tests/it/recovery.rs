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
    Scored(u8, u8),
    Stepped(Alignment),
    Prompted,
    Delivered,
}

fn happening() -> impl Strategy<Value = Happening> {
    let alignments = [Alignment::Aligned, Alignment::Astray, Alignment::Neutral];
    prop_oneof![
        4 => (0_u8..=11, prop_oneof![0_u8..4, any::<u8>()])
            .prop_map(|(score, finding)| Happening::Scored(score, finding)),
        4 => prop::sample::select(alignments.to_vec()).prop_map(Happening::Stepped),
        1 => Just(Happening::Prompted),
        4 => Just(Happening::Delivered),
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
        for happening in &happenings {
            match happening {
                Happening::Scored(score, finding) => {
                    let score = Score::new(i64::from(*score));
                    recovery.scored(score, FindingKey(finding.to_string()));
                    scored = score.level();
                    is_over = scored.is_none();
                    if is_over {
                        said.retain(|_, level| *level <= Level::Correct);
                    }
                }
                Happening::Stepped(alignment) => {
                    let was_waiting = matches!(recovery.phase(), Phase::Waiting { .. });
                    recovery.stepped(*alignment);
                    is_over |= was_waiting && *alignment == Alignment::Aligned;
                }
                Happening::Prompted => {
                    recovery.prompted();
                    is_over = true;
                    said.retain(|_, level| *level <= Level::Correct);
                }
                Happening::Delivered => {
                    let Some(correction) = recovery.deliver() else { continue };
                    prop_assert!(!is_over, "{:?}", correction);
                    let is_normal = *recovery.phase() == Phase::Normal;
                    // After a recovery only what the course is worth now is said.
                    prop_assert!(!is_normal || Some(correction.level) == scored, "{:?}", correction);
                    let before = said.insert(correction.finding, correction.level);
                    prop_assert!(before.is_none_or(|before| before < correction.level));
                    prop_assert!(correction.failures <= MAX_FAILURES);
                }
            }
            if let Phase::Waiting { failures, .. } = recovery.phase() {
                prop_assert!(*failures < MAX_FAILURES);
            }
        }
        let stored = serde_json::to_string(&recovery).unwrap();
        prop_assert!(stored.len() < MAX_BYTES, "{} bytes", stored.len());
        prop_assert_eq!(serde_json::from_str::<Recovery>(&stored).unwrap(), recovery);
    }
}
