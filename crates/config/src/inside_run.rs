//! Changes the settings for a program that verger itself runs, such as a reviewer or a check.
//!
//! Gates are turned off for an agent that such a program starts; otherwise verger would check its
//! own helpers endlessly. Settings that protect against destructive calls stay on.

use verger_gate::{delegation, drift, learning, review, verification};

use crate::keys::Settings;
use crate::layers::{Origin, Setting};

impl Settings {
    /// The settings inside a run. The environment variable `variable` shows that there is a run.
    #[must_use]
    pub fn inside_run(mut self, variable: &str) -> Self {
        let origin = Origin::Environment { variable: variable.to_owned() };
        turn(&mut self.review.mode, review::Mode::Never, &origin);
        turn(&mut self.review.gated_tools, vec![], &origin);
        turn(&mut self.learning.mode, learning::Mode::Off, &origin);
        turn(&mut self.recall.enabled, false, &origin);
        turn(&mut self.verification.mode, verification::Mode::Off, &origin);
        turn(&mut self.delegation.mode, delegation::Mode::Off, &origin);
        turn(&mut self.drift.mode, drift::Mode::Off, &origin);
        self
    }
}

fn turn<T>(setting: &mut Setting<T>, value: T, origin: &Origin) {
    *setting = Setting { value, origin: origin.clone(), joined: vec![] };
}
