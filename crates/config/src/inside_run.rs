//! Settings inside of a program that verger itself runs: a reviewer, a check of a verification. An
//! agent that is started there is nobody's to hold, to remind or to teach, or verger would look after
//! its own helpers without end. What guards against destruction stays as it is.

use verger_gate::{delegation, drift, learning, review, verification};

use crate::keys::Settings;
use crate::layers::{Origin, Setting};

impl Settings {
    /// As they are below the run that `variable` of the environment names.
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
