//! Runs the phases of a long chore. For each phase, prints its start, its duration and its result.

use std::fmt::Write as _;
use std::time::{Duration, Instant};

use crate::failure::Failure;

/// Runs phases one after the other and stores their results.
pub(crate) struct Phases {
    started: Instant,
    done: Vec<Phase>,
}

struct Phase {
    name: &'static str,
    took: Duration,
    outcome: Outcome,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    Passed,
    Failed,
    Skipped,
}

impl Phases {
    pub(crate) fn start() -> Self {
        Self { started: Instant::now(), done: Vec::new() }
    }

    /// Runs a phase. If the phase fails, the error is printed immediately, next to the output that
    /// explains it, and the next phases still run.
    pub(crate) fn run(
        &mut self,
        name: &'static str,
        phase: impl FnOnce() -> Result<(), Failure>,
    ) -> Outcome {
        eprintln!("\n== {name} (at {})", seconds(self.started.elapsed()));
        let started = Instant::now();
        let outcome = match phase() {
            Ok(()) => Outcome::Passed,
            Err(failure) => {
                eprint!("{}", failure.report());
                Outcome::Failed
            }
        };
        let took = started.elapsed();
        eprintln!("== {name}: {} in {}", word(outcome), seconds(took));
        self.done.push(Phase { name, took, outcome });
        outcome
    }

    pub(crate) fn skip(&mut self, name: &'static str, why: &str) {
        eprintln!("\n== {name}: SKIPPED, {why}");
        self.done.push(Phase { name, took: Duration::ZERO, outcome: Outcome::Skipped });
    }

    /// Prints the final table of all phases. Fails if a phase failed.
    pub(crate) fn finish(self) -> Result<(), Failure> {
        eprint!("\n{}", table(&self.done, self.started.elapsed()));
        let failed: Vec<_> = self
            .done
            .iter()
            .filter(|phase| phase.outcome == Outcome::Failed)
            .map(|phase| phase.name)
            .collect();
        if failed.is_empty() { Ok(()) } else { Err(Failure::PhasesFailed { phases: failed }) }
    }
}

fn table(phases: &[Phase], total: Duration) -> String {
    let mut text = String::new();
    let width = phases.iter().map(|phase| phase.name.len()).max().unwrap_or(0).max("total".len());
    for Phase { name, took, outcome } in phases {
        let took = seconds(*took);
        let word = word(*outcome);
        // Writing to a String cannot fail.
        writeln!(text, "{name:width$}  {took:>9}  {word}").unwrap_or_default();
    }
    writeln!(text, "{:width$}  {:>9}", "total", seconds(total)).unwrap_or_default();
    text
}

fn word(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Passed => "passed",
        Outcome::Failed => "FAILED",
        Outcome::Skipped => "SKIPPED",
    }
}

fn seconds(duration: Duration) -> String {
    format!("{:.1} s", duration.as_secs_f64())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_closing_table_lines_up_and_shows_every_outcome() {
        let phases = [
            Phase { name: "build", took: Duration::from_millis(61_240), outcome: Outcome::Passed },
            Phase { name: "tests", took: Duration::from_secs(5), outcome: Outcome::Failed },
            Phase { name: "real clients", took: Duration::ZERO, outcome: Outcome::Skipped },
        ];
        assert_eq!(
            table(&phases, Duration::from_secs(67)),
            "build            61.2 s  passed\n\
             tests             5.0 s  FAILED\n\
             real clients      0.0 s  SKIPPED\n\
             total            67.0 s\n"
        );
    }

    #[test]
    fn a_failing_phase_does_not_stop_the_next_one_but_fails_the_chore() {
        let mut phases = Phases::start();
        let first = phases.run("first", || Err(Failure::NoHost));
        let second = phases.run("second", || Ok(()));
        assert_eq!((first, second), (Outcome::Failed, Outcome::Passed));
        assert_eq!(phases.finish().unwrap_err().to_string(), "failed: first");
    }
}
