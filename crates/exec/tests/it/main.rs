//! Tests that run real programs within limits.
#![expect(clippy::unwrap_used, reason = "a test fails if its setup fails")]

mod detached;
mod limits;
mod stop;
