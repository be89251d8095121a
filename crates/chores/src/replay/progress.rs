//! Shows the progress of a replay on standard error.

use std::io::{self, IsTerminal as _, Write as _};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use crate::replay::session_file::SessionFile;

pub(crate) struct Progress {
    events: usize,
    done: AtomicUsize,
    started: Instant,
    is_terminal: bool,
}

impl Progress {
    pub(crate) fn new(files: &[SessionFile]) -> Self {
        let events = files.iter().map(|file| file.events).sum();
        eprintln!("{events} events in {} files", files.len());
        let is_terminal = io::stderr().is_terminal();
        Self { events, done: AtomicUsize::new(0), started: Instant::now(), is_terminal }
    }

    /// Counts an event of the session file `file` that was replayed.
    pub(crate) fn event(&self, file: &str) {
        let done = self.done.fetch_add(1, Ordering::Relaxed) + 1;
        let every = if self.is_terminal { 200 } else { (self.events / 20).max(1) };
        if !done.is_multiple_of(every) {
            return;
        }
        let seconds = self.started.elapsed().as_secs();
        let left = seconds * (self.events - done) as u64 / done as u64;
        let end = if self.is_terminal { '\r' } else { '\n' };
        let percent = done * 100 / self.events.max(1);
        eprint!("{percent:>3} % {done} of {} events, {left} s left ({file})   {end}", self.events);
        // A write error is ignored, because then only the display of the progress is lost.
        io::stderr().flush().unwrap_or_default();
    }

    pub(crate) fn end(&self) {
        let seconds = self.started.elapsed().as_secs();
        eprintln!("{} events in {seconds} s{:30}", self.done.load(Ordering::Relaxed), "");
    }
}
