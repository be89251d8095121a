//! Tests of the index through its public interface.
#![expect(clippy::unwrap_used, reason = "tests fail by panicking")]

mod damage;
mod parallel;
mod samples;
mod searching;
mod updating;
