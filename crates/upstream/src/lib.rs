//! A local model service with scripted answers for a real agent. It is used in the demo and in
//! tests, where the agent must not use a real model.
//!
//! It implements the Anthropic Messages API over TCP on 127.0.0.1 and optionally over a unix
//! socket. A request without a scripted answer is refused and recorded as a problem. Requests are
//! never forwarded.

mod encoding;
mod http;
mod reply;
mod request;
mod script;
mod server;

pub use reply::{Block, Reply, Usage};
pub use request::{Kind, Request};
pub use script::{Rule, Script};
pub use server::{Finished, Server};
