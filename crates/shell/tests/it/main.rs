//! Tests of the commands that the parser finds on command lines.
#![expect(clippy::unwrap_used, reason = "a test fails if its setup fails")]

mod alone;
mod bounds;
mod commands;
mod differential;
mod generated;
mod matching;
mod readings;
mod real_shell;
mod sandbox;
mod shell_lines;
mod spellings;
mod storms;
mod wrappers;
mod written;
