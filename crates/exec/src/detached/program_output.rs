//! Runs a program to its end within limits of time and output. Collects both of its output streams
//! at the same time.

use std::io::{self, Read};
use std::mem;
use std::sync::mpsc::{self, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use rustix::io::Errno;
use rustix::process::{Pid, WaitId, WaitIdOptions, waitid};

use super::Ending;
use crate::deadline::{self, Deadline};
use crate::program::Program;
use crate::running::RunError;

/// The time for which reading continues after the program has ended. Processes that the program
/// started may keep the pipes open for longer.
const DRAIN: Duration = Duration::from_secs(1);

/// The limits within which a program runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    pub time: Duration,
    /// The size limit of each output stream. If standard output exceeds it, the program is killed.
    /// If standard error exceeds it, the rest is discarded.
    pub output_bytes: u64,
}

/// The result of running a program: its ending, running time and output.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ran {
    pub ending: Ending,
    pub took: Duration,
    pub stdout: Vec<u8>,
    pub stderr: Vec<u8>,
}

enum News {
    Closed,
    Flooded,
    Exited(Ending),
}

/// The reaction when an output stream exceeds the limit.
#[derive(Clone, Copy)]
enum Excess {
    EndsIt,
    IsCut,
}

/// Runs a program within limits. When this function returns, the program and its process group are
/// gone.
pub fn run_within(program: Program, limits: Limits) -> io::Result<Ran> {
    let start = deadline::now();
    let mut deadline = Deadline::after(limits.time);
    let mut running = program.start().map_err(|error| match error {
        RunError::Start(error) => error,
        other => io::Error::other(other),
    })?;
    let (sender, news) = mpsc::channel();
    let (stdout, stderr) = running.take_streams();
    let limit = usize::try_from(limits.output_bytes).unwrap_or(usize::MAX);
    let stdout = collect(stdout, limit, Excess::EndsIt, &sender)?;
    let stderr = collect(stderr, limit, Excess::IsCut, &sender)?;
    tell_exit(running.pid(), sender)?;
    let mut open_streams = 2;
    let mut exited = None;
    let ending = loop {
        if let (0, Some(ending)) = (open_streams, &exited) {
            break Clone::clone(ending);
        }
        match news.recv_timeout(deadline.patience()) {
            Ok(News::Closed) => open_streams -= 1,
            Ok(News::Flooded) => break Ending::Flooded,
            Ok(News::Exited(ending)) => {
                exited = Some(ending);
                deadline = Deadline::after(DRAIN);
            }
            Err(_) => break exited.unwrap_or(Ending::TimedOut),
        }
    };
    drop(running);
    let took = start.elapsed();
    Ok(Ran { ending, took, stdout: take(&stdout), stderr: take(&stderr) })
}

type Collected = Arc<Mutex<Vec<u8>>>;

fn take(collected: &Collected) -> Vec<u8> {
    mem::take(&mut *collected.lock().unwrap_or_else(PoisonError::into_inner))
}

/// Collects an output stream in a thread. The thread is not joined, because it ends only with the
/// last process that can write to the stream.
fn collect(
    stream: Option<impl Read + Send + 'static>,
    limit: usize,
    excess: Excess,
    sender: &Sender<News>,
) -> io::Result<Collected> {
    let collected = Collected::default();
    let (into, sender) = (Arc::clone(&collected), sender.clone());
    thread::Builder::new().name("job output".to_owned()).spawn(move || {
        let news = read_all(stream, limit, excess, &into);
        // Sending fails after the program has ended, because the receiver is dropped.
        drop(sender.send(news));
    })?;
    Ok(collected)
}

fn read_all(
    stream: Option<impl Read>,
    limit: usize,
    excess: Excess,
    into: &Mutex<Vec<u8>>,
) -> News {
    let Some(mut stream) = stream else { return News::Closed };
    let mut buffer = [0; 8 * 1024];
    while let Ok(length @ 1..) = stream.read(&mut buffer) {
        let mut collected = into.lock().unwrap_or_else(PoisonError::into_inner);
        let room = limit - collected.len();
        collected.extend_from_slice(&buffer[..length.min(room)]);
        if let (true, Excess::EndsIt) = (length > room, excess) {
            return News::Flooded;
        }
    }
    News::Closed
}

/// Sends the program's exit, and does not reap the process. So the ids of the process and its group
/// can't be reused yet.
fn tell_exit(pid: Pid, sender: Sender<News>) -> io::Result<()> {
    thread::Builder::new().name("job end".to_owned()).spawn(move || {
        let ending = loop {
            match waitid(WaitId::Pid(pid), WaitIdOptions::EXITED | WaitIdOptions::NOWAIT) {
                Err(Errno::INTR) | Ok(None) => {}
                Err(error) => {
                    break Ending::NotRun { why: format!("wait for the program: {error}") };
                }
                Ok(Some(status)) => {
                    break match (status.exit_status(), status.terminating_signal()) {
                        (Some(code), _) => Ending::Exited { code },
                        (None, signal) => Ending::Signalled { signal: signal.unwrap_or_default() },
                    };
                }
            }
        };
        drop(sender.send(News::Exited(ending)));
    })?;
    Ok(())
}
