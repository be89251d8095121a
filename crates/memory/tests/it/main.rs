//! Tests of the crate with real git and with labelled data.
#![expect(clippy::unwrap_used, reason = "a failed setup fails the test")]

mod git_merge;
mod implicit_references;
mod near_duplicates;
mod vague_candidates;
