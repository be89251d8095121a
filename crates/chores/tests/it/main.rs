//! Tests of the chores as command lines.
#![expect(clippy::unwrap_used, reason = "what cannot be set up fails the test")]

mod claude_capture;
mod picture;
mod soak;
