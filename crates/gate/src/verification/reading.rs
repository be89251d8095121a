//! Parses the output of a check's program: the failed tests, by the names that the test runner
//! gives them.
//!
//! A list of failed tests is useful only if it is complete, because a missing name would hide a
//! regression. So every parser compares the number of names with the runner's own count. If they
//! differ, the parser returns a reason instead of names.

mod go;
mod jest;
mod libtest;
mod nextest;
mod pytest;

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use super::verified::FailingTests;

/// The format in which a program's output is parsed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Reading {
    /// The output isn't parsed. Only the exit code counts.
    ExitCode,
    /// The output lists files with a problem. The exit code is always 0.
    Silence,
    /// The output is the text of Rust's own test harness, as `cargo test` shows it.
    Libtest,
    /// The output is the text of `cargo nextest run`.
    Nextest,
    /// The output ends with the short summary of pytest.
    Pytest,
    /// The output is the events of `go test -json`.
    GoTest,
    /// The output is the JSON of jest, which vitest writes too.
    Jest,
}

/// The output of a check's program.
#[derive(Debug, Clone, Copy)]
pub struct Written<'a> {
    /// The text on standard output.
    pub stdout: &'a str,
    /// The text on standard error.
    pub stderr: &'a str,
}

impl Reading {
    /// The format for a command from the configuration, detected from its words.
    pub fn of_command(argv: &[String]) -> Self {
        let words: Vec<&str> = argv.iter().map(String::as_str).collect();
        let has = |word: &str| words.contains(&word);
        match words.as_slice() {
            ["cargo", "nextest", "run", ..] => Self::Nextest,
            ["cargo", "test" | "t", ..] => Self::Libtest,
            ["go", "test", ..] if has("-json") => Self::GoTest,
            _ if has("pytest") => Self::Pytest,
            _ if has("vitest") && has("--reporter=json") => Self::Jest,
            _ if has("jest") && has("--json") => Self::Jest,
            _ => Self::ExitCode,
        }
    }

    /// The number of tests that ran, passed or failed. `None` if the runner doesn't report it.
    pub fn ran_tests(self, written: Written<'_>) -> Option<u64> {
        match self {
            Self::ExitCode | Self::Silence => None,
            Self::Libtest => libtest::ran(written.stdout),
            Self::Nextest => nextest::ran(written.stderr),
            Self::Pytest => pytest::ran(written.stdout),
            Self::GoTest => go::ran(written.stdout),
            Self::Jest => jest::ran(written.stdout),
        }
    }

    /// The failed tests of a run that failed.
    pub fn failing_tests(self, written: Written<'_>) -> FailingTests {
        let read = match self {
            Self::ExitCode | Self::Silence => {
                Err("verger cannot read the names of this runner's tests".to_owned())
            }
            Self::Libtest => libtest::failing(written.stdout),
            Self::Nextest => nextest::failing(written.stderr),
            Self::Pytest => pytest::failing(written.stdout),
            Self::GoTest => go::failing(written.stdout),
            Self::Jest => jest::failing(written.stdout),
        };
        match read {
            Ok(names) => FailingTests::Named { names: names.into_iter().collect() },
            Err(why) => FailingTests::Unknown { why },
        }
    }
}

/// The number of tests that ran in all runs together. `None` if one of the runs doesn't report it.
pub fn all_ran(runs: &[Option<u64>]) -> Option<u64> {
    let known: Vec<_> = runs.iter().copied().collect::<Option<_>>()?;
    known.into_iter().reduce(u64::saturating_add)
}

/// The failed tests of all runs together. They are unknown if those of one run are unknown.
pub fn all_failing(runs: impl IntoIterator<Item = FailingTests>) -> FailingTests {
    let mut all = BTreeSet::new();
    for run in runs {
        match run {
            FailingTests::Named { names } => all.extend(names),
            unknown @ FailingTests::Unknown { .. } => return unknown,
        }
    }
    FailingTests::Named { names: all.into_iter().collect() }
}

/// The names of the failed tests, or the reason why they are incomplete.
type Names = Result<BTreeSet<String>, String>;

/// The names, if the number of listed tests equals the runner's own count.
fn counted(names: BTreeSet<String>, listed: u64, counted: u64) -> Names {
    if listed == counted && listed > 0 {
        return Ok(names);
    }
    Err(match counted {
        0 => "the test run failed before the runner counted any test".to_owned(),
        counted => format!("the runner counted {counted} failed tests and named {listed}"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chosen_command_is_read_by_what_it_runs() {
        for (line, expected) in [
            ("cargo test --workspace", Reading::Libtest),
            ("cargo t", Reading::Libtest),
            ("cargo nextest run", Reading::Nextest),
            ("cargo xtask test", Reading::ExitCode),
            ("python3 -m pytest -q", Reading::Pytest),
            ("uv run pytest", Reading::Pytest),
            ("go test ./...", Reading::ExitCode),
            ("go test -json ./...", Reading::GoTest),
            ("npx vitest run --reporter=json", Reading::Jest),
            ("npx vitest run", Reading::ExitCode),
            ("npx jest --json", Reading::Jest),
            ("make test", Reading::ExitCode),
        ] {
            let argv: Vec<_> = line.split(' ').map(str::to_owned).collect();
            assert_eq!(Reading::of_command(&argv), expected, "{line}");
        }
    }

    #[test]
    fn the_total_is_unknown_if_one_run_is_unknown() {
        let named = |names: &[&str]| FailingTests::Named {
            names: names.iter().map(|&name| name.to_owned()).collect(),
        };
        assert_eq!(all_failing([]), FailingTests::none());
        assert_eq!(all_failing([named(&["b"]), named(&["a", "b"])]), named(&["a", "b"]));
        let unknown = FailingTests::Unknown { why: "why".to_owned() };
        assert_eq!(all_failing([named(&["b"]), unknown.clone()]), unknown);
        assert_eq!(all_ran(&[]), None);
        assert_eq!(all_ran(&[Some(0), Some(2)]), Some(2));
        assert_eq!(all_ran(&[Some(0), None]), None);
    }
}
