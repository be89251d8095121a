//! Codex.
//!
//! The table holds effects seen with the real program, 0.166.0 and 0.169.0. Left out on purpose:
//!
//! - *Ask* and *allow* before a tool: it ignores the first, and the second skips its own rules.
//! - A rewritten input: it is accepted only with an approval, and verger approves no call just to
//!   rewrite it. Such calls are denied instead.
//! - `notify`: it comes for titles too, and `Stop` says the same.
//!
//! The program rejects a whole answer for one key that it doesn't know, and has no limit for
//! blocked stops of its own.

mod decode;
mod encode;
mod events;
mod install;
mod tools;
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
    decode: decode::decode,
    salvage: |event, payload| Some(salvaged(CODEX.event(event)?, payload, decode::place)),
    encode: encode::encode,
    call: tools::call,
    input: tools::input,
};

/// The program cuts the middle out of a longer context, at about 2,500 tokens.
const CONTEXT_LIMIT_CHARS: usize = 9_000;
