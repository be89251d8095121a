//! What the crate promises as a whole: the corpus stays found, documents keep their shape, and the
//! work grows with the text.

#[path = "redact/blind.rs"]
mod blind;
#[path = "redact/corpus.rs"]
mod corpus;
#[path = "redact/kinds.rs"]
mod kinds;
#[path = "redact/programs.rs"]
mod programs;
#[path = "redact/properties.rs"]
mod properties;
#[path = "redact/settings.rs"]
mod settings;
#[path = "redact/slow_inputs.rs"]
mod slow_inputs;

use corpus::{DEV, HELD_OUT, Half, Ordinary, Score, ordinary, score};

/// Percentages, as in `corpus/REPORT.md`.
#[track_caller]
fn check(half: &Half, least_caught: f64, least_exact: f64, most_touched: f64) {
    let score = score(half);
    let exact = score.all.exact_share();
    check_scores(&score, &ordinary(half), least_caught, most_touched);
    assert!(exact >= least_exact, "nothing but the secret replaced in only {exact} %");
}

#[track_caller]
fn check_scores(score: &Score, ordinary: &Ordinary, least_caught: f64, most_touched: f64) {
    let caught = score.all.caught_share();
    let touched = ordinary.alone_share().max(ordinary.in_documents_share());
    let missed = score.missed.first();
    assert_eq!(score.broken, Vec::<String>::new(), "documents that no longer parse");
    assert!(caught >= least_caught, "{caught} % caught; {missed:?}");
    assert!(touched <= most_touched, "{touched} % touched; {:?}", ordinary.touched_alone.first());
}

#[test]
fn the_dev_half_stays_at_the_reported_figures() {
    check(&DEV, 100.0, 100.0, 0.0);
}

#[test]
fn the_held_out_half_stays_at_the_reported_figures() {
    check(&HELD_OUT, 100.0, 100.0, 0.0);
}

#[test]
fn the_second_set_stays_at_the_reported_figures() {
    check_scores(&blind::score(), &blind::ordinary(), 99.88, 0.0);
}
