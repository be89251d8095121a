//! Tests of the status that [`judge`] computes from checks.

use super::super::CheckStatus::{Failed, Passed};
use super::super::Requirement::{Acceptance, Committed, NoRegressions, OpenTasks, Review, Tests};
use super::super::*;
use super::built::{check, could_not_run};

/// Tests every kind of check with every result, next to a command that passed. Each case has the
/// status if only this kind is required, and the status if nothing is required.
#[test]
fn green_needs_every_required_check_to_have_run_and_passed() {
    use Status::{Green, Incomplete, Red};
    let requirement = |kind| match kind {
        CheckKind::GitState => Some(Committed),
        CheckKind::OpenTasks => Some(OpenTasks),
        CheckKind::Tests => Some(Tests),
        CheckKind::Acceptance => Some(Acceptance),
        CheckKind::Review => Some(Review),
        CheckKind::StubMarkers | CheckKind::Lint | CheckKind::Format | CheckKind::Types => None,
    };
    let timed_out = || CheckStatus::TimedOut { limit_seconds: 900 };
    let skipped = || CheckStatus::Skipped { why: "there are none".to_owned() };
    let needs_deep = || CheckStatus::NotInDepth { needs: Depth::Deep };
    for kind in CheckKind::ALL {
        let required = requirement(kind);
        for (status, counted, of_tests, of_acceptance) in [
            (Passed, Green, Green, Green),
            (skipped(), Green, Green, Green),
            (Failed, Red, Green, Red),
            (could_not_run(), Incomplete, Incomplete, Incomplete),
            (timed_out(), Incomplete, Incomplete, Incomplete),
            (needs_deep(), Incomplete, Green, Green),
        ] {
            let checks = [check(kind, status.clone()), check(CheckKind::Lint, Passed)];
            let of = |list: &[Requirement]| judge(&checks, &Regressed::Nothing, &[], list);
            let not_required = match kind {
                CheckKind::Tests => of_tests,
                CheckKind::Acceptance => of_acceptance,
                _ if required.is_none() => counted,
                _ => Green,
            };
            let list: Vec<_> = required.into_iter().collect();
            assert_eq!((of(&list), of(&[])), (counted, not_required), "{kind:?} {status:?}");
        }
    }
}

#[test]
fn a_verification_in_which_no_command_ran_is_incomplete() {
    let skipped = || CheckStatus::Skipped { why: "there are none".to_owned() };
    let own = [check(CheckKind::StubMarkers, Passed), check(CheckKind::GitState, Passed)];
    let none = [check(CheckKind::Lint, skipped()), check(CheckKind::Types, skipped())];
    for checks in [&[][..], &own, &none] {
        assert_eq!(judge(checks, &Regressed::Nothing, &[], &[]), Status::Incomplete);
        assert_eq!(judge_lasting(checks, &Regressed::Nothing, &[], &[]), Status::Incomplete);
    }
}

#[test]
fn live_checks_do_not_affect_the_lasting_status() {
    for kind in CheckKind::ALL {
        let checks = [check(kind, Failed), check(CheckKind::Format, Passed)];
        let all = Requirement::ALL;
        let now = judge(&checks, &Regressed::Nothing, &[], &all);
        let lasting = judge_lasting(&checks, &Regressed::Nothing, &[], &all);
        let expected = if kind.is_live() { Status::Green } else { Status::Red };
        assert_eq!((now, lasting), (Status::Red, expected), "{kind:?}");
    }
    let live = CheckKind::ALL.into_iter().filter(|kind| kind.is_live());
    let expected = [CheckKind::GitState, CheckKind::OpenTasks, CheckKind::Review];
    assert_eq!(live.collect::<Vec<_>>(), expected);
}

#[test]
fn a_failed_check_counts_before_a_check_that_could_not_run() {
    let checks = [check(CheckKind::Lint, could_not_run()), check(CheckKind::Format, Failed)];
    assert_eq!(judge(&checks, &Regressed::Nothing, &[], &[]), Status::Red);
    let checks = [check(CheckKind::Lint, could_not_run()), check(CheckKind::Format, Passed)];
    assert_eq!(judge(&checks, &Regressed::Nothing, &[], &[]), Status::Incomplete);
}

#[test]
fn a_check_that_edits_what_it_checks_leaves_nothing_green() {
    let changed = ["src/save.rs".to_owned()];
    let passed = [check(CheckKind::Lint, Passed)];
    assert_eq!(judge(&passed, &Regressed::Nothing, &changed, &[]), Status::Incomplete);
    let failed = [check(CheckKind::Lint, Failed)];
    assert_eq!(judge(&failed, &Regressed::Nothing, &changed, &[]), Status::Red);
}

#[test]
fn a_regression_counts_where_none_is_wanted() {
    let unknown = || Regressed::Unknown { why: "make names none".to_owned() };
    let tests = || Regressed::Tests(vec!["a".to_owned()]);
    for (status, regressed, expected) in [
        (Failed, Regressed::Nothing, Status::Green),
        (Failed, tests(), Status::Red),
        (Failed, unknown(), Status::Incomplete),
        (Passed, Regressed::NoneRan { before: 212 }, Status::Red),
        (Passed, Regressed::Nothing, Status::Green),
    ] {
        let checks = [check(CheckKind::Tests, status)];
        let of = |list: &[Requirement]| judge(&checks, &regressed, &[], list);
        assert_eq!((of(&[NoRegressions]), of(&[])), (expected, Status::Green), "{regressed:?}");
        assert_eq!(judge_lasting(&checks, &regressed, &[], &[NoRegressions]), expected);
    }
    let failed = [check(CheckKind::Tests, Failed)];
    assert_eq!(judge(&failed, &unknown(), &[], &[NoRegressions, Tests]), Status::Red);
}
