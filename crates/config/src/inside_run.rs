//! Settings inside a program that verger itself runs, such as a reviewer or a check.
//!
//! Gates for an agent that starts there are turned off; otherwise verger would watch its own
//! helpers without end. Settings that guard against destruction stay as they are.

use verger_gate::{delegation, drift, learning, review, verification};

use crate::keys::Settings;
use crate::layers::{Origin, Setting};

impl Settings {
    /// The settings inside the run that `variable` of the environment names.
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
