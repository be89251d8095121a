//! Converts the settings into the learning gate's policy.

use verger_config::Settings;
use verger_gate::learning::{Policy, SkipIs, Small};
use verger_library::tickets::Switch;

use crate::gates::learning::ticket_order::ticket_order;
use crate::gates::patience::gate_patience;

/// The learning gate's policy.
pub fn learning_policy(settings: &Settings) -> Policy {
    let learning = &settings.learning;
    let decider = learning.auto_skip_decider.value;
    let on = ticket_order(settings).into_iter().filter(|(_, switch)| *switch == Switch::On);
    Policy {
        mode: learning.mode.value,
        small: if learning.auto_skip.value { decider } else { Small::Counts },
        small_below: learning.auto_skip_lines.value,
        skip: if decider == Small::Counts { SkipIs::Persons } else { SkipIs::Agents },
        systems: on.map(|(system, _)| system).collect(),
        blocks: gate_patience(settings),
    }
}

#[cfg(test)]
mod tests {
    use verger_event::TicketSystem;
    use verger_gate::blocks;
    use verger_gate::learning::Mode;

    use super::*;

    fn of(file: &str) -> Policy {
        let user = Some(verger_config::Source { file: "config.toml", bytes: file.as_bytes() });
        let layers = verger_config::Layers { user, ..verger_config::Layers::default() };
        let (settings, problems) = verger_config::resolve(&layers);
        assert_eq!(problems, []);
        learning_policy(&settings)
    }

    #[test]
    fn without_a_word_from_the_user_the_gate_asks_at_closed_tickets() {
        assert_eq!(of(""), Policy::default());
    }

    #[test]
    fn every_setting_counts() {
        let policy = of("
            [learning]
            mode = 'off'
            auto_skip_lines = 9
            auto_skip_decider = 'never'
            [tickets]
            order = ['session', 'tasks']
            session = true
            tissue = false
            [gates]
            max_blocks = 5
            cooldown_seconds = 10
        ");
        let expected = Policy {
            mode: Mode::Off,
            small: Small::Counts,
            small_below: 9,
            skip: SkipIs::Persons,
            systems: vec![TicketSystem::Session, TicketSystem::Beads],
            blocks: blocks::Policy { max_blocks: 5, cooldown_millis: 10_000 },
        };
        assert_eq!(policy, expected);
    }

    #[test]
    fn small_changes_and_skipping_are_separate_settings() {
        for (file, expected) in [
            ("learning.auto_skip_decider = 'always'", (Small::Passes, SkipIs::Agents)),
            ("learning.auto_skip_decider = 'agent'", (Small::IsAskedOnce, SkipIs::Agents)),
            ("learning.auto_skip_decider = 'never'", (Small::Counts, SkipIs::Persons)),
            ("learning.auto_skip = false", (Small::Counts, SkipIs::Agents)),
        ] {
            let policy = of(file);
            assert_eq!((policy.small, policy.skip), expected, "{file}");
        }
    }
}
