//! The history of a session as a list of lines.
//!
//! A [`Chronicle`] reads a session's records in order and turns each into lines: a task started,
//! a step was taken, the session was scored, the agent was corrected, a task ended. All tables
//! and timelines are made from these lines, so that they agree.
//!
//! This crate is pure. A chronicle keeps only the state for the next line, and its size doesn't
//! grow with the session.
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
pub use timeline::{Moment, MomentKind, Timeline};
pub use verger_drift::TaskDetails;
pub use verger_drift::step::Action;
pub use verger_gate::drift::FindingKind;
