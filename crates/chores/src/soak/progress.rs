//! Progress reports of the writers: one short line per step on a shared pipe. Each line is one
//! write, so the lines of several writers never mix.

use std::io::{PipeReader, PipeWriter, Read, pipe};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};

use crate::failure::Failure;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Step {
    /// The writer has the lock, and its commit has not returned yet.
    Inside,
    /// The writer's commit returned, and the record is in the log.
    Logged,
    /// The writer's commit returned, and the record is spilled.
    Spilled,
    /// The writer's commit failed.
    Refused,
}

const WORDS: [(Step, &str); 4] = [
    (Step::Inside, "inside"),
    (Step::Logged, "logged"),
    (Step::Spilled, "spilled"),
    (Step::Refused, "refused"),
];

/// Reports a writer's step on standard output.
pub(crate) fn report(writer: usize, step: Step, id: Option<&str>) {
    let word = WORDS.iter().find(|(known, _)| *known == step).map_or("", |(_, word)| word);
    let line = format!("{writer} {word} {}\n", id.unwrap_or("-"));
    // Writing fails only if the reader has exited. Then the report is not needed.
    rustix::io::write(rustix::stdio::stdout(), line.as_bytes()).unwrap_or_default();
}

/// The reports of all writers, read from the shared pipe.
pub(crate) struct Progress {
    pipe: PipeReader,
    unread: Vec<u8>,
    /// The last reported step of each writer.
    pub(crate) last: Vec<Option<Step>>,
    /// The ids of records whose commit returned.
    pub(crate) acknowledged: Vec<String>,
    pub(crate) spilled: usize,
    pub(crate) refused: usize,
    /// The number of the writer whose report was read last.
    pub(crate) latest: Option<usize>,
}

impl Progress {
    pub(crate) fn new(writers: usize) -> Result<(Self, PipeWriter), Failure> {
        let (reader, writer) = pipe().map_err(Failure::Pipe)?;
        let progress = Self {
            pipe: reader,
            unread: Vec::new(),
            last: vec![None; writers],
            acknowledged: Vec::new(),
            spilled: 0,
            refused: 0,
            latest: None,
        };
        Ok((progress, writer))
    }

    /// Reads reports until `deadline`, or until `is_enough` returns true. Returns whether more
    /// reports may follow.
    pub(crate) fn listen(
        &mut self,
        deadline: Instant,
        mut is_enough: impl FnMut(&Self) -> bool,
    ) -> Result<bool, Failure> {
        while !is_enough(self) {
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Ok(true);
            }
            if self.is_ready(left)? && !self.read_once()? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Reads everything that is in the pipe now, including all reports of writers that have died.
    pub(crate) fn drain(&mut self) -> Result<(), Failure> {
        let mut left =
            rustix::io::ioctl_fionread(&self.pipe).map_err(|error| Failure::Pipe(error.into()))?;
        while left > 0 {
            let mut chunk = [0; 4096];
            let wanted = chunk.len().min(usize::try_from(left).unwrap_or(chunk.len()));
            let read = self.pipe.read(&mut chunk[..wanted]).map_err(Failure::Pipe)?;
            self.unread.extend_from_slice(&chunk[..read]);
            left -= read as u64;
            self.take_lines();
        }
        Ok(())
    }

    fn is_ready(&self, wait: Duration) -> Result<bool, Failure> {
        let timeout = Timespec {
            tv_sec: i64::try_from(wait.as_secs()).unwrap_or(i64::MAX),
            tv_nsec: wait.subsec_nanos().into(),
        };
        match poll(&mut [PollFd::new(&self.pipe, PollFlags::IN)], Some(&timeout)) {
            Ok(ready) => Ok(ready > 0),
            Err(rustix::io::Errno::INTR) => Ok(false),
            Err(error) => Err(Failure::Pipe(error.into())),
        }
    }

    /// Reads once from the pipe. Returns whether any process can still write to it.
    fn read_once(&mut self) -> Result<bool, Failure> {
        let mut chunk = [0; 4096];
        let read = self.pipe.read(&mut chunk).map_err(Failure::Pipe)?;
        self.unread.extend_from_slice(&chunk[..read]);
        self.take_lines();
        Ok(read > 0)
    }

    fn take_lines(&mut self) {
        while let Some(end) = self.unread.iter().position(|byte| *byte == b'\n') {
            let line: Vec<u8> = self.unread.drain(..=end).collect();
            self.take_line(String::from_utf8_lossy(&line).trim_end());
        }
    }

    fn take_line(&mut self, line: &str) {
        let mut parts = line.split(' ');
        let writer = parts.next().and_then(|text| text.parse::<usize>().ok());
        let word = parts.next().unwrap_or_default();
        let step = WORDS.iter().find(|(_, known)| *known == word).map(|(step, _)| *step);
        let (Some(writer), Some(step)) = (writer, step) else { return };
        self.latest = Some(writer);
        if let Some(last) = self.last.get_mut(writer) {
            *last = Some(step);
        }
        match step {
            Step::Inside => {}
            Step::Refused => self.refused += 1,
            Step::Logged | Step::Spilled => {
                self.spilled += usize::from(step == Step::Spilled);
                self.acknowledged.extend(parts.next().map(str::to_owned));
            }
        }
    }
}

/// Starts a process whose standard output is the pipe. `command` is taken by value, because it
/// holds an end of the pipe. That end is closed when `command` is dropped.
pub(crate) fn start(mut command: Command, pipe: &PipeWriter) -> Result<Child, Failure> {
    let end = pipe.try_clone().map_err(Failure::Pipe)?;
    command
        .stdout(Stdio::from(end))
        .spawn()
        .map_err(|source| Failure::Start { command: "soak-writer".to_owned(), source })
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    #[test]
    fn steps_are_heard_in_order_and_counted() {
        let (mut progress, mut pipe) = Progress::new(2).unwrap();
        pipe.write_all(b"0 inside -\n1 inside -\n0 logged A\n1 spilled B\n1 refused C\n").unwrap();
        progress.drain().unwrap();
        assert_eq!(progress.last, [Some(Step::Logged), Some(Step::Refused)]);
        assert_eq!(progress.acknowledged, ["A", "B"]);
        assert_eq!((progress.spilled, progress.refused, progress.latest), (1, 1, Some(1)));
    }

    #[test]
    fn listening_ends_when_nobody_can_speak() {
        let (mut progress, pipe) = Progress::new(1).unwrap();
        drop(pipe);
        let deadline = Instant::now() + Duration::from_mins(1);
        assert!(!progress.listen(deadline, |_| false).unwrap());
    }
}
