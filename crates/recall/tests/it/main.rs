//! The index through its interface.
#![expect(clippy::unwrap_used, reason = "tests fail by panicking")]

mod samples;
mod searching;
mod updating;
