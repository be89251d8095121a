//! A running program, with limits on its time and output. The process is always reaped.

use std::io::{self, BufRead, BufReader, Read};
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, ExitStatus};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process_group};

use crate::deadline::Deadline;

/// The default limit of an output stream of which only the first part is kept. A program that
/// writes more gets a broken pipe.
const FIRST_PART_BYTES: u64 = 64 * 1024;

/// All output until a program's answer.
const ANSWER_BYTES: u64 = 16 * 1024 * 1024;

/// The part of the program's standard output that is kept.
#[derive(Debug, Clone, Copy)]
pub(crate) enum OutputLimit {
    FirstPart { bytes: u64 },
    Whole { bytes: u64 },
}

impl Default for OutputLimit {
    fn default() -> Self {
        Self::FirstPart { bytes: FIRST_PART_BYTES }
    }
}

const FIRST_PAUSE: Duration = Duration::from_micros(50);
const LONGEST_PAUSE: Duration = Duration::from_millis(5);

#[derive(Debug)]
pub struct Output {
    pub status: ExitStatus,
    pub stdout: Vec<u8>,
    pub stderr: Vec<u8>,
}

#[derive(Debug, thiserror::Error)]
pub enum RunError {
    #[error("start the program")]
    Start(#[source] io::Error),
    #[error("wait for the program within its time")]
    TimedOut,
    #[error("wait for the program: it was told to stop")]
    Stopped,
    #[error("read the program's output")]
    Read(#[source] io::Error),
    #[error("read the program's output: it is longer than {bytes} bytes")]
    TooMuchOutput { bytes: u64 },
}

/// A program that was started. Dropping the value before the program ends kills the program with
/// its whole process group.
#[derive(Debug)]
pub struct Running {
    child: Child,
    output: OutputLimit,
    is_reaped: bool,
}

impl Running {
    pub(crate) fn new(child: Child, output: OutputLimit) -> Self {
        Self { child, output, is_reaped: false }
    }

    pub(crate) fn pid(&self) -> Pid {
        Pid::from_child(&self.child)
    }

    pub(crate) fn take_streams(&mut self) -> (Option<ChildStdout>, Option<ChildStderr>) {
        (self.child.stdout.take(), self.child.stderr.take())
    }

    /// Waits for the program to end, at most until the deadline, and returns its output.
    pub fn finish(mut self, deadline: Deadline<'_>) -> Result<Output, RunError> {
        let streams = self.read_streams()?;
        let (stdout, stderr) = receive(&streams, deadline)??;
        let status = self.wait(deadline)?;
        Ok(Output { status, stdout, stderr })
    }

    pub(crate) fn take_input(&mut self) -> Option<ChildStdin> {
        self.child.stdin.take()
    }

    /// The first line of output that is the answer. Ends the program.
    pub(crate) fn answer(
        mut self,
        is_answer: impl Fn(&str) -> bool + Send + 'static,
        deadline: Deadline<'_>,
    ) -> Result<String, RunError> {
        let (stdout, _) = self.take_streams();
        let (sender, receiver) = mpsc::sync_channel(1);
        // Not joined: it ends when the program is killed.
        thread::Builder::new()
            .name("program answer".to_owned())
            .spawn(move || {
                let found = stdout.and_then(|stdout| {
                    let lines = BufReader::new(stdout.take(ANSWER_BYTES)).lines();
                    lines.map_while(Result::ok).find(|line| is_answer(line))
                });
                // The receiver is gone after the deadline.
                drop(sender.send(found));
            })
            .map_err(RunError::Read)?;
        receive(&receiver, deadline)?
            .ok_or_else(|| RunError::Read(io::ErrorKind::UnexpectedEof.into()))
    }

    fn read_streams(&mut self) -> Result<Receiver<Result<Streams, RunError>>, RunError> {
        let output = self.output;
        let (stdout, stderr) = self.take_streams();
        let (sender, receiver) = mpsc::sync_channel(1);
        // The thread is not joined, because a descendant of the program may keep the pipe open for
        // any time. The thread reads one stream after the other. If the pipe of the second stream
        // is full, the program blocks, but only until its time limit.
        thread::Builder::new()
            .name("program output".to_owned())
            .spawn(move || {
                let streams = read_output(stdout, output).and_then(|stdout| {
                    let stderr = read_bounded(stderr, FIRST_PART_BYTES).map_err(RunError::Read)?;
                    Ok((stdout, stderr))
                });
                // Sending fails after the deadline, because the receiver is dropped.
                drop(sender.send(streams));
            })
            .map_err(RunError::Read)?;
        Ok(receiver)
    }

    /// Waits for the program's exit. It is about to exit, because it has closed its output.
    fn wait(&mut self, deadline: Deadline<'_>) -> Result<ExitStatus, RunError> {
        let mut pause = FIRST_PAUSE;
        loop {
            if let Some(status) = self.child.try_wait().map_err(RunError::Read)? {
                self.is_reaped = true;
                return Ok(status);
            }
            if deadline.is_over() {
                return Err(reason(deadline));
            }
            pause_for(pause.min(deadline.patience()));
            pause = (pause * 2).min(LONGEST_PAUSE);
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        if !self.is_reaped {
            // Both calls fail only if the program has already exited. The id of its process group
            // can't be reused until the process is reaped.
            let _ended = kill_process_group(self.pid(), Signal::KILL);
            drop(self.child.wait());
        }
    }
}

type Streams = (Vec<u8>, Vec<u8>);

fn receive<T>(receiver: &Receiver<T>, deadline: Deadline<'_>) -> Result<T, RunError> {
    loop {
        match receiver.recv_timeout(deadline.patience()) {
            Ok(value) => return Ok(value),
            Err(RecvTimeoutError::Timeout) if !deadline.is_over() => {}
            Err(_) => return Err(reason(deadline)),
        }
    }
}

fn reason(deadline: Deadline<'_>) -> RunError {
    if deadline.is_stopped() { RunError::Stopped } else { RunError::TimedOut }
}

fn read_output(stream: Option<impl Read>, limit: OutputLimit) -> Result<Vec<u8>, RunError> {
    match limit {
        OutputLimit::FirstPart { bytes } => read_bounded(stream, bytes).map_err(RunError::Read),
        OutputLimit::Whole { bytes } => {
            let read = read_bounded(stream, bytes.saturating_add(1)).map_err(RunError::Read)?;
            if read.len() as u64 > bytes {
                Err(RunError::TooMuchOutput { bytes })
            } else {
                Ok(read)
            }
        }
    }
}

fn read_bounded(stream: Option<impl Read>, limit: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    if let Some(stream) = stream {
        stream.take(limit).read_to_end(&mut bytes)?;
    }
    Ok(bytes)
}

#[expect(clippy::disallowed_methods, reason = "another process's progress can only be polled")]
pub(crate) fn pause_for(pause: Duration) {
    thread::sleep(pause);
}
