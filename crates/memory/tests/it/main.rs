//! The crate against what is outside of it: git, and the judgements of people.
#![expect(clippy::unwrap_used, reason = "what cannot be set up fails the test")]

mod git_merge;
mod implicit_references;
mod near_duplicates;
mod vague_candidates;
