//! Copilot CLI.
//!
//! The table holds effects seen with the real program. Points that differ from other programs:
//!
//! - A session's own prompts, tool calls and stops come with its id as `sessionId`; a subagent's
//!   come with the subagent's id there, and the session's in `parentAgentId`.
//! - A subagent that another subagent started has only that one's id in `parentAgentId`. Its start
//!   and its stop are found by the session's transcript; its calls are recorded in a session of
//!   their own.
//! - `errorOccurred` comes for every failed request to the model. The program sends most of them
//!   again, and the payload doesn't tell whether the turn ended.
//! - `agentStop` also comes for a subagent, where an answer has no effect. verger decodes only the
//!   `subagentStop` that follows.
//! - A blocked stop comes back as a prompt of the user.
//! - An exit code other than 0 before a tool denies the call; on a stop it does nothing.
//! - The program also runs the Claude Code hooks of a project. `verger-hook` ignores those calls
//!   (`is_foreign` of Claude Code), so that no event is recorded twice.

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

/// The specification of Copilot CLI.
pub const COPILOT: AgentSpec = AgentSpec {
    name: "copilot",
    tested_versions: &["1.0.102"],
    events: events::EVENTS,
    install: install::INSTALL,
    judge: &["--no-custom-instructions", "--available-tools", "none", "--prompt", "Judge this."],
    context_limit_chars: CONTEXT_LIMIT_CHARS,
    session_env: &["COPILOT_AGENT_SESSION_ID"],
    reviewer: None,
    gates_need_a_tool_call: false,
    blind_spots: BLIND_SPOTS,
    version,
    is_foreign: |_, _| false,
    decode: decode::decode,
    salvage: |event, payload| Some(salvaged(COPILOT.event(event)?, payload, decode::place)),
    encode: encode::encode,
    call: tools::call,
    input: tools::input,
};

const BLIND_SPOTS: &[BlindSpot] = &[
    blind(
        Policy::UndoPoints,
        Coverage::Observed,
        "a file that a patch removes or overwrites is not saved before; shell lines are",
    ),
    blind(
        Policy::Recording,
        Coverage::Observed,
        "no tool call has an id, so parallel calls of the same tool can be mixed up",
    ),
    blind(
        Policy::Recording,
        Coverage::Observed,
        "the exit code of a shell line is read from the last line of its output; a line that still \
         runs has an unknown outcome",
    ),
    blind(
        Policy::Recording,
        Coverage::Observed,
        "the calls of a subagent's own subagent don't name the session, so they are recorded apart",
    ),
    blind(Policy::Recording, Coverage::Impossible, "a stop doesn't carry the agent's last message"),
    BlindSpot {
        setting: Some(("verification.mode", "claims")),
        ..blind(
            Policy::Verification,
            Coverage::Impossible,
            "a claim of \"done\" is not seen, because a stop doesn't carry the agent's last message: use \
         `verification.mode = \"always\"`",
        )
    },
];

/// No limit was seen. The same as in the other clients, so that a session costs the same.
const CONTEXT_LIMIT_CHARS: usize = 10_000;

fn version(variable: &dyn Fn(&str) -> Option<String>) -> Option<String> {
    let version = variable("COPILOT_CLI_BINARY_VERSION")?;
    let is_version =
        version.len() <= 32 && version.bytes().all(|b| b.is_ascii_digit() || b == b'.');
    Some(version).filter(|version| is_version && !version.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_version_is_told_by_the_environment() {
        for (value, expected) in [
            (Some("1.0.102"), Some("1.0.102")),
            (Some(""), None),
            (Some("sk-x"), None),
            (None, None),
        ] {
            let variable = |name: &str| {
                value.filter(|_| name == "COPILOT_CLI_BINARY_VERSION").map(str::to_owned)
            };
            assert_eq!(version(&variable).as_deref(), expected);
        }
    }
}
