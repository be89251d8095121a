//! Parses the short summary of pytest, and its last line.
//!
//! ```text
//! FAILED tests/test_a.py::test_one - assert 1 == 2
//! ERROR tests/test_b.py::test_two - RuntimeError
//! 1 failed, 1 passed, 1 error in 0.02s
//! ```

use std::collections::BTreeSet;

use super::{Names, counted};

pub(super) fn failing(stdout: &str) -> Names {
    let is_bad = |what: &str| matches!(what, "failed" | "error" | "errors");
    let Some(total) = stdout.lines().rev().find_map(|line| total_of(line, is_bad)) else {
        return Err("pytest ended before it counted its tests".to_owned());
    };
    let mut listed = 0;
    let mut names = BTreeSet::new();
    for line in stdout.lines() {
        let told = ["FAILED ", "ERROR "].iter().find_map(|word| line.strip_prefix(word));
        if let Some(told) = told {
            listed += 1;
            names.insert(test_of(told).to_owned());
        }
    }
    counted(names, listed, total)
}

/// The number of tests that ran. Skipped and deselected tests don't count. Tests that couldn't be
/// set up or collected don't count either.
pub(super) fn ran(stdout: &str) -> Option<u64> {
    let is_run = |what: &str| matches!(what, "passed" | "failed" | "xfailed" | "xpassed");
    let none =
        |line: &str| line.trim_matches(['=', ' ']).starts_with("no tests ran in ").then_some(0);
    stdout.lines().rev().find_map(|line| none(line).or_else(|| total_of(line, is_run)))
}

/// The name of a test without the reason for its failure. The parameters of a test may contain the
/// separator between name and reason.
fn test_of(named: &str) -> &str {
    let parameters_end = named.find('[').and_then(|_| named.find("] - ")).map(|at| at + 1);
    match parameters_end {
        Some(end) => &named[..end],
        None => named.split(" - ").next().unwrap_or(named),
    }
}

/// The sum of some counts in `1 failed, 1 passed, 1 error in 0.02s`. The line may have a frame of
/// `=`.
fn total_of(line: &str, counts: impl Fn(&str) -> bool) -> Option<u64> {
    let (parts, time) = line.trim_matches(['=', ' ']).rsplit_once(" in ")?;
    if !time.split(' ').next()?.ends_with('s') {
        return None;
    }
    let mut total = 0;
    for part in parts.split(", ") {
        let (count, what) = part.split_once(' ')?;
        let count: u64 = count.parse().ok()?;
        if counts(what) {
            total += count;
        }
    }
    Some(total)
}

#[cfg(test)]
mod tests {
    use super::*;

    const RUN: &str = "F.E                                    [100%]\n\
        ==================================== ERRORS ====================================\n\
        ________________________ ERROR at setup of test_two ____________________________\n\
        E   RuntimeError: no\n\
        =========================== short test summary info ============================\n\
        FAILED tests/test_a.py::test_one - assert 1 == 2\n\
        FAILED tests/test_a.py::test_many[a - b] - assert 0\n\
        ERROR tests/test_b.py::test_two - RuntimeError: no\n\
        2 failed, 1 passed, 1 error in 0.02s\n";

    #[test]
    fn failures_and_errors_are_named() {
        let names = [
            "tests/test_a.py::test_one",
            "tests/test_a.py::test_many[a - b]",
            "tests/test_b.py::test_two",
        ];
        assert_eq!(failing(RUN), Ok(names.map(str::to_owned).into()));
        let framed = RUN.replace("2 failed, 1 passed, 1 error in 0.02s", {
            "==== 2 failed, 1 passed, 1 error, 3 warnings in 61.20s (0:01:01) ===="
        });
        assert_eq!(failing(&framed), Ok(names.map(str::to_owned).into()));
    }

    #[test]
    fn those_that_ran_are_in_the_last_line() {
        for (last, expected) in [
            ("2 failed, 1 passed, 1 error in 0.02s", Some(3)),
            ("==== 4 passed, 1 xfailed, 1 xpassed, 2 warnings in 61.20s (0:01:01) ====", Some(6)),
            ("2 skipped, 3 deselected in 0.02s", Some(0)),
            ("no tests ran in 0.01s", Some(0)),
            ("============ no tests ran in 0.01s ============", Some(0)),
            ("1 error in 0.05s", Some(0)),
            ("INTERNALERROR> Traceback", None),
        ] {
            assert_eq!(ran(&format!("collecting\n{last}\n")), expected, "{last}");
        }
    }

    #[test]
    fn names_that_may_not_be_all_are_none() {
        let why = "pytest ended before it counted its tests".to_owned();
        assert_eq!(failing("INTERNALERROR> Traceback\n"), Err(why));
        let stopped = RUN.replace("2 failed", "3 failed");
        let why = "the runner counted 4 failed tests and named 3".to_owned();
        assert_eq!(failing(&stopped), Err(why));
        let none = "the test run failed before the runner counted any test".to_owned();
        assert_eq!(
            failing("no tests ran in 0.01s\n"),
            Err("pytest ended before it counted its tests".to_owned())
        );
        assert_eq!(failing("1 passed in 0.01s\n"), Err(none));
    }
}
