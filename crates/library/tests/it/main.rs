//! Tests of the crate with real files and real programs.
#![expect(clippy::unwrap_used, reason = "a failed setup fails the test")]

mod bad_input;
mod catalogue;
mod ground;
mod library;
mod markdown;
mod merge;
mod parallel;
mod statistics;
mod stats_log;
mod tickets;
mod total_recall;
