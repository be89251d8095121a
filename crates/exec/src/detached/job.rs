//! A job, as processes use it that start it or wait for it.

use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::files::{self, BEGUN, INPUT, LOCK, ORDER, STATUS, STDERR, STDOUT};
use super::nesting::{MAX_DEPTH, depth};
use super::{Order, Report, Supervisor, remains};
use crate::deadline::Deadline;
use crate::running::{RunError, pause_for};

/// The time limit for the start of a supervisor. A start takes milliseconds, but much longer on a
/// busy machine.
const BEGIN_LIMIT: Duration = Duration::from_secs(20);
/// The interval at which a waiting process checks the job's state.
const LOOK_EVERY: Duration = Duration::from_millis(20);

/// A job, identified by its directory. Only verger's processes write to the parent directory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Job {
    directory: PathBuf,
}

/// The state of a job, as a check finds it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum JobState {
    /// The job does not exist.
    Absent,
    /// The job exists, but no supervisor has started it yet.
    Waiting,
    Running {
        /// The running time of the job so far.
        since: Duration,
    },
    Ended(Report),
    /// The supervisor was killed before the job ended.
    Died,
}

/// The result of waiting for a job.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Attached {
    Ended(Report),
    /// The supervisor was killed before the job ended. The job's remaining processes were killed,
    /// as far as they could be found.
    Died,
    /// The job existed earlier and was removed.
    Removed,
    /// The deadline has passed, and the job is still running.
    StillRunning,
}

/// Whether an earlier check found the job.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Seen {
    NotYet,
    Once,
}

#[derive(Debug, thiserror::Error)]
pub enum StartError {
    #[error("write the job into {}", directory.display())]
    Write {
        directory: PathBuf,
        #[source]
        source: io::Error,
    },
    #[error("look at the job in {}", directory.display())]
    Look {
        directory: PathBuf,
        #[source]
        source: io::Error,
    },
    #[error("start the supervisor of a job")]
    Run(#[source] RunError),
    #[error("start the supervisor of a job: {message}")]
    Refused { message: String },
    #[error("start the supervisor of a job: it did not begin within {BEGIN_LIMIT:?}")]
    NotBegun,
    #[error("start a job inside of another job")]
    TooDeep,
}

impl Job {
    pub fn at(directory: impl Into<PathBuf>) -> Self {
        Self { directory: directory.into() }
    }

    pub fn directory(&self) -> &Path {
        &self.directory
    }

    /// Starts the job with `input` as its standard input. An existing job keeps its order and its
    /// input. Returns after a supervisor has begun to run the job.
    pub fn start(
        &self,
        order: &Order,
        input: &[u8],
        supervisor: &Supervisor,
    ) -> Result<(), StartError> {
        if depth(&supervisor.environment) >= MAX_DEPTH {
            return Err(StartError::TooDeep);
        }
        let failed = |source| StartError::Write { directory: self.directory.clone(), source };
        self.prepare(order, input).map_err(failed)?;
        self.resume(supervisor)
    }

    /// Starts a supervisor for an existing job that may have no supervisor.
    pub fn resume(&self, supervisor: &Supervisor) -> Result<(), StartError> {
        let failed = |source| StartError::Look { directory: self.directory.clone(), source };
        let deadline = Deadline::after(BEGIN_LIMIT);
        if self.state().map_err(failed)? == JobState::Waiting {
            supervisor.detach(&self.directory, deadline)?;
        }
        while self.state().map_err(failed)? == JobState::Waiting {
            if deadline.is_over() {
                return Err(StartError::NotBegun);
            }
            pause_for(LOOK_EVERY);
        }
        Ok(())
    }

    /// Creates the job in a draft directory and renames it, so that other processes never see an
    /// incomplete job.
    fn prepare(&self, order: &Order, input: &[u8]) -> io::Result<()> {
        if self.directory.try_exists()? {
            return Ok(());
        }
        let draft = files::make_draft(&self.directory)?;
        files::write_new(&draft.join(ORDER), &order.encode())?;
        files::write_new(&draft.join(INPUT), input)?;
        match fs::rename(&draft, &self.directory) {
            // Another process has created the job in the meantime.
            Err(error)
                if matches!(
                    error.kind(),
                    ErrorKind::DirectoryNotEmpty | ErrorKind::AlreadyExists
                ) =>
            {
                remove(&draft)
            }
            other => other,
        }
    }

    pub fn state(&self) -> io::Result<JobState> {
        // The state is checked in this order, because the returned state was then correct at some
        // moment during the call, even if the job changes meanwhile.
        let begun = match fs::metadata(self.directory.join(BEGUN)) {
            Ok(metadata) => metadata,
            Err(error) if error.kind() == ErrorKind::NotFound => {
                let is_there = self.directory.try_exists()?;
                return Ok(if is_there { JobState::Waiting } else { JobState::Absent });
            }
            Err(error) => return Err(error),
        };
        let is_locked = files::is_locked(&self.directory.join(LOCK))?;
        Ok(match (self.report()?, is_locked) {
            (Some(report), _) => JobState::Ended(report),
            // If the clock was set back, the job seems to have started in the future, so its
            // running time is zero.
            (None, true) => {
                JobState::Running { since: begun.modified()?.elapsed().unwrap_or_default() }
            }
            // The job may have been removed since the first check.
            (None, false) if self.directory.try_exists()? => JobState::Died,
            (None, false) => JobState::Absent,
        })
    }

    fn report(&self) -> io::Result<Option<Report>> {
        let status = files::read(&self.directory.join(STATUS))?;
        Ok(status.and_then(|bytes| Report::parse(std::str::from_utf8(&bytes).ok()?)))
    }

    /// Waits for the end of the job. If the job does not exist yet, waits for that too. Calls
    /// `progress` regularly with the job's running time.
    pub fn attach(
        &self,
        deadline: Deadline<'_>,
        progress: impl FnMut(Duration),
    ) -> io::Result<Attached> {
        self.wait(deadline, progress, Seen::NotYet)
    }

    /// Like [`Self::attach`], for a job that existed a moment ago. If the job is missing, returns
    /// at once.
    pub fn attach_begun(
        &self,
        deadline: Deadline<'_>,
        progress: impl FnMut(Duration),
    ) -> io::Result<Attached> {
        self.wait(deadline, progress, Seen::Once)
    }

    fn wait(
        &self,
        deadline: Deadline<'_>,
        mut progress: impl FnMut(Duration),
        mut seen: Seen,
    ) -> io::Result<Attached> {
        loop {
            match (self.state()?, seen) {
                (JobState::Ended(report), _) => return Ok(Attached::Ended(report)),
                (JobState::Died, _) => {
                    remains::end(&self.directory);
                    return Ok(Attached::Died);
                }
                (JobState::Absent, Seen::Once) => return Ok(Attached::Removed),
                // Another process may be about to start the job.
                (JobState::Absent, Seen::NotYet) => {}
                (JobState::Waiting, _) => seen = Seen::Once,
                (JobState::Running { since }, _) => {
                    seen = Seen::Once;
                    progress(since);
                }
            }
            if deadline.is_over() {
                return Ok(Attached::StillRunning);
            }
            pause_for(LOOK_EVERY.min(deadline.patience()));
        }
    }

    /// Writes a file of the caller's into the job's directory, atomically. Only the owner can read
    /// it.
    pub fn write(&self, name: &str, bytes: &[u8]) -> io::Result<()> {
        files::write_whole(&self.directory.join(name), bytes)
    }

    /// The program's standard input.
    pub fn input(&self) -> io::Result<Vec<u8>> {
        self.read(INPUT)
    }

    /// Reads the program's standard output. Empty while the program runs.
    pub fn stdout(&self) -> io::Result<Vec<u8>> {
        self.read(STDOUT)
    }

    /// Reads the program's standard error. Empty while the program runs.
    pub fn stderr(&self) -> io::Result<Vec<u8>> {
        self.read(STDERR)
    }

    fn read(&self, name: &str) -> io::Result<Vec<u8>> {
        Ok(files::read(&self.directory.join(name))?.unwrap_or_default())
    }

    /// Kills the job's processes and removes its directory. The directory is renamed first, so that
    /// the supervisor can't write to it when the program ends.
    pub fn remove(self) -> io::Result<()> {
        let moved = match files::move_aside(&self.directory) {
            Err(error) if error.kind() == ErrorKind::NotFound => None,
            other => Some(other?),
        };
        remains::end(&self.directory);
        moved.map_or(Ok(()), |moved| remove(&moved))
    }
}

fn remove(directory: &Path) -> io::Result<()> {
    match fs::remove_dir_all(directory) {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
        other => other,
    }
}
