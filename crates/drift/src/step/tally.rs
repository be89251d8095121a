//! What a run of tests says of itself in what it printed.
//!
//! A runner that nobody knows is known by its count, and one whose output went into another program has no status of its own.

use serde::{Deserialize, Serialize};

use crate::words::{OF_WORD, class};

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
        let may_fail = output.contains(SIGN_OF_FAILURE);
        let mut found = None;
        for line in output.lines() {
            match counted(line) {
                Some(Self::Failed) => return Some(Self::Failed),
                Some(Self::Passed) => found = Some(Self::Passed),
                None => {}
            }
            if may_fail && SIGNS_OF_FAILURE.iter().any(|sign| line.contains(sign)) {
                return Some(Self::Failed);
            }
            if SIGNS_OF_SUCCESS.iter().any(|sign| line.starts_with(sign)) {
                found = Some(Self::Passed);
            }
        }
        found
    }
}

/// What the words of a line count. Some say `3 failed, 12 passed` and others `Passed: 12, Failed: 3`: the first of them shows on which
/// side the numbers stand.
fn counted(line: &str) -> Option<Tally> {
    let is_between = |b: &u8| class(*b) & OF_WORD == 0 && *b != b'.';
    let words = line.as_bytes().split(is_between).filter(|word| !word.is_empty());
    let mut words = words.take(MAX_WORDS).peekable();
    let number = |word: Option<&[u8]>| str::from_utf8(word?).ok()?.parse::<u32>().ok();
    let (mut stands_before, mut found) = (None, None);
    let mut last = None;
    while let Some(word) = words.next() {
        let before = last.replace(word);
        let Some(tally) = meaning(word) else { continue };
        let before = number(before);
        let is_before = *stands_before.get_or_insert(before.is_some());
        let count = if is_before { before } else { number(words.peek().copied()) };
        match (count, tally) {
            (None | Some(0), _) => {}
            (Some(_), Tally::Failed) => return Some(Tally::Failed),
            (Some(_), Tally::Passed) => found = Some(Tally::Passed),
        }
    }
    found
}

fn meaning(word: &[u8]) -> Option<Tally> {
    let is = |known: &[&str]| known.iter().any(|one| word.eq_ignore_ascii_case(one.as_bytes()));
    if is(&["failed", "failing", "failure", "failures"]) {
        Some(Tally::Failed)
    } else if is(&["passed", "passing", "pass", "succeeded"]) {
        Some(Tally::Passed)
    } else {
        None
    }
}

/// All the following have it.
const SIGN_OF_FAILURE: &str = "FAIL";
const SIGNS_OF_FAILURE: &[&str] = &["--- FAIL", "FAIL\t", "FAIL ", "FAILED", "BUILD FAILURE"];
const SIGNS_OF_SUCCESS: &[&str] = &["ok  \t", "ok \t", "test result: ok", "BUILD SUCCESS", "OK ("];

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
}
