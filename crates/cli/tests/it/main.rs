//! The `verger` program, from outside.
#![expect(clippy::unwrap_used, reason = "tests fail by panicking")]
#![cfg(feature = "fixed")]

mod log;
mod recorded;
mod sessions;
mod trace;
mod usage;
