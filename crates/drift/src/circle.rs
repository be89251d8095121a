//! Detects an agent that goes in circles: a check fails three times in the same way, with edits in
//! between.

use serde::{Deserialize, Serialize};

use crate::check::{CheckResult, CheckRun, Failure};

/// The maximum number of failing checks that are stored.
const MAX_CHECKS: usize = 8;
/// The number of equal failures that counts as a circle.
const MIN_TIMES: u32 = 3;

/// The failing checks of a session, the latest last.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub(crate) struct Circles {
    failing: Vec<Failing>,
}

/// A check whose last run failed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Failing {
    checks: Vec<String>,
    failure: Failure,
    /// The number of times that the check failed in the same way, with a file changed between each
    /// two failures.
    times: u32,
    /// Whether a file was changed since the check's last run.
    changed: bool,
}

/// A circle of the agent: a check that fails again and again in the same way.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Circle {
    /// The name of the check, such as `cargo test`.
    pub check: String,
    /// The first failing test or error in the check's output.
    pub failure: String,
    /// The number of times that the check failed in the same way, with edits in between.
    pub times: u32,
}

impl Circles {
    /// Notes that a file was changed since the last run of each check.
    pub(crate) fn changed(&mut self) {
        for failing in &mut self.failing {
            failing.changed = true;
        }
    }

    /// Adds a run of a check. A pass or a different failure ends the count for every check that has
    /// a name in common with the run.
    pub(crate) fn checked(&mut self, run: &CheckRun) {
        let failure = match &run.result {
            CheckResult::Failed(Some(failure)) => Some(failure),
            CheckResult::Passed => None,
            CheckResult::Failed(None) | CheckResult::Unknown => return,
        };
        let is_of_run =
            |failing: &mut Failing| failing.checks.iter().any(|check| run.names.contains(check));
        let of_run: Vec<Failing> = self.failing.extract_if(.., is_of_run).collect();
        let Some(failure) = failure else { return };
        let known = of_run.into_iter().find(|failing| failing.failure.is_same(failure));
        let (checks, failure, times) = match known {
            Some(Failing { checks, failure: before, times, changed }) => {
                (checks, before.seen_again(failure), times.saturating_add(changed.into()))
            }
            None => (run.names.clone(), failure.clone(), 1),
        };
        if self.failing.len() >= MAX_CHECKS {
            self.failing.remove(0);
        }
        self.failing.push(Failing { checks, failure, times, changed: false });
    }

    /// Restarts counting. Called when the person sends a prompt.
    pub(crate) fn reset(&mut self) {
        self.failing.clear();
    }

    /// The circle with the most equal failures. `None` if no check failed often enough.
    pub(crate) fn current(&self) -> Option<Circle> {
        let worst = self.failing.iter().max_by_key(|failing| failing.times)?;
        (worst.times >= MIN_TIMES).then(|| Circle {
            check: worst.checks.join(" && "),
            failure: worst.failure.label.clone(),
            times: worst.times,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An event of a session: an edit, or a run of a check.
    #[derive(Clone, Copy)]
    enum Event {
        Edit,
        Prompt,
        Run { line: &'static str, failed: bool, output: &'static str },
    }

    const A: Event = Event::Run { line: "cargo test", failed: true, output: "test a ... FAILED" };
    const B: Event = Event::Run { line: "cargo test", failed: true, output: "test b ... FAILED" };
    const PASS: Event = Event::Run { line: "cargo test", failed: false, output: "" };
    const NO_OUTPUT: Event = Event::Run { line: "cargo test", failed: true, output: "" };
    const LINT: Event =
        Event::Run { line: "cargo clippy", failed: true, output: "error: unused `a`" };
    const BOTH_PASS: Event =
        Event::Run { line: "cargo clippy && cargo test", failed: false, output: "" };
    use Event::{Edit, Prompt};

    fn fold(events: &[Event]) -> Circles {
        let mut circles = Circles::default();
        for event in events {
            match event {
                Edit => circles.changed(),
                Prompt => circles.reset(),
                Event::Run { line, failed, output } => {
                    let run = CheckRun::of_line(&verger_shell::read(line), *failed, output);
                    circles.checked(&run.unwrap());
                }
            }
        }
        circles
    }

    fn circle(check: &str, failure: &str, times: u32) -> Circle {
        Circle { check: check.to_owned(), failure: failure.to_owned(), times }
    }

    #[test]
    fn the_same_failure_three_times_with_edits_between_is_a_circle() {
        let cases: &[(&[Event], Option<Circle>)] = &[
            (&[A, Edit, A], None),
            (&[A, Edit, A, Edit, A], Some(circle("cargo test", "a", 3))),
            (&[A, Edit, A, Edit, A, Edit], Some(circle("cargo test", "a", 3))),
            (&[A, Edit, A, Edit, A, Edit, Edit, A], Some(circle("cargo test", "a", 4))),
            (&[A, A, A, A], None),
            (&[A, Edit, A, A, A], None),
            (&[Edit, Edit, Edit, Edit, Edit], None),
            (&[A, Edit, A, Edit, PASS], None),
            (&[A, Edit, PASS, Edit, A, Edit, A], None),
            (&[A, Edit, A, Edit, B], None),
            (&[A, Edit, B, Edit, A, Edit, B], None),
            (&[A, Edit, A, Edit, A, PASS], None),
            (&[A, Edit, A, Edit, A, B], None),
            (&[A, Edit, A, Prompt, Edit, A], None),
            (&[A, Edit, A, Edit, A, Prompt], None),
            (&[A, Edit, NO_OUTPUT, Edit, A, Edit, A], Some(circle("cargo test", "a", 3))),
            (&[NO_OUTPUT, Edit, NO_OUTPUT, Edit, NO_OUTPUT], None),
            (&[A, Edit, LINT, A, Edit, LINT, A], Some(circle("cargo test", "a", 3))),
            (&[LINT, Edit, LINT, Edit, LINT, BOTH_PASS], None),
        ];
        for (at, (events, expected)) in cases.iter().enumerate() {
            assert_eq!(fold(events).current(), *expected, "case {at}");
        }
    }

    #[test]
    fn few_checks_are_remembered_and_stored_small() {
        let mut circles = Circles::default();
        for n in 0..100 {
            let line = verger_shell::read(&format!("make test:{n}"));
            let output = format!("error: {}", "x".repeat(10_000));
            circles.checked(&CheckRun::of_line(&line, true, &output).unwrap());
        }
        assert_eq!(circles.failing.len(), MAX_CHECKS);
        let stored = serde_json::to_string(&circles).unwrap();
        assert!(stored.len() < 4_096, "{}", stored.len());
        assert_eq!(serde_json::from_str::<Circles>(&stored).unwrap(), circles);
    }
}
