//! The course: how far an agent is on it, what it is told about that, and whether it goes back.
//!
//! How the course is scored is a matter of `drift`. Here is what every hook call knows of it: how many
//! batches of calls there were since the last score, what was found, what the agent was told, and where it
//! stands on its way back. A finding is told once; a person's next words end it. An agent that did not go
//! back three times is kept from changes that lead further away, as often as gates may refuse at all.

mod change;
pub mod message;
mod policy;
mod reader;
mod scorer;
mod step;
mod watch;

pub use change::{Change, Finding, MAX_GOAL, Matter};
pub use message::{MAX_HANDOFF_CHARS, handoff};
pub use policy::{Mode, Policy};
pub use reader::{NoReading, parse_reading, reading_event};
pub use scorer::{NoScore, ScoreGiven};
pub use step::{Due, Input, Say, Step, events, step};
pub use watch::Watch;

/// The name of the gate, and the source of what it says.
pub const GATE: &str = "course";

/// The name in the log of what becomes of asking a program for a score.
pub const SCORER: &str = "course-scorer";

#[cfg(test)]
mod tests;
