//! Tests of the crate with real git and with labelled data.
#![expect(clippy::unwrap_used, reason = "what cannot be set up fails the test")]

mod git_merge;
mod implicit_references;
mod near_duplicates;
mod vague_candidates;
