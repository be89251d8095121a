//! The course of a session, told line by line.
//!
//! What `drift` folds and what the gate of the course decided are in the log as records of many kinds. A
//! [`Chronicle`] reads them in order and says what each of them is in the story of the session: a task
//! began, a step was taken, the course was scored, the agent was corrected, a task ended. Tables and
//! timelines are made from these lines, so that all of them tell the same.
//! This crate is pure: it holds what it needs for the next line and nothing that grows with the session.
#![warn(missing_docs)]

mod chronicle;
mod kept_task;
mod line;
mod position;
mod timeline;

pub use chronicle::Chronicle;
pub use kept_task::KeptTask;
pub use line::{Given, Line, Mode, Scored, StepRow, TaskRow, drift_type};
pub use position::{Followed, Position, Telling};
pub use timeline::{Moment, Timeline, Told};
pub use verger_drift::TaskDetails;
pub use verger_gate::course::Matter;
