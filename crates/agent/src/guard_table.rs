//! The table of the guard's answers for each client, by event, permission mode and verdict.
//!
//! No payload says reliably whether a person is there to be asked. *Ask* is sent if the client
//! shows it to a person, or refuses the call without one; otherwise the call is refused. Cells that
//! were never tried with the real program hold the careful choice.

use verger_event::{Sent, Triage};

/// A client and its answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GuardClient {
    /// The word on the hook's command line.
    pub name: &'static str,
    /// The program's name, for people.
    pub product: &'static str,
    /// The permission modes in which it asks people. Any other mode, or an unknown one, counts as
    /// not asking.
    pub asking_modes: &'static [&'static str],
    /// The permission mode in which current versions start, if it isn't `default`.
    pub starts_in: Option<&'static str>,
    /// The field of a call's input by which an agent asks to leave the client's own sandbox. The
    /// client and the person decide about that, independent of the command.
    pub leaves_sandbox: Option<&'static str>,
    /// How it handles a rewritten input.
    pub rewrites: Rewrites,
    /// The answers by event.
    pub rows: &'static [GuardRow],
}

/// How a client handles a rewritten input.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rewrites {
    /// It accepts a rewritten input, and decides separately whether the call may run.
    Alone,
    /// It accepts one only with an approval. No call is approved just to rewrite it: never sent.
    OnlyApproved,
    /// It accepts one, but whether that approves the call was not tried: never sent.
    Untested,
}

/// The answers for one event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GuardRow {
    /// The event's name in the client's configuration.
    pub event: &'static str,
    /// Whether the client asks people.
    pub asking: Asking,
    /// For [`Triage::ALL`], in that order.
    pub cells: [Cell; 4],
}

/// Whether a client asks people about calls that its own rules do not decide.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Asking {
    /// It asks.
    Asks,
    /// Every call runs, or the behaviour is unknown.
    Bypass,
}

/// An answer, and whether its effect was seen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cell {
    /// The answer for the client.
    pub sent: Sent,
    /// Whether the real program was seen to honour it.
    pub tested: Tested,
}

/// Whether the real program was seen to honour an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tested {
    /// The effect was seen.
    Seen,
    /// The effect was not seen: the careful choice.
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

    /// The answer on an event, in a permission mode. Silence for an event that is not in the table.
    pub fn sent(&self, event: &str, mode: Option<&str>, triage: Triage) -> Sent {
        let asking = self.asking(mode);
        let row = self.rows.iter().find(|row| row.event == event && row.asking == asking);
        row.map_or(Sent::Silence, |row| row.cell(triage).sent)
    }

    /// Whether the guard is asked on this event.
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

/// The clients that have, or will have, an adapter.
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
            // The dialog is about to be shown, so a person is there to ask.
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
            // It ignores "ask" and runs the call.
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
        // "Ask" ends the whole program silently.
        rows: &[row("BeforeTool", Asking::Bypass, [untested(Sent::Silence), SILENCE, DENY, DENY])],
    },
    GuardClient {
        name: "copilot",
        product: "Copilot CLI",
        asking_modes: &["default"],
        starts_in: None,
        leaves_sandbox: None,
        rewrites: Rewrites::Untested,
        rows: &[
            row("preToolUse", Asking::Asks, [ALLOW, SILENCE, ASK, DENY]),
            row("preToolUse", Asking::Bypass, [ALLOW, SILENCE, DENY, DENY]),
            row("permissionRequest", Asking::Asks, [ALLOW, SILENCE, untested(Sent::Deny), DENY]),
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
    fn what_is_uncertain_is_never_allowed_and_what_is_denied_always_is() {
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
