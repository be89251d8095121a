//! Codex.
//!
//! The payloads were captured from versions 0.166.0 and 0.169.0.

mod decode;
mod encode;
mod events;
mod install;
mod tools;
mod trust;
mod wire;

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
    version: |_| None,
    is_foreign: |_, _| false,
    decode: decode::decode,
    salvage: |event, payload| Some(salvaged(CODEX.event(event)?, payload, decode::place)),
    encode: encode::encode,
    call: tools::call,
    input: tools::input,
};

/// The program cuts the middle out of a longer context, at about 2,500 tokens.
const CONTEXT_LIMIT_CHARS: usize = 9_000;
