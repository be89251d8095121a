//! Finds regressions: tests that fail now but didn't fail in the last green verification, and test
//! runs in which no test runs any more.

use super::check::{Check, CheckKind, CheckStatus};
use super::verified::FailingTests;

/// The test results of a verification.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TestRun {
    /// The tests that failed.
    pub failing: FailingTests,
    /// The number of tests that ran, if the test runners report it.
    pub ran: Option<u64>,
}

/// The comparison with the tests of the last green verification.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Regressed {
    /// No test regressed.
    Nothing,
    /// These tests fail now, but didn't fail in the last green verification.
    Tests(Vec<String>),
    /// No test ran at all, although tests ran in the last green verification.
    NoneRan {
        /// The number of tests that ran in the last green verification.
        before: u64,
    },
    /// It isn't known whether tests regressed.
    Unknown {
        /// The reason why the regressions aren't known.
        why: String,
    },
}

impl Regressed {
    /// Compares the tests of these checks with `before`, the tests of the last green verification
    /// that ran tests. If `before` is `None`, every failed test is a regression.
    ///
    /// A smaller number of tests isn't a regression, because tests may be removed. A run without
    /// any test is a regression, because a filter or a broken setup is the likely cause.
    pub fn of(checks: &[Check], now: &TestRun, before: Option<&TestRun>) -> Self {
        if let (Some(0), Some(before @ 1..)) = (now.ran, before.and_then(|before| before.ran)) {
            return Self::NoneRan { before };
        }
        let is_failed =
            |check: &Check| check.kind == CheckKind::Tests && check.status == CheckStatus::Failed;
        if checks.iter().any(is_failed) {
            Self::of_failing(&now.failing, before.map(|before| &before.failing))
        } else {
            Self::Nothing
        }
    }

    fn of_failing(failing: &FailingTests, before: Option<&FailingTests>) -> Self {
        let names = match failing {
            FailingTests::Unknown { why } => return Self::Unknown { why: why.clone() },
            FailingTests::Named { names } if names.is_empty() => {
                return Self::Unknown {
                    why: "the test runner did not name the tests that failed".to_owned(),
                };
            }
            FailingTests::Named { names } => names,
        };
        let known = match before {
            None => &[][..],
            Some(FailingTests::Named { names }) => names,
            Some(FailingTests::Unknown { why }) => {
                let why =
                    format!("the failed tests of the last green verification are unknown: {why}");
                return Self::Unknown { why };
            }
        };
        let new: Vec<_> = names.iter().filter(|name| !known.contains(name)).cloned().collect();
        if new.is_empty() { Self::Nothing } else { Self::Tests(new) }
    }
}

impl TestRun {
    /// Changes test commands that passed without running a test to [`CheckStatus::CouldNotRun`]. A
    /// command whose output doesn't say how many tests ran stays as it is.
    pub fn mark_empty(&self, checks: &mut [Check]) {
        if self.ran != Some(0) {
            return;
        }
        let is_empty = |check: &&mut Check| {
            check.kind == CheckKind::Tests && check.status == CheckStatus::Passed
        };
        for check in checks.iter_mut().filter(is_empty) {
            let why = "the command exited with 0, but no test ran".to_owned();
            check.summary.clone_from(&why);
            check.status = CheckStatus::CouldNotRun { why };
        }
    }

    /// A note for people if fewer tests ran than in the last green verification. The check itself
    /// doesn't fail.
    pub fn fewer_than(&self, before: Option<&Self>) -> Option<String> {
        let (now, before) = (self.ran?, before?.ran?);
        let noun = if now == 1 { "test" } else { "tests" };
        (0 < now && now < before)
            .then(|| format!("only {now} {noun} ran; {before} ran in the last green verification"))
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::built::check;
    use super::*;

    #[test]
    fn a_test_command_that_ran_no_test_shows_nothing() {
        let passed = || vec![check(CheckKind::Tests, CheckStatus::Passed)];
        let marked = |ran| {
            let mut checks = passed();
            TestRun { failing: FailingTests::none(), ran }.mark_empty(&mut checks);
            checks
        };
        let why = "the command exited with 0, but no test ran".to_owned();
        let empty = check(CheckKind::Tests, CheckStatus::CouldNotRun { why: why.clone() });
        assert_eq!(marked(Some(0)), [Check { summary: why, ..empty }]);
        assert_eq!(marked(Some(1)), passed());
        assert_eq!(marked(None), passed());
    }

    #[test]
    fn only_what_did_not_fail_before_is_new() {
        let named = |names: &[&str]| FailingTests::Named {
            names: names.iter().map(|&name| name.to_owned()).collect(),
        };
        let unknown = || FailingTests::Unknown { why: "make names none".to_owned() };
        let why = |why: &str| Regressed::Unknown { why: why.to_owned() };
        let new = |name: &str| Regressed::Tests(vec![name.to_owned()]);
        let run = |failing| TestRun { failing, ran: None };
        for (failing, before, expected) in [
            (named(&["a"]), Some(named(&["a", "b"])), Regressed::Nothing),
            (named(&["a", "c"]), Some(named(&["a", "b"])), new("c")),
            (named(&["a"]), Some(named(&[])), new("a")),
            (named(&["a"]), None, new("a")),
            (
                named(&["a"]),
                Some(unknown()),
                why("the failed tests of the last green verification are unknown: make names none"),
            ),
            (unknown(), None, why("make names none")),
            (named(&[]), None, why("the test runner did not name the tests that failed")),
        ] {
            let checks = [check(CheckKind::Tests, CheckStatus::Failed)];
            let (now, before) = (run(failing), before.map(run));
            assert_eq!(Regressed::of(&checks, &now, before.as_ref()), expected, "{now:?}");
            let passed = [check(CheckKind::Tests, CheckStatus::Passed)];
            assert_eq!(Regressed::of(&passed, &now, before.as_ref()), Regressed::Nothing);
        }
    }

    #[test]
    fn that_no_test_ran_is_a_regression_and_that_fewer_did_is_worth_a_word() {
        let run = |ran| TestRun { failing: FailingTests::none(), ran };
        let none_ran = |before| (Regressed::NoneRan { before }, None);
        let nothing = || (Regressed::Nothing, None);
        let fewer = |note: &str| (Regressed::Nothing, Some(note.to_owned()));
        for (now, before, expected) in [
            (Some(0), Some(Some(212)), none_ran(212)),
            (Some(0), Some(Some(1)), none_ran(1)),
            (Some(0), Some(Some(0)), nothing()),
            (Some(0), Some(None), nothing()),
            (Some(0), None, nothing()),
            (None, Some(Some(212)), nothing()),
            (Some(212), Some(Some(212)), nothing()),
            (Some(213), Some(Some(212)), nothing()),
            (
                Some(211),
                Some(Some(212)),
                fewer("only 211 tests ran; 212 ran in the last green verification"),
            ),
            (
                Some(1),
                Some(Some(212)),
                fewer("only 1 test ran; 212 ran in the last green verification"),
            ),
            (Some(1), Some(None), nothing()),
        ] {
            let (now, before) = (run(now), before.map(run));
            let could_not = CheckStatus::CouldNotRun { why: "pytest found no tests".to_owned() };
            for status in [CheckStatus::Passed, could_not] {
                let checks = [check(CheckKind::Tests, status)];
                let regressed = Regressed::of(&checks, &now, before.as_ref());
                assert_eq!((regressed, now.fewer_than(before.as_ref())), expected, "{now:?}");
            }
        }
        // A run without tests takes precedence over a failed test command.
        let checks = [check(CheckKind::Tests, CheckStatus::Failed)];
        assert_eq!(Regressed::of(&checks, &run(Some(0)), Some(&run(Some(2)))), none_ran(2).0);
    }
}
