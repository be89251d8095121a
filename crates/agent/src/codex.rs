//! Codex.
//!
//! The table holds effects seen with the real program. Points that differ from other programs:
//!
//! - The program runs no hook that a person has not trusted, and says nothing about it.
//! - It rejects a whole answer that has a key it doesn't know.
//! - It reports every end of a call with the same event, without the exit code of a shell line.

mod decode;
mod encode;
mod events;
mod install;
mod tools;
mod trust;
mod wire;

use crate::capabilities::{BlindSpot, Coverage, Policy, blind};
use crate::spec::AgentSpec;
use crate::unread::salvaged;

pub(crate) use tools::TOOLS;

/// The specification of Codex.
pub const CODEX: AgentSpec = AgentSpec {
    name: "codex",
    tested_versions: &["0.166.0", "0.169.0"],
    events: events::EVENTS,
    install: install::INSTALL,
    judge: &["exec", "--sandbox", "read-only", "--skip-git-repo-check", "-"],
    context_limit_chars: CONTEXT_LIMIT_CHARS,
    session_env: &[],
    reviewer: None,
    gates_need_a_tool_call: false,
    blind_spots: BLIND_SPOTS,
    version: |_| None,
    is_foreign: |_, _| false,
    decode: decode::decode,
    salvage: |event, payload| Some(salvaged(CODEX.event(event)?, payload, decode::place)),
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
        Coverage::Impossible,
        "the end of a shell line with an `apply_patch` here-document is not reported",
    ),
    blind(
        Policy::Recording,
        Coverage::Observed,
        "the exit code of a shell line is unknown, so its outcome is recorded as unknown",
    ),
    blind(
        Policy::PermissionRequests,
        Coverage::Impossible,
        "`codex exec` asks nobody, so it calls no hook for it",
    ),
    blind(
        Policy::ReviewStop,
        Coverage::Observed,
        "in Codex's sandbox, `verger review run` can't record and a reviewer has no network: verger's \
         rules let it run outside, and without them (`--without permissions`) a person runs it",
    ),
    blind(
        Policy::Learning,
        Coverage::Observed,
        "a failed command that should close a ticket counts as a close",
    ),
    blind(
        Policy::Verification,
        Coverage::Observed,
        "a failed shell line is not seen as a failure; what counts is `verger verify`, which can't \
         record in Codex's sandbox: unless a rule of Codex lets it run outside, a person runs it",
    ),
];

/// The program cuts the middle out of a longer context, at about 2,500 tokens.
const CONTEXT_LIMIT_CHARS: usize = 9_000;
