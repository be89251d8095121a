//! Real files and real programs.

mod bad_input;
mod ground;
mod markdown;
mod merge;
mod parallel;
mod tickets;
