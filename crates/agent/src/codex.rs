//! Decodes Codex's payloads into events.
//!
//! The payloads were captured from versions 0.166.0 and 0.169.0. Registration, answers and
//! installation are not implemented, so the agent is not in [`AGENTS`](crate::AGENTS).

mod decode;
mod tools;
mod wire;

pub use decode::decode;
pub(crate) use tools::TOOLS;
pub use tools::{call, input};
