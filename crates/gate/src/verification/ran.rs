//! Computes the result of a check from the exit status and the output of its program.

use super::check::{CheckKind, CheckStatus};
use super::findings::{findings, named_files};
use super::reading::{Reading, Written};
use super::verified::{FailingTests, Issue};

/// The end of a check's program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ProgramEnd {
    /// The program exited with this code.
    Exited(i32),
    /// A signal ended the program.
    Signalled(i32),
    /// The program didn't end within its time limit.
    TimedOut {
        /// The time limit of the program.
        limit_seconds: u64,
    },
    /// The program wrote more output than the limit.
    Flooded {
        /// The maximum length of the output in bytes.
        limit_bytes: u64,
    },
    /// The program couldn't be found.
    Missing,
    /// The program couldn't be started.
    NotStarted {
        /// The reason why the program couldn't be started.
        why: String,
    },
}

/// A check whose program ended, and how its output is parsed.
#[derive(Debug, Clone, Copy)]
pub struct RanCheck<'a> {
    /// The name of the check.
    pub name: &'a str,
    /// The kind of the check.
    pub kind: CheckKind,
    /// The program that the check ran.
    pub program: &'a str,
    /// The format of the program's output.
    pub reading: Reading,
}

/// The result of a check.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Came {
    /// The status of the check.
    pub status: CheckStatus,
    /// A summary of the result, in one line.
    pub summary: String,
    /// The issues that the check found.
    pub issues: Vec<Issue>,
    /// The failed tests, for a check that runs tests.
    pub failing_tests: FailingTests,
    /// The number of tests that ran, for a check that runs tests, if the runner reports it.
    pub ran_tests: Option<u64>,
}

/// The exit code of pytest when it finds no tests.
const PYTEST_NO_TESTS: i32 = 5;

impl RanCheck<'_> {
    /// The result of the check, computed from the end and the output of its program.
    pub fn came(self, end: &ProgramEnd, written: Written<'_>) -> Came {
        let ran_tests = match (self.kind, end) {
            (CheckKind::Tests, ProgramEnd::Exited(_)) => self.reading.ran_tests(written),
            _ => None,
        };
        Came { ran_tests, ..self.ended(end, written) }
    }

    fn ended(self, end: &ProgramEnd, written: Written<'_>) -> Came {
        match end {
            ProgramEnd::Exited(0) => self.ended_well(written),
            ProgramEnd::Exited(code) => match self.could_not(*code, written) {
                Some(why) => self.not_run(why),
                None => self.failed(format!("exited with {code}"), written),
            },
            ProgramEnd::Signalled(signal) => {
                self.failed(format!("was ended by signal {signal}"), written)
            }
            ProgramEnd::Flooded { limit_bytes } => {
                let mib = limit_bytes / (1024 * 1024);
                self.not_run(format!(
                    "the command wrote more than {mib} MiB and was stopped; make it print less"
                ))
            }
            ProgramEnd::Missing => self.not_run(format!(
                "there is no program {:?}; install it, or set another command for this check",
                self.program
            )),
            ProgramEnd::NotStarted { why } => self.not_run(why.clone()),
            ProgramEnd::TimedOut { limit_seconds } => Came {
                status: CheckStatus::TimedOut { limit_seconds: *limit_seconds },
                summary: format!("did not end within {limit_seconds} s"),
                issues: vec![],
                failing_tests: self.unknown("the tests did not end within their time limit"),
                ran_tests: None,
            },
        }
    }

    fn ended_well(self, written: Written<'_>) -> Came {
        let is_silent = written.stdout.trim().is_empty();
        if self.reading == Reading::Silence && !is_silent {
            let issues = named_files(self.name, written.stdout);
            let summary = format!("names {}", counted(issues.len(), "file"));
            let (failing_tests, ran_tests) = (FailingTests::none(), None);
            return Came { status: CheckStatus::Failed, summary, issues, failing_tests, ran_tests };
        }
        if self.names_failing_tests(written) {
            return self.failed("exited with 0".to_owned(), written);
        }
        Came {
            status: CheckStatus::Passed,
            summary: String::new(),
            issues: vec![],
            failing_tests: FailingTests::none(),
            ran_tests: None,
        }
    }

    /// Whether the output names failed tests. With an option, a plugin or a wrapper, a runner may
    /// exit with 0 although tests failed.
    fn names_failing_tests(self, written: Written<'_>) -> bool {
        self.kind == CheckKind::Tests
            && matches!(self.reading.failing_tests(written), FailingTests::Named { names } if !names.is_empty())
    }

    fn failed(self, ending: String, written: Written<'_>) -> Came {
        let failing_tests = match self.kind {
            CheckKind::Tests => self.reading.failing_tests(written),
            _ => FailingTests::none(),
        };
        let (summary, issues) = match &failing_tests {
            FailingTests::Named { names } if !names.is_empty() => {
                let issue = |name: &String| Issue {
                    check: self.name.to_owned(),
                    path: None,
                    line: None,
                    text: format!("test failed: {name}"),
                };
                let summary = format!("{} failed", counted(names.len(), "test"));
                (summary, names.iter().map(issue).collect())
            }
            _ => (ending, findings(self.name, written)),
        };
        Came { status: CheckStatus::Failed, summary, issues, failing_tests, ran_tests: None }
    }

    fn not_run(self, why: String) -> Came {
        Came {
            failing_tests: self.unknown(&why),
            summary: why.clone(),
            status: CheckStatus::CouldNotRun { why },
            issues: vec![],
            ran_tests: None,
        }
    }

    fn unknown(self, why: &str) -> FailingTests {
        match self.kind {
            CheckKind::Tests => FailingTests::Unknown { why: why.to_owned() },
            _ => FailingTests::none(),
        }
    }

    /// The reason why the program couldn't run another program, for example because a tool is
    /// missing. Each runner reports this in its own words.
    fn could_not(self, code: i32, Written { stderr, .. }: Written<'_>) -> Option<String> {
        if self.reading == Reading::Pytest && code == PYTEST_NO_TESTS {
            return Some("pytest found no tests".to_owned());
        }
        let says = |line: &&str| {
            line.contains("error: no such command: `") || line.contains(": No module named ")
        };
        // Only the first line of standard error counts, because tests may print anything after it.
        let mut lines = stderr.lines().map(str::trim).filter(|line| !line.is_empty());
        lines.next().filter(says).map(|line| format!("{line}; install it, or set another command"))
    }
}

fn counted(number: usize, noun: &str) -> String {
    if number == 1 { format!("1 {noun}") } else { format!("{number} {noun}s") }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tests(reading: Reading) -> RanCheck<'static> {
        RanCheck { name: "tests (x)", kind: CheckKind::Tests, program: "x", reading }
    }

    fn lint(reading: Reading) -> RanCheck<'static> {
        RanCheck { name: "lint", kind: CheckKind::Lint, program: "ruff", reading }
    }

    #[track_caller]
    fn check(ran: RanCheck<'_>, end: &ProgramEnd, (stdout, stderr): (&str, &str), expected: &str) {
        let came = ran.came(end, Written { stdout, stderr });
        let issues: Vec<_> = came.issues.iter().map(Issue::line).collect();
        let failing = match &came.failing_tests {
            FailingTests::Named { names } => names.join(", "),
            FailingTests::Unknown { why } => format!("? {why}"),
        };
        let told = format!("{} | {} | {issues:?} | {failing}", came.status.as_str(), came.summary);
        assert_eq!(told, expected);
    }

    #[test]
    fn a_program_that_ends_well_found_nothing_unless_it_speaks() {
        let well = ProgramEnd::Exited(0);
        check(lint(Reading::ExitCode), &well, ("a.py:1: no", ""), "passed |  | [] | ");
        check(lint(Reading::Silence), &well, (" \n", "noise"), "passed |  | [] | ");
        let told = r#"failed | names 1 file | ["a.go: is not formatted (lint)"] | "#;
        check(lint(Reading::Silence), &well, ("a.go\n", ""), told);
    }

    #[test]
    fn tests_that_their_runner_names_as_failed_failed_however_it_ended() {
        let well = ProgramEnd::Exited(0);
        let told = r#"failed | 1 test failed | ["test failed: t.py::a (tests (x))"] | t.py::a"#;
        check(tests(Reading::Pytest), &well, ("FAILED t.py::a - no\n1 failed in 0.1s\n", ""), told);
        for said in ["2 passed in 0.1s\n", "", "FAILED t.py::a - no\n"] {
            check(tests(Reading::Pytest), &well, (said, ""), "passed |  | [] | ");
        }
    }

    #[test]
    fn how_many_tests_ran_is_known_of_tests_that_ended() {
        let ran = |ran: RanCheck<'_>, end: &ProgramEnd, stdout: &str| {
            ran.came(end, Written { stdout, stderr: "" }).ran_tests
        };
        let (pytest, exited) = (tests(Reading::Pytest), |code| ProgramEnd::Exited(code));
        assert_eq!(ran(pytest, &exited(0), "2 passed in 0.1s\n"), Some(2));
        assert_eq!(ran(pytest, &exited(1), "1 failed, 2 passed in 0.1s\n"), Some(3));
        assert_eq!(ran(pytest, &exited(PYTEST_NO_TESTS), "no tests ran in 0.1s\n"), Some(0));
        assert_eq!(ran(pytest, &ProgramEnd::Signalled(9), "2 passed in 0.1s\n"), None);
        assert_eq!(ran(lint(Reading::Pytest), &exited(0), "2 passed in 0.1s\n"), None);
    }

    #[test]
    fn a_failed_check_names_its_tests_or_its_last_lines() {
        let bad = ProgramEnd::Exited(1);
        let told = r#"failed | exited with 1 | ["a.py:1: no (lint)"] | "#;
        check(lint(Reading::ExitCode), &bad, ("a.py:1: no\n", ""), told);
        let run = "FAILED t.py::a - no\n1 failed in 0.1s\n";
        let told = r#"failed | 1 test failed | ["test failed: t.py::a (tests (x))"] | t.py::a"#;
        check(tests(Reading::Pytest), &bad, (run, ""), told);
        let told = "failed | was ended by signal 9 | [\"last words (tests (x))\"] | ? verger cannot read the names of this runner's tests";
        check(tests(Reading::ExitCode), &ProgramEnd::Signalled(9), ("", "last words"), told);
    }

    #[test]
    fn a_check_that_could_not_run_is_not_failed() {
        let missing =
            "there is no program \"ruff\"; install it, or set another command for this check";
        let told = format!("could not run | {missing} | [] | ");
        check(lint(Reading::ExitCode), &ProgramEnd::Missing, ("", ""), &told);
        let flooded = ProgramEnd::Flooded { limit_bytes: 16 * 1024 * 1024 };
        let why = "the command wrote more than 16 MiB and was stopped; make it print less";
        let told = format!("could not run | {why} | [] | ? {why}");
        check(tests(Reading::Libtest), &flooded, ("x", ""), &told);
        let late = ProgramEnd::TimedOut { limit_seconds: 900 };
        let told = "timed out | did not end within 900 s | [] | ? the tests did not end within their time limit";
        check(tests(Reading::Libtest), &late, ("", ""), told);
        let told = "could not run | pytest found no tests | [] | ? pytest found no tests";
        check(tests(Reading::Pytest), &ProgramEnd::Exited(5), ("no tests ran in 0.1s", ""), told);
        for line in ["error: no such command: `clippy`", "/usr/bin/python3: No module named ruff"] {
            let told =
                format!("could not run | {line}; install it, or set another command | [] | ");
            let stderr = format!("{line}\n\nhelp: view all\n");
            check(lint(Reading::ExitCode), &ProgramEnd::Exited(101), ("", &stderr), &told);
        }
    }
}
