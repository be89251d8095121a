//! Measures whether an agent keeps to the person's words, and tracks its tasks.
//!
//! By rules alone only two things are measured: an explicit [`limit`] of the person, and going in
//! [circles](circle). Everything else has no score. The crate also keeps records of a session's
//! tasks, handoffs, and earlier tasks that fit a new prompt.
//!
//! This crate is pure: time, ids and files are parameters.
#![warn(missing_docs)]

mod bounded;
mod check;
pub mod circle;
mod goal;
mod handoff;
mod held_limits;
pub mod limit;
mod mark;
mod notes;
mod paths;
mod person;
mod phrases;
mod reading;
mod record;
pub mod recovery;
pub mod score;
pub mod shelf;
pub mod step;
mod tasks;
mod track;

pub use bounded::Recent;
pub use goal::Goal;
pub use handoff::Handoff;
pub use paths::PathPattern;
pub use person::persons_words;
pub use reading::{ByRules, READER, Reading, ReadingRequest};
pub use record::{Decision, TaskDetails, TaskRecord};
pub use score::Level;
pub use tasks::{PromptAction, Prompted, TaskNumber};
pub use track::{GATE, HANDOFF, Noted, RESTORED, Track};
