//! Tests of the whole crate: the corpus is found, documents keep their structure, and the running
//! time is linear.

#[path = "redact/corpus.rs"]
mod corpus;
#[path = "redact/independent.rs"]
mod independent;
#[path = "redact/kinds.rs"]
mod kinds;
#[path = "redact/made_lines.rs"]
mod made_lines;
#[path = "redact/made_secrets.rs"]
mod made_secrets;
#[path = "redact/programs.rs"]
mod programs;
#[path = "redact/properties.rs"]
mod properties;
#[path = "redact/rng.rs"]
mod rng;
#[path = "redact/settings.rs"]
mod settings;
#[path = "redact/slow_inputs.rs"]
mod slow_inputs;

use corpus::{Half, HalfName, Ordinary, Score, ordinary, score};

/// The numbers in `corpus/REPORT.md`. No document may become invalid, and no ordinary line may
/// change.
#[derive(Debug, PartialEq, Eq)]
struct Figures<'a> {
    cases: usize,
    exact: usize,
    /// The kind and context of each missed case.
    missed: Vec<(&'a str, &'a str)>,
    ordinary_lines: usize,
}

#[track_caller]
fn check(score: &Score, ordinary: &Ordinary, expected: &Figures<'_>) {
    let missed = score.missed.iter().map(|(kind, context, _)| (kind.as_str(), context.as_str()));
    let figures = Figures {
        cases: score.all.cases,
        exact: score.all.exact,
        missed: missed.collect(),
        ordinary_lines: ordinary.lines,
    };
    assert_eq!(figures, *expected);
    assert_eq!(score.broken, [""; 0], "documents that no longer parse");
    assert_eq!(ordinary.touched_alone, [""; 0], "ordinary lines touched");
    assert_eq!(ordinary.touched_in_documents, 0, "ordinary lines touched in documents");
}

#[track_caller]
fn check_half(half: HalfName, cases: usize, ordinary_lines: usize) {
    let half = Half::of(half);
    let expected = Figures { cases, exact: cases, missed: vec![], ordinary_lines };
    check(&score(&half), &ordinary(&half), &expected);
}

#[test]
fn the_dev_half_stays_at_the_reported_figures() {
    check_half(HalfName::Dev, 16_821, 10_710);
}

#[test]
fn the_second_half_stays_at_the_reported_figures() {
    check_half(HalfName::Second, 23_310, 10_110);
}

#[test]
fn the_independent_set_stays_at_the_reported_figures() {
    let expected = Figures {
        cases: 2045,
        exact: 2031,
        missed: vec![
            ("aws-akia", "k8s-data-base64"),
            ("aws-asia", "k8s-data-base64"),
            ("program-argument", "gh-secret"),
        ],
        ordinary_lines: 2830,
    };
    check(&independent::score(), &independent::ordinary(), &expected);
}
