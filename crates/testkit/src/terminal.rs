//! A program on its own terminal, as if a person had started it.
//!
//! The program leads a session whose controlling terminal is a pseudo-terminal. So `isatty`,
//! `/dev/tty`, the width and the keys are as for a person. A terminal emulator processes the
//! output, so that a test sees the screen and not the escape sequences.

use std::ffi::OsStr;
use std::io::{Read, Write};
use std::mem;
use std::num::NonZero;
use std::os::fd::{AsFd, OwnedFd};
use std::process::{Child, Command, ExitStatus};
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread;
use std::time::{Duration, Instant};

use pty_process::blocking::Pty;
use rustix::process::{Pid, Signal, kill_process_group};

use crate::environment::{TIME_LIMIT, TestEnvironment};
use crate::output::{Output, exit_code};

/// How long output is still read after the program has ended. A process that the program left
/// behind may keep the terminal open forever.
const DRAIN: Duration = Duration::from_secs(2);

/// How long to wait for an answer to a key before it is pressed again.
const PATIENCE: Duration = Duration::from_secs(3);

/// The size of the terminal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TerminalSize {
    pub rows: u16,
    pub columns: u16,
}

impl TerminalSize {
    pub const USUAL: Self = Self { rows: 24, columns: 80 };
    pub const NARROW: Self = Self { rows: 24, columns: 40 };
}

/// A program that runs on a terminal. Killed when dropped.
pub struct Terminal<'a> {
    environment: &'a TestEnvironment,
    description: String,
    group: Pid,
    keyboard: Arc<Pty>,
    reports: Receiver<Report>,
    emulator: vt100::Parser,
    drawn: Vec<u8>,
    progress: Progress,
}

#[derive(Clone, Copy)]
enum Progress {
    Running,
    /// The program has ended. More output may follow.
    Ended(ExitStatus),
    /// The program has ended, and no more output follows.
    Drained(ExitStatus),
}

enum Report {
    Drawn(Vec<u8>),
    Closed,
    Ended(ExitStatus),
}

impl TestEnvironment {
    /// Starts a program on a terminal. `command` must be made with [`command`](Self::command).
    #[track_caller]
    pub fn start_on_terminal(&self, mut command: Command, size: TerminalSize) -> Terminal<'_> {
        let words = [command.get_program()].into_iter().chain(command.get_args());
        let words: Vec<_> = words.map(OsStr::to_string_lossy).collect();
        let description = self.normalise(&words.join(" "));
        if !command.get_envs().any(|(name, _)| name == "TERM") {
            command.env("TERM", "xterm-256color");
        }
        let (pty, pts) = pty_process::blocking::open().unwrap();
        pty.resize(pty_process::Size::new(size.rows, size.columns)).unwrap();
        let held = pts.as_fd().try_clone_to_owned().unwrap();
        let child = pty_process::blocking::Command::from(command)
            .spawn(pts)
            .unwrap_or_else(|error| panic!("could not start {description}: {error}"));
        let group = Pid::from_child(&child);
        let keyboard = Arc::new(pty);
        let (sender, reports) = mpsc::channel();
        watch(child, held, Arc::clone(&keyboard), sender);
        let emulator = vt100::Parser::new(cells(size.rows), cells(size.columns), 0);
        let (drawn, progress) = (Vec::new(), Progress::Running);
        Terminal {
            environment: self,
            description,
            group,
            keyboard,
            reports,
            emulator,
            drawn,
            progress,
        }
    }

    /// Runs a program on a terminal until it ends, without any input.
    #[track_caller]
    pub fn run_on_terminal(&self, command: Command, size: TerminalSize) -> Output {
        self.start_on_terminal(command, size).finish()
    }
}

impl Terminal<'_> {
    /// Types `keys`; `\r` is the Enter key.
    #[track_caller]
    pub fn send(&self, keys: &str) {
        let mut keyboard: &Pty = &self.keyboard;
        keyboard.write_all(keys.as_bytes()).unwrap();
    }

    /// Changes the size of the terminal, which tells its programs.
    #[track_caller]
    pub fn resize(&mut self, size: TerminalSize) {
        self.keyboard.resize(pty_process::Size::new(size.rows, size.columns)).unwrap();
        self.emulator.screen_mut().set_size(cells(size.rows), cells(size.columns));
    }

    /// The terminal's screen as text, without colours and trailing blanks.
    pub fn screen(&self) -> String {
        self.environment.normalise(&self.emulator.screen().contents())
    }

    /// Waits until the terminal shows `text` or the program has printed it. Fails the test, with
    /// the screen, if the program ends first or takes more than 90 seconds.
    #[track_caller]
    pub fn wait_for(&mut self, text: &str) {
        let deadline = Instant::now() + TIME_LIMIT;
        assert!(self.shows_by(text, deadline), "{}", self.unseen(text));
    }

    /// Presses a key repeatedly until the terminal shows `text`. A program that draws a question
    /// before it reads input loses keys. Only for keys that may be pressed twice.
    #[track_caller]
    pub fn press_until(&mut self, key: &str, text: &str) {
        let deadline = Instant::now() + TIME_LIMIT;
        loop {
            self.send(key);
            if self.shows_by(text, deadline.min(Instant::now() + PATIENCE)) {
                return;
            }
            assert!(!self.is_over() && Instant::now() < deadline, "{}", self.unseen(text));
        }
    }

    fn shows_by(&mut self, text: &str, deadline: Instant) -> bool {
        while !self.shows(text) {
            if !self.follow(deadline) {
                return false;
            }
        }
        true
    }

    fn unseen(&self, text: &str) -> String {
        let state = if self.is_over() { "it has ended" } else { "it still runs" };
        format!("{} did not show {text:?} ({state}):\n{}", self.description, self.screen())
    }

    /// Waits until the program ends. `stdout` is all its output, with colour escapes and with plain
    /// line ends; on a terminal, stdout and stderr can't be distinguished.
    #[track_caller]
    pub fn finish(self) -> Output {
        self.finish_within(TIME_LIMIT)
    }

    /// Like [`Self::finish`], for a program that may take longer than 90 seconds.
    #[track_caller]
    pub fn finish_within(mut self, limit: Duration) -> Output {
        let deadline = Instant::now() + limit;
        let mut drained = deadline;
        while self.follow(drained) {
            if matches!(self.progress, Progress::Ended(_)) && drained == deadline {
                drained = deadline.min(Instant::now() + DRAIN);
            }
        }
        let (Progress::Ended(status) | Progress::Drained(status)) = self.progress else {
            panic!(
                "{} ran for more than {limit:?} and shows:\n{}",
                self.description,
                self.screen()
            );
        };
        let drawn = mem::take(&mut self.drawn);
        let stdout = String::from_utf8_lossy(&drawn).replace("\r\n", "\n");
        Output {
            stdout: self.environment.normalise(&stdout),
            stderr: String::new(),
            code: exit_code(status),
        }
    }

    fn shows(&self, text: &str) -> bool {
        self.screen().contains(text)
            || self.environment.normalise(&String::from_utf8_lossy(&self.drawn)).contains(text)
    }

    fn is_over(&self) -> bool {
        matches!(self.progress, Progress::Drained(_))
    }

    /// Handles the next report. Returns false if there is none before the deadline, or there will
    /// be no more.
    fn follow(&mut self, deadline: Instant) -> bool {
        if self.is_over() {
            return false;
        }
        let patience = deadline.saturating_duration_since(Instant::now());
        let Ok(report) = self.reports.recv_timeout(patience) else { return false };
        self.progress = match (self.progress, report) {
            (progress, Report::Drawn(bytes)) => {
                self.emulator.process(&bytes);
                self.drawn.extend(bytes);
                progress
            }
            (_, Report::Ended(status)) => Progress::Ended(status),
            (Progress::Ended(status), Report::Closed) => Progress::Drained(status),
            (progress, Report::Closed) => progress,
        };
        true
    }
}

impl Drop for Terminal<'_> {
    fn drop(&mut self) {
        if matches!(self.progress, Progress::Running) {
            // The group no longer exists if all its processes have ended.
            let _ended = kill_process_group(self.group, Signal::KILL);
        }
    }
}

fn cells(count: u16) -> NonZero<u16> {
    NonZero::new(count).expect("a terminal has at least one cell")
}

/// Reading a terminal that no process has open is an error, even while the program runs with closed
/// streams. So it is `held` open until the program's end is reported.
///
/// Neither thread is joined. They end with the program and with the last process that has the
/// terminal open, and a failed send to a dropped receiver is ignored.
fn watch(mut child: Child, held: OwnedFd, pty: Arc<Pty>, sender: Sender<Report>) {
    let ends = sender.clone();
    thread::spawn(move || {
        let mut screen: &Pty = &pty;
        let mut buffer = [0; 8 * 1024];
        while let Ok(length @ 1..) = screen.read(&mut buffer) {
            drop(sender.send(Report::Drawn(buffer[..length].to_vec())));
        }
        drop(sender.send(Report::Closed));
    });
    thread::spawn(move || {
        if let Ok(status) = child.wait() {
            drop(ends.send(Report::Ended(status)));
        }
        drop(held);
    });
}
