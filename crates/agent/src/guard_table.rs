//! The guard's answers for each client, by event, permission mode and verdict.
//!
//! No payload says reliably whether a person can be asked. *Ask* is sent if the client shows it
//! to a person, or denies the call if there is none. Otherwise the call is denied. A cell that
//! was never tested with the real program has the careful answer.

use verger_event::{Sent, Triage};

/// A client, with the answers that it gets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GuardClient {
    /// The client's name on the hook's command line.
    pub name: &'static str,
    /// The client's product name, for people.
    pub product: &'static str,
    /// The permission modes in which the client asks people. Any other or unknown mode counts as
    /// not asking.
    pub asking_modes: &'static [&'static str],
    /// The permission mode in which current versions start, if it isn't `default`.
    pub starts_in: Option<&'static str>,
    /// The input field with which an agent asks to run a call outside of the client's own
    /// sandbox. The client and the person decide about that, whatever the call does.
    pub leaves_sandbox: Option<&'static str>,
    /// How the client handles a rewritten input.
    pub rewrites: Rewrites,
    /// The answers for each event.
    pub rows: &'static [GuardRow],
}

/// How a client handles a rewritten input.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rewrites {
    /// The client accepts a rewritten input, and decides separately whether the call may run.
    Alone,
    /// The client accepts a rewritten input only with an approval. verger never sends one,
    /// because a call must not be approved only to rewrite it.
    OnlyApproved,
    /// The client accepts a rewritten input. Whether that also approves the call was not tested,
    /// so verger never sends one.
    Untested,
}

/// The answers for one event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GuardRow {
    /// The event's name in the client's configuration.
    pub event: &'static str,
    /// Whether the client asks people.
    pub asking: Asking,
    /// The answers for the values of [`Triage::ALL`], in the same order.
    pub cells: [Cell; 4],
}

/// Whether a client asks people about calls that its own rules don't decide.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Asking {
    /// The client asks.
    Asks,
    /// The client runs every call, or its behavior is unknown.
    Bypass,
}

/// An answer, and whether its effect was tested.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cell {
    /// The answer for the client.
    pub sent: Sent,
    /// Whether the effect was tested with the real program.
    pub tested: Tested,
}

/// Whether the effect of an answer was tested with the real program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tested {
    /// The effect was seen.
    Seen,
    /// The effect was not tested, so the careful answer is used.
    Untested,
}

/// The client of that name.
pub fn guard_client(name: &str) -> Option<&'static GuardClient> {
    GUARD_CLIENTS.iter().find(|client| client.name == name)
}

impl GuardClient {
    /// Whether people are asked in a permission mode.
    pub fn asking(&self, mode: Option<&str>) -> Asking {
        match mode {
            Some(mode) if self.asking_modes.contains(&mode) => Asking::Asks,
            Some(_) | None => Asking::Bypass,
        }
    }

    /// The answer for an event in a permission mode. `Silence` if the event is not in the table.
    pub fn sent(&self, event: &str, mode: Option<&str>, triage: Triage) -> Sent {
        let asking = self.asking(mode);
        let row = self.rows.iter().find(|row| row.event == event && row.asking == asking);
        row.map_or(Sent::Silence, |row| row.cell(triage).sent)
    }

    /// Whether the guard judges calls on this event.
    pub fn guards(&self, event: &str) -> bool {
        self.rows.iter().any(|row| row.event == event)
    }
}

impl GuardRow {
    /// The answer for a verdict.
    pub fn cell(&self, triage: Triage) -> Cell {
        let [allow, unknown, risky, deny] = self.cells;
        match triage {
            Triage::Allow => allow,
            Triage::Unknown => unknown,
            Triage::Risky => risky,
            Triage::Deny => deny,
        }
    }
}

const fn seen(sent: Sent) -> Cell {
    Cell { sent, tested: Tested::Seen }
}

const fn untested(sent: Sent) -> Cell {
    Cell { sent, tested: Tested::Untested }
}

const fn row(event: &'static str, asking: Asking, cells: [Cell; 4]) -> GuardRow {
    GuardRow { event, asking, cells }
}

const SILENCE: Cell = seen(Sent::Silence);
const ALLOW: Cell = seen(Sent::Allow);
const ASK: Cell = seen(Sent::Ask);
const DENY: Cell = seen(Sent::Deny);

/// The clients, in the order of [`AGENTS`](crate::AGENTS).
pub const GUARD_CLIENTS: &[GuardClient] = &[
    GuardClient {
        name: "claude",
        product: "Claude Code",
        asking_modes: &["default", "acceptEdits", "plan"],
        starts_in: Some("auto"),
        leaves_sandbox: Some("dangerouslyDisableSandbox"),
        rewrites: Rewrites::Alone,
        rows: &[
            row("PreToolUse", Asking::Asks, [ALLOW, SILENCE, ASK, DENY]),
            row("PreToolUse", Asking::Bypass, [ALLOW, SILENCE, DENY, DENY]),
            // The client is about to ask a person, so a person can be asked.
            row("PermissionRequest", Asking::Asks, [ALLOW, SILENCE, SILENCE, DENY]),
            row(
                "PermissionRequest",
                Asking::Bypass,
                [
                    untested(Sent::Silence),
                    untested(Sent::Silence),
                    untested(Sent::Deny),
                    untested(Sent::Deny),
                ],
            ),
        ],
    },
    GuardClient {
        name: "codex",
        product: "Codex",
        asking_modes: &[],
        starts_in: None,
        leaves_sandbox: None,
        rewrites: Rewrites::OnlyApproved,
        rows: &[
            // The client ignores "ask" and runs the call.
            row("PreToolUse", Asking::Bypass, [untested(Sent::Silence), SILENCE, DENY, DENY]),
            row("PermissionRequest", Asking::Bypass, [ALLOW, SILENCE, DENY, DENY]),
        ],
    },
    GuardClient {
        name: "gemini",
        product: "Gemini CLI",
        asking_modes: &[],
        starts_in: None,
        leaves_sandbox: None,
        rewrites: Rewrites::Untested,
        // "Ask" ends the client's whole process without a message.
        rows: &[row("BeforeTool", Asking::Bypass, [untested(Sent::Silence), SILENCE, DENY, DENY])],
    },
    GuardClient {
        name: "copilot",
        product: "Copilot CLI",
        // No payload names the permission mode.
        asking_modes: &[],
        starts_in: None,
        leaves_sandbox: None,
        rewrites: Rewrites::Untested,
        rows: &[
            row("preToolUse", Asking::Bypass, [ALLOW, SILENCE, DENY, DENY]),
            row("permissionRequest", Asking::Bypass, [ALLOW, SILENCE, DENY, DENY]),
        ],
    },
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{AGENTS, Part};

    #[test]
    fn every_agent_that_is_spoken_with_has_a_row_and_can_carry_what_it_says() {
        for agent in AGENTS {
            let client = guard_client(agent.name).unwrap();
            assert_eq!(client.product, agent.install.product);
            for row in client.rows {
                let event = agent.event(row.event).unwrap();
                for cell in row.cells {
                    let part = match cell.sent {
                        Sent::Silence => continue,
                        Sent::Allow => Part::Allow,
                        Sent::Ask => Part::Ask,
                        Sent::Deny => Part::Deny,
                    };
                    assert!(event.proof(part).is_some(), "{} {part:?}", row.event);
                }
            }
        }
    }

    #[test]
    fn another_input_is_sent_only_where_it_approves_nothing() {
        for agent in AGENTS {
            let rewrites = guard_client(agent.name).unwrap().rewrites;
            let can = agent.events.iter().any(|event| event.proof(Part::Rewrite).is_some());
            assert_eq!(can, rewrites == Rewrites::Alone, "{}", agent.name);
        }
    }

    #[test]
    fn uncertain_calls_are_never_allowed_and_denials_always_sent() {
        for client in GUARD_CLIENTS {
            for row in client.rows {
                assert_ne!(row.cell(Triage::Unknown).sent, Sent::Allow);
                assert_ne!(row.cell(Triage::Risky).sent, Sent::Allow);
                assert_eq!(row.cell(Triage::Deny).sent, Sent::Deny);
                if row.asking == Asking::Bypass {
                    assert_eq!(row.cell(Triage::Risky).sent, Sent::Deny, "{}", client.name);
                }
            }
        }
    }

    #[test]
    fn a_client_asks_only_in_modes_that_its_payloads_name() {
        for client in GUARD_CLIENTS {
            let has_row = client.rows.iter().any(|row| row.asking == Asking::Asks);
            assert_eq!(has_row, !client.asking_modes.is_empty(), "{}", client.name);
        }
        let names = GUARD_CLIENTS.iter().map(|client| client.name);
        assert!(names.eq(AGENTS.iter().map(|agent| agent.name)));
    }

    #[test]
    fn a_mode_that_is_not_known_asks_nobody() {
        let claude = guard_client("claude").unwrap();
        for (event, mode, sent) in [
            ("PreToolUse", Some("default"), Sent::Ask),
            ("PreToolUse", Some("acceptEdits"), Sent::Ask),
            ("PreToolUse", Some("bypassPermissions"), Sent::Deny),
            ("PreToolUse", Some("auto"), Sent::Deny),
            ("PreToolUse", None, Sent::Deny),
            ("PermissionRequest", Some("default"), Sent::Silence),
            ("PermissionRequest", None, Sent::Deny),
            ("Stop", Some("default"), Sent::Silence),
        ] {
            assert_eq!(claude.sent(event, mode, Triage::Risky), sent, "{event} {mode:?}");
        }
        assert!(guard_client("other").is_none());
    }
}
