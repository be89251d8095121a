//! Shows a person that an index is brought up to date.

use crate::rebuild::Progress;
use crate::store::LocalStore;

/// Begins to show that the index is brought up to date. The returned function takes the progress;
/// dropping it ends the show.
pub type RefreshMeter = Box<dyn Fn() -> Box<dyn FnMut(Progress)> + Send + Sync>;

impl<P> LocalStore<P> {
    /// The same store with a meter for its index.
    #[must_use]
    pub fn with_refresh_meter(mut self, meter: RefreshMeter) -> Self {
        self.refresh_meter = Some(meter);
        self
    }

    /// Begins to show that the index is brought up to date. Without a meter, nothing is shown.
    pub fn begin_refresh(&self) -> Box<dyn FnMut(Progress)> {
        self.refresh_meter.as_ref().map_or_else(|| Box::new(|_| {}) as _, |begin| begin())
    }
}
