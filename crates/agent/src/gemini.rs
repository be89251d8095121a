//! Gemini CLI.
//!
//! The table holds effects seen with the real program. Left out on purpose:
//!
//! - *Ask* before a tool: without a terminal, the program ends silently.
//! - A rewritten input: the program merges it, but whether that approves the call was not tried.
//! - Compactions: `PreCompress` comes before every request to the model, compaction or not.
//! - Requests to the model (`BeforeModel`, `AfterModel`, `BeforeToolSelection`): a process for each.
//!
//! No event marks a subagent, and no tool call has an id.

mod decode;
mod encode;
mod events;
mod install;
mod tools;
mod wire;

use crate::capabilities::{BlindSpot, Coverage, Policy, blind};
use crate::spec::AgentSpec;
use crate::unread::salvaged;

#[cfg(test)]
pub(crate) use tools::TOOLS;

/// The specification of Gemini CLI.
pub const GEMINI: AgentSpec = AgentSpec {
    name: "gemini",
    tested_versions: &["0.61.0"],
    events: events::EVENTS,
    install: install::INSTALL,
    judge: &["--prompt", "Judge the text of the standard input.", "--extensions", "none"],
    context_limit_chars: CONTEXT_LIMIT_CHARS,
    session_env: &["GEMINI_SESSION_ID"],
    reviewer: None,
    gates_need_a_tool_call: true,
    blind_spots: BLIND_SPOTS,
    version: |_| None,
    is_foreign: |_, _| false,
    decode: decode::decode,
    salvage: |event, payload| Some(salvaged(GEMINI.event(event)?, payload, decode::place)),
    encode: encode::encode,
    call: tools::call,
    input: tools::input,
};

const BLIND_SPOTS: &[BlindSpot] = &[
    blind(
        Policy::Recording,
        Coverage::Observed,
        "no tool call has an id, so parallel calls of the same tool can be mixed up",
    ),
    blind(
        Policy::Recording,
        Coverage::Impossible,
        "a compaction of the conversation can't be told from other requests to the model",
    ),
    blind(
        Policy::Learning,
        Coverage::Observed,
        "a reflection in a here-document, and `verger skip`, need a person's permission: without a \
         person and without `--yolo`, an agent can't satisfy the gate, which then releases it",
    ),
    blind(
        Policy::Drift,
        Coverage::Impossible,
        "no handoff is written before a compaction, because it is not reported",
    ),
];

/// No limit was seen. The same as in the other clients, so that a session costs the same.
const CONTEXT_LIMIT_CHARS: usize = 10_000;
