//! A child process within limits of time and output. It is reaped whatever happens.

use std::io::{self, Read};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

/// What is kept of each output stream. A child that writes more loses the pipe.
const MAX_OUTPUT_BYTES: u64 = 64 * 1024;

const FIRST_PAUSE: Duration = Duration::from_micros(50);
const LONGEST_PAUSE: Duration = Duration::from_millis(5);

/// The moment at which waiting ends; never, for a limit beyond what a clock can say.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Deadline(Option<Instant>);

impl Deadline {
    #[expect(clippy::disallowed_methods, reason = "a deadline is where the clock is read")]
    pub(crate) fn after(limit: Duration) -> Self {
        Self(Instant::now().checked_add(limit))
    }

    #[expect(clippy::disallowed_methods, reason = "a deadline is where the clock is read")]
    fn remaining(self) -> Duration {
        self.0.map_or(Duration::MAX, |end| end.saturating_duration_since(Instant::now()))
    }
}

#[derive(Debug)]
pub(crate) struct Output {
    pub(crate) status: ExitStatus,
    pub(crate) stdout: Vec<u8>,
    pub(crate) stderr: Vec<u8>,
}

#[derive(Debug, thiserror::Error)]
pub(crate) enum RunError {
    #[error("start the program")]
    Start(#[source] io::Error),
    #[error("wait for the program within its time")]
    TimedOut,
    #[error("read what the program wrote")]
    Read(#[source] io::Error),
}

pub(crate) fn run(command: &mut Command, deadline: Deadline) -> Result<Output, RunError> {
    let mut child = command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(RunError::Start)?;
    let result = collect(&mut child, deadline);
    if result.is_err() {
        // Either may fail only because the child is gone already, which is what is wanted.
        drop(child.kill());
        drop(child.wait());
    }
    result
}

fn collect(child: &mut Child, deadline: Deadline) -> Result<Output, RunError> {
    let stdout = child.stdout.take();
    let stderr = child.stderr.take();
    let (sender, receiver) = mpsc::sync_channel(1);
    // Not joined: a descendant that survives the child may hold the pipe open for as long as it
    // likes. One stream after the other is enough, since a full second pipe only stops the child
    // until its time is over.
    thread::Builder::new()
        .name("git output".to_owned())
        .spawn(move || {
            let streams = read_bounded(stdout)
                .and_then(|stdout| read_bounded(stderr).map(|stderr| (stdout, stderr)));
            // Nobody listens any more after the deadline.
            drop(sender.send(streams));
        })
        .map_err(RunError::Read)?;
    let (stdout, stderr) = receiver
        .recv_timeout(deadline.remaining())
        .map_err(|_| RunError::TimedOut)?
        .map_err(RunError::Read)?;
    let status = wait(child, deadline)?;
    Ok(Output { status, stdout, stderr })
}

fn read_bounded(stream: Option<impl Read>) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    if let Some(stream) = stream {
        stream.take(MAX_OUTPUT_BYTES).read_to_end(&mut bytes)?;
    }
    Ok(bytes)
}

/// The child has closed its output and so is about to end.
fn wait(child: &mut Child, deadline: Deadline) -> Result<ExitStatus, RunError> {
    let mut pause = FIRST_PAUSE;
    loop {
        if let Some(status) = child.try_wait().map_err(RunError::Read)? {
            return Ok(status);
        }
        let remaining = deadline.remaining();
        if remaining.is_zero() {
            return Err(RunError::TimedOut);
        }
        pause_for(pause.min(remaining));
        pause = (pause * 2).min(LONGEST_PAUSE);
    }
}

#[expect(clippy::disallowed_methods, reason = "std has no wait for a child with a time limit")]
fn pause_for(pause: Duration) {
    thread::sleep(pause);
}
