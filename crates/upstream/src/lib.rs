//! A model service on this machine that answers as scripted, for a real agent that must not reach
//! a real model: in the demo and in the tests.
//!
//! It speaks the Anthropic Messages API over TCP on 127.0.0.1 and, if asked, over a unix socket.
//! A request for which nothing is scripted is refused and counted as a problem; nothing is ever
//! passed on.

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
