//! Converts the settings into the verification gate's policy.

use verger_config::Settings;
use verger_gate::verification::{Depth, Policy, Requirement};

use crate::gates::patience::gate_patience;

/// The verification gate's policy, including the requirements of a verification.
pub fn verification_policy(settings: &Settings) -> Policy {
    let verification = &settings.verification;
    let required: Vec<_> = verification.require.value.iter().collect();
    // Acceptance commands run only at the deep depth. If they are required, a shallower
    // verification could never pass.
    let needs_deep =
        required.contains(&Requirement::Acceptance) && !verification.acceptance.value.is_empty();
    Policy {
        mode: verification.mode.value,
        depth: if needs_deep { Depth::Deep } else { verification.depth.value },
        required,
        blocks: gate_patience(settings),
    }
}

#[cfg(test)]
mod tests {
    use verger_gate::blocks;
    use verger_gate::verification::Mode;

    use super::*;

    #[test]
    fn without_a_word_from_the_user_the_gate_observes() {
        assert_eq!(verification_policy(&Settings::default()), Policy::default());
    }

    #[test]
    fn every_setting_counts() {
        let file = br#"
            [verification]
            mode = "always"
            depth = "deep"
            require = ["acceptance", "tests", "no_regressions", "open_tasks", "committed", "review"]
            [gates]
            max_blocks = 5
            cooldown_seconds = 10
        "#;
        let user = Some(verger_config::Source { file: "config.toml", bytes: file });
        let layers = verger_config::Layers { user, ..verger_config::Layers::default() };
        let (settings, problems) = verger_config::resolve(&layers);
        let expected = Policy {
            mode: Mode::Always,
            depth: Depth::Deep,
            required: Requirement::ALL.to_vec(),
            blocks: blocks::Policy { max_blocks: 5, cooldown_millis: 10_000 },
        };
        assert_eq!((verification_policy(&settings), problems), (expected, vec![]));
    }
}
