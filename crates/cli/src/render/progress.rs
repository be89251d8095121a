//! One line on the terminal that shows the progress of slow work.

use std::io::Write;
use std::sync::mpsc::{self, Sender};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use crate::render::output::Ui;

/// The delay before the first display. Quick work displays nothing.
const FIRST_AFTER: Duration = Duration::from_millis(500);
const THEN_EVERY: Duration = Duration::from_millis(100);

pub(crate) struct Meter {
    what: &'static str,
    is_watched: bool,
    next: Instant,
    is_shown: bool,
}

impl Meter {
    pub(crate) fn new(ui: &Ui, what: &'static str) -> Self {
        Self { what, is_watched: ui.is_watched(), next: now() + FIRST_AFTER, is_shown: false }
    }

    pub(crate) fn update(&mut self, done: usize, total: usize) {
        if self.is_watched && now() >= self.next {
            self.next = now() + THEN_EVERY;
            self.is_shown = true;
            // An error is ignored: a closed terminal needs no progress.
            drop(write!(std::io::stderr(), "\r{} {done} of {total} ", self.what));
        }
    }
}

impl Drop for Meter {
    fn drop(&mut self) {
        if self.is_shown {
            drop(write!(std::io::stderr(), "\r\x1b[K"));
        }
    }
}

/// Displays the running time of one step whose progress is not known.
pub(crate) struct Step {
    /// `None` if standard error is not a terminal.
    shown: Option<(Sender<()>, JoinHandle<()>)>,
}

impl Step {
    pub(crate) fn new(ui: &Ui, what: &'static str) -> Self {
        let shown = ui.is_watched().then(|| {
            let (end, ended) = mpsc::channel::<()>();
            let show = move || {
                if ended.recv_timeout(FIRST_AFTER) == Err(mpsc::RecvTimeoutError::Timeout) {
                    drop(write!(std::io::stderr(), "\r{what} "));
                    // `recv` fails when the sender is dropped, at the end of the step.
                    if ended.recv().is_err() {
                        drop(write!(std::io::stderr(), "\r\x1b[K"));
                    }
                }
            };
            (end, thread::spawn(show))
        });
        Self { shown }
    }
}

impl Drop for Step {
    fn drop(&mut self) {
        if let Some((end, thread)) = self.shown.take() {
            drop(end);
            drop(thread.join());
        }
    }
}

#[expect(clippy::disallowed_methods, reason = "limits how often the display changes")]
fn now() -> Instant {
    Instant::now()
}
