//! What a run of tests says of itself in what it printed.
//!
//! A runner that nobody knows is known by its count, and one whose output went into another program has no status of its own.

use serde::{Deserialize, Serialize};

/// So many words of a line.
const MAX_WORDS: usize = 64;

/// What came of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Tally {
    /// Some succeeded and none failed.
    Passed,
    /// Some failed.
    Failed,
}

impl Tally {
    /// Reads it from an output; nothing where it counts none.
    pub(super) fn of(output: &str) -> Option<Self> {
        let mut found = None;
        for line in output.lines().map(str::trim).filter(|line| !is_of_one_that_passed(line)) {
            match counted(line) {
                Some(Self::Failed) => return Some(Self::Failed),
                Some(Self::Passed) => found = Some(Self::Passed),
                None => {}
            }
            if tells_of_failure(line) {
                return Some(Self::Failed);
            }
            if SIGNS_OF_SUCCESS.iter().any(|sign| line.starts_with(sign)) {
                found = Some(Self::Passed);
            }
        }
        found
    }
}

/// Whether a line says of one test that it passed. How the test is called, `locks after 3 failed logins`, counts nothing.
fn is_of_one_that_passed(line: &str) -> bool {
    line.starts_with(['✓', '✔', '√']) || line.ends_with("... ok") || line.contains(" PASSED")
}

/// Whether a line says that something failed, where runners say so: in the middle of one a program may log the same.
fn tells_of_failure(line: &str) -> bool {
    let is_told_of_one = || {
        // With how far the run is: `test_state FAILED   [ 50%]`.
        let told = line.rsplit_once(" FAILED").map(|(_, rest)| rest.trim_start());
        told.is_some_and(|rest| rest.is_empty() || rest.starts_with(['[', ']', '.']))
    };
    SIGNS_OF_FAILURE.iter().any(|sign| line.starts_with(sign)) || is_told_of_one()
}

/// What a line counts. Some say `3 failed, 12 passed` and others `Passed: 12, Failed: 3`: the first of them shows on which
/// side the numbers stand. No number belongs to a word on the other side of a comma: `Tests run: 12, Failures: 0`.
fn counted(line: &str) -> Option<Tally> {
    let is_end = |c: char| !(c.is_ascii_alphanumeric() || matches!(c, '.' | ' ' | ':' | '='));
    let mut stands_before = None;
    let mut found = None;
    let mut room = MAX_WORDS;
    for phrase in line.split(is_end) {
        let words = phrase.split([' ', ':', '=']).filter(|word| !word.is_empty());
        let words: Vec<&str> = words.take(room).collect();
        room -= words.len();
        for (at, word) in words.iter().enumerate() {
            let Some(tally) = meaning(word) else { continue };
            let Some(count) = count(&words, at, &mut stands_before) else { continue };
            match (count, tally) {
                (0, _) => {}
                (_, Tally::Failed) => return Some(Tally::Failed),
                (_, Tally::Passed) => found = Some(Tally::Passed),
            }
        }
    }
    found
}

/// The number that belongs to a word. What is counted must be tests: `3 failed logins` are none.
fn count(words: &[&str], at: usize, stands_before: &mut Option<bool>) -> Option<u32> {
    let number = |at: usize| words.get(at)?.trim_end_matches('.').parse::<u32>().ok();
    // `3 tests failed`
    let is_noun = |at: usize| words.get(at).is_some_and(|word| NOUNS.contains(word));
    let before = || match at.checked_sub(1)? {
        noun if is_noun(noun) => number(noun.checked_sub(1)?),
        other => number(other),
    };
    let (found, next) = match (before(), number(at + 1), *stands_before) {
        (Some(count), _, None | Some(true)) => (count, at + 1),
        (_, Some(count), None | Some(false)) => (count, at + 2),
        _ => return None,
    };
    stands_before.get_or_insert(next == at + 1);
    let goes_on = |word: &&str| {
        word.starts_with(|c: char| c.is_ascii_digit())
            || meaning(word).is_some()
            || NOUNS.contains(word)
            || matches!(*word, "in" | "of" | "out" | "and")
    };
    words.get(next).is_none_or(goes_on).then_some(found)
}

fn meaning(word: &str) -> Option<Tally> {
    let is = |known: &[&str]| known.iter().any(|one| word.eq_ignore_ascii_case(one));
    if is(&["failed", "failing", "failure", "failures", "fail"]) {
        Some(Tally::Failed)
    } else if is(&["passed", "passing", "pass", "succeeded"]) {
        Some(Tally::Passed)
    } else {
        None
    }
}

/// What runs are of.
const NOUNS: &[&str] = &["test", "tests", "spec", "specs", "example", "examples"];

const SIGNS_OF_FAILURE: &[&str] =
    &["--- FAIL", "FAIL\t", "FAIL ", "FAILED", "[  FAILED", "BUILD FAIL", "[INFO] BUILD FAIL"];
const SIGNS_OF_SUCCESS: &[&str] = &[
    "ok  \t",
    "ok \t",
    "test result: ok",
    "BUILD SUCCESS",
    "[INFO] BUILD SUCCESS",
    "OK (",
    "100% tests passed",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_is_known_by_what_it_counts() {
        use Tally::{Failed, Passed};
        let cases = [
            ("Passing 24  Failing 0", Some(Passed)),
            ("[Failed] test_fall_speed\nPassing 23  Failing 1", Some(Failed)),
            ("9 passed in 0.31s", Some(Passed)),
            ("1 failed, 40 passed", Some(Failed)),
            ("Tests:       3 failed, 12 passed, 15 total", Some(Failed)),
            ("ok  \tapi/internal/middleware\t0.02s", Some(Passed)),
            ("--- FAIL: TestSteady (10.01s)", Some(Failed)),
            ("test result: ok. 12 passed; 0 failed; 0 ignored", Some(Passed)),
            ("BUILD SUCCESSFUL, 9 tests, 0 failed", Some(Passed)),
            ("Passed! - Failed: 0, Passed: 302", Some(Passed)),
            ("OK (12 tests, 30 assertions)", Some(Passed)),
            ("Failures: 0, Errors: 0", None),
            ("46 enqueue source=ConfigMap/pipe-a-env", None),
            ("passed the token on to 3 workers", None),
            ("", None),
        ];
        for (output, expected) in cases {
            assert_eq!(Tally::of(output), expected, "{output}");
        }
    }

    #[test]
    fn a_number_belongs_to_the_word_beside_it() {
        use Tally::{Failed, Passed};
        let cases = [
            ("Tests run: 12, Failures: 0, Errors: 0, Skipped: 0", None),
            ("Tests run: 12, Failures: 1, Errors: 0, Skipped: 0", Some(Failed)),
            ("[INFO] Tests run: 12, Failures: 0\r\n[INFO] BUILD SUCCESS\r\n", Some(Passed)),
            ("Tests: 12, Assertions: 30, Failures: 1.", Some(Failed)),
            ("67% tests passed, 1 tests failed out of 3", Some(Failed)),
            ("100% tests passed, 0 tests failed out of 3", Some(Passed)),
            ("3 tests failed", Some(Failed)),
            ("12 examples, 1 failure", Some(Failed)),
            ("12 examples, 0 failures", None),
            ("# pass 11\n# fail 1", Some(Failed)),
            (" 11 pass\n 1 fail", Some(Failed)),
            ("# pass 12\n# fail 0", Some(Passed)),
            ("ok | 12 passed | 0 failed (31ms)", Some(Passed)),
            ("[info] Tests: succeeded 12, failed 0, canceled 0", Some(Passed)),
            ("FAILED (failures=1)", Some(Failed)),
        ];
        for (output, expected) in cases {
            assert_eq!(Tally::of(output), expected, "{output}");
        }
    }

    #[test]
    fn what_a_test_is_called_and_what_it_logs_counts_nothing() {
        use Tally::{Failed, Passed};
        let cases = [
            (
                "✓ locks the account after 3 failed logins (12 ms)\nTests: 9 passed, 9 total",
                Some(Passed),
            ),
            ("  ✔ shows the badge of a job that FAILED\n  9 passing (30ms)", Some(Passed)),
            (
                "test retry::goes_on_after_FAILED ... ok\ntest result: ok. 9 passed; 0 failed",
                Some(Passed),
            ),
            ("tests/test_job.py::test_state_FAILED PASSED [ 10%]\n9 passed in 0.3s", Some(Passed)),
            ("12:00:01 WARN auth - 3 failed logins of anna\n9 passed", Some(Passed)),
            ("12:00:01 ERROR pay - order 7 FAILED with code 3\n9 passed", Some(Passed)),
            ("3 failed logins", None),
            ("test parse::hours ... FAILED", Some(Failed)),
            ("tests/test_job.py::test_state FAILED   [ 50%]", Some(Failed)),
            ("FAILED tests/test_job.py::test_state - AssertionError", Some(Failed)),
            ("[  FAILED  ] Hours.Parse (3 ms)", Some(Failed)),
            ("HoursTest > parse() FAILED", Some(Failed)),
            ("> Task :app:test FAILED", Some(Failed)),
            ("BUILD FAILED in 3s", Some(Failed)),
            ("FAIL src/hours.test.ts", Some(Failed)),
            ("        FAIL [   0.010s] hours parse", Some(Failed)),
            ("FAIL\tapi/internal/hours\t0.02s", Some(Failed)),
        ];
        for (output, expected) in cases {
            assert_eq!(Tally::of(output), expected, "{output}");
        }
    }
}
