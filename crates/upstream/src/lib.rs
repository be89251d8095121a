//! A local model service that gives scripted answers to a real agent, in the demo and in tests,
//! where the agent must not reach a real model.
//!
//! It implements the model APIs that the agents use: Anthropic's Messages, `OpenAI`'s Responses and
//! Chat Completions, and Google's `generateContent`. A request's path tells which, and every
//! script can be asked for in each. It listens on TCP on 127.0.0.1 and, if asked, on a unix
//! socket. A request without a scripted answer is refused and counted as a problem. Requests are
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
