//! Reading what a check's program wrote: which tests failed, by the names that their runner gives them.
//!
//! A list of names is worth something only when it is whole: a regression that is not in it would pass.
//! So every reader compares the names with what the runner itself counted, and says why where it
//! cannot.

mod go;
mod jest;
mod libtest;
mod nextest;
mod pytest;

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use super::verified::FailingTests;

/// How the output of a check's program is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Reading {
    /// Its exit code says it all.
    ExitCode,
    /// It ends well whatever it found: what it prints is what is wrong.
    Silence,
    /// The text of Rust's own test harness, as `cargo test` shows it.
    Libtest,
    /// The text of `cargo nextest run`.
    Nextest,
    /// The short summary of pytest.
    Pytest,
    /// The events of `go test -json`.
    GoTest,
    /// The JSON of jest, which vitest writes as well.
    Jest,
}

/// What a program wrote.
#[derive(Debug, Clone, Copy)]
pub struct Written<'a> {
    /// To its standard output.
    pub stdout: &'a str,
    /// To its standard error.
    pub stderr: &'a str,
}

impl Reading {
    /// How the output of a command that somebody chose can be read.
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

    /// How many tests ran, whatever came of each; nothing where the runner does not say.
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

    /// Which tests failed in a run of tests that did not end well.
    pub fn failing_tests(self, written: Written<'_>) -> FailingTests {
        let read = match self {
            Self::ExitCode | Self::Silence => {
                Err("this runner does not name its tests in a form that verger reads".to_owned())
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

/// How many tests ran in all of several runs; what is not known of one is not known of all.
pub fn all_ran(runs: &[Option<u64>]) -> Option<u64> {
    let known: Vec<_> = runs.iter().copied().collect::<Option<_>>()?;
    known.into_iter().reduce(u64::saturating_add)
}

/// The tests that failed in all of several runs; what is not known of one is not known of all.
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

/// The names that a runner gave, or why they are not all.
type Names = Result<BTreeSet<String>, String>;

/// The names, if they are as many as the runner counted.
fn counted(names: BTreeSet<String>, listed: u64, counted: u64) -> Names {
    if listed == counted && listed > 0 {
        return Ok(names);
    }
    Err(match counted {
        0 => "the tests failed before their runner counted any".to_owned(),
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
    fn what_one_run_does_not_tell_is_not_known_of_all() {
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
