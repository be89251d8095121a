//! Whether an agent is on course.
//!
//! What a person asked for is the [`goal`]; what the agent does since then are [`step`]s. From both comes a
//! [`score`], from the score a correction, and from what a person says next whether it is the same task.
//! This crate is pure: time, ids and files are parameters.
#![warn(missing_docs)]

mod bounded;
pub mod goal;
mod paths;
pub mod score;
pub mod step;
mod words;

pub use paths::PathPattern;
