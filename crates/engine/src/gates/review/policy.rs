//! Converts the settings into the review gate's policy.

use verger_config::Settings;
use verger_gate::review;

use crate::gates::patience::gate_patience;

/// The review gate's policy.
pub fn review_policy(settings: &Settings) -> review::Policy {
    let review = &settings.review;
    review::Policy {
        mode: review.mode.value,
        triggers: review.triggers.value.clone(),
        scope: review.scope.value,
        approval_ttl_millis: review
            .approval_ttl_seconds
            .value
            .map(|seconds| seconds.saturating_mul(1000)),
        on_unavailable: review.on_unavailable.value,
        blocks: gate_patience(settings),
    }
}

#[cfg(test)]
mod tests {
    use verger_gate::blocks;

    use super::*;

    #[test]
    fn without_a_word_from_the_user_the_gate_is_as_patient_as_all_gates() {
        let expected = review::Policy {
            triggers: vec!["#review".to_owned(), "#roz".to_owned()],
            ..review::Policy::default()
        };
        assert_eq!(review_policy(&Settings::default()), expected);
    }

    #[test]
    fn every_setting_counts() {
        let file = br#"
            [review]
            mode = "always"
            triggers = ["!look"]
            scope = "tool"
            approval_ttl_seconds = 60
            on_unavailable = "block"
            [gates]
            max_blocks = 5
            cooldown_seconds = 10
        "#;
        let user = Some(verger_config::Source { file: "config.toml", bytes: file });
        let layers = verger_config::Layers { user, ..verger_config::Layers::default() };
        let (settings, problems) = verger_config::resolve(&layers);
        let expected = review::Policy {
            mode: review::Mode::Always,
            triggers: vec!["!look".to_owned()],
            scope: review::Scope::Tool,
            approval_ttl_millis: Some(60_000),
            on_unavailable: review::OnUnavailable::Block,
            blocks: blocks::Policy { max_blocks: 5, cooldown_millis: 10_000 },
        };
        assert_eq!((review_policy(&settings), problems), (expected, vec![]));
    }
}
