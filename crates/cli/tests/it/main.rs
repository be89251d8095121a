//! The `verger` program, from outside.
#![expect(clippy::unwrap_used, clippy::expect_used, reason = "tests fail by panicking")]
#![cfg(feature = "fixed")]

mod log;
mod recorded;
mod sessions;
mod trace;
mod usage;
