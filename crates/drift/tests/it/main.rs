//! The crate against the judgements of people.
#![expect(clippy::unwrap_used, reason = "what cannot be set up fails the test")]

mod corpus;
mod recovery;
mod turns;
