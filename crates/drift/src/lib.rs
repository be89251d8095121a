//! Whether an agent is on course.
//!
//! What a person asked for is the [`goal`]; what the agent does since then are [`step`]s. From both comes a
//! [`score`], from the score a correction, and from what a person says next whether it is the same task.
//! This crate is pure: time, ids and files are parameters.
#![warn(missing_docs)]

mod bounded;
pub mod goal;
mod handoff;
mod level;
mod mark;
mod notes;
mod paths;
mod reading;
mod record;
pub mod recovery;
pub mod score;
pub mod shelf;
pub mod step;
mod tasks;
mod told;
mod track;
mod words;

pub use bounded::Recent;
pub use handoff::Handoff;
pub use level::Level;
pub use paths::PathPattern;
pub use reading::{ByRules, READER, Reading, ReadingRequest};
pub use record::{Decision, Ending, TaskDetails, TaskRecord};
pub use tasks::{PromptAction, Prompted, ReplyAction, TaskNumber, Tasks};
pub use track::{HANDOFF, Noted, Track};
