//! Converts the settings of ticket discovery into the library's types.

use verger_config::Settings;
use verger_event::TicketSystem;
use verger_library::tickets::Switch;

/// The ticket systems to look for, in order.
pub fn ticket_order(settings: &Settings) -> Vec<(TicketSystem, Switch)> {
    let tickets = &settings.tickets;
    let systems = tickets.order.value.iter().map(|system| {
        let on = match system {
            TicketSystem::Tissue => tickets.tissue.value,
            TicketSystem::Beads => tickets.beads.value,
            TicketSystem::Tasks => tickets.tasks.value,
            TicketSystem::Session => tickets.session.value,
        };
        (system, if on { Switch::On } else { Switch::Off })
    });
    systems.collect()
}

#[cfg(test)]
mod tests {
    use verger_config::{Layers, Source, resolve};
    use verger_library::tickets::DEFAULT_ORDER;

    use super::*;

    #[test]
    fn without_a_word_from_the_user_systems_are_looked_for_in_the_usual_order() {
        assert_eq!(ticket_order(&Settings::default()), DEFAULT_ORDER);
    }

    #[test]
    fn order_and_switches_count() {
        let bytes = b"[tickets]\norder = [\"session\", \"beads\"]\nsession = true\nbeads = false";
        let user = Some(Source { file: "config.toml", bytes });
        let (settings, problems) = resolve(&Layers { user, ..Layers::default() });
        let expected = vec![
            (TicketSystem::Session, Switch::On),
            (TicketSystem::Beads, Switch::Off),
            (TicketSystem::Tissue, Switch::On),
            (TicketSystem::Tasks, Switch::Off),
        ];
        assert_eq!((ticket_order(&settings), problems), (expected, vec![]));
    }
}
