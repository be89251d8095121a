//! One line on the terminal that shows the progress of slow work.

use std::io::Write;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use verger_store_local::{LocalStore, Progress};

use crate::render::output::Ui;

/// The delay before the first display. Quick work displays nothing.
const FIRST_AFTER: Duration = Duration::from_millis(500);
const THEN_EVERY: Duration = Duration::from_millis(100);
/// Nearly every command updates the index, and most of them within this time.
const INDEX_AFTER: Duration = Duration::from_secs(1);

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

/// Displays the running time of one step. The step may report its progress.
pub(crate) struct Step {
    /// `None` if standard error is not a terminal.
    shown: Option<(Sender<Progress>, JoinHandle<()>)>,
}

impl Step {
    pub(crate) fn new(ui: &Ui, what: &'static str) -> Self {
        if ui.is_watched() { Self::begin(what, FIRST_AFTER) } else { Self { shown: None } }
    }

    fn begin(what: &'static str, after: Duration) -> Self {
        let (reporter, reports) = mpsc::channel();
        Self { shown: Some((reporter, thread::spawn(move || show(what, after, &reports)))) }
    }

    fn report(&self, progress: Progress) {
        if let Some((reporter, _)) = &self.shown {
            // A thread that has ended shows nothing any more.
            reporter.send(progress).unwrap_or_default();
        }
    }
}

/// Shows a step from a while after its beginning until the sender of its reports is dropped.
fn show(what: &str, after: Duration, reports: &Receiver<Progress>) {
    let (mut latest, mut is_shown, mut next) = (None, false, now() + after);
    loop {
        let report = match (is_shown, latest) {
            // The line stays as it is until the next report.
            (true, None) => reports.recv().map_err(|_| RecvTimeoutError::Disconnected),
            _ => reports.recv_timeout(next.saturating_duration_since(now())),
        };
        match report {
            Ok(progress) => latest = Some(progress),
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => break,
        }
        if now() >= next {
            let parts =
                latest.take().map(|Progress { done, total }| format!(", {done} of {total}"));
            // A closed terminal needs no progress.
            drop(write!(std::io::stderr(), "\r{what}{} ", parts.unwrap_or_default()));
            (is_shown, next) = (true, now() + THEN_EVERY);
        }
    }
    if is_shown {
        drop(write!(std::io::stderr(), "\r\x1b[K"));
    }
}

/// The same store. It shows a person who watches that its index is brought up to date.
pub(crate) fn showing_updates(ui: &Ui, store: LocalStore) -> LocalStore {
    if !ui.is_watched() {
        return store;
    }
    store.with_refresh_meter(Box::new(|| {
        let step = Step::begin("updating the index of sessions", INDEX_AFTER);
        Box::new(move |progress| step.report(progress))
    }))
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
