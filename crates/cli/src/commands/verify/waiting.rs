//! Waits for a run of checks and reports its progress.

use std::time::Duration;

use verger_exec::Deadline;
use verger_exec::detached::{Attached, Ending, Job, Report};

use crate::invocation::command_error::CommandError;
use crate::render::output::Ui;
use crate::verify::progress::Progress;
use crate::verify::result::RunResult;

/// The time until the first progress report. Quick checks end earlier and need no report. People
/// get the first report earlier than programs.
const FIRST_FOR_A_PERSON: Duration = Duration::from_secs(1);
const FIRST_FOR_OTHERS: Duration = Duration::from_secs(10);
const THEN_EVERY: Duration = Duration::from_secs(15);
/// The maximum length of the error line that is shown after a failed run.
const MAX_LAST_WORDS_BYTES: usize = 300;

/// The result of waiting.
pub(super) enum Waited {
    Ended(Box<RunResult>),
    /// The run can no longer end normally, for this reason.
    Lost {
        why: String,
    },
    StillRunning {
        /// The progress of the run, in a few words.
        at: Option<String>,
    },
}

#[derive(Debug, thiserror::Error)]
#[error("read the state of the running verification")]
struct NotWaited(#[source] std::io::Error);

/// Waits until the deadline and reports the progress regularly.
pub(super) fn wait(ui: &Ui, job: &Job, deadline: Deadline<'_>) -> Result<Waited, CommandError> {
    let first = if ui.is_watched() { FIRST_FOR_A_PERSON } else { FIRST_FOR_OTHERS };
    let mut told: Option<(usize, Duration)> = None;
    attach(job, deadline, |since| {
        let Some(progress) = Progress::read(job) else { return };
        let due = match told {
            Some((number, at)) if number == progress.number => at + THEN_EVERY,
            Some(_) | None => first,
        };
        let took = progress.took(since);
        if took >= due {
            told = Some((progress.number, took));
            ui.tell(&progress.words(since));
        }
    })
}

/// The state of the run now, without waiting.
pub(super) fn look(job: &Job) -> Result<Waited, CommandError> {
    attach(job, Deadline::after(Duration::ZERO), |_| ())
}

fn attach(
    job: &Job,
    deadline: Deadline<'_>,
    mut progress: impl FnMut(Duration),
) -> Result<Waited, CommandError> {
    let mut last = Duration::ZERO;
    let attached = job.attach_begun(deadline, |since| {
        last = since;
        progress(since);
    });
    let attached = attached.map_err(|source| CommandError::Failed {
        source: NotWaited(source).into(),
        hint: format!("ls -ld {}", job.directory().display()),
    })?;
    Ok(match attached {
        Attached::StillRunning => {
            Waited::StillRunning { at: Progress::read(job).map(|progress| progress.words(last)) }
        }
        Attached::Removed => Waited::Lost { why: "its job directory is missing".to_owned() },
        Attached::Died => {
            Waited::Lost { why: "the process that supervised it was killed".to_owned() }
        }
        Attached::Ended(report) => ended(job, &report),
    })
}

fn ended(job: &Job, report: &Report) -> Waited {
    // Output that cannot be read counts as empty.
    let (stdout, stderr) = (job.stdout().unwrap_or_default(), job.stderr().unwrap_or_default());
    let how = match (&report.ending, serde_json::from_slice(&stdout)) {
        (Ending::Exited { code: 0 }, Ok(result)) => return Waited::Ended(result),
        (Ending::Exited { code: 0 }, Err(_)) => "its process reported no result".to_owned(),
        (Ending::Exited { code }, _) => format!("its process exited with {code}"),
        (Ending::Signalled { signal }, _) => format!("its process was ended by signal {signal}"),
        (Ending::TimedOut, _) => {
            format!("its process did not end within {} s", report.took.as_secs())
        }
        (Ending::Flooded, _) => "its result is too long".to_owned(),
        (Ending::NotRun { why }, _) => format!("its process could not be run: {why}"),
    };
    let why = match last_words(&stderr) {
        Some(words) => format!("{how}: {words}"),
        None => how,
    };
    Waited::Lost { why }
}

/// The last line that the run wrote to its standard error.
fn last_words(stderr: &[u8]) -> Option<String> {
    let text = String::from_utf8_lossy(stderr);
    let line = text.lines().map(str::trim).rfind(|line| !line.is_empty())?;
    Some(line[..line.floor_char_boundary(MAX_LAST_WORDS_BYTES)].to_owned())
}
