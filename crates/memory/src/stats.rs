//! Statistics of learnings: lines that are appended to a file that a team shares, and their fold.
//!
//! When git merges two branches, it may put their lines in any order and repeat some. No fold of
//! the lines depends on their order or on repetitions.

mod account;
mod given_line;
mod line;
mod miss;
mod of_event;
mod overview;
mod parsing;
#[cfg(test)]
mod samples;
mod tally;
mod usage;

pub use account::Account;
pub use line::{StatsEvent, StatsLine, VERSION, render};
pub use miss::{Miss, misses};
pub use of_event::lines_of;
pub use overview::{Group, Overview, Period, TREND_DAYS, Trend};
pub use parsing::{Log, parse};
#[cfg(test)]
pub(crate) use samples::in_session;
pub use tally::Tally;
pub use usage::{LearningKey, USAGE_BYTES, Usage};
