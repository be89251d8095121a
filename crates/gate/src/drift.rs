//! The gate's part of drift: the state that every hook call reads, the records, and the messages to
//! the agent.
//!
//! The crate `verger_drift` finds broken limits and circles. This module counts batches of tool
//! calls and stores the last score and finding. In mode `correct`, it corrects the agent, and
//! denies an action that broke a limit three times. After a set number of denials, the action may
//! run.

mod change;
pub mod message;
pub mod offer;
mod policy;
mod reader;
mod scorer;
mod step;
mod watch;

pub use change::{Change, Finding, FindingKind, MAX_GOAL};
pub use message::{MAX_HANDOFF_CHARS, handoff};
pub use policy::{Mode, Policy};
pub use reader::{NoReading, parse_reading, reading_event};
pub use scorer::{NoScore, ScoreGiven};
pub use step::{Due, Input, Say, Step, events, step};
pub use verger_drift::GATE;
pub use watch::{StoredWatchChange, Watch};

/// The name under which calls of the scorer program are in the log.
pub const SCORER: &str = "drift-scorer";

#[cfg(test)]
mod tests;
