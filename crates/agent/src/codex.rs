//! Codex: its payloads as events.
//!
//! Captured from 0.166.0 and 0.169.0. Registering, answering and installing are not here yet, so that the program is
//! not among [`AGENTS`](crate::AGENTS).

mod decode;
mod tools;
mod wire;

pub use decode::decode;
pub(crate) use tools::TOOLS;
pub use tools::{call, input};
