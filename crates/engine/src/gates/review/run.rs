//! Reviews by a program that verger runs: finds the running review, and collects its result.
//!
//! The command that started a review may have ended before the review does. So the next command
//! or hook call collects the decision, and the gate accepts it once.

use std::io;
use std::time::Duration;

use crate::Home;
use verger_event::SessionKey;
use verger_exec::Deadline;
use verger_exec::detached::{Attached, Ending, Job, Report};
use verger_gate::review::{
    Decision, Outcome, Ran, Review, ReviewerId, Reviewing, Stage, read_answer,
};

/// Maximum number of bytes that a reviewer's program may write to each of its output streams.
pub const MAX_REVIEW_OUTPUT_BYTES: u64 = 1024 * 1024;
/// Maximum number of bytes shown of a failed program's last line.
const MAX_LAST_WORDS_BYTES: usize = 300;

/// A review by a program, in the gate's state.
pub struct ReviewRun<'a> {
    /// The job's id.
    pub id: &'a str,
    /// The gate's state of this review.
    pub reviewing: &'a Reviewing,
}

impl<'a> ReviewRun<'a> {
    /// The review whose decision was not collected yet.
    pub fn under_way(review: &'a Review) -> Option<Self> {
        review.reviewers.iter().find_map(|(reviewer, reviewing)| match reviewer {
            ReviewerId::Command(id) if reviewing.stage != Stage::Decided => {
                Some(Self { id, reviewing })
            }
            ReviewerId::Command(_) | ReviewerId::Subagent(_) => None,
        })
    }
}

/// The job of the session's review with this id.
pub fn review_job(home: &Home, key: &SessionKey, id: &str) -> Job {
    Job::at(home.reviews(&key.file_stem()).join(id))
}

/// The result of a review.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReviewEnd {
    /// The decision for the gate.
    pub decision: Decision,
    /// How the program ended.
    pub ran: Ran,
}

impl ReviewEnd {
    /// Waits for the end of a review. Returns `None` if it still runs at the deadline. `progress`
    /// is called from time to time with the running time.
    pub fn wait(
        job: &Job,
        deadline: Deadline<'_>,
        mut progress: impl FnMut(Duration),
    ) -> io::Result<Option<Self>> {
        loop {
            return Ok(match job.attach(deadline, &mut progress)? {
                // Another process is starting the job again in the same directory, so the wait is
                // repeated.
                Attached::Removed => continue,
                Attached::StillRunning => None,
                Attached::Ended(report) => Some(Self::of(job, &report)),
                Attached::Died => Some(Self::died()),
            });
        }
    }

    fn of(job: &Job, report: &Report) -> Self {
        // Unreadable output counts as no answer.
        let (stdout, stderr) = (job.stdout().unwrap_or_default(), job.stderr().unwrap_or_default());
        Self::from_output(report, &stdout, &stderr)
    }

    fn from_output(report: &Report, stdout: &[u8], stderr: &[u8]) -> Self {
        let took_millis = u64::try_from(report.took.as_millis()).ok();
        let ending = ending(&report.ending, report.took);
        let decision = match (&report.ending, read_answer(stdout)) {
            (Ending::Exited { code: 0 }, Ok(decision)) => decision,
            (Ending::Exited { code: 0 }, Err(bad)) => {
                unavailable(format!("the reviewer did not decide: {bad}"))
            }
            _ => unavailable(match last_words(stderr) {
                Some(words) => format!("the reviewer {ending}: {words}"),
                None => format!("the reviewer {ending}"),
            }),
        };
        Self { decision, ran: Ran { ending, took_millis } }
    }

    /// The result of a review that could not be started.
    pub fn not_run(why: &str) -> Self {
        Self::without_report(format!("could not be run: {why}"))
    }

    fn died() -> Self {
        Self::without_report("was lost: the process that watched it was killed".to_owned())
    }

    fn without_report(ending: String) -> Self {
        let decision = unavailable(format!("the reviewer {ending}"));
        Self { decision, ran: Ran { ending, took_millis: None } }
    }
}

/// The result of a review, as a fact for the gate.
#[derive(Debug)]
pub(crate) struct EndedRun {
    pub(crate) id: String,
    pub(crate) end: ReviewEnd,
    /// The files that differ from the reviewed content.
    pub(crate) changed_paths: Vec<String>,
}

fn unavailable(summary: String) -> Decision {
    Decision { outcome: Outcome::Unavailable, summary, message: None, opinions: None }
}

fn ending(ending: &Ending, took: Duration) -> String {
    match ending {
        Ending::Exited { code } => format!("exited with {code}"),
        Ending::Signalled { signal } => format!("was ended by signal {signal}"),
        Ending::TimedOut => format!("did not finish within {} s", took.as_secs()),
        Ending::Flooded => {
            format!("wrote more than {} KiB", MAX_REVIEW_OUTPUT_BYTES / 1024)
        }
        Ending::NotRun { why } => format!("could not be run: {why}"),
    }
}

/// The last nonempty line that a program wrote to standard error.
fn last_words(stderr: &[u8]) -> Option<String> {
    let text = String::from_utf8_lossy(stderr);
    let line = text.lines().map(str::trim).rfind(|line| !line.is_empty())?;
    Some(line[..line.floor_char_boundary(MAX_LAST_WORDS_BYTES)].to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(ending: Ending, stdout: &str, stderr: &str, expected: (Outcome, &str, &str)) {
        let report = Report { ending, took: Duration::from_millis(61_500) };
        let end = ReviewEnd::from_output(&report, stdout.as_bytes(), stderr.as_bytes());
        let (outcome, summary, words) = expected;
        let decision = Decision { outcome, ..unavailable(summary.to_owned()) };
        let ran = Ran { ending: words.to_owned(), took_millis: Some(61_500) };
        assert_eq!(end, ReviewEnd { decision, ran });
    }

    const COMPLETE: &str = r#"{"decision":"complete","summary":"fine"}"#;

    #[test]
    fn only_a_program_that_ends_well_decides() {
        use Outcome::{Complete, Unavailable};
        let exited = |code| Ending::Exited { code };
        check(exited(0), COMPLETE, "noise", (Complete, "fine", "exited with 0"));
        let none = "the reviewer did not decide: its answer has no JSON object with a \"decision\"";
        check(exited(0), "fine by me", "", (Unavailable, none, "exited with 0"));
        let failed = "the reviewer exited with 3";
        check(exited(3), COMPLETE, "", (Unavailable, failed, "exited with 3"));
        let failed = "the reviewer exited with 1: quota exceeded";
        let stderr = "starting\n quota exceeded \n\n";
        check(exited(1), "", stderr, (Unavailable, failed, "exited with 1"));
        let signal = Ending::Signalled { signal: 9 };
        let words = "was ended by signal 9";
        check(signal, COMPLETE, "", (Unavailable, "the reviewer was ended by signal 9", words));
        let words = "did not finish within 61 s";
        let told = "the reviewer did not finish within 61 s";
        check(Ending::TimedOut, COMPLETE, "", (Unavailable, told, words));
        let words = "wrote more than 1024 KiB";
        let told = "the reviewer wrote more than 1024 KiB";
        check(Ending::Flooded, COMPLETE, "", (Unavailable, told, words));
        let why = "No such file or directory (os error 2)".to_owned();
        let words = "could not be run: No such file or directory (os error 2)";
        let told = format!("the reviewer {words}");
        check(Ending::NotRun { why }, "", "", (Unavailable, &told, words));
    }
}
