//! Converts the settings of decay into memory's policy.

use verger_config::Settings;
use verger_memory::DecayPolicy;

/// When unused learnings are archived.
pub fn decay_policy(settings: &Settings) -> DecayPolicy {
    let decay = &settings.decay;
    DecayPolicy {
        days: decay.passive_duration_days.value,
        immunity_hit_rate: decay.immunity_hit_rate.value.as_f64(),
    }
}

#[cfg(test)]
mod tests {
    use verger_config::{Layers, Source, resolve};

    use super::*;

    #[test]
    fn every_setting_counts() {
        let usual = DecayPolicy { days: 90, immunity_hit_rate: 0.8 };
        assert_eq!(decay_policy(&Settings::default()), usual);
        let bytes = b"[decay]\npassive_duration_days = 7\nimmunity_hit_rate = 0.5";
        let user = Some(Source { file: "config.toml", bytes });
        let (settings, _) = resolve(&Layers { user, ..Layers::default() });
        assert_eq!(decay_policy(&settings), DecayPolicy { days: 7, immunity_hit_rate: 0.5 });
    }
}
