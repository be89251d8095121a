//! Tests of the chores, started by their command lines.
#![expect(clippy::unwrap_used, reason = "a test fails if its setup fails")]

mod claude_capture;
mod picture;
mod soak;
