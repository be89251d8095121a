//! A callback that shows a person the progress of an index update.

use crate::rebuild::Progress;
use crate::store::LocalStore;

/// Begins to show the progress of an index update. The returned function takes the progress.
/// Dropping it ends the display.
pub type RefreshMeter = Box<dyn Fn() -> Box<dyn FnMut(Progress)> + Send + Sync>;

impl<P> LocalStore<P> {
    /// The same store, which shows the progress of its index updates with `meter`.
    #[must_use]
    pub fn with_refresh_meter(mut self, meter: RefreshMeter) -> Self {
        self.refresh_meter = Some(meter);
        self
    }

    /// Begins to show the progress of an index update. Shows nothing if the store has no meter.
    pub fn begin_refresh(&self) -> Box<dyn FnMut(Progress)> {
        self.refresh_meter.as_ref().map_or_else(|| Box::new(|_| {}) as _, |begin| begin())
    }
}
