//! Recognizes calls that close a ticket through a ticket system's MCP server.
//!
//! A server is recognized by a word in its name (`beads`, `plugin_beads_beads`), because people
//! choose the names of servers. A tool closes a ticket if its name starts with a word for closing
//! (`close`, `close_issue`), or if it changes a ticket's status to `closed`.

use serde_json::Value;
use verger_event::{TicketSystem, ToolCall, ToolUse};

/// A ticket that a call closes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClosedTicket {
    /// The ticket system.
    pub system: TicketSystem,
    /// The ticket's id, if the call names it.
    pub id: Option<String>,
}

const SERVERS: &[(&str, TicketSystem)] = &[
    ("beads", TicketSystem::Beads),
    ("bd", TicketSystem::Beads),
    ("tissue", TicketSystem::Tissue),
];
const CLOSING: &[&str] = &["close", "complete", "done"];
const CHANGING: &[&str] = &["update", "set", "status"];
const STATUS: &str = "status";
const CLOSED: &str = "closed";
const IDS: &[&str] = &["issue_id", "ticket_id", "id", "issue", "ticket"];

/// The tickets that the call closes. Empty if the tool isn't part of a ticket system.
pub fn closed_tickets(call: &ToolCall) -> Vec<ClosedTicket> {
    let ToolUse::Mcp(mcp) = &call.action else { return vec![] };
    let server = mcp.server.to_lowercase();
    let is_of = |(word, _): &&(&str, TicketSystem)| words(&server).any(|found| found == *word);
    let Some((_, system)) = SERVERS.iter().find(is_of) else { return vec![] };
    let tool = mcp.tool.to_lowercase();
    let Some(verb) = words(&tool).next() else { return vec![] };
    let text = |key: &str| call.rest.get(key).and_then(Value::as_str);
    let sets_closed = CHANGING.contains(&verb) && text(STATUS) == Some(CLOSED);
    if !CLOSING.contains(&verb) && !sets_closed {
        return vec![];
    }
    let id = IDS.iter().find_map(|key| text(key)).map(str::to_owned);
    let many = call.rest.get("issue_ids").and_then(Value::as_array).into_iter().flatten();
    let many: Vec<_> = many.filter_map(Value::as_str).map(str::to_owned).collect();
    let ids = if many.is_empty() { vec![id] } else { many.into_iter().map(Some).collect() };
    ids.into_iter().map(|id| ClosedTicket { system: *system, id }).collect()
}

fn words(name: &str) -> impl Iterator<Item = &str> {
    name.split(['_', '-', '.']).filter(|word| !word.is_empty())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[track_caller]
    fn check(server: &str, tool: &str, input: Value, expected: &str) {
        let closed = closed_tickets(&ToolCall::mcp(server, tool, input));
        let shown =
            |one: &ClosedTicket| format!("{} {}", one.system, one.id.as_deref().unwrap_or("?"));
        let shown: Vec<_> = closed.iter().map(shown).collect();
        assert_eq!(shown.join(", "), expected, "{server} {tool}");
    }

    #[test]
    fn the_closing_tools_of_ticket_servers_are_known() {
        check("beads", "close", json!({ "issue_id": "bd-1", "reason": "done" }), "beads bd-1");
        check("plugin_beads_beads", "close_issue", json!({ "id": "bd-1" }), "beads bd-1");
        check("beads-mcp", "close", json!({}), "beads ?");
        check("beads", "close", json!({ "issue_ids": ["bd-1", "bd-2"] }), "beads bd-1, beads bd-2");
        check("beads", "update", json!({ "issue_id": "bd-1", "status": "closed" }), "beads bd-1");
        check("tissue", "status", json!({ "id": "t-1", "status": "closed" }), "tissue t-1");
        check("Tissue", "complete", json!({ "ticket": "t-1" }), "tissue t-1");
    }

    #[test]
    fn other_tools_and_servers_close_nothing() {
        let closed = json!({ "issue_id": "bd-1", "status": "closed" });
        for (server, tool, input) in [
            ("beads", "update", json!({ "issue_id": "bd-1", "status": "open" })),
            ("beads", "update", json!({ "issue_id": "bd-1", "notes": "closed" })),
            ("beads", "list", closed.clone()),
            ("beads", "reopen", closed.clone()),
            ("beads", "", closed.clone()),
            ("beadsmith", "close", closed.clone()),
            ("browser", "close", closed.clone()),
            ("linear", "close_issue", closed),
        ] {
            check(server, tool, input, "");
        }
        assert_eq!(closed_tickets(&ToolCall::shell("bd close bd-1")), []);
    }
}
