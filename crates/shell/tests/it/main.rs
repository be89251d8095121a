//! What command lines run, as tables.
#![expect(clippy::unwrap_used, reason = "what cannot be set up fails the test")]

mod alone;
mod bounds;
mod commands;
mod matching;
mod readings;
mod real_shell;
mod spellings;
mod wrappers;
