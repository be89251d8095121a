//! The crate against the judgements of people.
#![expect(clippy::unwrap_used, reason = "what cannot be set up fails the test")]

mod bad_input;
mod conditions;
mod constraints;
mod corpus;
mod course;
mod goals;
mod good_sessions;
mod long_sessions;
mod long_work;
mod not_taken_back;
mod own_list;
mod properties;
mod recovery;
mod session;
mod steps;
mod taking_back;
mod trace_score;
mod turns;
