//! The progress of a run of checks, in a file in the job's directory.

use std::fs;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use verger_exec::detached::Job;

const FILE: &str = "progress";

/// The check that is running.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Progress {
    pub(crate) check: String,
    /// The number of the check, from 1.
    pub(crate) number: usize,
    pub(crate) of: usize,
    /// How long the run had taken when the check began.
    pub(crate) began_millis: u64,
}

impl Progress {
    /// Writes the progress. An error is ignored, because no result depends on it.
    pub(crate) fn tell(&self, job: &Job) {
        drop(job.write(FILE, &serde_json::to_vec(self).unwrap_or_default()));
    }

    pub(crate) fn read(job: &Job) -> Option<Self> {
        serde_json::from_slice(&fs::read(job.directory().join(FILE)).ok()?).ok()
    }

    /// The progress in a few words. `since` is how long the run has taken so far.
    pub(crate) fn words(&self, since: Duration) -> String {
        format!(
            "{}, {} of {}, for {} s",
            self.check,
            self.number,
            self.of,
            self.took(since).as_secs()
        )
    }

    /// How long the check has taken so far.
    pub(crate) fn took(&self, since: Duration) -> Duration {
        since.saturating_sub(Duration::from_millis(self.began_millis))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn written_progress_is_read_and_missing_progress_is_none() {
        let directory = tempfile::tempdir().unwrap();
        let job = Job::at(directory.path());
        assert_eq!(Progress::read(&job), None);
        let progress =
            Progress { check: "tests (cargo)".to_owned(), number: 2, of: 9, began_millis: 1500 };
        progress.tell(&job);
        assert_eq!(Progress::read(&job), Some(progress.clone()));
        let told = progress.words(Duration::from_millis(63_400));
        assert_eq!(told, "tests (cargo), 2 of 9, for 61 s");
        assert_eq!(progress.took(Duration::ZERO), Duration::ZERO);
    }
}
