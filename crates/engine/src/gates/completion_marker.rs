//! Tells an agent how to mark its work as done. The text is added to a session's start only if
//! the start gives the agent other context anyway. Without it, the agent gets this text when a
//! stop is refused.

use verger_config::Settings;
use verger_event::{Event, Grounds};
use verger_gate::Stateless;
use verger_gate::verification::{GATE, Mode, message};

use crate::decision::{Decision, with_settings};
use crate::gate::{Context, EventView, Gate, Setup};
use crate::gates::verification::policy::verification_policy;

pub(crate) struct CompletionMarker<'a> {
    settings: &'a Settings,
}

impl<'a> Gate<'a> for CompletionMarker<'a> {
    type State = Stateless;
    type Trigger = ();

    fn new(setup: Setup<'a>) -> Self {
        Self { settings: setup.settings }
    }

    fn trigger(&self, event: &EventView<'_>) -> Option<()> {
        let is_start = matches!(event.event(), Event::SessionStarted { .. });
        (is_start && verification_policy(self.settings).mode >= Mode::Claims).then_some(())
    }

    fn decide(&self, (): &(), _context: &Context<'_>, decision: &mut Decision) {
        if decision.injections.is_empty() {
            return;
        }
        let grounds =
            Grounds::of_rule("verification.mode asks for a verification before the agent stops");
        let grounds = with_settings(grounds, self.settings, &["verification.mode"]);
        decision.inject(GATE, message::tell_marker(), grounds);
    }
}
