//! Parses the text of Rust's own test harness: one block for every test program.
//!
//! ```text
//! running 2 tests
//! test tests::good ... ok
//! test tests::bad ... FAILED
//! failures:
//!     tests::bad
//! test result: FAILED. 1 passed; 1 failed; ...
//! ```
//!
//! A test may print into its own result line. So the parser also reads the list below `failures:`.
//! If a test program ends without a `test result:` line, the names of its failed tests are unknown.

use std::collections::BTreeSet;

use super::{Names, counted};

pub(super) fn failing(stdout: &str) -> Names {
    let mut all = BTreeSet::new();
    let mut block = BTreeSet::new();
    let (mut listed, mut failed) = (0, 0);
    let mut is_open = false;
    let mut is_list = false;
    for line in stdout.lines() {
        if is_beginning(line) {
            if is_open {
                return Err(ENDED_EARLY.to_owned());
            }
            (is_open, is_list) = (true, false);
        } else if let Some(result) = line.strip_prefix("test result: ") {
            listed += block.len() as u64;
            failed += count_of(result, " failed");
            all.append(&mut block);
            (is_open, is_list) = (false, false);
        } else if line == "failures:" {
            is_list = true;
        } else if let Some(name) = line.strip_prefix("test ").and_then(failed_name) {
            block.insert(name.to_owned());
        } else if let Some(name) = line.strip_prefix("    ").filter(|_| is_list) {
            block.insert(name.to_owned());
        } else if !line.is_empty() {
            // A first section `failures:` has the output of the tests, which may be indented like
            // the list of names.
            is_list = false;
        }
    }
    if is_open { Err(ENDED_EARLY.to_owned()) } else { counted(all, listed, failed) }
}

/// The number of tests that passed, failed or were measured. Ignored and filtered tests didn't run.
pub(super) fn ran(stdout: &str) -> Option<u64> {
    let results = stdout.lines().filter_map(|line| line.strip_prefix("test result: "));
    let counts = results.map(|result| {
        let ran = [" passed", " failed", " measured"].map(|end| count_of(result, end));
        ran.into_iter().sum::<u64>()
    });
    counts.reduce(u64::saturating_add)
}

const ENDED_EARLY: &str = "a test program ended before it listed its failed tests";

fn is_beginning(line: &str) -> bool {
    let count = line
        .strip_prefix("running ")
        .and_then(|rest| rest.strip_suffix(" tests").or_else(|| rest.strip_suffix(" test")));
    count.is_some_and(|count| count.parse::<u64>().is_ok())
}

/// The test name in `a::b ... FAILED`. A test with `should_panic` has ` - should panic` after its
/// name.
fn failed_name(line: &str) -> Option<&str> {
    let name = line.strip_suffix(" ... FAILED")?;
    Some(name.strip_suffix(" - should panic").unwrap_or(name))
}

/// Parses one count in a result such as `FAILED. 1 passed; 2 failed; ...`. `end` is the text after
/// the number.
fn count_of(result: &str, end: &str) -> u64 {
    let mut parts = result.split(['.', ';']).map(str::trim);
    let count = parts.find_map(|part| part.strip_suffix(end));
    count.and_then(|count| count.parse().ok()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The output of the test harness of Rust 1.95.
    const LIB: &str = "\nrunning 4 tests\ntest tests::good ... ok\ntest tests::left ... ignored\n\
        test tests::no_panic - should panic ... FAILED\ntest tests::bad ... FAILED\n\nfailures:\n\n\
        ---- tests::no_panic stdout ----\nnote: test did not panic as expected at src/lib.rs:10:32\n\
        ---- tests::bad stdout ----\nnoise\n\nthread 'tests::bad' (18037) panicked at \
        src/lib.rs:8:43:\nassertion `left == right` failed\n  left: 1\n right: 2\nstack backtrace:\n\
        \x20  0: __rustc::rust_begin_unwind\n             at /rustc/5980/library/std/src/panicking.rs:\
        689:5\n\n\nfailures:\n    tests::bad\n    tests::no_panic\n\ntest result: FAILED. 1 passed; 2 \
        failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.11s\n\n";
    const DOC: &str = "\nrunning 1 test\ntest src/lib.rs - one (line 1) ... FAILED\n\nfailures:\n\n\
        ---- src/lib.rs - one (line 1) stdout ----\nTest executable failed (exit status: 101).\n\n\
        failures:\n    src/lib.rs - one (line 1)\n\ntest result: FAILED. 0 passed; 1 failed; 0 \
        ignored; 0 measured; 0 filtered out; finished in 0.11s\n\nall doctests ran in 0.40s\n";
    const GREEN: &str = "\nrunning 1 test\ntest a ... ok\n\ntest result: ok. 1 passed; 0 failed; 0 \
        ignored; 0 measured; 0 filtered out; finished in 0.00s\n\n";

    #[track_caller]
    fn check(stdout: &str, expected: Result<&[&str], &str>) {
        let expected = expected
            .map(|names| names.iter().map(|&name| name.to_owned()).collect())
            .map_err(str::to_owned);
        assert_eq!(failing(stdout), expected);
    }

    #[test]
    fn every_failing_test_of_every_program_is_named() {
        let names = ["src/lib.rs - one (line 1)", "tests::bad", "tests::no_panic"];
        check(&format!("{LIB}{GREEN}{DOC}"), Ok(&names));
    }

    #[test]
    fn a_name_that_a_tests_own_words_tore_apart_is_in_the_list() {
        check(&LIB.replace("test tests::bad ... FAILED", "test tests::bad ... noiseFAILED"), {
            Ok(&["tests::bad", "tests::no_panic"])
        });
    }

    #[test]
    fn those_that_ran_are_counted_over_all_programs() {
        let filtered = "\nrunning 0 tests\n\ntest result: ok. 0 passed; 0 failed; 0 ignored; 0 measured; \
            2 filtered out; finished in 0.00s\n\n";
        for (stdout, expected) in [
            (format!("{LIB}{GREEN}{DOC}"), Some(5)),
            (format!("{filtered}{GREEN}"), Some(1)),
            (format!("{filtered}{filtered}"), Some(0)),
            ("error: could not compile `small`\n".to_owned(), None),
            (String::new(), None),
        ] {
            assert_eq!(ran(&stdout), expected, "{stdout}");
        }
    }

    #[test]
    fn names_that_may_not_be_all_are_none() {
        let aborted = format!("{LIB}\nrunning 2 tests\n{DOC}");
        check(&aborted, Err(ENDED_EARLY));
        check(&format!("{LIB}\nrunning 2 tests\n"), Err(ENDED_EARLY));
        let none = "the test run failed before the runner counted any test";
        check("", Err(none));
        check(GREEN, Err(none));
        let more = LIB.replace("2 failed", "3 failed");
        check(&more, Err("the runner counted 3 failed tests and named 2"));
    }
}
