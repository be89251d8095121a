//! Deadlines: the time until which to wait for a program.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// The maximum delay with which a request to stop is noticed.
const STOP_NOTICED_WITHIN: Duration = Duration::from_millis(20);

/// The moment at which waiting ends. It ends earlier if a stop is requested. A time limit beyond
/// the clock's range means no end.
#[derive(Debug, Clone, Copy)]
pub struct Deadline<'a> {
    end: Option<Instant>,
    stop: Option<&'a AtomicBool>,
}

impl Deadline<'static> {
    pub fn after(limit: Duration) -> Self {
        Self { end: now().checked_add(limit), stop: None }
    }
}

impl<'a> Deadline<'a> {
    /// The same deadline, but waiting also ends as soon as `stop` is true.
    #[must_use]
    pub fn or_when(self, stop: &'a AtomicBool) -> Self {
        Self { stop: Some(stop), ..self }
    }

    pub(crate) fn is_stopped(self) -> bool {
        self.stop.is_some_and(|stop| stop.load(Ordering::Relaxed))
    }

    pub fn is_over(self) -> bool {
        self.is_stopped() || self.end.is_some_and(|end| end <= now())
    }

    /// The time left until the deadline.
    pub fn left(self) -> Duration {
        self.end.map_or(Duration::MAX, |end| end.saturating_duration_since(now()))
    }

    /// The time to wait before the deadline and the request to stop are checked again.
    pub(crate) fn patience(self) -> Duration {
        let left = self.left();
        if self.stop.is_some() { left.min(STOP_NOTICED_WITHIN) } else { left }
    }
}

#[expect(clippy::disallowed_methods, reason = "deadlines need the clock")]
pub(crate) fn now() -> Instant {
    Instant::now()
}
