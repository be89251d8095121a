//! Converts the settings into the policy that limits how often any gate refuses in a row.

use verger_config::Settings;
use verger_gate::blocks::Policy;

pub(crate) fn gate_patience(settings: &Settings) -> Policy {
    let gates = &settings.gates;
    Policy {
        max_blocks: u32::try_from(gates.max_blocks.value).unwrap_or(u32::MAX),
        cooldown_millis: gates.cooldown_seconds.value.saturating_mul(1000),
    }
}
