//! Tests of the test support itself, including the real client.
#![expect(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "all functions here are test code; one measures time"
)]

mod claude_code;
mod claude_plugin_agents;
mod client_events;
mod client_sessions;
mod enclosure;
mod environment;
mod terminal;
mod upstream;

use std::any::Any;
use std::panic::{self, AssertUnwindSafe};

/// The message with which `action` panicked.
#[track_caller]
fn failure_of<T>(action: impl FnOnce() -> T) -> String {
    let Err(payload) = panic::catch_unwind(AssertUnwindSafe(action)) else {
        panic!("there was no failure");
    };
    let payload: &(dyn Any + Send) = &*payload;
    payload
        .downcast_ref::<String>()
        .cloned()
        .or_else(|| payload.downcast_ref::<&str>().map(|text| (*text).to_owned()))
        .unwrap()
}
