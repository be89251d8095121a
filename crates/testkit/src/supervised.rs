//! A child process with a time limit and its own process group. Its output is read continuously.

use std::io::{BufRead, BufReader, Read, Write};
use std::mem;
use std::os::unix::process::CommandExt;
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process_group};

/// How long output is still read after the child has ended. A process that the child left behind
/// may keep the pipe open forever.
const DRAIN: Duration = Duration::from_secs(2);

pub(crate) struct Supervised {
    group: Pid,
    stdin: Option<ChildStdin>,
    reports: Receiver<Report>,
    deadline: Instant,
    open_streams: u8,
    ending: Ending,
    stdout: Vec<u8>,
    stderr: Vec<u8>,
}

pub(crate) struct Outcome {
    pub(crate) ending: Ending,
    pub(crate) stdout: Vec<u8>,
    pub(crate) stderr: Vec<u8>,
}

#[derive(Clone, Copy)]
pub(crate) enum Ending {
    Running,
    Exited(ExitStatus),
    TimedOut,
}

enum Report {
    Line(Vec<u8>),
    Stderr(Vec<u8>),
    Closed,
    Exited(ExitStatus),
}

impl Supervised {
    pub(crate) fn spawn(mut command: Command, limit: Duration) -> Self {
        command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .process_group(0);
        let program = command.get_program().to_owned();
        let mut child = command
            .spawn()
            .unwrap_or_else(|error| panic!("could not start {}: {error}", program.display()));
        let (sender, reports) = mpsc::channel();
        let (group, stdin) = (Pid::from_child(&child), child.stdin.take());
        watch(child, &sender);
        let deadline = Instant::now() + limit;
        let (stdout, stderr) = (Vec::new(), Vec::new());
        let ending = Ending::Running;
        Self { group, stdin, reports, deadline, open_streams: 2, ending, stdout, stderr }
    }

    /// Sends all input and closes it. Doesn't wait until the child reads it.
    pub(crate) fn feed(&mut self, input: Vec<u8>) {
        if let Some(mut stdin) = self.stdin.take() {
            // A program may end without reading its input, so a failed write is ignored.
            thread::spawn(move || drop(stdin.write_all(&input)));
        }
    }

    /// Sends a line and keeps the input open.
    pub(crate) fn send_line(&mut self, line: &str) {
        if let Some(stdin) = &mut self.stdin {
            // A failed write is ignored here too. The program's exit shows whether the closed input
            // matters.
            drop(writeln!(stdin, "{line}").and_then(|()| stdin.flush()));
        }
    }

    pub(crate) fn close_input(&mut self) {
        self.stdin = None;
    }

    /// The next line of stdout. `None` if there are no more lines.
    pub(crate) fn next_line(&mut self) -> Option<Vec<u8>> {
        while self.open_streams > 0 || matches!(self.ending, Ending::Running) {
            let patience = self.deadline.saturating_duration_since(Instant::now());
            match self.reports.recv_timeout(patience) {
                Ok(Report::Line(line)) => {
                    self.stdout.extend_from_slice(&line);
                    return Some(line);
                }
                Ok(Report::Stderr(bytes)) => self.stderr.extend_from_slice(&bytes),
                Ok(Report::Closed) => self.open_streams -= 1,
                Ok(Report::Exited(status)) => self.end(Ending::Exited(status)),
                Err(_) if matches!(self.ending, Ending::Running) => {
                    self.kill();
                    self.end(Ending::TimedOut);
                }
                Err(_) => return None,
            }
        }
        None
    }

    pub(crate) fn finish(mut self) -> Outcome {
        while self.next_line().is_some() {}
        let (stdout, stderr) = (mem::take(&mut self.stdout), mem::take(&mut self.stderr));
        Outcome { ending: self.ending, stdout, stderr }
    }

    /// Stores how the child ended. The first report counts, so that the exit status of a killed
    /// child doesn't replace the timeout.
    fn end(&mut self, ending: Ending) {
        if matches!(self.ending, Ending::Running) {
            self.ending = ending;
            self.deadline = Instant::now() + DRAIN;
        }
    }

    fn kill(&self) {
        // The group no longer exists if all its processes have ended.
        let _ended = kill_process_group(self.group, Signal::KILL);
    }
}

impl Drop for Supervised {
    fn drop(&mut self) {
        if matches!(self.ending, Ending::Running) {
            self.kill();
        }
    }
}

fn watch(mut child: Child, sender: &Sender<Report>) {
    let stdout = child.stdout.take().expect("stdout is piped");
    let mut stderr = child.stderr.take().expect("stderr is piped");
    // The threads aren't joined. Each ends with the child's last descendant, and a failed send to a
    // dropped receiver is ignored.
    let lines = sender.clone();
    thread::spawn(move || {
        let mut stdout = BufReader::new(stdout);
        let mut line = Vec::new();
        while let Ok(1..) = stdout.read_until(b'\n', &mut line) {
            drop(lines.send(Report::Line(mem::take(&mut line))));
        }
        drop(lines.send(Report::Closed));
    });
    let errors = sender.clone();
    thread::spawn(move || {
        let mut buffer = [0; 8 * 1024];
        while let Ok(length @ 1..) = stderr.read(&mut buffer) {
            drop(errors.send(Report::Stderr(buffer[..length].to_vec())));
        }
        drop(errors.send(Report::Closed));
    });
    let exits = sender.clone();
    thread::spawn(move || {
        if let Ok(status) = child.wait() {
            drop(exits.send(Report::Exited(status)));
        }
    });
}
