//! Real programs, run within limits.
#![expect(clippy::unwrap_used, reason = "what cannot be set up fails the test")]

mod detached;
mod limits;
mod stop;
