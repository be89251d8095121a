//! Parses the text of `cargo nextest run`, whose summary names every test that didn't pass.
//!
//! ```text
//!      Summary [   0.150s] 5 tests run: 1 passed, 4 failed, 1 skipped
//!         FAIL [   0.007s] (2/5) sample tests::no_panic
//!      SIGABRT [   0.011s] (3/5) sample::it aborts
//! ```

use std::collections::BTreeSet;

use super::{Names, counted};

/// Texts after those counts in the summary that mean failed tests.
const BAD_ENDS: [&str; 3] = [" exec failed", " failed", " timed out"];

pub(super) fn failing(stderr: &str) -> Names {
    let mut lines = stderr.lines().map(str::trim_start);
    let summary = lines.find_map(|line| line.strip_prefix("Summary ["));
    let Some((_, counts)) = summary.and_then(|summary| summary.split_once(": ")) else {
        return Err("the test run failed before the runner counted any test".to_owned());
    };
    let counts = counts.split(", ").filter_map(bad_count).sum();
    let names: BTreeSet<_> = lines.filter_map(failed_name).map(str::to_owned).collect();
    let listed = names.len() as u64;
    counted(names, listed, counts)
}

/// The number of tests that ran, from the summary. If there were no tests, there may be no summary.
pub(super) fn ran(stderr: &str) -> Option<u64> {
    let mut lines = stderr.lines().map(str::trim);
    lines.find_map(|line| {
        if line == "error: no tests to run" {
            return Some(0);
        }
        let (_, summary) = line.strip_prefix("Summary [")?.split_once("] ")?;
        let (count, rest) = summary.split_once(' ')?;
        // If the run ended early, the summary has a fraction such as `3/5 tests run`.
        let count = count.split('/').next()?;
        rest.starts_with("test").then(|| count.parse().ok()).flatten()
    })
}

fn bad_count(part: &str) -> Option<u64> {
    // The number of tests that passed after a retry is in parentheses.
    let part = part.split(" (").next()?;
    BAD_ENDS.iter().find_map(|end| part.strip_suffix(end))?.parse().ok()
}

/// The test name in `FAIL [   0.007s] (2/5) sample tests::no_panic`. The first word, in capitals,
/// is the kind of failure.
fn failed_name(line: &str) -> Option<&str> {
    let (word, rest) = line.split_once(" [")?;
    let is_word = |word: &str| word.bytes().all(|byte| byte.is_ascii_uppercase() || byte == b'-');
    if !is_word(word.split(' ').next_back()?) || matches!(word, "FLAKY" | "SLOW" | "LEAK") {
        return None;
    }
    let (_, rest) = rest.split_once("] ")?;
    match rest.strip_prefix('(').and_then(|rest| rest.split_once(") ")) {
        Some((_, name)) => Some(name),
        None => Some(rest),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The output of nextest 0.9.143.
    const RUN: &str = "    Finished `test` profile [unoptimized + debuginfo] target(s) in 0.01s\n\
        ────────────\n Nextest run ID 6bb13746 with nextest profile: default\n    Starting 5 tests \
        across 2 binaries (1 test skipped)\n        PASS [   0.012s] (1/5) sample tests::good\n        \
        FAIL [   0.007s] (2/5) sample tests::no_panic\n  stdout ───\n\n    running 1 test\n    test \
        tests::no_panic - should panic ... FAILED\n\n     SIGABRT [   0.011s] (3/5) sample::it aborts\n\
        ────────────\n     Summary [   0.150s] 5 tests run: 1 passed, 4 failed, 1 skipped\n        FAIL \
        [   0.007s] (2/5) sample tests::no_panic\n     SIGABRT [   0.011s] (3/5) sample::it aborts\n        \
        FAIL [   0.117s] (4/5) sample tests::bad\n        FAIL [   0.117s] (5/5) sample::it bad\nerror: \
        test run failed\n";

    #[test]
    fn the_summary_names_the_tests_that_did_not_pass() {
        let names =
            ["sample tests::no_panic", "sample::it aborts", "sample tests::bad", "sample::it bad"];
        assert_eq!(failing(RUN), Ok(names.map(str::to_owned).into()));
        let older = RUN.replace("(5/5) ", "");
        assert_eq!(failing(&older), Ok(names.map(str::to_owned).into()));
    }

    #[test]
    fn those_that_ran_are_in_the_summary() {
        let none = "    Starting 0 tests across 2 binaries (6 tests skipped)\n────────────\n     \
            Summary [   0.000s] 0 tests run: 0 passed, 6 skipped\n";
        let refused =
            format!("{none}error: no tests to run\n(hint: use `--no-tests` to customize)\n");
        for (stderr, expected) in [
            (RUN, Some(5)),
            (&RUN.replace("5 tests run", "3/5 tests run"), Some(3)),
            (&RUN.replace("5 tests run", "1 test run"), Some(1)),
            (none, Some(0)),
            (&refused, Some(0)),
            ("error: no tests to run\n", Some(0)),
            ("error: could not compile `sample`\n", None),
        ] {
            assert_eq!(ran(stderr), expected, "{stderr}");
        }
    }

    #[test]
    fn names_that_may_not_be_all_are_none() {
        let why = "the test run failed before the runner counted any test".to_owned();
        assert_eq!(failing("error: could not compile `sample`\n"), Err(why));
        let fewer = RUN.replace("        FAIL [   0.117s] (5/5) sample::it bad\n", "");
        let why = "the runner counted 4 failed tests and named 3".to_owned();
        assert_eq!(failing(&fewer), Err(why));
    }
}
