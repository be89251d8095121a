//! Measures whether an agent follows the person's instructions, and tracks its tasks.
//!
//! The rules measure only two things: explicit [`limit`]s of the person, and going in
//! [circles](circle). Everything else has no score. The crate also builds records of a session's
//! tasks, handoffs, and a list of earlier tasks that fit a new prompt.
//!
//! This crate does no I/O: time, ids and files are parameters.
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
