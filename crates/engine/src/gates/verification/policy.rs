//! The settings of verifications, in the gate's own words.

use verger_config::Settings;
use verger_gate::verification::Policy;

use crate::gates::patience::gate_patience;

/// How the verification gate is set, and what a verification requires.
pub fn verification_policy(settings: &Settings) -> Policy {
    let verification = &settings.verification;
    Policy {
        mode: verification.mode.value,
        profile: verification.profile.value,
        required: verification.require.value.iter().collect(),
        blocks: gate_patience(settings),
    }
}

#[cfg(test)]
mod tests {
    use verger_gate::blocks;
    use verger_gate::verification::{Mode, Profile, Requirement};

    use super::*;

    #[test]
    fn without_a_word_from_the_user_the_gate_is_off() {
        assert_eq!(verification_policy(&Settings::default()), Policy::default());
    }

    #[test]
    fn every_setting_counts() {
        let file = br#"
            [verification]
            mode = "always"
            profile = "deep"
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
            profile: Profile::Deep,
            required: Requirement::ALL.to_vec(),
            blocks: blocks::Policy { max_blocks: 5, cooldown_millis: 10_000 },
        };
        assert_eq!((verification_policy(&settings), problems), (expected, vec![]));
    }
}
